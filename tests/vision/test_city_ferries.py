"""Ferries on an ink map: lines behind others are found, broken ones doubted, a drawn tour's legs are no ferries."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest
from cityboards import RADIUS, empty_ink, small_layout
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import ontour_cv.vision.city_ferries as ferries
from ontour_cv.maps.load import load_map
from ontour_cv.resources import models_dir
from ontour_cv.scorer.city_layout import city_layout
from ontour_cv.vision.city_ferries import (
    BROKEN,
    BROKEN_MOST,
    LEG,
    NOWHERE,
    WIPED,
    FerryReader,
    LineMember,
    apart,
    believed,
    wiped,
    with_rows,
    without_lines,
)
from ontour_cv.vision.city_lines import LineJudge
from ontour_cv.vision.city_paths import ACROSS, ALONG, INK_PX, STEPS, Lines, trace_lines, without_writing
from ontour_cv.vision.city_read import JUDGES
from ontour_cv.vision.shipped import card_of, network

Ink = NDArray[np.float32]
NEW_YORK = load_map("new-york-home")
LAYOUT = city_layout(NEW_YORK)
LINK = ("HOWA", "ENY")


@pytest.fixture(scope="module")
def reader() -> FerryReader:
    card = card_of(models_dir(), "city")
    members = [
        LineMember(network(models_dir(), f"city-{part}"), LineJudge(models_dir() / file), card[heat])
        for (part, file), heat in zip(JUDGES.items(), ("line_temperature", "free_line_temperature"), strict=True)
    ]
    return FerryReader(members, card["most_cost"])


def arc(start: str, stop: str, bulge: float) -> NDArray[np.float64]:
    """A parabola whose middle lies ``bulge`` lengths aside."""
    a, b = np.array(LAYOUT.discs[start]), np.array(LAYOUT.discs[stop])
    t = np.linspace(0, 1, 80)[:, None]
    across = np.array([-(b - a)[1], (b - a)[0]])
    return np.asarray(a + t * (b - a) + 4 * bulge * t * (1 - t) * across)


def draw(ink: Ink, points: NDArray[np.float64], strength: float = 1.0) -> None:
    spots = np.round((points / LAYOUT.radius * INK_PX - 0.5) * 16).astype(np.int32)
    cv2.polylines(ink, [spots], False, strength, 3, cv2.LINE_AA, 4)


def crossing() -> Ink:
    """A line with a gap from Coney Island to Great Kills; a whole one from the Rockaways to Tottenville beside it."""
    width, height = LAYOUT.size_px
    ink = np.zeros((height // 2, width // 2), np.float32)
    own = arc("CONE", "GREA", 0.0)
    draw(ink, own[:44], 0.9)
    draw(ink, own[50:], 0.9)
    draw(ink, arc("ROCK", "TOTT", -0.06))
    return without_writing(ink, LAYOUT)


def odds_of(reader: FerryReader, ink: Ink) -> Mapping[tuple[str, str], float]:
    _, odds = reader.read(ink, ink * np.float32(0.9), LAYOUT)
    return dict(zip(LAYOUT.pairs, odds.tolist(), strict=True))


def test_a_line_is_found_whose_cheapest_way_leads_over_another(
    reader: FerryReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at once, the line with the gap is missed for the other's ink; looked at again, both are there."""
    ink = crossing()
    twice = odds_of(reader, ink)
    assert {pair for pair, odds in twice.items() if odds > 0} == {("CONE", "GREA"), ("ROCK", "TOTT")}
    monkeypatch.setattr(ferries, "PLAIN", np.inf)
    assert odds_of(reader, ink)["CONE", "GREA"] < 0


def test_of_a_line_told_again_the_way_is_told_too(reader: FerryReader) -> None:
    """The way found for it keeps to its own ink, not to the other line's."""
    ink = crossing()
    lines, _ = reader.read(ink, ink, LAYOUT)
    row = LAYOUT.pairs.index(("CONE", "GREA"))
    away = np.linalg.norm(lines.paths[row][:, None] - arc("CONE", "GREA", 0.0)[None], axis=2).min(axis=1)
    assert away.max() < 0.6 * LAYOUT.radius
    once = trace_lines(ink, LAYOUT)
    assert lines.costs[row] > once.costs[row]


@pytest.mark.parametrize("pair", [("EHAR", "ASTO"), ("SOHO", "REDH"), ("EVIL", "WILL"), ("BAYR", "STAP")])
def test_a_line_from_boat_to_boat_is_a_ferry_and_a_piece_of_it_none(reader: FerryReader, pair: tuple[str, str]) -> None:
    """It ends beside the discs and does not point at them."""
    width, height = LAYOUT.size_px
    start, stop = (np.array(LAYOUT.boats[region]) for region in pair)
    row = LAYOUT.pairs.index(pair)
    odds = []
    for share in (1.0, 0.3):
        ink = np.zeros((height // 2, width // 2), np.float32)
        draw(ink, start + np.linspace(0, share, 60)[:, None] * (stop - start))
        odds.append(reader.read(ink, ink, LAYOUT)[1])
    assert odds[0][row] > 2
    assert np.delete(odds[0], row).max() < 2
    assert odds[1][row] < 0


def test_on_a_board_without_ink_there_is_no_line(reader: FerryReader) -> None:
    width, height = LAYOUT.size_px
    _, odds = reader.read(*[np.zeros((height // 2, width // 2), np.float32)] * 2, LAYOUT)
    assert (odds == NOWHERE).all()


def test_of_a_line_that_wants_much_of_its_ink_nobody_is_sure(reader: FerryReader) -> None:
    """A strip as full of ink as can be, told once with all of its cost and once with hardly any."""
    layout = city_layout(NEW_YORK)
    row = layout.pairs.index(("SOHO", "STG"))
    paths = np.stack(
        [np.linspace(*(np.array(layout.discs[region]) for region in pair), STEPS) for pair in layout.pairs]
    )
    lengths = np.linalg.norm(paths[:, -1] - paths[:, 0], axis=1) / layout.radius
    strips = np.zeros((len(paths), 6, ALONG, ACROSS), np.float32)
    middle = slice(ACROSS // 2 - 1, ACROSS // 2 + 2)
    strips[row, 0, :, middle], strips[row, 1, :, middle] = 1.0, 0.9
    strips[row, 4] = min(float(lengths[row]), 25.0) / 8 - 1

    def odds(cost: float) -> float:
        costs = np.ones(len(paths))
        costs[row] = cost
        lines = Lines(paths, lengths, costs)
        return float(reader.odds(reader.looks(strips, lines), lines, strips, layout)[row])

    assert odds(BROKEN + 0.01) <= BROKEN_MOST < odds(0.0)


def test_ink_on_a_line_is_taken_away_and_no_other() -> None:
    layout = small_layout((("A", "B"), ("A", "D")))
    ink = empty_ink(layout)
    ink[:] = 0.5
    path = np.linspace(layout.discs["A"], layout.discs["B"], STEPS)
    rest = without_lines(ink, path[None], layout)
    (row,) = {round(float(y) / RADIUS * INK_PX - 0.5) for y in path[:, 1]}
    middle = ink.shape[1] // 2
    assert rest[row, middle] == 0
    assert np.delete(rest, range(row - 4, row + 5), axis=0).min() == 0.5
    assert without_lines(ink, path[:0][None][:0], layout).min() == 0.5
    assert ink.min() == 0.5


def test_a_tracing_lies_nowhere_apart_from_itself_and_a_shifted_one_as_far_as_it_was_shifted() -> None:
    layout = small_layout((("A", "D"), ("B", "D")))
    lines = trace_lines(empty_ink(layout), layout)
    shifted = Lines(lines.paths + np.array([0.0, 2 * RADIUS]), lines.lengths, lines.costs)
    assert apart(lines, lines, layout) == pytest.approx([0, 0])
    assert apart(lines, shifted, layout) == pytest.approx([2, 2])
    mixed = with_rows(lines, np.array([1]), shifted.some(np.array([1])))
    assert apart(lines, mixed, layout) == pytest.approx([0, 2])


def test_only_the_one_pair_with_a_printed_link_can_be_a_leg() -> None:
    links = {frozenset(link) for link in NEW_YORK.edges()}
    assert LAYOUT.linked == tuple(frozenset(pair) in links for pair in LAYOUT.pairs)
    odds = np.zeros(len(LAYOUT.pairs))
    believed_less = believed(odds, LAYOUT, lambda: {frozenset(LINK): LEG + 9})
    assert {pair for pair, chance in zip(LAYOUT.pairs, believed_less, strict=True) if chance < 0.4} == {LINK}


def test_nobody_asks_for_the_tour_when_nothing_is_drawn_along_the_link() -> None:
    def legs() -> Mapping[frozenset[str], float]:
        raise AssertionError("asked in vain")

    odds = np.full(len(LAYOUT.pairs), 3.0)
    odds[LAYOUT.pairs.index(LINK)] = NOWHERE
    assert believed(odds, LAYOUT, legs)[LAYOUT.pairs.index(LINK)] < 1e-4


@given(st.floats(-11, 11), st.floats(-20, 30), st.floats(0.1, 9))
def test_the_likelier_a_leg_the_less_likely_a_ferry(odds: float, tour: float, more: float) -> None:
    row = LAYOUT.pairs.index(LINK)
    every = np.full(len(LAYOUT.pairs), odds)
    less, sure = (believed(every, LAYOUT, lambda t=t: {frozenset(LINK): t})[row] for t in (tour + more, tour))
    assert 0 <= less <= sure <= 1


def strips_as_dark(*darknesses: float, ground: float = 0.0) -> Ink:
    """Strips with a line down the middle, so dark on 0.8 of their length."""
    strips = np.full((len(darknesses), 6, ALONG, ACROSS), ground, np.float32)
    for strip, dark in zip(strips, darknesses, strict=True):
        strip[1, : round(0.8 * ALONG), ACROSS // 2] = dark
    return strips


def test_what_is_far_paler_than_the_other_lines_was_wiped() -> None:
    odds = np.array([6.0, 5.0, 3.0, WIPED - 1])
    assert wiped(odds, strips_as_dark(0.9, 0.7, 0.15, 0.1)).tolist() == [False, False, True, False]


def test_what_lies_in_glare_is_not_compared() -> None:
    """There a line is hardly darker than its print, whatever it was drawn with."""
    strips = strips_as_dark(0.9, 0.7, 0.0)
    strips[2] = strips_as_dark(-0.15, ground=-0.25)[0]
    assert not wiped(np.array([6.0, 5.0, 3.0]), strips).any()


def test_pale_lines_alike_are_all_drawn() -> None:
    assert not wiped(np.array([6.0, 5.0, 3.0]), strips_as_dark(0.12, 0.1, 0.15)).any()


def test_a_line_without_others_is_not_compared() -> None:
    assert not wiped(np.array([3.0, -2.0]), strips_as_dark(0.1, 0.9)).any()
