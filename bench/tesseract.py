"""Tesseract on the same number cells, for comparison: the usual way to read digits without training a network.

Usage: python -m bench.tesseract [--boards 15] [--tier ordinary --tier hard] [--strokes DIR] [--backgrounds DIR]

The boards are the first of those ``bench.accuracy`` reads with the same seed and folders.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.accuracy import SEED
from bench.photos import Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter
from ontour_cv.board import Kind
from ontour_cv.errors import BoardNotFound
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.prior import prior_of
from ontour_cv.synth.shot import TIERS
from ontour_cv.vision.cells import CROP_RADII
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import Reading, read_board

MODES = (8, 7)
"""Page segmentation modes tried: one word, one line."""

ENLARGED = 3
"""Digits of 60 pixels suit Tesseract; crops hold them at about 20."""


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds)
    reader, writer = MarkReader(), RowWriter(options.out)
    for k in range(options.boards):
        for tier in options.tier or ["ordinary", "hard"]:
            key = f"{tier}-{options.seed}-{k:05d}"
            if key not in writer:
                row = measure_one(studio, reader, tier, k, key)
                writer.append(row)
                print(f"{key}: {row}", file=sys.stderr, flush=True)


def measure_one(studio: Studio, reader: MarkReader, tier: str, k: int, key: str) -> Row:
    """How many of a board's number cells each reader gets right, on the same crops."""
    image, truth = studio.shoot(tier, k)
    prior = prior_of(RULESETS[studio.template.rules])
    row: Row = {"key": key, "tier": tier, "cells": 0, **{f"psm{mode}": 0 for mode in MODES}, "either": 0, "ours": 0}
    try:
        reading = read_board(Photo(key, image), studio.editions, reader, prior)
    except BoardNotFound:
        return row
    for region, mark in truth.board.marks.items():
        if mark.kind is Kind.NUMBER and mark.number is not None:
            guesses = [read_number(crop_of(reading, region), mode) for mode in MODES]
            row["cells"] += 1
            for mode, guess in zip(MODES, guesses, strict=True):
                row[f"psm{mode}"] += guess == mark.number
            row["either"] += mark.number in guesses
            row["ours"] += reading.decoded.board.marks[region].number == mark.number
    return row


def crop_of(reading: Reading, region: str) -> NDArray[np.uint8]:
    """The crop of one cell, ``(H, W, 3)`` uint8 BGR."""
    return np.asarray(reading.crops.images[reading.crops.ids.index(region)], dtype=np.uint8)


def read_number(crop: NDArray[np.uint8], mode: int) -> int | None:
    """What Tesseract reads in a cell: a number 0-99, or None for nothing of the kind."""
    import pytesseract

    settings = f"--psm {mode} -c tessedit_char_whitelist=0123456789"
    text = pytesseract.image_to_string(prepared(crop), config=settings).strip()
    return int(text) if text.isdigit() and len(text) <= 2 else None


def prepared(crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The inside of a disc as black ink on white, enlarged, ``(H, W)`` uint8: Otsu's threshold, the ring left out."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    large = cv2.resize(grey, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC)
    side = large.shape[0]
    disc = np.zeros_like(large)
    cv2.circle(disc, (side // 2, side // 2), int(0.88 * side / (2 * CROP_RADII)), 255, -1)
    level, _ = cv2.threshold(large[disc > 0].reshape(1, -1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ink = np.where((large > level) | (disc == 0), 255, 0)
    return np.asarray(ink, dtype=np.uint8)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.tesseract", description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=15, help="photos per tier")
    parser.add_argument("--tier", action="append", choices=sorted(TIERS))
    parser.add_argument("--seed", type=int, default=SEED)
    add_sources(parser)
    parser.add_argument("--out", type=Path, default=RESULTS / "tesseract.jsonl")
    return parser


if __name__ == "__main__":
    main()
