"""How well sheets of Rolling America are read: fresh photos per tier, one row a photo; a stopped run goes on.

Usage: python -m bench.sheets [--sheets 150] [--tier ordinary --tier hard] [--strokes DIR] [--backgrounds DIR]

Then ``python -m bench.sheets_page`` writes docs/sheets.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.accuracy import refuse_mixing
from bench.measure import bin_of
from bench.photos import add_sources, photos_in
from bench.rows import RESULTS, Row, RowWriter
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules.rolling import sheet_score
from ontour_cv.scorer.sheet_report import SheetReport
from ontour_cv.scorer.sheet_score import MAP, read_sheet_photo, score_sheet_read
from ontour_cv.sheet import format_cell
from ontour_cv.synth.recorded import RecordedHand, load_recorded
from ontour_cv.synth.sheet_photo import SheetShot, render_sheet
from ontour_cv.synth.strokes import Hand, parametric_hand
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_glyphs import SheetNetwork
from ontour_cv.vision.sheet_model import sheet_model

SEED = 20261121
"""The sheets of the published figures."""

TIERS = ("ordinary", "hard")

PLACED = 0.01
"""A sheet is located when the median cell lies within this of the truth, sheet widths; the narrowest is 0.03 wide."""


class HeldOut:
    """Hands nobody trained on: recorded writers kept for testing, or our own shapes that training never sees."""

    def __init__(self, folder: Path | None) -> None:
        self.recorded = [upright(samples) for samples in load_recorded(folder, "test")] if folder else []

    def pick(self, rng: np.random.Generator, own: float) -> Hand:
        """Somebody's hand; ``own`` means nothing here."""
        spare = parametric_hand(rng, held_out=True)
        return RecordedHand(self.recorded[int(rng.integers(len(self.recorded)))], spare) if self.recorded else spare


def upright(samples: dict[str, list[list[NDArray[np.float64]]]]) -> dict[str, list[list[NDArray[np.float64]]]]:
    """A writer's samples without 1s that are wider than high: some were recorded lying on their side."""
    kept = dict(samples)
    kept["1"] = [strokes for strokes in samples.get("1", []) if np.ptp(np.concatenate(strokes), axis=0) @ [-1, 1] > 0]
    return kept


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    template = load_map(MAP)
    hands = HeldOut(options.strokes)
    tables = photos_in(options.backgrounds) if options.backgrounds else ()
    card = SheetNetwork(sheet_model(template)).card
    origin = {
        "model": f"{card['sha256'][:8]}-{card['close']['sha256'][:8]}",
        "hands": "recorded" if hands.recorded else "own",
        "tables": "photos" if tables else "own",
    }
    refuse_mixing(options.out, origin)
    writer = RowWriter(options.out)
    for k in range(options.sheets):
        for tier in options.tier or TIERS:
            key = f"{tier}-{options.seed}-{k:05d}"
            if key in writer:
                continue
            shot = render_sheet(
                (options.seed, TIERS.index(tier), k), hard=tier == "hard", hands=hands, backgrounds=tables
            )
            row = {"key": key, "tier": tier} | measure(shot, template, key) | origin
            writer.append(row)
            print(summary(row), file=sys.stderr, flush=True)


def measure(shot: SheetShot, template: MapTemplate, name: str) -> Row:
    """Read a rendered photo as ``ontour-cv score`` does, and compare."""
    begun = time.process_time()
    try:
        report = score_sheet_read(name, read_sheet_photo(Photo(name, shot.image)))
    except BoardNotFound:
        return conditions(shot) | {"found": 0, "located": 0}
    taken = {"cpu_ms": round(1000 * (time.process_time() - begun), 1)}
    return conditions(shot) | compare(shot, template, report) | taken


def conditions(shot: SheetShot) -> Row:
    """What a photo was like."""
    told = {k: v if isinstance(v, str) else round(float(v), 2) for k, v in shot.conditions.items()}
    return {"scene": told, "size": [shot.image.shape[1], shot.image.shape[0]]}


def compare(shot: SheetShot, template: MapTemplate, report: SheetReport) -> Row:
    """The truth beside what was read."""
    errors = cell_errors(shot, report)
    true, read = shot.sheet, report.sheet
    wrong = [
        [s, format_cell(mark), format_cell(read.marks[s]), round(report.cells[s].confidence, 4),
         int(report.cells[s].doubtful), shot.ink[s]]
        for s, mark in true.marks.items()
        if read.marks[s] != mark
    ]  # fmt: skip
    said, seen = true.boxes.said(), read.boxes.said()
    boxes = [
        [name, said.get(name), seen.get(name), int(report.boxes[name].doubtful)]
        for name in report.boxes
        if said.get(name) != seen.get(name)
    ]
    bins: dict[str, list[int]] = {}
    for state, mark in true.marks.items():
        entry = bins.setdefault(str(bin_of(report.cells[state].confidence)), [0, 0])
        entry[0] += 1
        entry[1] += read.marks[state] == mark
    low, high = report.score_range
    return {
        "found": 1,
        "located": int(np.median(errors) <= PLACED),
        "error_median": round(float(np.median(errors)), 5),
        "error_max": round(float(errors.max()), 5),
        "cells": len(true.marks),
        "circled": sum(mark.circled for mark in true.marks.values()),
        "wrong": wrong,
        "boxes": boxes,
        "boxes_read": len(report.boxes),
        "bins": bins,
        "uncertain": list(report.uncertain),
        "ask": len(report.ask),
        "best": sheet_score(template, true).total,
        "read": report.score.total,
        "low": low,
        "high": high,
        "ms": {stage: round(ms, 1) for stage, ms in report.timings_ms.items()},
    }


def cell_errors(shot: SheetShot, report: SheetReport) -> NDArray[np.float64]:
    """How far the middle of each cell's outline was placed from where it is, sheet widths, ``(50,)``."""
    placement = report.reading.placement
    model = placement.model
    middles = np.array([outline.mean(axis=0) for outline in model.outlines[: model.cells]])
    true = np.array([np.mean(shot.cells[name], axis=0) for name in model.ids[: model.cells]])
    scale = np.sqrt(np.abs(np.linalg.det(placement.warp.axes(middles))))
    return np.asarray(np.hypot(*(placement.warp.apply(middles) - true).T) / scale)


def summary(row: Row) -> str:
    """A row in short, for somebody who watches."""
    if not row["found"]:
        return f"{row['key']}: not found"
    silent = sum(not cell[4] for cell in row["wrong"])
    where = "" if row["located"] else " MISPLACED"
    return (
        f"{row['key']}:{where} {len(row['wrong'])} wrong ({silent} silent), {len(row['boxes'])} boxes wrong, "
        f"{len(row['uncertain'])} uncertain, ask {row['ask']}, score {row['read']} of {row['best']}, "
        f"{sum(row['ms'].values()):.0f} ms"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.sheets", description=__doc__.splitlines()[0])
    parser.add_argument("--sheets", type=int, default=150, help="photos per tier")
    parser.add_argument("--tier", action="append", choices=TIERS, help="repeatable; else both")
    parser.add_argument("--seed", type=int, default=SEED)
    add_sources(parser)
    parser.add_argument("--out", type=Path, default=RESULTS / "sheets.jsonl")
    return parser


if __name__ == "__main__":
    main()
