"""Reports on boards of New York as plain data for JSON, documented in docs/json.md; equal reports give equal bytes."""

from __future__ import annotations

from typing import cast

from ontour_cv.referee.city_verdict import city_verdict_document
from ontour_cv.rules.city import route_score, score_document
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.document import (
    PROBABILITY_DIGITS,
    Json,
    cell_document,
    drawn_document,
    others_document,
    use_document,
)


def city_report_document(report: CityReport) -> dict[str, Json]:
    """The object of one photo of a New York board."""
    document = _read(report)
    if report.photos:
        document["photos"] = [use_document(use) for use in report.photos]
    if report.log is not None:
        verdict = cast(dict[str, Json], city_verdict_document(report.log.verdict, report.log.record))
        document["game"] = {"player": report.log.player, **verdict, "sure": report.log.sure}
    if report.tour is not None:
        places = report.tour.places
        worth = score_document(route_score(report.template, report.board, places)) if places else None
        document["drawn"] = {**drawn_document(report.tour), "score": cast(Json, worth)}
    return document


def _read(report: CityReport) -> dict[str, Json]:
    score = report.score
    return {
        "photo": report.photo,
        "map": report.template.id,
        "edition": report.reading.placement.edition.name,
        "unmeasured": report.reading.placement.unmeasured,
        "rules": report.template.rules,
        "board": str(report.board),
        "regions": {region: cell_document(cell) for region, cell in report.cells.items()},
        "not_read": list(report.drawn.not_read),
        "uncertain": list(report.uncertain),
        "uncertain_soloists": {r: list(others) for r, others in report.drawn.open_soloists.items()},
        "uncertain_ferries": [
            [f"{a}-{b}", round(chance, PROBABILITY_DIGITS)] for (a, b), chance in report.drawn.open_ferries.items()
        ],
        "ask": list(report.ask),
        "ask_later": report.more,
        "problems": [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in report.problems],
        "route": list(score.route),
        "score": cast(Json, score_document(score)),
        "score_range": list(report.score_range),
        "timings_ms": {stage: round(ms, 1) for stage, ms in report.timings_ms.items()},
        "other_boards": others_document(report.reading.others),
    }
