"""Reports as plain data for JSON, documented in docs/json.md; equal reports give equal bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ontour_cv.board import Kind, Mark, format_board, format_mark
from ontour_cv.errors import OnTourError
from ontour_cv.scorer.report import Failure, Outcome, PhotoUse, Report
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.retake import Retake

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

PROBABILITY_DIGITS = 4
"""Decimals of a probability: far below what calibration can promise, far above what arithmetic wobbles."""


def to_json(outcomes: Iterable[Outcome]) -> str:
    """One JSON array, an object per photo in the order given, with a line break at its end."""
    return json.dumps([to_document(outcome) for outcome in outcomes], indent=2) + "\n"


def to_document(outcome: Outcome) -> dict[str, Json]:
    """The object of one photo."""
    return _failure(outcome) if isinstance(outcome, Failure) else _report(outcome)


def _failure(failure: Failure) -> dict[str, Json]:
    return {"photo": failure.photo, "error": _error(failure.error)}


def _error(error: OnTourError) -> dict[str, Json]:
    return {"code": error.code, "message": error.message, "remedy": error.remedy}


def _report(report: Report) -> dict[str, Json]:
    score = report.score
    document: dict[str, Json] = {
        "photo": report.photo,
        "map": report.template.id,
        "edition": report.edition,
        "rules": report.rules,
        "board": format_board(report.board),
        "regions": {region: _cell(cell) for region, cell in report.cells.items()},
        "uncertain": list(report.uncertain),
        "ask": list(report.ask),
        "problems": [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in report.problems],
        "route": list(score.route),
        "score": {"total": score.total, "visited": score.visited, "circles": score.circles},
        "score_range": list(report.score_range),
        "timings_ms": {stage: round(ms, 1) for stage, ms in report.timings_ms.items()},
        "retake": _retake(report.retake),
    }
    if report.photos:
        document["photos"] = [_use(use) for use in report.photos]
    return document


def _retake(retake: Retake | None) -> Json:
    return {"how": retake.how, "why": retake.why, "regions": list(retake.regions)} if retake else None


def _use(use: PhotoUse) -> Json:
    if use.error is not None:
        return {"photo": use.photo, "used": False, "error": _error(use.error)}
    return {"photo": use.photo, "used": True}


def _cell(cell: CellReading) -> dict[str, Json]:
    return {
        "mark": _sign(cell.mark),
        "circled": cell.mark.circled,
        "confidence": round(cell.confidence, PROBABILITY_DIGITS),
        "alternatives": [
            [_sign(mark) + "o" * mark.circled, round(p, PROBABILITY_DIGITS)] for mark, p in cell.alternatives
        ],
    }


def _sign(mark: Mark) -> str:
    """``"21"``, ``"*"``, ``"x"``, ``""`` for an empty cell, ``"?"`` for an unread one."""
    return "" if mark.kind is Kind.EMPTY else format_mark(Mark(mark.kind, mark.number))
