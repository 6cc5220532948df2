"""The tour a player drew on the board: a pen line from disc to disc along printed links, in many manners."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ontour_cv.board import BoardState
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import ruleset, variant_for
from ontour_cv.synth.ink import Stroke, leg, tick
from ontour_cv.synth.notes import drawn_route, scribbles
from ontour_cv.synth.scene import Scene
from ontour_cv.synth.strokes import Polyline, Writer, smooth

INKS = ((30, 25, 25), (170, 60, 20), (40, 35, 190), (45, 110, 30), (150, 40, 130))
"""Pens at a table, BGR: black, blue, red, green, violet."""

NONE = 0.2
"""Share of boards no tour is drawn on."""

PROVEN = 0.4
"""Share of tours that are the best there is, as good players find; others are what looking ahead a little gives."""

LEAST_LEG = 0.9
"""A leg's least length, disc radii: between discs that nearly touch, the line begins and ends inside them."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTour:
    """What was drawn: the places in order (none: no tour), and the ink."""

    places: tuple[str, ...]
    strokes: list[Stroke]


TourDrawer = Callable[[Scene, np.random.Generator], DrawnTour]
"""Draws a tour on a scene, such as :func:`draw_tour` for a board, its map and whoever wrote it."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How this player draws; lengths in disc radii.

    Attributes:
        reach: where a leg begins and ends, from the discs' centres.
        wobble: amplitude of the line's waves.
        dash: length of a dash and of the gap behind it; None for a solid line.
        arrows: whether legs have heads.
        through: the line goes on through the discs.
        round_discs: the line goes round the discs.
    """

    reach: float
    wobble: float
    dash: tuple[float, float] | None
    arrows: bool
    through: bool
    round_discs: bool


def draw_tour(
    board: BoardState, template: MapTemplate, writer: Writer, scene: Scene, rng: np.random.Generator
) -> DrawnTour:
    """A tour as a player may have drawn it; now and then none, a short one, or one that breaks the rules.

    Beside it small ticks at discs not visited, arcs and bars that mean nothing, faint remains of a leg wiped out, and
    legs half erased.
    """
    pen = other_pen(writer, rng)
    near = {region: template.reach(region) for region in template.ids}
    best = ruleset(variant_for(template.rules, None)).score
    places = walk(board, near, lambda: best(template, board).route, rng)
    return ink_tour(places, template, scene, pen, rng)


def ink_tour(
    places: tuple[str, ...], template: MapTemplate, scene: Scene, pen: Writer, rng: np.random.Generator,
    across: Callable[[str, str], list[Stroke] | None] = lambda here, there: None,
) -> DrawnTour:  # fmt: skip
    """The ink of a tour through these places, and what players draw beside it: see :func:`draw_tour`.

    ``across`` gives the strokes of a leg that is no printed link (a ferry); None for one that is.
    """
    strokes: list[Stroke] = []
    manner = _manner(rng)
    for here, there in pairwise(places):
        ferry = across(here, there)
        strokes += draw_leg(scene, here, there, manner, pen, rng) if ferry is None else ferry
    if places and manner.round_discs:
        strokes += [_detour(scene, *three, pen, rng) for three in zip(places, places[1:], places[2:], strict=False)]
    if strokes and rng.random() < 0.12:
        strokes = _half_erased(strokes, rng)
    rest = [region for region in template.ids if region not in places]
    if rest and rng.random() < 0.4:
        chosen = rng.choice(len(rest), min(len(rest), int(rng.integers(1, 16))), replace=False)
        strokes += [s for k in chosen for s in tick(scene.cells[rest[k]], scene.radius, pen, rng)]
    if rng.random() < 0.15:
        strokes += scribbles(scene, pen, rng)
    return DrawnTour(places, _wiped_leg(template, scene, places, pen, rng) + strokes)


def other_pen(writer: Writer, rng: np.random.Generator) -> Writer:
    """The pen of the marks, or another one."""
    if rng.random() < 0.65:
        return replace(writer, pen=writer.pen * float(rng.uniform(0.8, 1.2)))
    ink = INKS[int(rng.integers(len(INKS)))]
    return replace(writer, ink_bgr=ink, pen=writer.pen * float(rng.uniform(0.7, 1.6)))


def _manner(rng: np.random.Generator) -> Manner:
    kind = str(rng.choice(["rims", "through", "round"], p=[0.6, 0.25, 0.15]))
    dash = (float(rng.uniform(0.4, 0.8)), float(rng.uniform(0.15, 0.35))) if rng.random() < 0.12 else None
    return Manner(
        reach={"rims": float(rng.uniform(0.55, 1.15)), "through": 0.0, "round": 1.2}[kind],
        wobble=float(rng.uniform(0, 0.12)),
        dash=dash,
        arrows=bool(rng.random() < 0.25),
        through=kind == "through",
        round_discs=kind == "round",
    )


def walk(
    board: BoardState, near: Mapping[str, Sequence[str]], best: Callable[[], Sequence[str]], rng: np.random.Generator
) -> tuple[str, ...]:
    """A player's tour: mostly lawful; sometimes cut short, sometimes gone on where the rules forbid it; at times none.

    Args:
        board: the marks.
        near: region id -> where one may go from there.
        best: finds the best route there is.
        rng: chance.
    """
    if rng.random() < NONE:
        return ()
    places = list(best()) if rng.random() < PROVEN else drawn_route(board, near, rng)
    chance = rng.random()
    if chance < 0.1:
        places = places[: max(5, int(len(places) * rng.uniform(0.4, 1.0)))]
    elif chance < 0.3 and places:
        for _ in range(int(rng.integers(1, 4))):
            onward = [n for n in near[places[-1]] if n not in places]
            if onward:
                places = [*places, onward[int(rng.integers(len(onward)))]]
    return tuple(places) if len(places) >= 5 else ()


def draw_leg(
    scene: Scene, here: str, there: str, manner: Manner, pen: Writer, rng: np.random.Generator
) -> list[Stroke]:
    """One leg: its line, wobbly or in dashes, and the head of its arrow."""
    start, stop = scene.cells[here], scene.cells[there]
    length = float(np.hypot(*(np.array(stop) - start))) / scene.radius
    reach = max(0.0, min(manner.reach, (length - LEAST_LEG) / 2))
    line, *head = leg(start, stop, scene.radius, reach, pen, rng, manner.arrows and not manner.through)
    wobbly = _wobbly(line.points_board, manner.wobble * scene.radius, rng)
    if manner.dash is None:
        return [replace(line, points_board=wobbly), *head]
    parts = _dashes(wobbly, manner.dash[0] * scene.radius, manner.dash[1] * scene.radius)
    return [*(replace(line, points_board=part) for part in parts), *head]


def _wobbly(points: Polyline, amplitude: float, rng: np.random.Generator) -> Polyline:
    """The line with slow waves across it; its ends stay."""
    along = np.linspace(0, 1, len(points))
    step = points[-1] - points[0]
    across = np.array([-step[1], step[0]]) / max(float(np.hypot(*step)), 1e-9)
    wave = np.sin(np.pi * along) * np.sin(2 * np.pi * rng.uniform(0.5, 2.5) * along + rng.uniform(0, 2 * np.pi))
    return np.asarray(points + amplitude * wave[:, None] * across, dtype=np.float64)


def _dashes(points: Polyline, dash: float, gap: float) -> list[Polyline]:
    """The line cut into dashes; lengths in the line's own unit."""
    run = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    starts = np.arange(0.0, run[-1], dash + gap)
    cut = [np.linspace(low, min(low + dash, run[-1]), 6) for low in starts]
    return [np.column_stack([np.interp(at, run, points[:, 0]), np.interp(at, run, points[:, 1])]) for at in cut]


def _detour(scene: Scene, before: str, here: str, after: str, pen: Writer, rng: np.random.Generator) -> Stroke:
    """The line's way round a disc, the shorter way, from where one leg comes in to where the next goes out."""
    centre = np.array(scene.cells[here])
    first, last = (float(np.arctan2(*(np.array(scene.cells[r]) - centre)[::-1])) for r in (before, after))
    turn = (last - first + np.pi) % (2 * np.pi) - np.pi
    angles = first + np.linspace(0, turn, 12)
    reach = scene.radius * float(rng.uniform(1.12, 1.35))
    points = centre + reach * np.column_stack([np.cos(angles), np.sin(angles)])
    return Stroke(smooth(points, 2), pen.pen * scene.radius, 0.95, pen.ink_bgr)


def _half_erased(strokes: list[Stroke], rng: np.random.Generator) -> list[Stroke]:
    """A few strokes paled by a sleeve."""
    hit = set(rng.choice(len(strokes), min(len(strokes), int(rng.integers(1, 4))), replace=False).tolist())
    pale = float(rng.uniform(0.3, 0.65))
    return [replace(s, darkness=s.darkness * pale) if k in hit else s for k, s in enumerate(strokes)]


def _wiped_leg(
    template: MapTemplate, scene: Scene, places: tuple[str, ...], pen: Writer, rng: np.random.Generator
) -> list[Stroke]:
    """Faint remains of a leg that was wiped out, seldom."""
    if not places or rng.random() > 0.1:
        return []
    here = places[int(rng.integers(len(places)))]
    others = [n for n in template.region(here).neighbours if n not in places]
    if not others:
        return []
    there = others[int(rng.integers(len(others)))]
    lines = leg(scene.cells[here], scene.cells[there], scene.radius, 1.0, pen, rng, False)
    faint = float(rng.uniform(0.04, 0.18))
    return [replace(line, darkness=faint) for line in lines]
