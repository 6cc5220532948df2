"""Dry-erase pens: the same photos, written on with other pens or by other habits, and nothing else changed.

Boards are rendered editions and, where ``--blank`` names them, owners' photos of boards without ink (``bench.blanks``);
``--city`` adds boards of New York, whose ferries and soloists are drawn with the same pen by most players.

Usage: python -m bench.pens [--boards 30] [--blank 2019=PHOTO] [--city 12] [--strokes DIR] [--backgrounds DIR]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.blanks import straightened
from bench.cities import NEW_YORK, networks, new_york, silent
from bench.measure import brief, measure_photo, refused
from bench.photos import UNKNOWN_EDITIONS, Studio, add_run
from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import Share, mean, table
from bench.typeset import Typeset
from ontour_cv.board import BoardState, Kind
from ontour_cv.errors import BoardNotFound
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.score import score_reading
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render, render_blank
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import Blank
from ontour_cv.synth.strokes import Writer, sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.read import read_board

PAGE = Path(__file__).resolve().parent.parent / "docs" / "pens.md"

BLACK = (25, 22, 20)
"""Ink on white, BGR as the camera's light makes of it."""


def ink(bgr: tuple[int, int, int]) -> Callable[[Writer], Writer]:
    """The writer with a pen of that colour, as wide as before."""
    return lambda writer: replace(writer, ink_bgr=bgr)


def tip(share: float) -> Callable[[Writer], Writer]:
    """The writer with a pen that many times as wide, at most 0.3 disc radii."""
    return lambda writer: replace(
        writer, pen=min(0.3, share * writer.pen), ring_pen=min(0.3, share * writer.ring_pen), ink_bgr=BLACK
    )


def circles(bgr: tuple[int, int, int]) -> Callable[[Writer], Writer]:
    """The writer with a black pen, and one of that colour for circles."""
    return lambda writer: replace(writer, ink_bgr=BLACK, ring_bgr=bgr)


def typeset(height: float) -> Callable[[Writer], Writer]:
    """Numbers as neat as print, so many disc radii high, in the middle and upright; signs are the writer's."""
    return lambda writer: replace(
        writer, hand=Typeset(writer.hand), height=height, aspect=1.0, gap=0.1 * height, slant=0.0, pen=0.14 * height,
        stray=0.5, ink_bgr=BLACK,
    )  # fmt: skip


def traced(writer: Writer) -> Writer:
    """The writer going over the printed rings for circles, with a black pen that is finer there."""
    return replace(writer, ring_pen=0.7 * writer.pen, ring_radius=1.0, form="steady", ink_bgr=BLACK)


PENS: dict[str, Callable[[Writer], Writer]] = {
    "black": ink(BLACK),
    "blue": ink((150, 40, 20)),
    "green": ink((60, 110, 20)),
    "purple": ink((120, 30, 90)),
    "red": ink((30, 30, 170)),
    "orange": ink((20, 90, 220)),
    "half as wide": tip(0.5),
    "1.6 times as wide": tip(1.6),
    "60 % of the ink": lambda writer: replace(writer, flow=0.6, ink_bgr=BLACK),
    "streaky": lambda writer: replace(writer, streaks=0.8, ink_bgr=BLACK),
    "numbers 70 % as high": lambda writer: replace(writer, height=0.7 * writer.height, ink_bgr=BLACK),
    "numbers 1.7 times as high": lambda writer: replace(writer, height=1.7 * writer.height, room=1.3, ink_bgr=BLACK),
    "one number in four struck out": lambda writer: replace(
        writer, mends=0.25, height=min(writer.height, 1.0), pen=min(writer.pen, 0.13), ink_bgr=BLACK
    ),
    "two pens, black and blue": lambda writer: replace(writer, ink_bgr=BLACK, second_bgr=(150, 40, 20)),
    "as neat as print": typeset(1.0),
    "as small and neat as print": typeset(0.5),
    "uphill": lambda writer: replace(writer, downhill=-15.0, ink_bgr=BLACK),
    "off the middle": lambda writer: replace(writer, stray=3.0, ink_bgr=BLACK),
    "circles in red": circles((35, 35, 180)),
    "circles in green": circles((60, 110, 20)),
    "circles in blue": circles((150, 40, 20)),
    "circles half as wide": lambda writer: replace(writer, ring_pen=0.5 * writer.pen, ink_bgr=BLACK),
    "circles traced": traced,
    "most marks circled": ink(BLACK),
    "most marks circled, traced": traced,
    "circles wide": lambda writer: replace(writer, ring_radius=1.5, ink_bgr=BLACK),
    "circles very wide": lambda writer: replace(writer, ring_radius=1.9, ink_bgr=BLACK),
    "boxes for circles": lambda writer: replace(writer, ring_radius=1.1, form="box", ink_bgr=BLACK),
    "coils for circles": lambda writer: replace(writer, form="coil", ink_bgr=BLACK),
    "arcs for circles": lambda writer: replace(writer, form="arc", ink_bgr=BLACK),
    "circles by a highlighter": lambda writer: replace(
        writer, ring_bgr=(90, 240, 250), ring_flow=0.55, ring_pen=0.5, form="steady", ink_bgr=BLACK
    ),
}
"""What is changed; black where nothing is said of the colour."""

MOST = 0.8
"""Share of the numbers and stars that are circled where most are: players who put whatever they can into the very state
of a card circle two thirds and more, those who draw up a route a quarter."""

RENDERED = "rendered"

SEED = 20261123


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.pens", description=__doc__.splitlines()[0])
    add_run(parser, 30, "photos per pen, of rendered boards and of blank ones", SEED, RESULTS / "pens.jsonl")
    parser.add_argument("--city", type=int, default=0, help="photos per pen of boards of New York")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds, split=options.split)
    blanks = [straightened(studio, *word.split("=", 1)) for word in options.blank]
    reader, writer = MarkReader(), RowWriter(options.out)
    for k in range(options.start, options.boards):
        for blank in [None, *([blanks[k % len(blanks)]] if blanks else [])]:
            for pen in PENS:
                measure(studio, reader, writer, blank, pen, k)
    city = Studio(options.seed, options.strokes, options.backgrounds, NEW_YORK, split=options.split)
    for k in range(options.start, options.city):
        for pen in PENS:
            measure_city(city, writer, pen, k)
    if options.out == RESULTS / "pens.jsonl":
        PAGE.write_text(page(read_rows(options.out)), encoding="utf-8")


def shoot(studio: Studio, blank: Blank | None, pen: str, k: int) -> tuple[NDArray[np.uint8], Truth]:
    """Ordinary photo ``k`` of a board, ``(H, W, 3)`` uint8 BGR, and its truth; pens differ in nothing else."""
    rng = studio.rng(f"pens {blank.edition.name if blank else RENDERED}", k)
    board = sample_board(studio.template, rng)
    if pen.startswith("most marks circled"):
        board = circled(board, np.random.default_rng((studio.seed, k)))
    return photographed(studio, blank, board, rng, PENS[pen](sample_writer(rng, studio.hand(rng))))


def circled(board: BoardState, rng: np.random.Generator) -> BoardState:
    """The board with so many of its numbers and stars circled as ``MOST`` says."""
    may = {region: mark.kind in (Kind.NUMBER, Kind.STAR) for region, mark in board.marks.items()}
    return BoardState(
        {region: replace(mark, circled=may[region] and rng.random() < MOST) for region, mark in board.marks.items()}
    )


def photographed(
    studio: Studio, blank: Blank | None, board: BoardState, rng: np.random.Generator, hand: Writer
) -> tuple[NDArray[np.uint8], Truth]:
    """An ordinary photo, ``(H, W, 3)`` uint8 BGR, of a board written by ``hand``: on the blank or on a rendered one."""
    if blank:
        settings = Settings("ordinary", jitter=0.0, backgrounds=studio.tables)
        return render_blank(studio.template, blank, board, settings, rng, hand)
    edition = studio.editions[int(rng.integers(len(studio.editions)))]
    settings = Settings("ordinary", jitter=UNKNOWN_EDITIONS, backgrounds=studio.tables)
    return render(studio.template, edition, board, settings, rng, hand)


def measure(studio: Studio, reader: MarkReader, writer: RowWriter, blank: Blank | None, pen: str, k: int) -> None:
    """One photo, read."""
    name = blank.edition.name if blank else RENDERED
    key = f"{name}-{studio.seed}-{k:05d}-{pen}"
    if key not in writer:
        extra: Row = {"board": name, "pen": pen}
        writer.append(measured(studio, reader, key, *shoot(studio, blank, pen, k)) | extra)


def measured(studio: Studio, reader: MarkReader, key: str, image: NDArray[np.uint8], truth: Truth) -> Row:
    """What is read of a photo beside the truth; a line on the terminal says how much is wrong."""
    photo = load_photo(encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"])), "photo")
    model: Row = {"model": reader.name}
    try:
        reading = read_board(photo, studio.editions, reader, prior_of(RULESETS[studio.template.rules]))
    except BoardNotFound:
        return refused(key, truth) | model
    row = measure_photo(key, truth, score_reading(key, reading, studio.template))
    print(key, len(row["wrong"]), "wrong,", row["ask"], "asked", file=sys.stderr, flush=True)
    return brief(row) | model


def measure_city(studio: Studio, writer: RowWriter, pen: str, k: int) -> None:
    """One ordinary photo of New York, read."""
    key = f"{NEW_YORK}-{studio.seed}-{k:05d}-{pen}"
    if key in writer:
        return
    row = {"key": key, "board": NEW_YORK, "pen": pen, "model": networks()} | new_york(studio, "ordinary", k, PENS[pen])
    writer.append(row)
    print(key, row.get("wrong", "not found"), file=sys.stderr, flush=True)


def page(rows: Sequence[Row]) -> str:
    """The whole page, Markdown."""
    head = """# Pens

Written by `python -m bench.pens`; a test checks that it agrees with `bench/results/pens.jsonl`. Ordinary photos of
boards written on by hands the network never saw; the lines of a table differ in nothing but what they name (numbers
struck out and two pens in how the camera stood as well), and pens are black where no colour is named. A coloured pen is
harder where a printed ring has its colour, or where the printed ground is hardly lighter.
"""
    if not rows:
        return head + "\nNot measured yet.\n"
    parts = [part("Rendered editions", [row for row in rows if row["board"] == RENDERED])]
    if photos := [row for row in rows if row["board"] not in (RENDERED, NEW_YORK)]:
        named = ", ".join(sorted({row["board"] for row in photos}))
        parts.append(part(f"Owners' photos of blank boards ({named})", photos))
    if city := [row for row in rows if row["board"] == NEW_YORK]:
        parts.append(city_part(city))
    models = ", ".join(sorted({f"`{row['model']}`" for row in rows if row["board"] != NEW_YORK}))
    return f"{head}\nNetwork: {models}.\n" + "".join(parts)


def part(title: str, rows: Sequence[Row]) -> str:
    """A table of all pens."""
    columns = [
        "pen", "photos", "marks right", "circles missed", "circles invented", "silent errors", "doubtful a board",
        "asked a board",
    ]  # fmt: skip
    lines = [line(pen, [row for row in rows if row["pen"] == pen]) for pen in PENS]
    return f"\n## {title}\n\n{table(columns, lines)}\n"


def city_part(rows: Sequence[Row]) -> str:
    """The table of New York, where much is drawn beside the discs."""
    columns = [
        "pen", "photos", "discs right", "ferries missed", "ferries invented", "soloists wrong", "something silent",
        "asked a board",
    ]  # fmt: skip
    lines = [city_line(pen, [row for row in rows if row["pen"] == pen]) for pen in PENS]
    models = ", ".join(sorted({f"`{row['model']}`" for row in rows}))
    text = "Three players of ten draw ferries and soloists with another pen than their numbers. Networks: "
    return f"\n## New York (home edition)\n\n{text}{models}.\n\n{table(columns, lines)}\n"


def city_line(pen: str, rows: Sequence[Row]) -> list[object]:
    """A line of that table."""
    found = [row for row in rows if row["found"]]
    cells, ferries = (sum(row[name] for row in found) for name in ("cells", "ferries"))
    wrong, missed, invented, soloists = (
        sum(len(row[name]) for row in found) for name in ("wrong", "missed", "invented", "wrong_soloists")
    )
    return [
        pen,
        f"{len(found)} of {len(rows)}",
        Share(cells - wrong, cells).text(),
        Share(missed, ferries).text(),
        Share(invented, ferries - missed + invented).text(),
        Share(soloists, cells).text(),
        Share(sum(silent(row) > 0 for row in found), len(found)).text(),
        f"{mean([float(row['ask']) for row in found])[0]:.2f}",
    ]


def line(pen: str, rows: Sequence[Row]) -> list[object]:
    """A line of the table: marks without their circles, and circles by themselves."""
    found = [row for row in rows if row["found"]]
    cells, circled = (sum(row[name] for row in found) for name in ("cells", "circled"))
    wrong = [cell for row in found for cell in row["wrong"]]
    marks = sum(true.rstrip("o") != read.rstrip("o") for _, true, read, *_ in wrong)
    missed = sum(true.endswith("o") and not read.endswith("o") for _, true, read, *_ in wrong)
    invented = sum(read.endswith("o") and not true.endswith("o") for _, true, read, *_ in wrong)
    return [
        pen,
        f"{len(found)} of {len(rows)}",
        Share(cells - marks, cells).text(),
        Share(missed, circled).text(),
        Share(invented, cells - circled).text(),
        Share(sum(not cell[4] for cell in wrong), cells).text(),
        f"{mean([float(len(row['uncertain'])) for row in found])[0]:.2f}",
        f"{mean([float(row['ask']) for row in found])[0]:.2f}",
    ]


if __name__ == "__main__":
    main()
