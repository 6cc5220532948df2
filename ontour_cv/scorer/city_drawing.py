"""A report on a board of New York drawn over its photo: the route by land and ferry, soloists, doubts, problems."""

from __future__ import annotations

from pathlib import Path

from ontour_cv.city_board import UNREAD_SOLOIST
from ontour_cv.render.findings import Findings
from ontour_cv.rules import Score
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.drawing import own_legs, save_picture, water_legs


def save_city_overlay(report: CityReport, path: Path) -> None:
    """Write the overlay of ``report`` to ``path``, in the format of its ending; ``UsageError`` when that fails."""
    from ontour_cv.render.overlay import draw_overlay

    save_picture(draw_overlay(report.reading.photo, report.reading.placement, city_findings(report)), path)


def city_findings(report: CityReport) -> Findings:
    """What the overlay tells about ``report``."""
    score, drawn = report.score, report.drawn
    least = sorted(report.uncertain, key=lambda region: report.cells[region].confidence)
    unsure = dict.fromkeys((*least, *(r for r in report.template.ids if r in drawn.open_soloists)))
    doubted = {r: report.cells[r].alternatives if report.cells[r].doubtful else () for r in unsure}
    runners = {r: others[0][0] if others else None for r, others in doubted.items()}
    bonus = f" + {score.bonus} for all boroughs" if score.bonus else ""
    least_known = "" if drawn.complete else "at least "
    return Findings(
        title=f"{report.template.title}, {report.reading.placement.edition.title}",
        marks=report.board.marks,
        score=Score(score.total, score.visited, 0, score.route),
        score_range=report.score_range,
        runners_up=runners,
        ask=report.ask,
        more=report.more,
        problems=tuple(problem for problem in report.problems if problem.rule != "unread"),
        visited=report.template.counted(score.visited),
        poor=report.poor,
        sum=f"{least_known}{report.template.counted(score.visited)} + {score.soloist_points} for soloists{bonus}",
        beside={r: "?" if letter == UNREAD_SOLOIST else letter for r, letter in drawn.soloists.items()},
        beside_else={r: _in_words(others[0]) for r, others in drawn.open_soloists.items() if others},
        lines=drawn.ferries,
        doubtful_lines=tuple(drawn.open_ferries),
        ask_lines=tuple(ferry for ferry in drawn.open_ferries if "~" + "-".join(ferry) in report.ask),
        drawn=own_legs(report.tour, score.route),
        by_water=water_legs(report.template, score.route),
    )


def _in_words(letter: str) -> str:
    """What a soloist may be instead."""
    return {"": "no soloist", UNREAD_SOLOIST: "several soloists"}.get(letter, letter)
