"""Marks made otherwise than most people make them (``synth.signs``), on the same boards.

Boards are rendered editions and, where ``--blank`` names them, owners' photos of boards without ink in turn.

Usage: python -m bench.signs [--boards 24] [--blank 2019=PHOTO] [--strokes DIR] [--backgrounds DIR]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.blanks import straightened
from bench.pens import BLACK, RENDERED, measured, photographed
from bench.photos import Studio, add_run
from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import Share, mean, table
from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import Blank
from ontour_cv.synth.signs import CROSSES, SETTINGS, STARS
from ontour_cv.synth.strokes import Writer, sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.glyphs import MarkReader

PAGE = Path(__file__).resolve().parent.parent / "docs" / "signs.md"

SEED = 20261127

MOST_CROSSES = 4
"""Numbers on each board that become Xs: games have few."""

USUAL = "usual"


def made(**habits: str) -> Callable[[Writer], Writer]:
    """The writer with such habits (see ``synth.strokes.Writer``)."""
    return lambda writer: replace(writer, **habits)  # type: ignore[arg-type]


MANNERS: dict[str, tuple[str, Callable[[Writer], Writer]]] = {
    USUAL: ("marks", made()),
    **{f"X: {form}": ("X", made(cross=form)) for form in CROSSES},
    **{f"star: {form}": ("star", made(star=form)) for form in STARS},
    **{f"number: {setting}": ("number", made(setting=setting)) for setting in SETTINGS},
}
"""What is made otherwise: which marks, and how."""

KINDS = {"X": ("x",), "star": ("*",), "number": tuple("0123456789")}
"""How the signs of such marks begin in board notation."""


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.signs", description=__doc__.splitlines()[0])
    add_run(parser, 24, "photos per manner", SEED, RESULTS / "signs.jsonl")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds, split=options.split)
    boards: list[Blank | None] = [None]
    for word in options.blank:
        boards += [straightened(studio, *word.split("=", 1)), None]
    reader, writer = MarkReader(), RowWriter(options.out)
    for k in range(options.start, options.boards):
        for manner in MANNERS:
            measure(studio, reader, writer, boards[k % len(boards)], manner, k)
    if options.out == RESULTS / "signs.jsonl":
        PAGE.write_text(page(read_rows(options.out)), encoding="utf-8")


def crossed(board: BoardState, rng: np.random.Generator) -> BoardState:
    """The board with Xs in place of some numbers without circles, each of which another number excuses."""
    marks, left = dict(board.marks), MOST_CROSSES
    for region in rng.permutation(list(marks)).tolist():
        number = None if marks[region].circled else marks[region].number
        if left and number is not None:
            back = 10 * (number % 10) + number // 10
            if any(mark.number == back for mark in marks.values()):
                marks[region], left = Mark(Kind.BLOCKED), left - 1
    return BoardState(marks)


def shoot(studio: Studio, blank: Blank | None, manner: str, k: int) -> tuple[NDArray[np.uint8], Truth]:
    """Ordinary photo ``k`` of a board, ``(H, W, 3)`` uint8 BGR, and its truth."""
    rng = studio.rng(f"signs {blank.edition.name if blank else RENDERED}", k)
    board = crossed(sample_board(studio.template, rng), rng)
    hand = MANNERS[manner][1](replace(sample_writer(rng, studio.hand(rng)), ink_bgr=BLACK))
    return photographed(studio, blank, board, rng, hand)


def measure(studio: Studio, reader: MarkReader, writer: RowWriter, blank: Blank | None, manner: str, k: int) -> None:
    """One photo, read."""
    key = f"{blank.edition.name if blank else RENDERED}-{studio.seed}-{k:05d}-{manner}"
    if key in writer:
        return
    image, truth = shoot(studio, blank, manner, k)
    signs = [str(mark) for mark in truth.board.marks.values()]
    such: Row = {"manner": manner, "such": sum(_is(MANNERS[manner][0], sign) for sign in signs if sign != ".")}
    writer.append(measured(studio, reader, key, image, truth) | such)


def _is(what: str, sign: str) -> bool:
    return what == "marks" or sign.startswith(KINDS[what])


def page(rows: Sequence[Row]) -> str:
    """The whole page, Markdown."""
    head = """# Marks made otherwise

Written by `python -m bench.signs`; a test checks that it agrees with `bench/results/signs.jsonl`. Ordinary photos of
boards written on by hands the network never saw, in black; on every board some numbers are Xs. The lines have the same
boards and hands, and differ in what they name and in how the camera stood: an X scribbled, blackened, upright, as a
lattice, of doubled strokes, as one stroke, without lifting the pen; a star as an outline, blackened, as rays; numbers
with one digit above the other, or with a line over or under them. The shapes of these marks are those trained on
(`synth/signs.py`), since nobody recorded any.
*Silent*: read wrongly without a doubt.
"""
    if not rows:
        return head + "\nNot measured yet.\n"
    columns = [
        "made otherwise", "photos", "such marks wrong", "of these silent", "other marks wrong", "of these silent",
        "doubtful a board", "asked a board", "score wrong and nothing asked",
    ]  # fmt: skip
    lines = [line(manner, [row for row in rows if row["manner"] == manner]) for manner in MANNERS]
    models = ", ".join(sorted({f"`{row['model']}`" for row in rows}))
    return f"{head}\nNetwork: {models}.\n\n{table(columns, lines)}\n"


def line(manner: str, rows: Sequence[Row]) -> list[object]:
    """A line of the table."""
    found = [row for row in rows if row["found"]]
    wrong = [cell for row in found for cell in row["wrong"]]
    mine = [cell for cell in wrong if _is(MANNERS[manner][0], cell[1])]
    others = [cell for cell in wrong if not _is(MANNERS[manner][0], cell[1])]
    such, cells = (sum(row[name] for row in found) for name in ("such", "cells"))
    told = sum(row["read"] != row["best"] and not row["ask"] for row in found)
    return [
        manner,
        f"{len(found)} of {len(rows)}",
        Share(len(mine), such).text(),
        sum(not cell[4] for cell in mine),
        Share(len(others), cells - such).text(),
        sum(not cell[4] for cell in others),
        f"{mean([float(len(row['uncertain'])) for row in found])[0]:.2f}",
        f"{mean([float(row['ask']) for row in found])[0]:.2f}",
        Share(told, len(found)).text(),
    ]


if __name__ == "__main__":
    main()
