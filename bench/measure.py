"""One photo's truth beside what was read of it, as a compact row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from bench.rows import Row
from ontour_cv.board import Mark
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import score_again
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.decode import decode

PLACED_RADII = 0.5
"""A disc is placed when its centre is found within this many disc radii of the truth."""

OUTSIDE = 0.5
"""A disc with a larger share of its area outside the picture counts as not in it."""

STEPS_PER_DECADE, MOST_STEPS = 4, 32
"""Confidences are kept in bins of a quarter of a decade of doubt (1 - p), down to 1e-8."""


def measure_photo(key: str, truth: Truth, report: Report) -> Row:
    """The row of a photo in which a board was found."""
    errors = centre_errors(truth, report)
    counted = [r for r, hazard in truth.hazards.items() if hazard.outside <= OUTSIDE]
    ruleset = RULESETS[report.template.rules]
    best = ruleset.score(report.template, truth.board).total
    low, high = report.score_range
    median = float(np.median(errors))
    return {
        **conditions(key, truth),
        "found": 1,
        "located": int(median <= PLACED_RADII),
        "error_median": round(median, 4),
        "error_max": round(float(errors.max()), 4),
        "placed": int((errors <= PLACED_RADII).sum()),
        "edition_read": report.edition,
        "cells": len(counted),
        "circled": sum(truth.board.marks[r].circled for r in counted),
        "wrong": wrong_cells(truth, report, counted),
        "alone": wrong_alone(truth, report, counted),
        "bins": confidence_bins(truth, report, counted),
        "hazard_cells": {n: len(rs) for n, rs in cells_by_hazard(truth, counted).items()},
        "uncertain": [r for r in report.uncertain if r in counted],
        "unseen": len(truth.hazards) - len(counted),
        "ask": len(report.ask),
        "ask_all": asked_in_all(truth, report),
        "best": best,
        "read": report.score.total,
        "low": low,
        "high": high,
        "ms": {stage: round(ms, 1) for stage, ms in report.timings_ms.items()},
    }


def brief(row: Row) -> Row:
    """A row without what only ``docs/accuracy.md`` tells: reliability, hazards, times."""
    return {name: value for name, value in row.items() if name not in ("bins", "hazard_cells", "alone", "ms")}


def asked_in_all(truth: Truth, report: Report) -> int:
    """How many cells are asked about until nothing is open, when every question is answered rightly."""
    given: dict[str, Mark] = {}
    while report.ask:
        answers = {region: truth.board.marks[region] for region in report.ask}
        given |= answers
        report = score_again(report, answers)
    return len(given)


def refused(key: str, truth: Truth) -> Row:
    """The row of a photo in which no board was found."""
    return {**conditions(key, truth), "found": 0, "located": 0}


def conditions(key: str, truth: Truth) -> Row:
    """What a photo was like."""
    radius = float(np.median([h.radius_px for h in truth.hazards.values()]))
    scene = {k: v if isinstance(v, str) else round(float(v), 3) for k, v in truth.scene.items()}
    return {"key": key, "tier": truth.tier, "edition": truth.edition, "size": list(truth.size),
            "radius_px": round(radius, 1), "scene": scene}  # fmt: skip


def centre_errors(truth: Truth, report: Report) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Distance of every disc's centre from the truth in disc radii, ``(N,)``, in the order of ``truth.cells``."""
    found = report.reading.placement.cells
    gaps = []
    for region, place in truth.cells.items():
        off = np.array(found[region].centre_photo) - np.array(place.centre_photo)
        gaps.append(float(np.linalg.norm(np.linalg.solve(place.axes_photo, off))))
    return np.array(gaps)


def wrong_cells(truth: Truth, report: Report, counted: list[str]) -> list[list[str | float | int]]:
    """Cells whose mark or circle is wrong: ``[id, truth, read, confidence, doubtful, hazards]``.

    Marks are in board notation, ``o`` for circled; hazards are the names of :func:`hazards_of`, joined by commas.
    """
    wrong: list[list[str | float | int]] = []
    for region in counted:
        cell, mark = report.cells[region], truth.board.marks[region]
        if cell.mark != mark:
            trouble = ",".join(hazards_of(truth, region))
            wrong.append([region, str(mark), str(cell.mark), round(cell.confidence, 4), int(cell.doubtful), trouble])
    return wrong


def wrong_alone(truth: Truth, report: Report, counted: list[str]) -> int:
    """How many marks are wrong when every cell is read by itself, without the law of reversed pairs."""
    reading = report.reading
    prior = replace(prior_of(RULESETS[report.template.rules]), reversed_pairs=False)
    unseen = [r for r, place in reading.placement.cells.items() if not place.inside]
    alone = decode(reading.scores, prior, unseen).cells
    return sum(not same_mark(alone[r].mark, truth.board.marks[r]) for r in counted)


def same_mark(read: Mark, true: Mark) -> bool:
    """True when number or sign agree, whatever the circles."""
    return (read.kind, read.number) == (true.kind, true.number)


def confidence_bins(truth: Truth, report: Report, counted: list[str]) -> dict[str, list[int]]:
    """Bin of doubt -> ``[cells, right cells]``; see :func:`bin_of`."""
    bins: dict[int, list[int]] = {}
    for region in counted:
        cell = report.cells[region]
        entry = bins.setdefault(bin_of(cell.confidence), [0, 0])
        entry[0] += 1
        entry[1] += cell.mark == truth.board.marks[region]
    return {str(k): bins[k] for k in sorted(bins)}


def bin_of(confidence: float) -> int:
    """Number of the bin: 0 for no confidence, one more for every quarter of a decade that doubt shrinks."""
    doubt = max(1.0 - confidence, 10.0 ** (-MOST_STEPS / STEPS_PER_DECADE))
    return int(np.floor(-STEPS_PER_DECADE * np.log10(doubt) + 1e-9))


def bin_confidence(number: int) -> float:
    """Lowest confidence in a bin."""
    return float(1.0 - 10.0 ** (-number / STEPS_PER_DECADE))


HAZARDS: Mapping[str, str] = {
    "glare": "a reflection over a tenth of the disc or more",
    "shadow": "half of the light missing, or more",
    "blur": "blurred by a pen stroke's half width or more",
    "small": "disc radius below 18 pixels",
    "clutter": "a route line, tick or ghost touches the disc",
    "circled": "circled",
}
"""What makes a single cell hard, by name."""


def hazards_of(truth: Truth, region: str) -> list[str]:
    """The hazards that lie on a cell, names of ``HAZARDS``."""
    hazard = truth.hazards[region]
    found = {
        "glare": hazard.glare >= 0.1,
        "shadow": hazard.shadow >= 0.5,
        "blur": hazard.blur_px >= 0.05 * hazard.radius_px,
        "small": hazard.radius_px < 18,
        "clutter": hazard.clutter > 0,
        "circled": truth.board.marks[region].circled,
    }
    return [name for name in HAZARDS if found[name]]


def cells_by_hazard(truth: Truth, counted: list[str]) -> dict[str, list[str]]:
    """Hazard -> the counted cells it lies on; ``"none"`` for those without any (a circle is none)."""
    cells: dict[str, list[str]] = {name: [] for name in (*HAZARDS, "none")}
    for region in counted:
        trouble = hazards_of(truth, region)
        for name in trouble:
            cells[name].append(region)
        if set(trouble) <= {"circled"}:
            cells["none"].append(region)
    return cells
