"""The tour a player drew on a board of New York: by land along printed links, across the water by the ferries drawn."""

from __future__ import annotations

from functools import partial

import numpy as np

from ontour_cv.board import Kind
from ontour_cv.city_board import CityBoard
from ontour_cv.press.editions import own_frame
from ontour_cv.rules.city import city_score
from ontour_cv.synth.city_lines import ferry_line, sample_line_habits
from ontour_cv.synth.drawn import DrawnTour, ink_tour, other_pen, walk
from ontour_cv.synth.ink import Stroke
from ontour_cv.synth.manners import free_pen
from ontour_cv.synth.printed import Print
from ontour_cv.synth.scene import Scene
from ontour_cv.synth.strokes import Writer

TRACED = 0.5
"""Share of players whose tour goes over the ferries' lines again; for the others these are part of it as they stand."""


def city_tour(
    board: CityBoard, sheet: Print, writer: Writer, scene: Scene, rng: np.random.Generator, free: bool = False
) -> DrawnTour:
    """A tour as ``synth.drawn.draw_tour`` has it, on a board of New York whose ferries are drawn already.

    Args:
        board: what was played; its ferries may be travelled.
        sheet: what it is printed on.
        writer: whose pen the marks are written with.
        scene: where the sheet's discs lie.
        rng: chance.
        free: as for ``synth.drawn.draw_tour``.
    """
    template = sheet.template
    ferries = {frozenset(pair) for pair in board.ferries}
    near = {
        region.id: tuple(dict.fromkeys((*region.neighbours, *board.ferries_at(region.id))))
        for region in template.regions
    }
    pen = free_pen(writer, rng) if free else other_pen(writer, rng)
    places = walk(board.board, near, lambda: city_score(template, board).route, rng)
    habits, traced = sample_line_habits(rng), bool(rng.random() < TRACED)
    if not traced:
        places = _to_be_seen(places, board, ferries)
    frame = own_frame(template, sheet.design)

    def across(here: str, there: str) -> list[Stroke] | None:
        if there in template.region(here).neighbours or frozenset((here, there)) not in ferries:
            return None
        if not traced:
            return []
        lines = ferry_line((here, there), template, sheet.design, habits, rng)
        width = pen.pen * scene.radius
        return [Stroke(line * frame.scale + np.array(frame.shift), width, 0.95, pen.ink_bgr) for line in lines]

    return ink_tour(places, template, scene, pen, rng, across, free)


def _to_be_seen(places: tuple[str, ...], board: CityBoard, ferries: set[frozenset[str]]) -> tuple[str, ...]:
    """A tour without ferries at its end that the rules forbid: nobody can know that it takes them, no line says so."""
    kept: list[str] = []
    level, end = 0, 0
    for here in places:
        mark = board.marks[here]
        by_ferry = bool(kept) and frozenset((kept[-1], here)) in ferries
        lawful = mark.kind is Kind.STAR or (mark.number is not None and mark.number >= level)
        level = max(level, mark.number or 0)
        kept.append(here)
        if lawful or not by_ferry:
            end = len(kept)
    return tuple(kept[:end])


def tour_drawer(board: CityBoard, sheet: Print, writer: Writer, free: bool = False) -> partial[DrawnTour]:
    """What ``photograph.render_print`` wants: :func:`city_tour` of a scene and chance."""
    return partial(city_tour, board, sheet, writer, free=free)
