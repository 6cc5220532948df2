"""Side by side: only what both measured counts, and chance is told from skill."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.compare import comparison, keyed, sign_test
from bench.rows import Row


def photo(*wrong: list[object], tier: str = "ordinary", ask: int = 0) -> Row:
    return {"tier": tier, "found": 1, "wrong": list(wrong), "uncertain": ["ia"] * ask, "ask": ask,
            "low": 20, "high": 22, "best": 21}  # fmt: skip


def line(text: str, name: str) -> list[str]:
    found = next(one for one in text.splitlines() if one.startswith(f"| {name} "))
    return [cell.strip() for cell in found.split("|")[2:4]]


def test_only_photos_in_both_count() -> None:
    lost_circle, number = ["ia", "37o", "37", 0.9, 1, ""], ["mo", "12", "17", 0.999, 0, ""]
    before = {"a": photo(lost_circle), "b": photo(number, ask=2), "c": photo(number)}
    after = {"a": photo(), "b": photo(ask=1), "d": photo(number)}
    told = comparison(before, after)
    assert told.startswith("ordinary, 2 photos; read exactly now and not before: 2; before and not now: 0; p = 0.5")
    assert line(told, "read exactly") == ["0", "2"]
    assert line(told, "marks wrong") == ["1", "0"]
    assert line(told, "only the circle wrong") == ["1", "0"]
    assert line(told, "wrong without a doubt") == ["1", "0"]
    assert line(told, "asked a photo") == ["1.00", "0.50"]


def test_a_photo_not_found_is_not_read_exactly() -> None:
    missing: Row = {"tier": "hard", "found": 0}
    told = comparison({"a": missing}, {"a": photo(tier="hard")})
    assert line(told, "found") == ["0", "1"]
    assert line(told, "read exactly") == ["0", "1"]


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_sign_test_is_symmetric_and_surest_where_one_side_wins_all(won: int, lost: int) -> None:
    assert sign_test(won, lost) == sign_test(lost, won)
    assert 0 < sign_test(won, lost) <= 1
    assert sign_test(won + lost, 0) == pytest.approx(min(1.0, 2 * 0.5 ** (won + lost)))


def test_nothing_in_common_is_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no photo is in both"):
        comparison({"a": photo()}, {"b": photo()})
    with pytest.raises(SystemExit, match=r"bench\.accuracy"):
        keyed(tmp_path / "none.jsonl")
