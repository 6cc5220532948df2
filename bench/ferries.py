"""Ferries drawn in other ways: the same photos of boards of New York for each way of drawing a ferry.

The ways are this module's own and drawn by its own few lines of code: what the networks learnt from
(``ontour_cv.synth.city_lines``) has no part in them.

Usage: python -m bench.ferries [--boards 25] [--strokes DIR] [--backgrounds DIR]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.cities import NEW_YORK, drawn, played_board
from bench.photos import Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import Share, table
from ontour_cv.city_board import CityBoard
from ontour_cv.errors import BoardNotFound
from ontour_cv.press.design import BoardDesign
from ontour_cv.scorer.city_drawn import Given
from ontour_cv.scorer.city_score import PRIOR, score_city_read
from ontour_cv.scorer.score import mark_reader
from ontour_cv.synth.city_ink import CityInk, inked, with_city_ink
from ontour_cv.synth.ink import Stroke
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.strokes import Polyline, Writer, sample_writer
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import read_board

PAGE = Path(__file__).resolve().parent.parent / "docs" / "ferries.md"

SEED = 20261128

BOWS = (0.0, 0.08, -0.08, 0.16, -0.16, 0.26, -0.26, 0.38, -0.38)
"""How far a line may bend aside, shares of its length: the first that keeps it ``ROOM`` disc radii off other discs."""

ROOM = 1.3


@dataclass(frozen=True, slots=True)
class Way:
    """A way of drawing; lengths in disc radii.

    Attributes:
        reach: where a line begins and ends, from the middles; never more than 0.35 of its length.
        width: of the line.
        pitch: from dot to dot; 0 for a line.
        twin: from one of two lines to the other; 0 for one.
        ruler: straight across whatever lies there.
    """

    reach: float
    width: float
    pitch: float = 0.0
    twin: float = 0.0
    ruler: bool = False


WAYS: dict[str, Way] = {
    "from rim to rim": Way(0.95, 0.12),
    "from the middles, broadly": Way(0.0, 0.34),
    "finely": Way(0.9, 0.055),
    "far from the discs": Way(1.7, 0.12),
    "two lines": Way(0.95, 0.08, twin=0.36),
    "dots": Way(1.0, 0.18, pitch=0.42),
    "a ruler across other discs": Way(0.95, 0.12, ruler=True),
}
"""In the order of the page."""


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m bench.ferries", description=__doc__)
    parser.add_argument("--boards", type=int, default=25, help="photos per way")
    parser.add_argument("--start", type=int, default=0, help="first board")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--split", choices=("test", "valid"), default="test", help="whose hands write")
    parser.add_argument("--out", type=Path, default=RESULTS / "ferries.jsonl")
    add_sources(parser)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds, NEW_YORK, split=options.split)
    writer = RowWriter(options.out)
    for k in range(options.start, options.boards):
        for way in WAYS:
            key = f"{studio.seed}-{k:05d}-{way}"
            if key not in writer:
                row = {"key": key, "way": way} | measure(studio, way, k)
                writer.append(row)
                print(key, row["ferries"], row["missed"], row["invented"], file=sys.stderr, flush=True)
    if options.out == RESULTS / "ferries.jsonl":
        PAGE.write_text(page(read_rows(options.out)), encoding="utf-8")


def measure(studio: Studio, way: str, k: int) -> Row:
    """Ordinary photo ``k``, read: board, hand and shot are the same for every way."""
    image, board = shoot(studio, way, k)
    try:
        reading = read_board(Photo(f"{way} {k}", image), studio.editions, mark_reader(), PRIOR)
    except BoardNotFound:
        return {"found": 0, "ferries": len(board.ferries), "missed": [], "invented": []}
    told = drawn(board, score_city_read("", reading, studio.template, Given(), {}))
    return {"found": 1, **{name: told[name] for name in ("ferries", "missed", "invented")}}


def shoot(studio: Studio, way: str, k: int) -> tuple[NDArray[np.uint8], CityBoard]:
    """The photo, ``(H, W, 3)`` uint8 BGR, and what was played."""
    rng = studio.rng("ferries", k)
    board = played_board(studio, rng)
    writer = sample_writer(rng, studio.hand(rng))
    sheet = studio.sheets[int(rng.integers(2))]
    without = with_city_ink(sheet, replace(board, ferries=()), writer, rng, remains=0.0)
    strokes = ink(sheet.design, board.ferries, WAYS[way], writer)
    whole = inked(without, CityInk(strokes, []), np.random.default_rng([studio.seed, k]))
    settings = Settings("ordinary", backgrounds=studio.tables)
    return render_print(whole, board.board, settings, rng, writer)[0], board


def ink(design: BoardDesign, pairs: Sequence[tuple[str, str]], way: Way, writer: Writer) -> list[Stroke]:
    """The lines of all ferries, strokes in the design's frame."""
    strokes = []
    for a, b in pairs:
        ends = np.array([design.discs[a], design.discs[b]]) / design.radius
        others = np.array([spot for region, spot in design.discs.items() if region not in (a, b)]) / design.radius
        line = _cut(_line(ends, others, way.ruler), way.reach)
        strokes += [
            Stroke(part * design.radius, way.width * design.radius, 0.95, writer.ink_bgr) for part in _parts(line, way)
        ]
    return strokes


def _line(ends: NDArray[np.float64], others: NDArray[np.float64], ruler: bool) -> Polyline:
    """A line from middle to middle, past other discs where a bend of ``BOWS`` allows it."""
    at = np.linspace(0, 1, 120)[:, None]
    step = ends[1] - ends[0]
    across = np.array([-step[1], step[0]])
    bent = [ends[0] + at * step + 4 * bow * at * (1 - at) * across for bow in BOWS]
    clear = [float(np.linalg.norm(line[:, None] - others[None], axis=2).min()) for line in bent]
    if ruler:
        return bent[0]
    return bent[next((k for k, room in enumerate(clear) if room >= ROOM), int(np.argmax(clear)))]


def _cut(line: Polyline, reach: float) -> Polyline:
    run = _run(line)
    reach = min(reach, 0.35 * run[-1])
    at = np.linspace(reach, run[-1] - reach, len(line))
    return np.column_stack([np.interp(at, run, line[:, axis]) for axis in (0, 1)])


def _parts(line: Polyline, way: Way) -> list[Polyline]:
    if way.pitch:
        run = _run(line)
        at = np.arange(0.0, run[-1] + 1e-9, way.pitch)
        spots = np.column_stack([np.interp(at, run, line[:, axis]) for axis in (0, 1)])
        return [np.stack([spot, spot + 0.02]) for spot in spots]
    if way.twin:
        step = np.gradient(line, axis=0)
        across = np.column_stack([-step[:, 1], step[:, 0]]) / np.linalg.norm(step, axis=1)[:, None]
        return [line + side * way.twin / 2 * across for side in (-1, 1)]
    return [line]


def _run(line: Polyline) -> NDArray[np.float64]:
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])


def page(rows: Sequence[Row]) -> str:
    """The whole page, Markdown."""
    head = """# Ferries drawn in other ways

Written by `python -m bench.ferries`; a test checks that it agrees with `bench/results/ferries.jsonl`. Ordinary photos
of boards of New York (home edition) played to the end; the lines of the table differ in nothing but how ferries are
drawn. *Far from the discs*: 0.7 of a disc's radius lies between a line and the rims, or the middle third of a short
line alone is drawn. *Without a doubt*: the ferry is not asked about either. How ferries are read that are drawn as most
players may: [New York and Paris](cities-accuracy.md).

"""
    if not rows:
        return head + "Not measured yet.\n"
    columns = ["way", "photos", "ferries found", "missed without a doubt", "invented", "invented without a doubt"]
    return head + table(columns, [line(way, [row for row in rows if row["way"] == way]) for way in WAYS]) + "\n"


def line(way: str, rows: Sequence[Row]) -> list[object]:
    """A line of the table."""
    seen = [row for row in rows if row["found"]]
    ferries = sum(row["ferries"] for row in seen)
    missed, invented = ([one for row in seen for one in row[name]] for name in ("missed", "invented"))
    silent = [sum(not doubted for _, doubted in some) for some in (missed, invented)]
    found = Share(ferries - len(missed), ferries).text()
    return [way, f"{len(seen)} of {len(rows)}", found, silent[0], len(invented), silent[1]]


if __name__ == "__main__":
    main()
