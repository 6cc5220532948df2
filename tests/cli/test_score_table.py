"""Several photos: boards of one game are read with one another, and what that settled is told; others are not."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from calls import Run
from readings import make_reading
from rich.console import Console

from ontour_cv.cli.score_answers import Answers
from ontour_cv.cli.score_jobs import Job
from ontour_cv.cli.score_table import show_one_game, with_one_another
from ontour_cv.errors import BadPhoto
from ontour_cv.scorer.report import Failure, OneGame
from ontour_cv.scorer.score import score_read

FIXTURES = Path(__file__).parents[1] / "fixtures"
EVENING = [str(FIXTURES / "games" / f"evening-{player}.jpg") for player in ("anna", "ben", "cleo")]


def _told(one_game: OneGame | None) -> str:
    stream = io.StringIO()
    report = replace(score_read("a.jpg", make_reading(width=400)), one_game=one_game)
    show_one_game(report, Console(file=stream, width=200))
    return stream.getvalue()


@pytest.fixture
def soft(tmp_path: Path) -> list[str]:
    """The evening's photos out of focus: sharp ones leave hardly a doubt."""
    photos = [tmp_path / Path(photo).name for photo in EVENING]
    for photo, sharp in zip(photos, EVENING, strict=True):
        cv2.imwrite(str(photo), cv2.GaussianBlur(cv2.imread(sharp), (0, 0), 1.5))
    return [str(photo) for photo in photos]


def test_photos_of_one_evening_settle_one_anothers_doubts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, soft: list[str]
) -> None:
    run = Run(capsys, *soft, "--map", "usa", "--json", "--overlay", str(tmp_path / "overlays"))
    assert run.code == 0
    together = json.loads(run.out)
    alone = [json.loads(Run(capsys, photo, "--map", "usa", "--json").out)[0] for photo in soft]
    for one, other, photo in zip(together, alone, soft, strict=True):
        assert "one_game" not in other
        assert one["one_game"]["others"] == [name for name in soft if name != photo]
        assert not set(one["one_game"]["settled"]) & set(one["uncertain"])
        assert set(one["one_game"]["settled"]) <= set(other["uncertain"])
        assert len(one["uncertain"]) <= len(other["uncertain"])
    assert sum(len(one["uncertain"]) for one in together) < sum(len(one["uncertain"]) for one in alone)
    assert len(list((tmp_path / "overlays").iterdir())) == 3


def test_boards_of_different_games_are_scored_as_if_alone(capsys: pytest.CaptureFixture[str]) -> None:
    photos = [str(FIXTURES / "photos" / name) for name in ("01-plain.jpg", "07-pastel-board.jpg")]
    run = Run(capsys, *photos, "--map", "usa", "--json")
    assert run.code == 0
    assert all("one_game" not in one for one in json.loads(run.out))


def test_a_photo_that_failed_keeps_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Job, "draw", lambda *_: pytest.fail("nothing changed"))
    jobs = [Job("usa", None, Answers(), None, None)] * 3
    report, failure = score_read("a.jpg", make_reading(width=400)), Failure("b.jpg", BadPhoto("gone", "none"))
    outcomes = [failure, report, report]
    assert with_one_another(outcomes, jobs) == outcomes
    assert with_one_another([failure], jobs[:1]) == [failure]


def test_what_the_others_settled_is_told() -> None:
    assert _told(None) == ""
    assert _told(OneGame(("photos/b.jpg",), (), ())) == ""
    told = _told(OneGame(("photos/b.jpg", "c.jpg"), ("MO", "OH"), ()))
    assert "Same game as b.jpg, c.jpg: that settles MO, OH." in told
    many = _told(OneGame(tuple(f"{k}.jpg" for k in range(7)), ("MO",), ()))
    assert "0.jpg, 1.jpg, 2.jpg and 4 more" in many


def test_numbers_that_nobody_else_has_are_told() -> None:
    told = _told(OneGame(("b.jpg",), (), ("KS",)))
    assert "On no other board of this game stands: KS " in told
