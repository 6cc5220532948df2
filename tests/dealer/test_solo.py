"""Scores of games played alone are kept, one a game, and the best one is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontour_cv.dealer.solo import SoloScore, best_score, keep_score, read_scores, solo_file
from ontour_cv.errors import BadLog, NotSaved


def score(game: str, total: int, powers: int) -> SoloScore:
    return SoloScore("rolling-america", game, "2026-11-21T20:00:00Z", total, powers)


def test_no_file_means_no_scores(tmp_path: Path) -> None:
    assert read_scores(tmp_path / "solo.jsonl") == ()
    assert best_score((), "rolling-america") is None


def test_a_game_kept_again_replaces_its_older_score(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "solo.jsonl"
    for one in (score("a", 9, 3), score("b", 7, 5), score("a", 6, 9)):
        keep_score(path, one)
    assert [(one.game, one.total) for one in read_scores(path)] == [("b", 7), ("a", 6)]


def test_the_best_has_fewest_xs_then_fewest_powers_then_is_the_older() -> None:
    scores = (score("a", 7, 6), score("b", 7, 4), score("c", 7, 4), score("d", 8, 0))
    assert best_score(scores, "rolling-america") == scores[1]
    assert best_score(scores, "usa") is None


@pytest.mark.parametrize(
    "line", ["", "{}", "nonsense", '{"map": 1}', '{"map":"m","game":"g","at":"t","total":"7","powers":1}']
)
def test_a_line_that_is_no_score_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "solo.jsonl"
    keep_score(path, score("a", 9, 3))
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(BadLog, match="line 2"):
        read_scores(path)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(NotSaved):
        keep_score(tmp_path / "file" / "solo.jsonl", score("a", 9, 3))


def test_the_file_lies_in_the_users_folder() -> None:
    assert solo_file({"XDG_DATA_HOME": "/data"}, "linux") == Path("/data/ontour-cv/solo.jsonl")
