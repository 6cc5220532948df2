"""Lines between discs: ink is followed, straight or bent, other discs are gone round, nothing is made of nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from cityboards import DISCS, RADIUS, empty_ink, small_layout
from numpy.typing import NDArray

from ontour_cv.vision.city_lines import gaps
from ontour_cv.vision.city_paths import ACROSS, ALONG, INK_PX, cut_strips, trace_lines, without_folds


def drawn(ink: NDArray[np.float32], points: NDArray[np.float64]) -> None:
    spots = np.round((points / RADIUS * INK_PX - 0.5) * 16).astype(np.int32)
    cv2.polylines(ink, [spots], False, 1.0, 1, cv2.LINE_8, 4)


def arc(start: str, stop: str, bulge: float) -> NDArray[np.float64]:
    """A parabola whose middle lies ``bulge`` lengths aside."""
    a, b = np.array(DISCS[start]), np.array(DISCS[stop])
    t = np.linspace(0, 1, 80)[:, None]
    across = np.array([-(b - a)[1], (b - a)[0]])
    return np.asarray(a + t * (b - a) + 4 * bulge * t * (1 - t) * across)


@pytest.mark.parametrize("bulge", [0.0, 0.1, -0.25, 0.35])
def test_a_line_is_followed_however_it_bends(bulge: float) -> None:
    layout = small_layout((("A", "D"),))
    ink = empty_ink(layout)
    line = arc("A", "D", bulge)
    drawn(ink, line)
    found = trace_lines(ink, layout)
    gaps = np.linalg.norm(found.paths[0][:, None] - line[None], axis=2).min(axis=1)
    assert gaps.max() < 0.6 * RADIUS
    assert found.costs[0] < 0.15


def test_without_ink_a_line_costs_a_step_each() -> None:
    layout = small_layout((("A", "D"), ("B", "D")))
    assert trace_lines(empty_ink(layout), layout).costs == pytest.approx(1.0, abs=0.05)


def test_the_way_goes_round_a_disc_in_between() -> None:
    """C lies between A and B: without any ink the cheapest way keeps off it."""
    layout = small_layout((("A", "B"),))
    (path,) = trace_lines(empty_ink(layout), layout).paths
    away = np.linalg.norm(path - np.array(DISCS["C"]), axis=1) / RADIUS
    assert away.min() > 0.8


def test_a_strip_shows_the_ink_in_its_middle_and_a_gap_where_there_is_one() -> None:
    layout = small_layout((("A", "D"),))
    ink = empty_ink(layout)
    line = arc("A", "D", 0.15)
    drawn(ink, line[:34])
    drawn(ink, line[50:])
    lines = trace_lines(ink, layout)
    (strip,) = cut_strips(ink, np.zeros_like(ink), lines, layout)
    assert strip.shape == (6, ALONG, ACROSS)
    middle = strip[0, :, ACROSS // 2 - 1 : ACROSS // 2 + 2].max(axis=1)
    assert np.median(middle[6:16]) > 0.5
    assert np.median(middle[-16:-6]) > 0.5
    assert middle[ALONG // 2 - 2 : ALONG // 2 + 2].max() < 0.5
    length = float(np.linalg.norm(np.diff(line[33:51], axis=0), axis=1).sum()) / RADIUS
    assert gaps(strip[None], lines)[0] == pytest.approx(length, abs=1.2)


def test_a_strip_seen_from_the_other_end_is_turned_round() -> None:
    """Half a turn of the picture: along and across both run the other way, the rest is the same."""
    there, back = small_layout((("A", "D"),)), small_layout((("D", "A"),))
    ink = empty_ink(there)
    drawn(ink, arc("A", "D", 0.12))
    (one,) = cut_strips(ink, ink, trace_lines(ink, there), there)
    (other,) = cut_strips(ink, ink, trace_lines(ink, back), back)
    assert np.abs(one[0] - other[0, ::-1, ::-1]).mean() < 0.1
    assert one[4] == pytest.approx(other[4])


def test_a_crease_is_taken_away_and_a_line_across_it_stays() -> None:
    layout = small_layout((("A", "D"),))
    ink = empty_ink(layout)
    line = arc("A", "D", 0.0)
    drawn(ink, line)
    alone = ink.copy()
    column = round((DISCS["A"][0] + DISCS["D"][0]) / 2 / RADIUS * INK_PX)
    ink[:, column : column + 2] = 0.9
    cleaned = without_folds(ink)
    assert (cleaned[:, column : column + 2] > 0.2).mean() < 0.1
    assert trace_lines(cleaned, layout).costs[0] < 0.1
    assert np.array_equal(without_folds(alone), alone)
