"""Reports as plain data for JSON, documented in docs/json.md; equal reports give equal bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from ontour_cv.board import Kind, Mark, format_board, format_mark
from ontour_cv.errors import OnTourError
from ontour_cv.referee import verdict_document
from ontour_cv.rules import Score
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.drawn import Drawn
from ontour_cv.scorer.game import ByLog, Possible
from ontour_cv.scorer.hindsight import Exchange
from ontour_cv.scorer.report import Failure, Outcome, PhotoUse, Report
from ontour_cv.scorer.sheet_report import SheetReport
from ontour_cv.scorer.written import Written
from ontour_cv.vision.decode import CellReading
from ontour_cv.vision.others import OtherBoard
from ontour_cv.vision.retake import Retake

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

PROBABILITY_DIGITS = 4
"""Decimals of a probability: far below what calibration can promise, far above what arithmetic wobbles."""


def to_json(outcomes: Iterable[Outcome | SheetReport | CityReport]) -> str:
    """One JSON array, an object per photo in the order given, with a line break at its end."""
    return json.dumps([to_document(outcome) for outcome in outcomes], indent=2) + "\n"


def to_document(outcome: Outcome | SheetReport | CityReport) -> dict[str, Json]:
    """The object of one photo."""
    if isinstance(outcome, SheetReport):
        from ontour_cv.scorer.sheet_document import sheet_document

        return sheet_document(outcome)
    if isinstance(outcome, CityReport):
        from ontour_cv.scorer.city_document import city_report_document

        return city_report_document(outcome)
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
        "unmeasured": report.reading.placement.unmeasured,
        "rules": report.rules,
        "board": format_board(report.board),
        "regions": {region: cell_document(cell) for region, cell in report.cells.items()},
        "uncertain": list(report.uncertain),
        "ask": list(report.ask),
        "ask_later": report.more,
        "problems": [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in report.problems],
        "route": list(score.route),
        "score": _score(score),
        "score_range": list(report.score_range),
        "timings_ms": {stage: round(ms, 1) for stage, ms in report.timings_ms.items()},
        "retake": _retake(report.retake),
        "other_boards": others_document(report.reading.others),
    }
    if report.photos:
        document["photos"] = [use_document(use) for use in report.photos]
    if report.one_game is not None:
        told = report.one_game
        document["one_game"] = {"others": [*told.others], "settled": [*told.settled], "strange": [*told.strange]}
    if report.log is not None:
        document["game"] = _by_log(report.log)
    if report.drawn is not None:
        document["drawn"] = drawn_document(report.drawn)
    if report.written is not None:
        document["written"] = _written(report.written)
    return document


def _written(written: Written) -> dict[str, Json]:
    return {
        "read": written.read,
        "visited": written.places,
        "circles": written.circles,
        "total": written.total,
        "text": " ".join(written.sentences),
    }


def drawn_document(drawn: Drawn) -> dict[str, Json]:
    """The object of a drawn tour."""
    return {
        "read": drawn.read,
        "route": list(drawn.places),
        "score": _score(drawn.score) if drawn.score else None,
        "problems": [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in drawn.problems],
        "sure": drawn.sure,
        "advice": drawn.advice,
    }


def _by_log(log: ByLog) -> Json:
    if log.verdict is None:
        return {"player": log.player, "fits": False}
    verdict = verdict_document(log.verdict, log.record)
    slips = cast(list[dict[str, object]], verdict["slips"])
    document = {
        "player": log.player,
        "fits": True,
        "lawful": round(log.lawful, PROBABILITY_DIGITS),
        **verdict,
        "slips": [slip | {"sure": sure} for slip, sure in zip(slips, log.sure, strict=True)],
        "possible": [_possible(possible) for possible in log.possible],
        "score_without_faulty": _score(log.without) if log.without else None,
        "could_have_had": _exchange(log.could_have) if log.could_have else None,
    }
    return cast(Json, document)


def _exchange(exchange: Exchange) -> dict[str, Json]:
    marks: dict[str, Json] = {region: format_mark(mark) for region, mark in exchange.marks.items()}
    return {"marks": marks, "score": _score(exchange.score)}


def _possible(possible: Possible) -> dict[str, Json]:
    return {
        "region": possible.region,
        "mark": format_mark(possible.mark),
        "probability": round(possible.probability, PROBABILITY_DIGITS),
        "slips": [slip.text for slip in possible.slips],
    }


def _score(score: Score) -> dict[str, Json]:
    return {"total": score.total, "visited": score.visited, "circles": score.circles}


def _retake(retake: Retake | None) -> Json:
    return {"how": retake.how, "why": retake.why, "regions": list(retake.regions)} if retake else None


def others_document(others: Sequence[OtherBoard]) -> Json:
    """Boards beside the one that was scored."""
    return [
        {"where": other.where, "outline": [[round(x, 1), round(y, 1)] for x, y in other.outline.tolist()]}
        for other in others
    ]


def use_document(use: PhotoUse) -> Json:
    """What became of one of several photos."""
    if use.error is not None:
        return {"photo": use.photo, "used": False, "error": _error(use.error)}
    return {"photo": use.photo, "used": True}


def cell_document(cell: CellReading, text: Callable[[Mark], str] = format_mark) -> dict[str, Json]:
    """What was read in one cell, marks as ``text`` writes them."""
    return {
        "mark": _sign(cell.mark, text),
        "circled": cell.mark.circled,
        "confidence": round(cell.confidence, PROBABILITY_DIGITS),
        "alternatives": [
            [_sign(mark, text) + "o" * mark.circled, round(p, PROBABILITY_DIGITS)] for mark, p in cell.alternatives
        ],
    }


def _sign(mark: Mark, text: Callable[[Mark], str]) -> str:
    """``"21"``, ``"*"``, ``"x"``, ``""`` for an empty cell, ``"?"`` for an unread one; its circle left out."""
    return "" if mark.kind is Kind.EMPTY else text(Mark(mark.kind, mark.number))
