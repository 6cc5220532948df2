"""Where a photo shows no board of the map that was asked for, the refusal speaks of that map and of what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls import Run

FIXTURES = Path(__file__).parents[1] / "fixtures"
USA = "photos/01-plain.jpg"
NEW_YORK = "cities/01-new-york.jpg"
SHEET = "sheets/03-tilted.jpg"
NOTHING = "photos/no-board-sudoku.jpg"


@pytest.mark.parametrize(
    ("photo", "map_id", "told"),
    [
        (USA, "europe", "no board of Europe (home edition) in this picture; it shows a board of USA."),
        (USA, "rolling", "no sheet of Rolling America in this picture; it shows a board of USA."),
        (NEW_YORK, "usa", "no board of USA in this picture; it shows a board of New York (home edition)."),
        (
            SHEET,
            "new-york",
            "no board of New York (home edition) in this picture; it shows a sheet of Rolling America.",
        ),
        (NOTHING, "europe", "no board of Europe (home edition) in this picture."),
        (NOTHING, "rolling", "no sheet of Rolling America in this picture."),
    ],
)
def test_a_photo_of_another_map_is_told_as_such(
    capsys: pytest.CaptureFixture[str], photo: str, map_id: str, told: str
) -> None:
    run = Run(capsys, str(FIXTURES / photo), "--map", map_id)
    assert run.code == 3
    assert f"{photo}: {told}" in run.err
    assert "eave --map away" in run.err


@pytest.mark.parametrize(
    ("photo", "told"), [(NEW_YORK, "The log is of another game: leave --game away."), (NOTHING, "leave --game away.")]
)
def test_beside_a_log_the_remedy_is_about_the_log(capsys: pytest.CaptureFixture[str], photo: str, told: str) -> None:
    run = Run(capsys, str(FIXTURES / photo), "--game", str(FIXTURES / "games" / "evening.jsonl"))
    assert run.code == 3
    assert told in run.err
    assert "--map" not in run.err


def test_where_any_map_may_be_shown_no_map_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, str(FIXTURES / NOTHING))
    assert run.code == 3
    assert "no known board in this picture." in run.err


def test_of_several_photos_of_one_board_it_is_told_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, *[str(FIXTURES / NEW_YORK)] * 2, "--map", "usa", "--same-board")
    assert run.code == 3
    assert "no board of USA in this picture; it shows a board of New York (home edition)." in run.err


def test_on_a_sheet_an_answer_it_cannot_take_is_what_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """And not that it is no board."""
    run = Run(capsys, str(FIXTURES / SHEET), "--set", "KY=9")
    assert run.code == 5
    assert "'KY=9': expected a number 1-6" in run.err
