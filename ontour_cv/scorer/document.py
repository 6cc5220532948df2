"""Reports as plain data for JSON, documented in docs/json.md; equal reports give equal bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ontour_cv.board import Kind, Mark, format_board, format_mark
from ontour_cv.scorer.report import Failure, Outcome, Report
from ontour_cv.vision.decode import CellReading

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
    error = failure.error
    return {"photo": failure.photo, "error": {"code": error.code, "message": error.message, "remedy": error.remedy}}


def _report(report: Report) -> dict[str, Json]:
    score = report.score
    return {
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
    }


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
