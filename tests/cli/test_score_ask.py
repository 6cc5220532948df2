"""``ontour-cv score --ask``: answers at the terminal count as those given with ``--set`` do."""

from __future__ import annotations

import importlib.util
import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from ontour_cv.board import parse_board
from ontour_cv.cli.app import app
from ontour_cv.cli.blocks import UPPER
from ontour_cv.cli.score_answers import Answers
from ontour_cv.cli.score_ask import ask, ask_all, check_ask, question_of
from ontour_cv.cli.score_city import CityJob
from ontour_cv.cli.score_jobs import Job
from ontour_cv.dealer.form import make_opening
from ontour_cv.dealer.game import new_game
from ontour_cv.errors import BadPhoto, UsageError
from ontour_cv.rules import VARIANTS
from ontour_cv.scorer.city_drawn import FERRIES, Given
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.city_score import score_city_photo
from ontour_cv.scorer.closeup import closeup
from ontour_cv.scorer.report import Failure, Report
from ontour_cv.scorer.score import score_again, score_photo
from ontour_cv.scorer.sheet_score import score_sheet_again, score_sheet_photo

FIXTURES = Path(__file__).parents[1] / "fixtures"
USA = FIXTURES / "photos" / "05-dark-board.jpg"
NEW_YORK = FIXTURES / "cities" / "04-new-york-tour.jpg"
NEW_YORK_HARD = FIXTURES / "cities" / "03-new-york-hard.jpg"
SHEET = FIXTURES / "sheets" / "03-tilted.jpg"
ASKED = {USA: ("usa", "NC"), NEW_YORK_HARD: ("new-york-home", "MORR"), SHEET: ("rolling-america", "NY")}
"""What is in doubt on each and can change its score."""


@pytest.fixture(scope="module")
def board() -> Report:
    """NC is asked about first."""
    return score_photo(USA, "usa")


@pytest.fixture(scope="module")
def city() -> CityReport:
    return score_city_photo(NEW_YORK, "new-york-home")


def score(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["score", *words], input=typed, catch_exceptions=False)


def asked(outcomes: list[Report | Failure], typed: str, monkeypatch: pytest.MonkeyPatch) -> list[Report]:
    """The reports after these lines were typed."""
    lines = iter(typed.splitlines())
    monkeypatch.setattr("ontour_cv.cli.score_ask.typed", lambda *_, **__: next(lines))
    found = ask_all(outcomes, [Job("usa", None, Answers(), None, None)] * len(outcomes))
    assert next(lines, None) is None, "everything typed was asked for"
    return [report for report in found if isinstance(report, Report)]


def asking_on(board: Report, monkeypatch: pytest.MonkeyPatch) -> Report:
    """The board with two questions, which stay whatever is answered."""
    monkeypatch.setattr("ontour_cv.cli.score_ask.answered", lambda report, text: replace(
        score_again(report, parse_board(text).marks), ask=report.ask
    ))  # fmt: skip
    return replace(board, ask=("NC", "WA"))


@pytest.mark.parametrize("photo", list(ASKED), ids=lambda photo: photo.parent.name)
def test_an_answer_counts_as_one_given_with_set(photo: Path) -> None:
    """Whatever map the photo shows; and the line to repeat it is told."""
    map_id, name = ASKED[photo]
    by_hand = score(str(photo), "--map", map_id, "--ask", typed="b\n")
    assert by_hand.exit_code == 0
    told = next(line for line in by_hand.stderr.splitlines() if line.startswith("Answered: "))
    text = told.removeprefix("Answered: --set '").removesuffix("'")
    assert text.startswith(f"{name}=")
    assert by_hand.stdout == score(str(photo), "--map", map_id, "--set", text).stdout


@pytest.mark.parametrize("typed", ["\n", "q\n", ""])
def test_without_an_answer_everything_stays_as_it_was(typed: str) -> None:
    open_ = score(str(USA), "--map", "usa", "--ask", typed=typed)
    assert open_.stdout == score(str(USA), "--map", "usa").stdout
    assert "Answered" not in open_.stderr


def test_where_nothing_is_asked_nobody_is() -> None:
    plain = score(str(FIXTURES / "photos" / "01-plain.jpg"), "--map", "usa", "--ask")
    assert plain.stderr == ""


def test_what_cannot_stand_there_is_refused_and_asked_again(
    board: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (report,) = asked([asking_on(board, monkeypatch)], "zz\nNOWHERE=31\n31\n\n", monkeypatch)
    assert report.cells["NC"].mark == parse_board("NC=31").marks["NC"]
    assert capsys.readouterr().err.count("NC=zz") == 1


def test_capital_letters_answer_and_end_as_small_ones_do(
    board: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caps Lock is on, or the first letter of a line gets large by itself."""
    (small,), (large,) = (asked([board], typed, monkeypatch) for typed in ("b\nq\n", "B\nQ\n"))
    assert large.corrected == small.corrected == ("NC",)
    assert large.cells["NC"].mark == small.cells["NC"].mark
    assert "not a mark" not in capsys.readouterr().err


def test_a_question_mark_tells_what_can_be_typed_and_answers_nothing(
    board: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (report,) = asked([board], "?\nq\n", monkeypatch)
    assert report.corrected == board.corrected
    assert capsys.readouterr().err.count("q ends them") == 2


def test_an_answer_may_name_another_place_as_well(board: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sees that IA was misread says so; what was asked is then asked again, and may be left open."""
    asking = asking_on(board, monkeypatch)
    (report,) = asked([asking], "IA=x\n\n\n", monkeypatch)
    assert report.corrected == ("IA",) and report.ask == asking.ask


def test_a_question_answered_with_another_place_only_is_asked_again(
    board: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unless the reply names its place as well."""
    (report,) = asked([board], "IA=x\nNC=81\nq\n", monkeypatch)
    assert report.corrected == ("IA", "NC")
    (both,) = asked([board], "IA=x nc=81\nq\n", monkeypatch)
    assert both.corrected == report.corrected
    assert capsys.readouterr().err.count("q ends them") == 2, "the keys are told once a run"


def test_the_last_word_on_a_place_counts(
    board: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever thinks better of an answer names the place again, at the next question."""
    (report,) = asked([asking_on(board, monkeypatch)], "a\nNC=55\n\n", monkeypatch)
    assert report.cells["NC"].mark.number == 55 and report.corrected == ("NC",)
    assert capsys.readouterr().err.count("--set") == 1


def test_an_answer_with_several_places_is_told_place_by_place(
    board: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that thinking better of one of them leaves the others as they were said."""
    asked([asking_on(board, monkeypatch)], "NC=55 IA=x\nNC=54\n\n", monkeypatch)
    told = capsys.readouterr().err
    assert "--set 'NC=54' --set 'IA=x'" in told and "55" not in told.partition("Answered")[2]


def test_of_several_boards_each_is_asked_about_and_a_failure_keeps_its_place(
    board: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failure = Failure("gone.jpg", BadPhoto("gone.jpg is gone", ""))
    one = asking_on(board, monkeypatch)
    other = replace(one, photo="other.jpg")
    first, second = asked([failure, one, other], "a\n\nb\n\n", monkeypatch)
    assert [first.corrected, second.corrected] == [("NC",), ("NC",)]
    assert first.cells["NC"].mark != second.cells["NC"].mark
    assert f"--set '{board.photo}:NC=" in (told := capsys.readouterr().err) and "--set 'other.jpg:NC=" in told


def test_the_overlay_shows_what_was_answered(board: Report, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    drawn: list[Report] = []
    monkeypatch.setattr("ontour_cv.scorer.drawing.save_overlay", lambda report, _: drawn.append(report))
    monkeypatch.setattr("ontour_cv.cli.score_ask.typed", lambda *_, **__: "a")
    found = ask_all([board], [Job("usa", None, Answers(), tmp_path / "route.jpg", None)])
    assert drawn == found


def test_a_ferry_is_drawn_or_not(city: CityReport, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = next(iter(city.drawn.open_ferries))
    name = f"~{one}-{other}"
    question = question_of(city, name)
    assert [answer.text for answer in question.answers] == [name, f"{name}=."]
    for typed, there in (("a", True), ("b", False)):
        monkeypatch.setattr("ontour_cv.cli.score_ask.typed", lambda *_, typed=typed, **__: typed)
        asking = replace(city, ask=(name,))
        (report,) = ask_all([asking], [CityJob("new-york-home", Given(), None, None)])
        assert isinstance(report, CityReport)
        assert ((one, other) in report.drawn.ferries) is there
        assert (one, other) not in report.drawn.open_ferries


def test_a_range_that_is_open_above_is_told_so(
    city: CityReport, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ferries that were not read are worth more, whatever is answered."""
    monkeypatch.setattr("ontour_cv.cli.score_ask.typed", lambda *_, **__: "q")
    low, high = city.score_range
    asking = replace(city, ask=(next(iter(city.cells)),))
    unread = replace(asking, drawn=replace(city.drawn, not_read=(FERRIES,)))
    for report, end in ((asking, "\n"), (unread, " or more\n")):
        ask_all([report], [CityJob("new-york-home", Given(), None, None)])
        assert f": the score is {low} to {high}{end}" in capsys.readouterr().err


def test_a_name_that_would_move_the_cursor_is_told_plainly(
    board: Report, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked([replace(board, photo="a\x1b[2Jb.jpg")], "q\n", monkeypatch)
    told = capsys.readouterr().err
    assert "a?[2Jb.jpg: the score is" in told and "\x1b[2J" not in told


def test_every_question_has_a_picture(board: Report, city: CityReport) -> None:
    """Upright and small; none where the place is not in the photo."""
    for report, name in ((board, "NC"), (city, "ENY"), (score_sheet_photo(SHEET), "FL")):
        picture = closeup(report.reading, name)
        assert picture is not None and picture.shape == (40, 40, 3)
    ferry = closeup(city.reading, "~CONE-TOTT")
    assert ferry is not None and ferry.shape[1] <= 72 and ferry.shape[0] <= 44 and np.ptp(ferry) > 60
    hidden = {region: replace(place, inside=region != "NC") for region, place in board.reading.placement.cells.items()}
    placement = replace(board.reading.placement, cells=hidden)
    cut_off = replace(board, reading=replace(board.reading, placement=placement))
    assert closeup(cut_off.reading, "NC") is None
    assert "does not show" in question_of(cut_off, "NC").words and "does not show" not in question_of(board, "NC").words


def test_a_picture_fits_into_a_narrow_window(board: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a screen beside the photo, say: lines of it that wrapped were no picture."""
    file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    console = Console(file=file, force_terminal=True, color_system="truecolor", width=30)
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    ask(board, question_of(board, "NC"), console, lambda text: board)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", file.buffer.getvalue().decode()).splitlines()
    assert [line for line in lines if UPPER in line] == [UPPER * 30] * 15


def test_scored_again_what_was_set_before_still_counts() -> None:
    first = score_photo(USA, "usa", corrections=parse_board("WA=x").marks)
    again = score_again(first, parse_board("NC=05o").marks)
    once = score_photo(USA, "usa", corrections=parse_board("WA=x NC=05o").marks)
    assert (again.cells, again.score, again.corrected) == (once.cells, once.score, once.corrected)
    sheet = score_sheet_photo(SHEET, {"@x": 7})
    assert (
        score_sheet_again(sheet, {"@guard": 2}).sheet.boxes.said() | {"x": 7, "guard": 2}
        == score_sheet_again(sheet, {"@guard": 2}).sheet.boxes.said()
    )


def test_an_answer_leaves_the_rules_that_were_asked_for() -> None:
    """Beside a log of a game by other rules, too."""
    opening = make_opening("usa", None, ("Anna",), "1", "2025-11-21T20:00:00Z")
    game = new_game(opening).record
    for rules, meant in (("bga", "bga"), (None, "rulebook")):
        first = score_photo(USA, "usa", rules, game=game)
        again = score_again(score_again(first, {"NC": first.cells["NC"].mark}), parse_board("OR=x").marks)
        assert (first.rules, again.rules, again.variant) == (meant, meant, first.variant)


def test_rules_that_only_the_log_knows_stay_after_an_answer() -> None:
    """A game by rules of one's own, whose file is gone: the log tells them."""
    own = replace(VARIANTS["rulebook"], key="own", title="by rules of our own", tie_by_circles=True)
    game = new_game(make_opening("usa", own, ("Anna",), "1", "2025-11-21T20:00:00Z")).record
    assert score_again(score_photo(USA, "usa", game=game), parse_board("NC=05o").marks).variant == own


def test_more_that_is_given_counts_where_both_speak_of_one_thing() -> None:
    marks = parse_board("SOHO=31 CHEL=20").marks
    given = Given(marks, {"SOHO": "s", "CHEL": "m"}, (("SOHO", "STG"),), (("CONE", "TOTT"),), {"s": 2})
    more = Given(parse_board("SOHO=13").marks, {}, (("CONE", "TOTT"),), (("SOHO", "STG"),), {"s": 3})
    both = given.and_then(more)
    assert both.marks["SOHO"].number == 13 and both.marks["CHEL"] == marks["CHEL"]
    assert both.soloists == {"CHEL": "m"}
    assert (both.ferries, both.no_ferries, both.tracks) == ((("CONE", "TOTT"),), (("SOHO", "STG"),), {"s": 3})
    assert both.and_then(more) == both


def test_programs_are_not_asked() -> None:
    with pytest.raises(UsageError, match="--ask"):
        check_ask(True, True)
    check_ask(True, False)
    check_ask(False, True)


def test_the_picture_in_the_readme_is_what_is_asked() -> None:
    """When this fails: python docs/make_ask.py. Pixels and percentages may differ a little from machine to machine."""
    page = FIXTURES.parents[1] / "docs" / "make_ask.py"
    spec = importlib.util.spec_from_file_location("make_ask", page)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    drawn, kept = (re.sub(r'base64,[^"]*|\d+ %', "", text) for text in (made.screen(), made.PICTURE.read_text("utf-8")))
    assert drawn == kept
