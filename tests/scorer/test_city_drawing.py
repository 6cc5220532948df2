"""What the overlay of New York says of soloists and ferries in doubt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

from ontour_cv.city_board import UNREAD_SOLOIST
from ontour_cv.maps.load import load_map
from ontour_cv.render.panel import _headline, _notes
from ontour_cv.scorer.city_drawing import city_findings
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.city_score import score_city_photo
from ontour_cv.scorer.drawing import water_legs

PHOTO = Path(__file__).parents[1] / "fixtures" / "cities" / "04-new-york-tour.jpg"


def test_a_soloist_in_doubt_is_told_with_what_it_may_be_instead_and_not_with_another_number() -> None:
    report = score_city_photo(PHOTO, "new-york-home")
    sure = [region for region, cell in report.cells.items() if not cell.doubtful][:3]
    others = (("g", ""), ("",), (UNREAD_SOLOIST,))
    drawn = replace(report.drawn, open_soloists=dict(zip(sure, others, strict=True)))
    findings = city_findings(replace(report, drawn=drawn))
    assert [findings.beside_else[region] for region in sure] == ["g", "no soloist", "several soloists"]
    assert [findings.runners_up[region] for region in sure] == [None] * 3


def test_a_ferry_in_doubt_is_told_below_the_picture_and_asked_about_where_it_matters() -> None:
    report = score_city_photo(PHOTO, "new-york-home")
    read, none = report.drawn.ferries[0], ("CHEL", "LIC")
    drawn = replace(report.drawn, open_ferries={read: 0.8, none: 0.1})
    findings = city_findings(replace(report, drawn=drawn, ask=("~" + "-".join(read),)))
    texts = [note.text for note in _notes(findings)]
    assert f"Ferry {'-'.join(read)} read as drawn" in texts
    assert any("unlikely to matter for the score" in text and "ferry CHEL-LIC not drawn" in text for text in texts)
    quiet = city_findings(replace(report, drawn=replace(drawn, open_ferries={}), ask=()))
    assert not any("ferry" in note.text.lower() for note in _notes(quiet))
    assert findings.doubts == quiet.doubts + 2


def test_the_overlay_proves_nothing_of_a_board_of_which_not_all_was_read() -> None:
    report = replace(score_city_photo(PHOTO, "new-york-home"), ask=(), more=False)
    partly = replace(report, drawn=replace(report.drawn, not_read=("ferries",)), more=True)

    def head(report: CityReport) -> str:
        said: list[str] = []
        pen = SimpleNamespace(text=lambda x, y, text, *_, **__: said.append(text), width=lambda *_: 1.0)
        _headline(pen, city_findings(report))  # type: ignore[arg-type]
        return " / ".join(said)

    assert "Proven" in head(report) and "At least" not in head(report)
    assert "Proven" not in head(partly) and "At least" in head(partly)


def test_a_ferry_of_the_route_is_drawn_as_a_leg_of_it_and_every_other_beside_it() -> None:
    report = score_city_photo(PHOTO, "new-york-home")
    findings = city_findings(report)
    assert findings.by_water == (("RIVE", "CHEL"),)
    assert ("CHEL", "RIVE") in findings.lines
    assert set(findings.beneath) == set(findings.lines) - {("CHEL", "RIVE")}
    doubtful = replace(report, drawn=replace(report.drawn, open_ferries={("CHEL", "RIVE"): 0.8}))
    assert ("CHEL", "RIVE") in city_findings(doubtful).beneath


def test_a_boat_of_paris_is_a_leg_by_water_and_a_link_along_the_river_is_not() -> None:
    paris = load_map("paris-home")
    assert water_legs(paris, ("P4", "P1", "P12")) == (("P1", "P12"),)
