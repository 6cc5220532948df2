"""What is drawn on New York, from several photos: order does not matter, doubt meets doubt, the unseen is filled in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.vision.city_combine import combine_ink
from ontour_cv.vision.city_read import CityInkReading

PAIR = ("SOHO", "STG")
chance = st.floats(0.0, 1.0)


def ink(
    ferry: float = 0.0, soloist: float | None = 0.9, rows: dict[str, dict[int, float]] | None = None
) -> CityInkReading:
    soloists = {} if soloist is None else {"SOHO": {"s": soloist, "": 0.9 * (1 - soloist), "?": 0.1 * (1 - soloist)}}
    return CityInkReading(soloists, {PAIR: ferry}, rows or {})


def test_one_photo_is_what_it_is_and_none_is_a_mistake() -> None:
    one = ink(0.3)
    assert combine_ink([one]) is one
    with pytest.raises(ValueError, match="at least one"):
        combine_ink([])


@given(st.lists(chance, min_size=2, max_size=4))
def test_the_order_of_photos_does_not_matter(chances: list[float]) -> None:
    inks = [ink(c, c) for c in chances]
    there, back = combine_ink(inks), combine_ink(inks[::-1])
    assert there.ferries[PAIR] == pytest.approx(back.ferries[PAIR])
    assert there.soloists["SOHO"] == pytest.approx(back.soloists["SOHO"])
    assert sum(there.soloists["SOHO"].values()) == pytest.approx(1.0)
    assert 0.0 <= there.ferries[PAIR] <= 1.0


@given(chance, chance)
def test_two_photos_are_a_little_surer_than_their_middle_and_no_more(one: float, other: float) -> None:
    """Between the two, or beyond the surer one by no more than two views are worth."""
    both = combine_ink([ink(one), ink(other)]).ferries[PAIR]
    low, high = sorted((one, other))
    assert both <= max(high, 0.5) + 0.05
    assert both >= min(low, 0.5) - 0.05


def test_where_photos_contradict_each_other_nothing_is_sure() -> None:
    """A line that one photo does not show at all may lie under glare there."""
    assert 0.02 < combine_ink([ink(0.99), ink(0.0)]).ferries[PAIR] < 0.98


def test_what_one_photo_does_not_show_comes_from_the_other() -> None:
    found = combine_ink([ink(soloist=None), ink(soloist=0.99, rows={"s": {-1: 0.0, 0: 0.01, 1: 0.99}})])
    assert max(found.soloists["SOHO"], key=lambda letter: found.soloists["SOHO"][letter]) == "s"
    assert found.rows["s"][1] > 0.9


def test_a_ferry_that_one_photo_shows_is_shown() -> None:
    other = ("HOWA", "ENY")
    cut = replace(ink(0.99), unshown=(other,))
    whole = CityInkReading({}, {PAIR: 0.99, other: 0.98}, {})
    for photos in ([cut, whole], [whole, cut]):
        found = combine_ink(photos)
        assert (found.unshown, found.ferries[other]) == ((), 0.98)
    assert combine_ink([cut, cut]).unshown == (other,)


def test_what_glare_covers_is_asked_of_the_photo_without_it() -> None:
    clear, covered = ink(soloist=0.97), ink(soloist=0.1)
    found = combine_ink([clear, covered], None, [set(), {"SOHO"}]).soloists["SOHO"]
    assert found["s"] == pytest.approx(0.97, abs=1e-6)
    both = combine_ink([clear, covered], None, [{"SOHO"}, {"SOHO"}]).soloists["SOHO"]
    assert both == combine_ink([clear, covered]).soloists["SOHO"]
