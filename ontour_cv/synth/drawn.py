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
from ontour_cv.synth.manners import (
    INKS,
    draw_free_leg,
    draw_leg,
    draw_thread,
    free_manner,
    free_pen,
    usual_manner,
)
from ontour_cv.synth.notes import drawn_route, scribbles
from ontour_cv.synth.scene import Scene
from ontour_cv.synth.strokes import Writer, smooth

NONE = 0.2
"""Share of boards no tour is drawn on."""

PROVEN = 0.4
"""Share of tours that are the best there is, as good players find; others are what looking ahead a little gives."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTour:
    """What was drawn: the places in order (none: no tour), and the ink."""

    places: tuple[str, ...]
    strokes: list[Stroke]


TourDrawer = Callable[[Scene, np.random.Generator], DrawnTour]
"""Draws a tour on a scene, such as :func:`draw_tour` for a board, its map and whoever wrote it."""


def draw_tour(
    board: BoardState, template: MapTemplate, writer: Writer, scene: Scene, rng: np.random.Generator,
    free: bool = False,
) -> DrawnTour:  # fmt: skip
    """A tour as a player may have drawn it; now and then none, a short one, or one that breaks the rules.

    Beside it small ticks at discs not visited, arcs and bars that mean nothing, faint remains of a leg wiped out, and
    legs half erased. ``free`` draws it in any manner and with any pen (``manners``), for training.
    """
    pen = free_pen(writer, rng) if free else other_pen(writer, rng)
    near = {region: template.reach(region) for region in template.ids}
    best = ruleset(variant_for(template.rules, None)).score
    places = walk(board, near, lambda: best(template, board).route, rng)
    return ink_tour(places, template, scene, pen, rng, free=free)


def ink_tour(
    places: tuple[str, ...], template: MapTemplate, scene: Scene, pen: Writer, rng: np.random.Generator,
    across: Callable[[str, str], list[Stroke] | None] = lambda here, there: None, free: bool = False,
) -> DrawnTour:  # fmt: skip
    """The ink of a tour through these places, and what players draw beside it: see :func:`draw_tour`.

    ``across`` gives the strokes of a leg that is no printed link (a ferry); None for one that is.
    """
    strokes = _freely(places, scene, pen, rng, across) if free else _usually(places, scene, pen, rng, across)
    if strokes and rng.random() < 0.12:
        strokes = _half_erased(strokes, rng)
    rest = [region for region in template.ids if region not in places]
    if rest and rng.random() < 0.4:
        chosen = rng.choice(len(rest), min(len(rest), int(rng.integers(1, 16))), replace=False)
        strokes += [s for k in chosen for s in tick(scene.cells[rest[k]], scene.radius, pen, rng)]
    if rng.random() < 0.15:
        strokes += scribbles(scene, pen, rng)
    return DrawnTour(places, _wiped_leg(template, scene, places, pen, rng) + strokes)


def _usually(
    places: tuple[str, ...], scene: Scene, pen: Writer, rng: np.random.Generator,
    across: Callable[[str, str], list[Stroke] | None],
) -> list[Stroke]:  # fmt: skip
    """The legs as most players draw them."""
    strokes: list[Stroke] = []
    manner = usual_manner(rng)
    for here, there in pairwise(places):
        ferry = across(here, there)
        strokes += draw_leg(scene, here, there, manner, pen, rng) if ferry is None else ferry
    if places and manner.round_discs:
        strokes += [_detour(scene, *three, pen, rng) for three in zip(places, places[1:], places[2:], strict=False)]
    return strokes


def _freely(
    places: tuple[str, ...], scene: Scene, pen: Writer, rng: np.random.Generator,
    across: Callable[[str, str], list[Stroke] | None],
) -> list[Stroke]:  # fmt: skip
    """The legs in any manner; a thread is one line from ferry to ferry."""
    strokes: list[Stroke] = []
    manner = free_manner(rng)
    run = list(places[:1])
    for here, there in pairwise(places):
        ferry = across(here, there)
        if ferry is None and not manner.thread:
            strokes += draw_free_leg(scene, here, there, manner, pen, rng)
        elif ferry is None:
            run.append(there)
        else:
            strokes += ferry
            strokes += [draw_thread(scene, tuple(run), manner, pen, rng)] if len(run) > 1 else []
            run = [there]
    strokes += [draw_thread(scene, tuple(run), manner, pen, rng)] if len(run) > 1 else []
    return strokes


def other_pen(writer: Writer, rng: np.random.Generator) -> Writer:
    """The pen of the marks, or another one."""
    if rng.random() < 0.65:
        return replace(writer, pen=writer.pen * float(rng.uniform(0.8, 1.2)))
    ink = INKS[int(rng.integers(len(INKS)))]
    return replace(writer, ink_bgr=ink, pen=writer.pen * float(rng.uniform(0.7, 1.6)))


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
