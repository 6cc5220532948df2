"""Drawn tours: the likeliest path is the likeliest, and nothing is told that is not clear."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import readings
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ontour_cv.vision import drawn
from ontour_cv.vision.drawn import CLEARER, LEAST_PLACES, DrawnTour, agreed, decided
from ontour_cv.vision.drawn_path import BEYOND, LikelyPath, Link, Price, likely_path
from ontour_cv.vision.drawn_strips import ACROSS, ALONG, HALF_WIDTH, cut_links, disc_tones
from ontour_cv.vision.landmarks import WorkingCopy
from ontour_cv.vision.register import Placement

FAR = 1000.0


def simple_paths(links: list[Link]) -> list[tuple[str, ...]]:
    """Every simple path, none at all included, each once: from the end whose name comes first."""
    near: dict[str, list[str]] = {}
    for one, two in links:
        near.setdefault(one, []).append(two)
        near.setdefault(two, []).append(one)
    found: list[tuple[str, ...]] = [()]

    def grow(walk: tuple[str, ...]) -> None:
        if len(walk) > 1 and walk[0] < walk[-1]:
            found.append(walk)
        for there in near[walk[-1]]:
            if there not in walk:
                grow((*walk, there))

    for start in near:
        grow((start,))
    return found


def cost(path: tuple[str, ...], links: list[Link], log_odds: list[float]) -> float:
    """What has to be otherwise than it looks: drawn links not on the path, and bare ones on it."""
    steps = {frozenset(step) for step in itertools.pairwise(path)}
    return sum(
        abs(odds) for link, odds in zip(links, log_odds, strict=True) if (odds > 0) != (frozenset(link) in steps)
    )


def lead(costs: list[float]) -> float:
    """Log-odds of the first against all others."""
    return -math.log(sum(math.exp(costs[0] - cost) for cost in costs[1:]))


def by_letter(path: tuple[str, ...]) -> float:
    """Each step that goes back in the alphabet costs, whichever way round the path is walked."""
    back = sum(a > b for a, b in itertools.pairwise(path))
    return 1.3 * min(back, max(len(path) - 1, 0) - back)


@settings(max_examples=200)
@given(st.integers(0, 10**9), st.booleans(), st.sampled_from([0, 3, 4]))
def test_the_path_and_its_margin_are_those_of_every_path_listed(seed: int, priced: bool, least: int) -> None:
    """On random graphs of up to six places, with log-odds of any kind, what paths cost besides, and short ones barred.

    A margin reached is reached indeed, but for what lies far behind; one not reached is not.
    """
    rng = random.Random(seed)
    names = "ABCDEF"[: rng.randint(2, 6)]
    links = [link for link in itertools.combinations(names, 2) if rng.random() < 0.6] or [("A", "B")]
    log_odds = [rng.uniform(-4, 3) for _ in links]
    price = by_letter if priced else None
    paths = [path for path in simple_paths(links) if not 0 < len(path) < least]
    ranked = sorted((cost(path, links, log_odds) + (by_letter(path) if priced else 0), path) for path in paths)
    true = lead([one for one, _ in ranked]) if len(ranked) > 1 else math.inf
    for within in (-1.0, 0.5, 2.0):
        found = likely_path(links, log_odds, within, price, least)
        assert found is not None
        assert found.places == ranked[0][1]
        assert found.cost == pytest.approx(ranked[0][0])
        missed = len(paths) * math.exp(-within - BEYOND)
        if found.margin >= within:
            assert found.margin == within
            assert math.exp(-true) <= math.exp(-within) + missed
            wider = likely_path(links, log_odds, within, price, least, within + 1.5)
            assert wider is not None and wider.margin <= within + 1.5
            assert math.exp(-wider.margin) <= max(math.exp(-true), math.exp(-within - 1.5)) + 1e-9
            if within <= wider.margin < within + 1.5:
                assert math.exp(-true) <= math.exp(-wider.margin) + len(paths) * math.exp(-within - 1.5 - BEYOND)
        else:
            assert true <= found.margin + 1e-9


def test_a_clear_drawing_is_read_as_it_is() -> None:
    links = [("A", "B"), ("B", "C"), ("B", "D"), ("C", "D"), ("D", "E")]
    assert likely_path(links, [6.0, 5.0, -6.0, 7.0, 4.0], 3.0) == LikelyPath(("A", "B", "C", "D", "E"), 0.0, 3.0)


def test_a_leg_that_is_missing_is_filled_in_only_at_its_price() -> None:
    """Between two clear pieces one leg looks bare: the tour goes on through it, and costs that."""
    links = [("A", "B"), ("B", "C"), ("C", "D")]
    found = likely_path(links, [6.0, -1.5, 6.0], 3.0)
    assert found == LikelyPath(("A", "B", "C", "D"), 1.5, 3.0)


def test_a_closed_ring_is_no_tour_and_has_rivals() -> None:
    """Any of its legs may be the one not meant."""
    links = [("A", "B"), ("B", "C"), ("A", "C")]
    found = likely_path(links, [5.0, 5.0, 5.0], 3.0)
    assert found is not None
    assert found.cost == 5.0
    assert found.margin <= 0


def test_too_much_in_doubt_is_given_up() -> None:
    """Every link of a net that joins each place with each other looks as if it were drawn, hardly."""
    links = list(itertools.combinations("ABCDEFGHIJKLMN", 2))
    assert likely_path(links, [0.01] * len(links), 3.0) is None


def test_pieces_far_apart_leave_one_of_them_at_the_price_of_the_others() -> None:
    links = [("A", "B"), ("B", "C"), ("C", "D"), ("X", "Y")]
    assert likely_path(links, [4.0, 4.0, 4.0, 1.0], 3.0) == LikelyPath(tuple("ABCD"), 1.0, 3.0)


def test_that_nothing_is_drawn_is_doubted_by_tours_only_and_not_by_single_legs() -> None:
    """Each leg may well be drawn, one in nine; four in a row are not."""
    links = list(itertools.pairwise("ABCDE"))
    every, tours = (likely_path(links, [-2.2] * 4, 3.0, None, least) for least in (0, 4))
    assert every is not None
    assert every.margin < 3.0
    assert tours == LikelyPath((), 0.0, 3.0)


def test_two_clear_legs_are_neither_a_tour_nor_nothing() -> None:
    found = likely_path([("A", "B"), ("B", "C"), ("C", "D")], [6.0, 6.0, -9.0], 3.0, None, LEAST_PLACES)
    assert not decided(found, 3.0, 3.0, True).read


def test_without_links_nothing_is_drawn() -> None:
    assert likely_path([], [], 3.0) == LikelyPath((), 0.0, 3.0)


def test_only_a_clear_tour_is_told() -> None:
    """Ahead by less than the margin, at too high a price, or given up: nothing is told."""
    clear = LikelyPath(tuple("ABCDE"), 0.0, 3.0)
    assert decided(clear, 3.0, 2.0, False) == DrawnTour(True, tuple("ABCDE"), 3.0)
    assert not decided(LikelyPath(tuple("ABCDE"), 0.0, 2.9), 3.0, 2.0, False).read
    assert not decided(LikelyPath(tuple("ABCDE"), 2.1, 3.0), 3.0, 2.0, False).read
    assert not decided(None, 3.0, 2.0, False).read
    assert decided(LikelyPath((), 0.0, 3.0), 3.0, 2.0, True) == DrawnTour(True, (), 3.0)
    assert not decided(LikelyPath((), 0.0, 3.0), 3.0, 2.0, False).read, "many pale links"


@pytest.mark.parametrize("angle", [0.0, 37.0, 180.0])
def test_a_corridor_shows_the_line_between_its_discs_upright(angle: float) -> None:
    """Paint runs from red at one end to blue at the other along one link; the corridor does, however the photo lies."""
    import cv2

    edition, view = readings.edition(), readings.view(900, angle)
    size = (1400, 1400)
    cells = readings.place_cells(edition, view, size)
    picture = np.full((size[1], size[0], 3), 90, np.uint8)
    first, last = (np.array(cells[region].centre_photo) for region in ("MT", "ND"))
    for share in np.linspace(0, 1, 400):
        x, y = np.round(first + share * (last - first)).astype(int)
        cv2.circle(picture, (int(x), int(y)), 2, (int(255 * share), 0, int(255 * (1 - share))), -1)
    placement = Placement(edition, view, cells, 50.0, 41, 0.5, 41)
    small = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    strips = cut_links(WorkingCopy(small, 0.5), placement, [("MT", "ND"), ("ND", "MT")])
    assert strips.images.shape == (2, ALONG, ACROSS, 3)
    middle = ACROSS // 2
    there, back = strips.images[:, :, middle].astype(float)
    assert there[0, 2] > 120 > 100 > there[-1, 2]
    assert back[0, 0] > 120 > 100 > back[-1, 0]
    assert np.abs(strips.images[0][:, 0].astype(float) - 90).max() < 3, "beside the line lies bare ground"
    gap = np.subtract(edition.cells["MT"], edition.cells["ND"])
    assert strips.lengths == pytest.approx(math.hypot(*gap) / edition.radius, rel=0.02)
    assert HALF_WIDTH > 1


def test_a_disc_tells_paper_and_ink_apart_though_a_big_cross_stands_on_it() -> None:
    """Grey paper in the shade, brown ink."""
    import cv2

    picture = np.full((100, 200, 3), 60, np.uint8)
    for x in (50, 150):
        cv2.circle(picture, (x, 50), 20, (150, 160, 170), -1)
    for end in (-1, 1):
        cv2.line(picture, (36, 50 - 14 * end), (64, 50 + 14 * end), (20, 40, 90), 5)
    centres, axes = np.array([[50.0, 50.0], [150.0, 50.0]]), np.repeat(20 * np.eye(2)[None], 2, axis=0)
    paper, ink = disc_tones(picture, centres, axes)
    assert paper == pytest.approx(np.array([[150, 160, 170]] * 2), abs=3)
    assert ink[0] == pytest.approx([20, 40, 90], abs=3)
    assert ink[1].min() > ink[0].max(), "the second disc is empty"


def test_readers_tell_together_what_one_can_tell_and_that_nothing_is_drawn_only_if_all_are_sure() -> None:
    tour, other = (DrawnTour(True, tuple(places), 3.0, clear) for places, clear in (("ABCDE", 4), ("EFGHI", 7)))
    none, unsure = DrawnTour(True, (), 3.0, 1), DrawnTour(False, (), 0.5, 2)
    assert agreed([none, none]) == none
    assert agreed([none, unsure]) == unsure
    assert agreed([unsure, none]) == unsure
    assert agreed([tour]) == tour
    assert agreed([none, tour]) == tour
    assert agreed([unsure, other]).places == other.places
    assert agreed([other, unsure]).clear == 7


def test_of_two_different_tours_the_clearer_is_told_and_none_where_they_are_alike() -> None:
    tour, other = DrawnTour(True, tuple("ABCDE"), 2.0, 4), DrawnTour(True, tuple("ABCDEF"), 2.0 + CLEARER, 5)
    assert agreed([tour, other]) == agreed([other, tour]) == other
    near = replace(other, margin=1.9 + CLEARER)
    for tours in ([tour, near], [near, tour]):
        assert (agreed(tours).read, agreed(tours).places, agreed(tours).clear) == (False, (), 5)
    assert agreed([tour, replace(tour, margin=3.0)]).places == tour.places, "the same tour twice"


def test_what_a_player_counted_makes_no_tour_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pale links, and a count that fits a tour along them: unsure by one reader, but another is sure of no tour."""
    links = list(itertools.pairwise("ABCDE"))

    class Sees:
        margin, most_cost, nothing = 1.7, 12.0, 3.5

        def __init__(self, log_odds: float) -> None:
            self.odds = np.full(4, log_odds)

        def log_odds(self, strips: object, view: object) -> NDArray[np.float64]:
            return self.odds

    monkeypatch.setattr(drawn, "cut_links", lambda *given: None)
    monkeypatch.setattr(drawn, "view_links", lambda strips: None)

    def told(*odds: float, price: Price | None) -> DrawnTour:
        reader = SimpleNamespace(members=[Sees(each) for each in odds])
        return drawn.read_drawn(None, in_picture("ABCDE"), links, reader, price)  # type: ignore[arg-type]

    def counted(path: tuple[str, ...]) -> float:
        return 0.0 if path else 5.0

    assert not told(-1.5, price=counted).read
    assert told(-9.0, -1.5, price=None) == told(-9.0, -1.5, price=counted)
    assert told(-9.0, -1.5, price=counted).read
    assert not told(-1.5, -1.5, price=counted).read
    assert told(-9.0, 6.0, price=counted).places == tuple("ABCDE")
    assert told(9.0, -9.0, price=None).places == tuple("ABCDE"), "so clear that nobody else is asked"

    def uncounted(path: tuple[str, ...]) -> float:
        return 2.0 if path else 0.0

    assert not told(-9.0, -0.7, price=None).read
    assert told(-9.0, -0.7, price=uncounted).read, "a count that fits no tour speaks for none"


def in_picture(seen: str, unseen: str = "") -> Any:
    """A placement of discs that lie in the picture and outside of it."""
    return SimpleNamespace(cells={region: SimpleNamespace(inside=region in seen) for region in seen + unseen})


def test_a_tour_is_told_only_where_it_cannot_go_on_outside_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the picture's edge is smeared into is no line, and none of a tour that may lead there is told."""
    links = list(itertools.pairwise("ABCDEFG"))

    class Sees:
        margin, most_cost, nothing = 1.7, 12.0, 3.5

        def __init__(self, drawn: str) -> None:
            self.odds = np.array([8.0 if one in drawn and other in drawn else -8.0 for one, other in links])

        def log_odds(self, strips: object, view: object) -> NDArray[np.float64]:
            return self.odds

    monkeypatch.setattr(drawn, "cut_links", lambda *given: None)
    monkeypatch.setattr(drawn, "view_links", lambda strips: None)

    def told(line: str, seen: str, unseen: str) -> DrawnTour:
        reader = SimpleNamespace(members=[Sees(line)])
        return drawn.read_drawn(None, in_picture(seen, unseen), links, reader)  # type: ignore[arg-type]

    assert told("ABCDE", "ABCDEF", "G").places == tuple("ABCDE")
    assert not told("ABCDE", "ABCDE", "FG").read, "it ends beside a disc that is not shown"
    assert not told("ABCDEFG", "ABCDE", "FG").read, "it goes on"
    assert not told("ABCDEFG", "ACDEFG", "B").read
    assert told("FG", "ABCDE", "FG") == DrawnTour(True, (), told("", "ABCDE", "FG").margin, 0), "only smeared"
