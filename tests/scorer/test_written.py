"""The player's own count: told beside the drawn tour or the best route, and only when it was read for sure."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from ontour_cv.maps.load import load_map
from ontour_cv.rules import Score
from ontour_cv.scorer.drawn import Drawn
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.written import expected, judge_written
from ontour_cv.vision.sums import Sums, near_to

USA = load_map("usa")


def report(low: int = 30, high: int = 30, drawn: Drawn | None = None) -> Report:
    made: Any = SimpleNamespace(template=USA, score_range=(low, high), drawn=drawn)
    return cast(Report, made)


def tour(visited: int, circles: int, sure: bool = True) -> Drawn:
    score = Score(visited + circles, visited, circles, ())
    return Drawn(("IA", "MO"), True, True, score, (), sure, "")


@pytest.mark.parametrize(
    ("sums", "made", "said"),
    [
        (Sums(24, 6, 30, 0.999), report(), "You wrote 24 + 6 = 30. No route counts more."),
        (Sums(24, 6, 31, 0.999), report(),
         "You wrote 24 + 6 = 31, but that makes 30. No route on this board counts more than 30."),
        (Sums(20, 6, 26, 0.999), report(), "You wrote 20 + 6 = 26. The best route counts 30."),
        (Sums(None, None, 28, 0.999), report(), "You wrote a total of 28. The best route counts 30."),
        (Sums(20, 6, 26, 0.999), report(29, 31), "You wrote 20 + 6 = 26."),
        (Sums(20, 6, 26, 0.999), report(drawn=tour(20, 6)),
         "You wrote 20 + 6 = 26. The tour you drew counts just that."),
        (Sums(None, None, 26, 0.999), report(drawn=tour(20, 6)),
         "You wrote a total of 26. The tour you drew counts just that."),
        (Sums(20, 6, 26, 0.999), report(drawn=tour(19, 7)),
         "You wrote 20 + 6 = 26. The tour you drew counts 26: 19 states + 7 circled."),
        (Sums(20, 6, 26, 0.999), report(drawn=tour(1, 0)),
         "You wrote 20 + 6 = 26. The tour you drew counts 1: 1 state + 0 circled."),
        (Sums(20, 6, 26, 0.999), report(drawn=tour(19, 5, sure=False)), "You wrote 20 + 6 = 26."),
    ],
)  # fmt: skip
def test_what_is_said_about_the_boxes(sums: Sums, made: Report, said: str) -> None:
    written = judge_written(sums, made)
    assert written.read
    assert " ".join(written.sentences) == said


@pytest.mark.parametrize("sums", [Sums(24, 6, 30, 0.97), Sums(None, None, None, 1.0)])
def test_a_doubtful_reading_and_empty_boxes_say_nothing(sums: Sums) -> None:
    written = judge_written(sums, report())
    assert not written.read
    assert (written.total, written.sentences) == (None, ())


def of_best(total: int, visited: int, high: int, drawn: Drawn | None = None) -> Report:
    score = Score(total, visited, total - visited, ())
    made: Any = SimpleNamespace(template=USA, score=score, score_range=(total, high), drawn=drawn)
    return cast(Report, made)


def test_what_is_expected_in_the_boxes_is_what_the_drawn_tour_counts() -> None:
    assert np.array_equal(expected(of_best(30, 24, 30, tour(20, 5)), 41), near_to(20, 5, 41))


def test_without_a_drawn_tour_it_is_the_best_route_or_less_and_seldom_more_than_any_route_gives() -> None:
    chances = expected(of_best(30, 24, 31), 41)
    assert chances.argmax() == 24 * 42 + 6
    made = np.add.outer(np.arange(42), np.arange(42))
    assert chances[made > 31].sum() < 0.1
    assert chances.sum() == pytest.approx(1.0)
    assert chances[18, 4] > 10 * chances[30, 10] > 0
