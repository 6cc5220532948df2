"""Scores of games played alone are kept, one a game, and the best one is known."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from dealt import opening
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.dealer import store
from ontour_cv.dealer.game import new_game
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


def test_games_of_one_name_are_two_and_a_game_renamed_is_one(tmp_path: Path) -> None:
    path = tmp_path / "solo.jsonl"
    last_year, this_year = replace(score("game", 9, 3), id="a1"), replace(score("game", 7, 5), id="b2")
    for one in (last_year, this_year, replace(this_year, game="final", total=8)):
        keep_score(path, one)
    assert [(one.game, one.total) for one in read_scores(path)] == [("game", 9), ("final", 8)]


def test_what_the_first_versions_kept_is_read_and_lost_to_no_game_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "solo.jsonl"
    old = '{"map": "rolling-america", "game": "game", "at": "2026-01-01T00:00:00Z", "total": 6, "powers": 1}'
    path.write_text(f"{old}\n", encoding="utf-8")
    keep_score(path, replace(score("game", 9, 3), id="a1"))
    assert [one.total for one in read_scores(path)] == [6, 9]


def test_a_games_id_is_its_own_however_far_it_went() -> None:
    """Of games that differ in a player, the time or the seed each has another."""
    first = new_game(opening())
    others = [
        new_game(opening("2")),
        new_game(opening(players=("Anna",))),
        new_game(replace(opening(), created="2025-11-21T20:00:01Z")),
    ]
    assert first.after(first.draw()).record.id == first.record.id
    assert len({game.record.id for game in (first, *others)}) == 4
    bare = replace(first.record, opened="")
    assert bare.id == replace(bare, over=True).id != replace(first.after(first.draw()).record, opened="").id


@given(st.data())
def test_a_file_cut_off_anywhere_reads_up_to_the_cut_and_takes_the_next_score(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever byte a crash ended the writing at; zeros that a file system left there count as cut off, too."""
    path = tmp_path_factory.mktemp("solo") / "solo.jsonl"
    for one in (score("a", 9, 3), score("Grüße", 8, 3), score("c", 7, 3)):
        keep_score(path, one)
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    zeros = data.draw(st.sampled_from([b"", b"\0" * 9]))
    path.write_bytes(content[:cut] + zeros)
    complete = not zeros and content[cut : cut + 1] == b"\n"
    whole = content[:cut].count(b"\n") + complete
    assert [one.total for one in read_scores(path)] == [9, 8, 7][:whole]
    torn = keep_score(path, score("d", 1, 1))
    assert torn is (bool(zeros) or not (complete or content[:cut].endswith(b"\n") or not cut))
    assert [one.total for one in read_scores(path)] == [*[9, 8, 7][:whole], 1]
    assert path.read_bytes().startswith(content[:cut][: content[:cut].rfind(b"\n") + 1])


def test_a_score_is_synced_before_it_counts_as_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "solo.jsonl"
    synced: list[bytes] = []
    monkeypatch.setattr(store, "flush_to_disk", lambda _: synced.append(path.read_bytes()))
    keep_score(path, score("a", 9, 3))
    assert synced == [path.read_bytes()]


def test_two_programs_keep_their_scores_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "solo.jsonl"
    code = (
        "import sys; from pathlib import Path; from ontour_cv.dealer.solo import SoloScore, keep_score\n"
        "for k in range(20): keep_score(Path(sys.argv[1]), SoloScore('usa', f'{sys.argv[2]}{k}', '', k, 0))"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in ("a", "b")]
    assert [one.wait() for one in both] == [0, 0]
    assert {one.game for one in read_scores(path)} == {f"{name}{k}" for name in ("a", "b") for k in range(20)}


@pytest.mark.parametrize("content", [b"\xff\xfe", b"nonsense", "{}".encode("utf-16"), b'{"a": "\xff"}\n'])
def test_a_file_of_something_else_is_refused_and_not_written_over(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "solo.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadLog, match="line 1"):
        read_scores(path)
    keep_score(path, score("a", 9, 3))
    assert path.read_bytes().startswith(content)


def test_a_folder_of_that_name_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadLog, match="cannot be read"):
        read_scores(tmp_path)
    with pytest.raises(NotSaved):
        keep_score(tmp_path, score("a", 9, 3))
