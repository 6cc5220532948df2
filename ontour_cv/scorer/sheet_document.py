"""Reports on sheets as plain data for JSON, documented in docs/json.md; equal reports give equal bytes."""

from __future__ import annotations

from ontour_cv.referee.sheet_verdict import SheetVerdict
from ontour_cv.scorer.document import PROBABILITY_DIGITS, Json, cell_document, others_document, use_document
from ontour_cv.scorer.sheet_report import SheetReport
from ontour_cv.sheet import format_cell
from ontour_cv.vision.sheet_boxes import BoxReading


def sheet_document(report: SheetReport) -> dict[str, Json]:
    """The object of one photo of a sheet."""
    score = report.score
    document: dict[str, Json] = {
        "photo": report.photo,
        "map": report.template.id,
        "rules": report.template.rules,
        "sheet": str(report.sheet),
        "regions": {state: cell_document(cell, format_cell) for state, cell in report.cells.items()},
        "boxes": {name: _box(box) for name, box in report.boxes.items()},
        "uncertain": list(report.uncertain),
        "ask": list(report.ask),
        "ask_later": report.more,
        "problems": [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in report.problems],
        "score": {
            "total": score.total, "crossed": score.crossed, "blanks": score.blanks, "mistakes": score.mistakes,
            "powers": score.powers,
        },
        "score_range": list(report.score_range),
        "written": report.sheet.boxes.x,
        "other_boards": others_document(report.reading.others),
        "timings_ms": {stage: round(ms, 1) for stage, ms in report.timings_ms.items()},
    }  # fmt: skip
    if report.photos:
        document["photos"] = [use_document(use) for use in report.photos]
    if report.verdict is not None:
        document["game"] = _verdict(report.player, report.verdict)
    return document


def _verdict(player: str | None, verdict: SheetVerdict) -> Json:
    return {
        "player": player,
        "legal": verdict.legal,
        "decided": verdict.decided,
        "at_least": verdict.at_least,
        "slips": [{"kind": s.kind, "regions": list(s.regions), "text": s.text} for s in verdict.slips],
        "notes": list(verdict.notes),
        "rolls": verdict.rolls,
    }


def _box(box: BoxReading) -> Json:
    return {
        "value": box.value,
        "confidence": round(box.confidence, PROBABILITY_DIGITS),
        "alternatives": [[value, round(p, PROBABILITY_DIGITS)] for value, p in box.alternatives],
    }
