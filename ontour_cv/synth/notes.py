"""What a player leaves on a board besides the marks: a route, ticks, ghosts of an earlier game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.ink import Stroke, cell_strokes, clutter_strokes, pen_stroke
from ontour_cv.synth.scene import Scene
from ontour_cv.synth.strokes import Writer


def mark_strokes(board: BoardState, scene: Scene, writer: Writer, rng: np.random.Generator) -> list[Stroke]:
    """The marks themselves, cell by cell."""
    strokes = []
    for region, mark in board.marks.items():
        strokes += cell_strokes(mark, scene.cells[region], scene.radius, writer, rng)
    return strokes


def note_strokes(
    board: BoardState, template: MapTemplate, scene: Scene, writer: Writer, rng: np.random.Generator, strength: float
) -> list[Stroke]:
    """Route lines and ticks; ``strength`` 0-1 is how likely and how much."""
    route: list[str] = []
    ticked: list[str] = []
    if rng.random() < strength:
        route = drawn_route(board, {region.id: region.neighbours for region in template.regions}, rng)
    if rng.random() < 0.6 * strength:
        rest = [r for r in template.ids if r not in route]
        count = min(len(rest), int(rng.integers(1, 16)))
        ticked = [rest[i] for i in rng.choice(len(rest), count, replace=False)]
    strokes = clutter_strokes(scene.cells, scene.radius, route, ticked, writer, rng)
    if rng.random() < 0.4 * strength:
        strokes += scribbles(scene, writer, rng)
    return strokes


def scribbles(scene: Scene, writer: Writer, rng: np.random.Generator) -> list[Stroke]:
    """Arcs that hug a disc without going round it, and bars between discs."""
    strokes = []
    ids = list(scene.cells)
    for k in rng.choice(len(ids), int(rng.integers(1, 8)), replace=False):
        centre, start = np.array(scene.cells[ids[k]]), rng.uniform(0, 2 * np.pi)
        width = writer.pen * scene.radius
        if rng.random() < 0.5:
            angle = start + np.linspace(0, rng.uniform(0.5, 1.7), 12)
            points = centre + scene.radius * rng.uniform(1.15, 1.7) * np.column_stack([np.cos(angle), np.sin(angle)])
        else:
            at = centre + scene.radius * rng.uniform(1.3, 2.5) * np.array([np.cos(start), np.sin(start)])
            points = at + scene.radius * rng.normal(0, 0.6, (2, 2))
        strokes.append(pen_stroke(points, width, 0.95, writer))
    return strokes


def ghost_strokes(scene: Scene, writer: Writer, rng: np.random.Generator, most: float = 0.2) -> list[Stroke]:
    """Faint numbers, lines and rings of an earlier game, badly wiped; never darker than ``most``."""
    strokes = []
    ids = list(scene.cells)
    for k in rng.choice(len(ids), int(rng.integers(1, 14)), replace=False):
        mark = Mark(Kind.NUMBER, int(rng.integers(1, 99)), bool(rng.random() < 0.2))
        faint = float(rng.uniform(0.03, most))
        drawn = cell_strokes(mark, scene.cells[ids[k]], scene.radius, writer, rng)
        strokes += [replace(s, darkness=min(s.darkness, faint)) for s in drawn]
    return strokes


def touching(strokes: list[Stroke], scene: Scene) -> dict[str, int]:
    """How many of the strokes come onto each disc (or its ring), region id -> count."""
    counts = dict.fromkeys(scene.cells, 0)
    for stroke in strokes:
        for region, centre in scene.cells.items():
            gaps = np.linalg.norm(stroke.points_board - np.array(centre), axis=1)
            counts[region] += bool(gaps.min() < 1.05 * scene.radius)
    return counts


def drawn_route(
    board: BoardState, neighbours: Mapping[str, Sequence[str]], rng: np.random.Generator, tries: int = 40
) -> list[str]:
    """A long rising route such as a player finds: the best of some greedy walks (not proven best, nor need it be)."""
    open_cells = [r for r, m in board.marks.items() if m.kind in (Kind.NUMBER, Kind.STAR)]
    best: list[str] = []
    for _ in range(tries if open_cells else 0):
        here = open_cells[int(rng.integers(len(open_cells)))]
        walk, level = [here], board.marks[here].number or 0
        while True:
            steps = []
            for there in neighbours[here]:
                mark = board.marks[there]
                value = level if mark.kind is Kind.STAR else mark.number
                if there not in walk and value is not None and value >= level:
                    steps.append((value - level + rng.uniform(0, 12), there, value))
            if not steps:
                break
            _, here, level = min(steps)
            walk.append(here)
        if len(walk) > len(best):
            best = walk
    return best
