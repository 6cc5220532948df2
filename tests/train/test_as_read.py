"""Crops cut as reading cuts them: what the reader sees, with the truth beside it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.board import BoardState, Kind
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.edition import Edition
from ontour_cv.synth.photograph import Settings
from ontour_cv.synth.play import sample_board
from ontour_cv.train import as_read
from ontour_cv.train.as_read import Stock, make_read_set, with_circles
from ontour_cv.train.hands import Habits, Hands
from ontour_cv.vision.cells import AROUND, cut_cells
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register

OWN = Hands([], [])


@pytest.fixture(scope="module")
def usa() -> Stock:
    return Stock.of("usa")


def test_crops_are_what_reading_sees_and_labels_what_is_true(usa: Stock) -> None:
    rng = np.random.default_rng((3, 0, 0))
    writer = Habits().writer(OWN, rng)
    image, truth = as_read._shoot(usa, writer, rng, ())
    photo = Photo("", image)
    discs = find_discs(photo)
    seen = cut_cells(photo, register(photo, discs, usa.editions), discs.working)
    images, labels, around = make_read_set((3, 0), OWN, usa, 41)
    assert np.array_equal(images, seen.images)
    assert np.array_equal(around, seen.around)
    numbers = [mark.number for mark in truth.board.marks.values()]
    known = [k for k in range(41) if labels[k, 0] == 1]
    assert len(known) > 25
    assert all(10 * labels[k, 1] + labels[k, 2] == numbers[k] for k in known)


def test_a_cell_laid_wrong_is_not_learnt_from(usa: Stock) -> None:
    rng = np.random.default_rng((3, 0, 0))
    writer = Habits().writer(OWN, rng)
    image, truth = as_read._shoot(usa, writer, rng, ())
    region, place = next(iter(truth.cells.items()))
    beside = tuple(np.add(place.centre_photo, np.asarray(place.axes_photo) @ [0.8, 0.0]))
    moved = replace(truth, cells={**truth.cells, region: replace(place, centre_photo=beside)})
    before, after = (as_read._read(Photo("", image), one, usa.editions)[1] for one in (truth, moved))
    assert before[0, 0] >= 0
    assert (after[0] == -1).all()
    assert np.array_equal(after[1:], before[1:])


def test_a_smaller_map_fills_up_with_cells_not_learnt_from() -> None:
    images, labels, around = make_read_set((4, 1), OWN, Stock.of("europe-home"), 41)
    assert images.shape == (41, 64, 64, 3)
    assert around.shape == (41, AROUND.px, AROUND.px, 3)
    assert np.array_equal(images[39:], images[:2])
    assert (labels[39:] == -1).all()
    assert (labels[:39, 0] >= 0).mean() > 0.8


def test_boards_of_strangers_are_wild_or_read_as_a_map_drawn_anew(usa: Stock, monkeypatch: pytest.MonkeyPatch) -> None:
    tiers, told = Counter[str](), Counter[str]()
    shoot, lay = as_read._shoot, as_read.register

    def watch(
        stock: Stock, writer: object, rng: np.random.Generator, tables: object, wild: bool, keen: bool, tight: float
    ) -> object:
        tiers["wild" if wild else "usual"] += 1
        return shoot(stock, writer, rng, (), wild, keen, tight)  # type: ignore[arg-type]

    def ask(photo: Photo, candidates: object, editions: tuple[Edition, ...]) -> object:
        told["own" if editions == usa.redrawn else "published"] += 1
        return lay(photo, candidates, editions)  # type: ignore[arg-type]

    monkeypatch.setattr(as_read, "_shoot", watch)
    monkeypatch.setattr(as_read, "register", ask)
    for k in range(12):
        make_read_set((7, k), OWN, usa, 41, strange=1.0)
        if len(tiers) == len(told) == 2:
            break
    assert set(tiers) == {"wild", "usual"}
    assert set(told) == {"own", "published"}


def test_borders_run_close_by_the_discs_of_as_many_boards_as_asked(usa: Stock, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def watch(
        template: object, edition: object, board: object, settings: Settings, rng: object, writer: object
    ) -> None:
        asked.append(settings.tight)
        raise LookupError

    monkeypatch.setattr(as_read, "render", watch)
    for options in ({"tight": 0.4}, {}):
        with pytest.raises(LookupError):
            make_read_set((7, 0), OWN, usa, 41, **options)  # type: ignore[arg-type]
    assert asked == [0.4, 0.0]


def test_who_circles_most_circles_numbers_and_stars_and_changes_nothing_else(usa: Stock) -> None:
    rng, shares = np.random.default_rng(9), []
    for _ in range(40):
        board = sample_board(usa.template, rng)
        keen = with_circles(board, rng)
        assert {region: replace(mark, circled=False) for region, mark in keen.marks.items()} == {
            region: replace(mark, circled=False) for region, mark in board.marks.items()
        }
        assert all(keen.marks[region].circled for region, mark in board.marks.items() if mark.circled)
        may = [mark.circled for mark in keen.marks.values() if mark.kind in (Kind.NUMBER, Kind.STAR)]
        assert not any(mark.circled for mark in keen.marks.values() if mark.kind not in (Kind.NUMBER, Kind.STAR))
        shares.append(np.mean(may))
    assert min(shares) < 0.65 < 0.9 < max(shares)


def test_a_photo_without_a_board_is_passed_over(usa: Stock, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def blind(*given: object) -> object:
        calls.append(given)
        if len(calls) == 1:
            raise BoardNotFound("nothing there", "look again")
        return register(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(as_read, "register", blind)
    _, labels, _ = make_read_set((5, 2), OWN, usa, 41)
    assert len(calls) == 2
    assert (labels[:, 0] >= 0).any()


def test_more_xs_and_stars_take_the_place_of_numbers_and_keep_their_circles() -> None:
    before = as_read.sample_board(Stock.of("usa").template, np.random.default_rng(2))
    after = as_read.with_signs(before, np.random.default_rng(3))
    assert list(after.marks) == list(before.marks)
    changed = {region for region, mark in before.marks.items() if after.marks[region] != mark}
    assert 4 <= len(changed) <= 20
    assert all(before.marks[region].kind is Kind.NUMBER for region in changed)
    assert {after.marks[region].kind for region in changed} == {Kind.BLOCKED, Kind.STAR}
    assert not any(after.marks[r].circled and after.marks[r].kind is Kind.BLOCKED for r in changed)
    assert all(after.marks[r].circled == before.marks[r].circled for r in changed if after.marks[r].kind is Kind.STAR)


def test_numbers_that_turn_to_signs_leave_reversed_pairs() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        before = as_read.sample_board(Stock.of("usa").template, rng)
        after = as_read.with_signs(before, rng)
        unpaired = [_unpaired(board) for board in (before, after)]
        assert unpaired[0] == unpaired[1]


def _unpaired(board: BoardState) -> Counter[int]:
    """How many of each number lack their reverse."""
    have = Counter(mark.number for mark in board.marks.values() if mark.number is not None)
    return have - Counter({10 * (number % 10) + number // 10: count for number, count in have.items()})


def test_new_york_is_cut_with_its_ferries_and_letters() -> None:
    stock = Stock.of("new-york-home")
    assert stock.ferries
    images, labels, _ = make_read_set((6, 1), OWN, stock, 43)
    assert images.shape == (43, 64, 64, 3)
    assert (labels[:, 0] >= 0).mean() > 0.8
    assert not Stock.of("europe-home").ferries
