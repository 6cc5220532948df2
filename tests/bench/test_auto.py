"""Which map a photo shows, measured: what is right, refused and wrong, and that cuts and turns keep the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench import auto
from bench.photos import Studio
from bench.rows import RESULTS, read_rows


def marked(centres: dict[str, tuple[float, float]]) -> auto.Shown:
    """A photo whose pixels tell which disc lies on them."""
    image = np.zeros((120, 200, 3), np.uint8)
    for number, (x, y) in enumerate(centres.values(), start=1):
        image[round(y), round(x)] = number
    return auto.Shown(image, "tiny", centres, 5.0)


CENTRES = {"A": (20.0, 10.0), "B": (180.0, 30.0), "C": (60.0, 110.0), "D": (150.0, 90.0)}


@pytest.mark.parametrize("quarters", range(4))
def test_a_turned_photo_has_its_discs_where_it_says(quarters: int) -> None:
    shown = auto.turned(marked(CENTRES), quarters)
    assert shown.image.shape[:2] == ((120, 200) if quarters % 2 == 0 else (200, 120))
    for number, (x, y) in enumerate(shown.centres.values(), start=1):
        assert shown.image[round(y), round(x)].tolist() == [number] * 3


@pytest.mark.parametrize("seed", range(20))
def test_a_cut_photo_lacks_discs_and_keeps_the_others_in_place(seed: int) -> None:
    whole = marked(CENTRES)
    shown = auto.cut(whole, np.random.default_rng(seed))
    assert shown.image.size < whole.image.size
    assert set(shown.centres) < set(CENTRES)
    for region, (x, y) in shown.centres.items():
        assert shown.image[round(y), round(x)].tolist() == [list(CENTRES).index(region) + 1] * 3


@pytest.mark.parametrize(
    ("shown", "found", "placed", "told"),
    [
        ("usa", "usa", 1, "right"),
        ("usa", None, 1, "refused"),
        ("usa", "europe-home", 1, "wrong"),
        ("usa", "usa", 0, "wrong"),
        (None, None, 1, "right"),
        (None, "usa", 1, "wrong"),
    ],
)
def test_another_map_or_place_than_the_true_one_is_wrong(
    shown: str | None, found: str | None, placed: int, told: str
) -> None:
    row: dict[str, Any] = {"map": shown, "found": found, "placed": placed, "kind": "x", "ms": 1}
    assert auto.verdict(row) == told
    assert f"| **all** | 1 | {int(told == 'right')} | {int(told == 'refused')} | {int(told == 'wrong')} |" in auto.page(
        [row]
    )


def test_every_kind_of_photo_has_its_turn_in_both_tiers() -> None:
    """Kinds take turns, and the tier changes with each round of them: so neither hides the other."""
    count = len(auto.KINDS)
    seen = {(k % count, k // count % len(auto.TIERS)) for k in range(2 * count)}
    assert len(seen) == 2 * count


@pytest.mark.parametrize("k", [1, 2])
def test_printed_boards_of_two_maps_are_told_apart(k: int) -> None:
    row = auto.measure_one(Studio(7), k, "one")
    assert row["found"] == row["map"]
    assert auto.verdict(row) == "right"


def test_the_page_agrees_with_the_photos_measured() -> None:
    rows = read_rows(RESULTS / "auto.jsonl")
    assert rows
    assert auto.PAGE.read_text(encoding="utf-8") == auto.page(rows)


def test_rows_measured_before_the_cities_came_keep_their_kinds() -> None:
    """And from there on only cities are photographed, both tiers of each kind."""
    for row in read_rows(RESULTS / "auto.jsonl"):
        k = int(row["key"].rsplit("-", 1)[1])
        assert (row["kind"], row["tier"]) == auto.kind_of(k)
    later = {auto.kind_of(k) for k in range(auto.CITIES_FROM, auto.CITIES_FROM + 16)}
    assert {kind for kind, _ in later} == {kind for kind in auto.KINDS if kind.startswith(auto.CITIES)}
    assert len(later) == 8


def test_all_maps_with_a_printed_board_are_told_apart() -> None:
    """New York among them, which is read by other means but found by the same."""
    assert {edition.map for edition in auto.every_print()} >= {"usa", "europe-home", "paris-home", "new-york-home"}
