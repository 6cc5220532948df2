"""hands: whose writing is trained on, and with what pen."""

from __future__ import annotations

import colorsys
from dataclasses import fields, replace

import numpy as np
import pytest

from ontour_cv.synth.signs import CROSSES, SETTINGS, STARS
from ontour_cv.synth.strokes import FORMS, Writer, parametric_hand, sample_writer
from ontour_cv.train.hands import (
    BROAD,
    FINE,
    LARGE,
    LARGE_ROOM,
    LIT_AT,
    MENDING_TIPS,
    MENDS,
    MOST_TIP,
    ODD_CROSSES,
    ODD_SETTINGS,
    ODD_STARS,
    PENS,
    RING_TIPS,
    SHEER,
    STEADY,
    TIPS,
    TRACED_AT,
    TRACING,
    WIDE,
    WIDE_AT,
    Habits,
    Hands,
    with_fine_pen,
    with_highlighter,
    with_large_hand,
    with_mends,
    with_odd_marks,
    with_pen,
    with_ring_pen,
    with_traced_rings,
)


def writer(seed: int) -> Writer:
    rng = np.random.default_rng(seed)
    return sample_writer(rng, parametric_hand(rng))


def test_without_a_share_nothing_changes_and_nothing_is_drawn() -> None:
    rng, untouched = np.random.default_rng(1), np.random.default_rng(1)
    one = writer(1)
    assert with_pen(one, 0.0, rng) is one
    assert rng.random() == untouched.random()


@pytest.mark.parametrize("share", [PENS, 1.0])
def test_as_many_change_their_pen_as_the_share_says(share: float) -> None:
    rng = np.random.default_rng(2)
    one = writer(2)
    changed = sum(with_pen(one, share, rng) is not one for _ in range(2000))
    assert changed / 2000 == pytest.approx(share, abs=0.04)


def test_pens_have_every_colour_and_can_be_read() -> None:
    """All round the wheel of hues, and none as light as the board it writes on."""
    rng = np.random.default_rng(3)
    one = writer(3)
    inks = np.array([with_pen(one, 1.0, rng).ink_bgr for _ in range(600)]) / 255
    hues = [colorsys.rgb_to_hsv(*ink[::-1])[0] for ink in inks]
    assert np.histogram(hues, bins=6, range=(0, 1))[0].min() > 40
    assert inks.min(axis=1).max() < 0.55
    assert inks.max(axis=1).max() <= 0.86


def test_tips_are_fine_and_fat_and_leave_loops_open() -> None:
    rng = np.random.default_rng(4)
    one = writer(4)
    others = [with_pen(one, 1.0, rng) for _ in range(600)]
    tips = np.array([other.pen for other in others if other.pen != one.pen])
    assert tips.min() < 0.08
    assert tips.max() > 0.2
    assert all(TIPS[0] <= tip <= TIPS[1] for tip in tips)
    assert all(other.pen <= MOST_TIP * max(one.height, other.height) for other in others)
    assert {round(other.ring_pen / other.pen, 6) for other in others} == {round(one.ring_pen / one.pen, 6)}


def test_pens_run_dry_and_hands_stray_but_stay_themselves() -> None:
    """Every habit is changed in some, none in all; whose hand it is never."""
    rng = np.random.default_rng(5)
    one = writer(5)
    others = [with_pen(one, 1.0, rng) for _ in range(600)]
    for name in ("ink_bgr", "pen", "flow", "streaks", "stray", "height", "ring_radius"):
        changed = sum(getattr(other, name) != getattr(one, name) for other in others)
        assert 0.15 * len(others) < changed < 0.75 * len(others), name
    assert min(other.flow for other in others) >= 0.4
    assert {(other.hand, other.slant, other.leading_zero) for other in others} == {
        (one.hand, one.slant, one.leading_zero)
    }


def test_another_pen_for_circles_has_its_own_colour_and_width_and_writes_nothing_else() -> None:
    rng, one = np.random.default_rng(6), writer(6)
    assert with_ring_pen(one, 0.0, rng) is one
    others = [with_ring_pen(one, 1.0, rng) for _ in range(400)]
    assert {(other.ink_bgr, other.pen) for other in others} == {(one.ink_bgr, one.pen)}
    coloured = [other.ring_bgr for other in others if other.ring_bgr is not None]
    assert len(set(coloured)) > 100
    widths = np.array([other.ring_pen / one.pen for other in others if other.ring_pen != one.ring_pen])
    assert RING_TIPS[0] <= widths.min() < 0.6
    assert widths.max() > 1.3
    steady = [other.ring_radius for other in others if other.form == "steady"]
    assert len(steady) / 400 == pytest.approx(STEADY, abs=0.07)
    assert TRACED_AT[0] <= min(steady) < max(steady) <= TRACED_AT[1]
    wide = [other.ring_radius for other in others if other.ring_radius > 1.4]
    assert 0.6 * WIDE < len(wide) / 400 < WIDE
    assert max(wide) <= WIDE_AT[1]
    assert {other.form for other in others} == {None, *FORMS}


def test_odd_marks_change_how_marks_are_made_and_nothing_else() -> None:
    rng, one = np.random.default_rng(7), writer(7)
    assert with_odd_marks(one, 0.0, rng) is one
    others = [with_odd_marks(one, 1.0, rng) for _ in range(400)]
    for name, share, forms in (
        ("cross", ODD_CROSSES, CROSSES), ("star", ODD_STARS, STARS), ("setting", ODD_SETTINGS, SETTINGS)
    ):  # fmt: skip
        made = [getattr(other, name) for other in others]
        assert set(made) == {None, *forms}
        assert np.mean([form is not None for form in made]) == pytest.approx(share, abs=0.08)
    for other in others[:40]:
        back = replace(other, cross=None, star=None, setting=None)
        assert all(getattr(back, field.name) == getattr(one, field.name) for field in fields(one))


def test_a_large_hand_writes_everything_larger_and_with_the_same_hand() -> None:
    rng, one = np.random.default_rng(8), writer(8)
    assert with_large_hand(one, 0.0, rng) is one
    others = [with_large_hand(one, 1.0, rng) for _ in range(300)]
    heights = [other.height for other in others]
    assert LARGE[0] <= min(heights) < 1.3 < 2.0 < max(heights) <= LARGE[1]
    assert LARGE_ROOM[0] <= min(other.room for other in others) < max(other.room for other in others) <= LARGE_ROOM[1]
    assert {(other.hand, other.ink_bgr, other.slant) for other in others} == {(one.hand, one.ink_bgr, one.slant)}
    assert all(other.pen >= one.pen and other.star_size >= one.star_size for other in others)


def test_fine_pens_are_for_numbers_and_circles_and_finer_than_the_printed_rings() -> None:
    rng, one = np.random.default_rng(4), sample_writer(np.random.default_rng(3))
    assert with_fine_pen(one, 0.0, rng) is one
    for other in (with_fine_pen(one, 1.0, rng) for _ in range(200)):
        assert FINE[0] <= other.pen <= FINE[1] < 0.165
        assert other.ring_pen / other.pen == pytest.approx(one.ring_pen / one.pen)
        changed = {field.name for field in fields(Writer) if getattr(other, field.name) != getattr(one, field.name)}
        assert changed == {"pen", "ring_pen"}


def test_highlighters_are_bright_broad_and_sheer_and_for_circles_only() -> None:
    rng, one = np.random.default_rng(9), writer(9)
    assert with_highlighter(one, 0.0, rng) is one
    others = [with_highlighter(one, 1.0, rng) for _ in range(300)]
    assert {(other.ink_bgr, other.pen, other.height) for other in others} == {(one.ink_bgr, one.pen, one.height)}
    colours = np.array([other.ring_bgr for other in others])
    assert colours.max(axis=1).min() > 210
    hues = [colorsys.rgb_to_hsv(*(colour[::-1] / 255))[0] for colour in colours]
    assert np.histogram(hues, bins=(0.0, 0.13, 0.22, 0.4, 0.7, 1.0))[0].min() > 30
    for name, (low, high) in (("ring_flow", SHEER), ("ring_pen", BROAD), ("ring_radius", LIT_AT)):
        values = [getattr(other, name) for other in others]
        assert low <= min(values) < low + 0.1 * (high - low) < high - 0.1 * (high - low) < max(values) <= high


def test_who_mends_writes_small_enough_and_with_a_tip_fine_enough_to_be_read() -> None:
    rng, one = np.random.default_rng(10), replace(writer(10), height=1.0)
    assert with_mends(one, 0.0, rng) is one
    assert with_mends(replace(one, height=1.5), 1.0, rng).mends == 0.0
    others = [with_mends(one, 1.0, rng) for _ in range(200)]
    assert all(MENDS[0] <= other.mends <= MENDS[1] and other.pen <= min(one.pen, MENDING_TIPS[1]) for other in others)
    assert {(other.hand, other.ink_bgr, other.height) for other in others} == {(one.hand, one.ink_bgr, one.height)}


def test_who_goes_over_the_printed_rings_draws_them_as_large_and_mostly_with_the_one_pen() -> None:
    rng, one = np.random.default_rng(11), writer(11)
    assert with_traced_rings(one, 0.0, rng) is one
    others = [with_traced_rings(one, 1.0, rng) for _ in range(300)]
    radii = [other.ring_radius for other in others]
    assert TRACING[0] <= min(radii) < 0.87 < 1.07 < max(radii) <= TRACING[1]
    assert {other.form for other in others} == {None, "steady"}
    assert 0.5 < np.mean([other.ring_bgr is None for other in others]) < 0.8
    assert {(other.hand, other.ink_bgr, other.height) for other in others} == {(one.hand, one.ink_bgr, one.height)}


@pytest.mark.parametrize("habit", ["pens", "rings", "odd", "large", "lit", "mended", "second", "traced", "fine"])
def test_of_each_habit_there_are_as_many_writers_as_its_share_says(habit: str) -> None:
    """And without any the writers are those of any table."""
    hands = Hands([], [])
    plain = [Habits().writer(hands, np.random.default_rng(seed)) for seed in range(200)]
    tried = [Habits(**{habit: 0.5}).writer(hands, np.random.default_rng(seed)) for seed in range(200)]
    names = [field.name for field in fields(Writer) if field.name != "hand"]
    changed = [any(getattr(a, name) != getattr(b, name) for name in names) for a, b in zip(plain, tried, strict=True)]
    assert 0.35 < np.mean(changed) < 0.6
