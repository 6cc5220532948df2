"""What a key does at the table, whatever shows it."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path

import pytest
from dealt import opening

from ontour_cv.cli import deal_keys
from ontour_cv.cli.deal_keys import DOWN, END, UP, Keys, _split
from ontour_cv.cli.deal_show import follow
from ontour_cv.cli.deal_table import Table, View
from ontour_cv.dealer import play, store
from ontour_cv.dealer.log import load_game
from ontour_cv.dealer.store import create_game
from ontour_cv.errors import BadLog


@pytest.fixture
def table(tmp_path: Path) -> Table:
    create_game(tmp_path / "game.jsonl", opening())
    return Table.of(tmp_path / "game.jsonl")


def press(table: Table, keys: Iterable[str]) -> Table:
    for key in keys:
        table.press(key)
    return table


def test_one_key_plays_a_whole_game(table: Table) -> None:
    press(table, " " * 40)
    assert table.log.game.now.over
    assert table.view is View.OVER
    assert press(table, "u").view is View.TABLE
    assert table.log.game.now.over
    assert not press(table, "u").log.game.now.over


def test_space_after_undo_shows_the_same_roll(table: Table) -> None:
    rolls = press(table, "    ").log.game.record.rolls
    assert press(table, "uuu   ").log.game.record.rolls == rolls


def test_a_file_that_is_away_for_a_moment_closes_no_screen(table: Table, tmp_path: Path) -> None:
    """As when a program that copies games elsewhere renames it; what was dealt meanwhile is shown once it is back."""
    shown, away = follow(table, None), tmp_path / "away"
    table.path.rename(away)
    for _ in range(3):
        assert follow(table, shown) == shown
    play.deal_next(away)
    away.rename(table.path)
    assert follow(table, shown) not in (shown, None)
    assert table.log.game.done == 1


def test_a_file_written_piece_by_piece_is_shown_once_it_is_whole(table: Table) -> None:
    shown = follow(table, None)
    press(table, "  ")
    whole, before = table.path.read_bytes(), follow(table, shown)
    for piece in (b"", whole[:30], b"\0" * len(whole)):
        table.path.write_bytes(piece)
        assert follow(table, before) == before
        assert table.log.game.done == 2
    table.path.write_bytes(whole)
    assert follow(table, None) is not None
    table.path.unlink()
    with pytest.raises(BadLog):
        press(table, " ")


def test_a_full_disk_is_said_and_the_same_key_tries_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    press(table, "  ")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(store, "flush_to_disk", full)
        press(table, " ")
    assert "the disk is full" in table.notice
    assert table.log.game.done == 2
    assert load_game(table.path).done == 2
    assert press(table, " ").log.game.done == 3
    assert table.notice == ""


def test_a_screen_that_is_behind_deals_nothing(table: Table) -> None:
    play.deal_next(table.path)
    press(table, " ")
    assert "Another screen" in table.notice
    assert (table.log.game.done, load_game(table.path).done) == (1, 1)


def test_keys_that_mean_nothing_do_nothing_and_quitting_writes_nothing(table: Table) -> None:
    before = table.path.read_bytes()
    press(table, "xyz1\x1bur")
    assert table.notice == "Nothing was taken back."
    assert press(table, "q").done
    assert table.path.read_bytes() == before


def test_remote_controls_and_arrows_drive_it_and_other_sequences_do_nothing() -> None:
    assert _split("\x1b[6~\x1b[C\x1b[5~\x1b[Du") == [" ", " ", "u", "u", "u"]
    assert _split("\x1b[A\x1bOB") == [UP, DOWN]
    assert _split("\x1b[15~") == _split("\x1bOQ") == _split("\x1bq") == []
    assert _split("\x1b[15~\x1bOS\x1b[1;5H r") == [" ", "r"]
    assert _split(" r") == [" ", "r"]
    assert _split("\x1b") == ["\x1b"]


def test_the_repeats_of_a_key_held_down_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """They come every 30 to 40 ms; fast fingers may press twice so fast, but not three times."""
    times = iter([1.0, 1.5, 1.53, 1.56, 1.6, 2.0])
    monkeypatch.setattr(deal_keys, "_typed", lambda _: " ")
    monkeypatch.setattr(deal_keys.time, "monotonic", lambda: next(times))
    keys = Keys()
    assert [keys.read(0.0) for _ in range(6)] == [" ", " ", " ", "", "", " "]


def test_arrows_held_down_scroll_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_keys, "_typed", lambda _: "\x1b[A")
    keys = Keys()
    assert [keys.read(0.0) for _ in range(6)] == [UP] * 6


@pytest.mark.parametrize("key", [*"qsxhQ?r \r\x1b", UP, DOWN, "u"])
@pytest.mark.parametrize("opens", ["h", "?"])
def test_any_key_leads_from_a_short_list_back_to_the_game(table: Table, opens: str, key: str) -> None:
    """Q, too, which quits only from the table."""
    press(table, "   " + opens).press(key)
    assert (table.view, table.done, table.log.game.done) == (View.TABLE, False, 3)


def test_a_history_longer_than_the_screen_is_scrolled(table: Table) -> None:
    """By lines and by pages, to its first roll and no further; SPACE at its end goes back to the game."""
    press(table, " " * 20 + "h")
    table.page = 8

    def back(*keys: str) -> int:
        return press(table, keys).back

    assert [back(UP), back(UP), back(DOWN), back("u"), back("u"), back(UP)] == [1, 2, 1, 9, 12, 12]
    assert [back(" "), back(DOWN), back(" ")] == [4, 3, 0]
    assert table.view is View.HISTORY
    assert press(table, " ").view is View.TABLE
    assert table.log.game.done == 20
    assert press(table, ["h", "u", "q"]).view is View.TABLE
    assert press(table, "h").back == 0


def test_the_end_of_input_quits_from_a_list(table: Table) -> None:
    assert press(table, "h" + END).done


def test_the_end_of_input_quits(table: Table) -> None:
    assert press(table, END).done
