"""Published boards: owners' photos of boards without ink, written on and photographed by the program, then read.

Each photo is read three times: with all editions known, as if its edition were one nobody measured, and as if its map
had been drawn anew. The pictures of the boards stay with their owners; only the figures are kept.

Usage: python -m bench.blanks --blank 2019=PHOTO --blank print-and-play=PHOTO [--boards 40] [--strokes DIR]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from bench.accuracy import TESTED, summary
from bench.measure import brief, measure_photo, refused
from bench.photos import Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import Share, mean, table
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions
from ontour_cv.press.editions import NAME
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.score import score_reading
from ontour_cv.synth.blanks import blank_board
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render_blank
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import Blank
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.read import read_board

PAGE = Path(__file__).resolve().parent.parent / "docs" / "editions.md"

KNOWN, UNKNOWN, REDRAWN = WAYS = ("known", "unknown", "redrawn")
"""What is known to whoever reads a board: its edition, the other published one, or only a board of another design."""


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.blanks", description=__doc__.splitlines()[0])
    parser.add_argument("--blank", action="append", default=[], metavar="EDITION=PHOTO", help="repeatable")
    parser.add_argument("--boards", type=int, default=40, help="photos per board and tier")
    parser.add_argument("--seed", type=int, default=20261121)
    add_sources(parser)
    parser.add_argument("--out", type=Path, default=RESULTS / "blanks.jsonl")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    studio, reader, writer = (
        Studio(options.seed, options.strokes, options.backgrounds),
        MarkReader(),
        RowWriter(options.out),
    )
    blanks = [straightened(studio, *word.split("=", 1)) for word in options.blank]
    for k in range(options.boards):
        for tier in TESTED:
            for blank in blanks:
                measure(studio, reader, writer, blank, tier, k)
    PAGE.write_text(page(read_rows(options.out)), encoding="utf-8")


def straightened(studio: Studio, name: str, path: str) -> Blank:
    """The board of an edition, from a photo of it without ink."""
    return blank_board(next(edition for edition in studio.editions if edition.name == name), Path(path))


def measure(studio: Studio, reader: MarkReader, writer: RowWriter, blank: Blank, tier: str, k: int) -> None:
    """One photo, read in every way."""
    names = {way: f"{blank.edition.name}-{tier}-{studio.seed}-{k:05d}-{way}" for way in WAYS}
    if all(name in writer for name in names.values()):
        return
    rng = studio.rng(f"{blank.edition.name} {tier}", k)
    board = sample_board(studio.template, rng)
    hand = sample_writer(rng, studio.hand(rng))
    settings = Settings(tier=tier, jitter=0.0, backgrounds=studio.tables)
    image, truth = render_blank(studio.template, blank, board, settings, rng, hand)
    photo = load_photo(encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"])), "photo")
    prior = prior_of(RULESETS[studio.template.rules])
    for way, key in names.items():
        editions = editions_for(way, studio, blank)
        extra: Row = {
            "way": way,
            "board": blank.edition.name,
            "model": reader.name,
        }
        try:
            report = score_reading(key, read_board(photo, editions, reader, prior), studio.template)
        except BoardNotFound:
            writer.append(refused(key, truth) | extra)
            continue
        row = measure_photo(key, truth, report) | extra
        writer.append(brief(row))
        print(summary(row | {"ms": {}}), file=sys.stderr, flush=True)


def editions_for(way: str, studio: Studio, blank: Blank) -> list[Edition]:
    """The editions that are known to whoever reads a board in one of the ``WAYS``."""
    if way == REDRAWN:
        return [edition for edition in load_editions(studio.map) if edition.name == NAME]
    return [edition for edition in studio.editions if way == KNOWN or edition.name != blank.edition.name]


def page(rows: Sequence[Row]) -> str:
    """The whole page, Markdown."""
    head = """# Published boards, written on by the program

Written by `python -m bench.blanks`; a test checks that it agrees with `bench/results/blanks.jsonl`. Owners' photos of
published boards without ink were straightened, written on by hands the network never saw, and put through the synthetic
camera. *Unknown*: read with the positions of the other published edition only, as a board is that nobody measured; its
discs lie 0.3 radii elsewhere in the mean square, most of them nearer. *Redrawn*: read with those of this project's own
print only, as if the publisher had drawn the map anew: 0.7 radii elsewhere, one disc in ten more than a whole one, and
the Carolinas and Ohio nearly two. `EDITION` in `calibration/` and the photo are what the command asks for; the photos
are not part of this project.

"""
    kinds = sorted({(row["board"], row["tier"], row["way"]) for row in rows}, key=lambda k: (k[1] == "hard", k))
    lines = [line(kind, [r for r in rows if (r["board"], r["tier"], r["way"]) == kind]) for kind in kinds]
    columns = [
        "board, tier, edition",
        "located",
        "discs placed",
        "cells right",
        "boards exact",
        "silent errors",
        "asked a board",
    ]
    return head + (table(columns, lines) + "\n" if rows else "Not measured yet.\n")


def line(kind: tuple[str, str, str], rows: Sequence[Row]) -> list[object]:
    """A line of the table."""
    found = [row for row in rows if row["found"]]
    cells, wrong = sum(row["cells"] for row in found), sum(len(row["wrong"]) for row in found)
    silent = sum(not cell[4] for row in found for cell in row["wrong"])
    placed, discs = sum(row["placed"] for row in found), sum(row["cells"] + row["unseen"] for row in found)
    return [
        ", ".join(kind),
        Share(sum(row["located"] for row in rows), len(rows)).short(),
        Share(placed, discs).short(),
        Share(cells - wrong, cells).text(),
        Share(sum(not row["wrong"] for row in found), len(rows)).text(),
        Share(silent, cells).text(),
        f"{mean([float(row['ask']) for row in found])[0]:.2f}",
    ]


if __name__ == "__main__":
    main()
