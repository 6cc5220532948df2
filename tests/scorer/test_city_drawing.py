"""What the overlay of New York says of soloists in doubt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ontour_cv.city_board import UNREAD_SOLOIST
from ontour_cv.scorer.city_drawing import city_findings
from ontour_cv.scorer.city_score import score_city_photo

PHOTO = Path(__file__).parents[1] / "fixtures" / "cities" / "04-new-york-tour.jpg"


def test_a_soloist_in_doubt_is_told_with_what_it_may_be_instead_and_not_with_another_number() -> None:
    report = score_city_photo(PHOTO, "new-york-home")
    sure = [region for region, cell in report.cells.items() if not cell.doubtful][:3]
    others = (("g", ""), ("",), (UNREAD_SOLOIST,))
    drawn = replace(report.drawn, open_soloists=dict(zip(sure, others, strict=True)))
    findings = city_findings(replace(report, drawn=drawn))
    assert [findings.beside_else[region] for region in sure] == ["g", "no soloist", "several soloists"]
    assert [findings.runners_up[region] for region in sure] == [None] * 3
