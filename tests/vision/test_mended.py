"""A number beside one that was struck out is heard too, in doubtful cells only; rings and print are no numbers."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.rules import RULESETS
from ontour_cv.scorer.prior import prior_of
from ontour_cv.vision.cells import AROUND, CELL, CellCrops, Window
from ontour_cv.vision.decode import decode
from ontour_cv.vision.glyphs import KINDS, GlyphScores, MarkReader, log_softmax
from ontour_cv.vision.mended import ASIDE, CAREFUL, DARING, inked, look_for_mended
from ontour_cv.vision.register import CellPlace, Placement
from tests.vision.test_around import told

NUMBERS = [13, 31, 24, 42, 56, 65, 89, 98, 16, 61, 37, 73, 28, 82]
IDS = tuple(map(str, NUMBERS))
STRUCK, COUNTS = IDS.index("42"), 57
PLACES = dict(zip(("above", "below", "right", "left"), ASIDE, strict=True))

FINE = 4
"""Cells are drawn so many times as large and averaged."""


def drawn(
    number: int, window: Window, aside: tuple[float, float] | None = None, ring: float = 0.0
) -> NDArray[np.uint8]:
    """A white disc on green, a number on it, and another beside it with a line through the first, or a ring."""
    unit, side = FINE * window.px_per_radius, FINE * window.px
    picture = np.full((side, side, 3), (150, 190, 160), np.uint8)
    middle = (side // 2, side // 2)
    cv2.circle(picture, middle, round(unit), (245, 245, 245), -1, cv2.LINE_AA)
    cv2.circle(picture, middle, round(unit), (140, 140, 140), round(0.06 * unit), cv2.LINE_AA)

    def write(text: str, right: float, down: float, height: float) -> None:
        size, (width, high) = unit * height / 21, cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 1)[0]
        at = (round(middle[0] + right * unit - size * width / 2), round(middle[1] + down * unit + size * high / 2))
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (30, 30, 30), round(0.11 * unit), cv2.LINE_AA)

    write(f"{number:02d}", 0.0, 0.0, 0.8)
    if aside is not None:
        write(f"{COUNTS}", *aside, 0.6)
        start, end = ((round(middle[0] + x * unit), round(middle[1] - x * 0.3 * unit)) for x in (-0.8, 0.8))
        cv2.line(picture, start, end, (30, 30, 30), round(0.11 * unit), cv2.LINE_AA)
    if ring:
        cv2.circle(picture, middle, round(ring * unit), (30, 30, 30), round(0.11 * unit), cv2.LINE_AA)
    return np.asarray(cv2.resize(picture, (window.px, window.px), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def board(aside: tuple[float, float] | None, ring: float = 0.0, struck: tuple[int, ...] = (STRUCK,)) -> CellCrops:
    """Fourteen cells; one of them, or more, with a number beside it, or all with a ring."""
    images, around = (
        np.stack([drawn(n, window, aside if k in struck else None, ring) for k, n in enumerate(NUMBERS)])
        for window in (CELL, AROUND)
    )
    return CellCrops(IDS, images, np.ones(len(IDS)), None, around)


def scores(circled: float = 0.01) -> GlyphScores:
    """What stands on the discs, all alike surely."""
    kind = np.full((len(IDS), len(KINDS)), -9.0)
    kind[:, KINDS.index("number")] = 0.0
    numbers = np.stack([told(number, 0.9) for number in NUMBERS])
    return GlyphScores(IDS, log_softmax(kind), numbers, np.log(np.tile([1 - circled, circled], (len(IDS), 1))))


def placed(apart: float = 4.0, boxed: bool = False) -> Placement:
    """The cells in a row, the middles of their discs so many radii apart, with boxes to be marked or not."""
    axes = 30.0 * np.eye(2)
    cells = {region: CellPlace((30.0 * apart * k, 0.0), axes, True, True) for k, region in enumerate(IDS)}
    return cast(Placement, SimpleNamespace(cells=cells, edition=SimpleNamespace(boxed=boxed)))


class Eyes:
    """Stand-in for the networks: one number, as sure as told, wherever it looks."""

    def __init__(self, sure: float = 0.95) -> None:
        self.looked, self._sure = 0, sure

    def read_alone(self, images: NDArray[np.uint8]) -> GlyphScores:
        """That number."""
        self.looked += len(images)
        kind = np.full((len(images), len(KINDS)), -9.0)
        kind[:, KINDS.index("number")] = 0.0
        number = np.tile(told(COUNTS, self._sure), (len(images), 1))
        return GlyphScores(("",) * len(images), log_softmax(kind), number, np.log(np.full((len(images), 2), 0.5)))


def look(crops: CellCrops, before: GlyphScores, eyes: Eyes, doubtful: tuple[str, ...] = IDS) -> GlyphScores:
    return look_for_mended(placed(), crops, before, cast(MarkReader, eyes), doubtful)


@pytest.mark.parametrize("place", PLACES)
def test_ink_beside_a_number_is_found_where_it_is_and_nowhere_else(place: str) -> None:
    found = inked(board(PLACES[place]).images, np.arange(len(IDS)))
    assert [(int(row), list(PLACES)[way]) for row, way in np.argwhere(found)] == [(STRUCK, place)]


@pytest.mark.parametrize("place", PLACES)
def test_what_stands_beside_a_doubtful_number_may_be_the_cells(place: str) -> None:
    eyes, before = Eyes(), scores()
    after = look(board(PLACES[place]), before, eyes)
    assert eyes.looked == 1
    both = np.exp(after.number[STRUCK])
    assert both[COUNTS] == pytest.approx(CAREFUL.its_own * 0.95, abs=0.02)
    assert both[NUMBERS[STRUCK]] == pytest.approx((1 - CAREFUL.its_own) * 0.9, abs=0.02)
    others = np.arange(len(IDS)) != STRUCK
    assert np.array_equal(after.number[others], before.number[others])
    assert np.array_equal(after.circled, before.circled)


@pytest.mark.parametrize(
    ("crops", "before", "eyes", "doubtful"),
    [
        (board(None), scores(), Eyes(), IDS),
        (board(ASIDE[0]), scores(), Eyes(0.4), IDS),
        (board(ASIDE[0]), scores(), Eyes(), tuple(region for region in IDS if region != "42")),
        (board(None, ring=1.2), scores(0.99), Eyes(), IDS),
        (replace(board(ASIDE[0]), around=None), scores(), Eyes(), IDS),
    ],
    ids=["nothing beside it", "nothing clear", "not in doubt", "rings", "nothing cut round it"],
)
def test_scores_stay_as_they_are(crops: CellCrops, before: GlyphScores, eyes: Eyes, doubtful: tuple[str, ...]) -> None:
    assert look(crops, before, eyes, doubtful) is before


@pytest.mark.parametrize(("way", "seen"), [("above", True), ("right", False), ("left", False)])
def test_what_stands_near_another_disc_is_that_ones(way: str, seen: bool) -> None:
    """Discs lie in a row: the neighbours' numbers reach as far as the places between."""
    crops, before, eyes = board(PLACES[way]), scores(), Eyes()
    near = placed(CAREFUL.others + 0.8)
    assert (look_for_mended(near, crops, before, cast(MarkReader, eyes), IDS) is not before) == seen
    assert eyes.looked == int(seen)


def test_ticked_boxes_beside_the_discs_are_no_numbers() -> None:
    before, eyes = scores(), Eyes()
    crops = board(ASIDE[2], struck=(2, 5, 8))
    assert look_for_mended(placed(boxed=True), crops, before, cast(MarkReader, eyes), IDS) is before
    assert eyes.looked == 0


@pytest.mark.parametrize("circled", [0.01, 0.99])
@pytest.mark.parametrize(("doubtful", "all_seen"), [(2, True), (1, False)])
def test_where_several_were_struck_out_those_without_a_doubt_are_heard_too(
    doubtful: int, all_seen: bool, circled: float
) -> None:
    """The third that was struck out is read for sure; its ring is no reason to leave it alone then."""
    struck = (2, 5, 8)
    eyes, before = Eyes(), scores()
    before.circled[8] = np.log([1 - circled, circled])
    asked = tuple(IDS[row] for row in struck[:doubtful])
    after = look(board(PLACES["above"], struck=struck), before, eyes, asked)
    shares = [float(np.exp(after.number[row, COUNTS])) for row in struck]
    if all_seen:
        assert shares == pytest.approx([DARING.its_own * 0.95] * 3, abs=0.02)
        assert eyes.looked == 2 + 3
    else:
        assert shares == pytest.approx([CAREFUL.its_own * 0.95, 0.0, 0.0], abs=0.02)
        assert eyes.looked == 1
    others = np.delete(np.arange(len(IDS)), struck)
    assert np.array_equal(after.number[others], before.number[others])


def test_the_shipped_networks_read_a_number_above_one_struck_out_and_the_rules_choose_it() -> None:
    """75 and 57 were rolled; 57 stands above a 42 that was struck out."""
    numbers = [75 if number == 24 else number for number in NUMBERS]
    images, around = (
        np.stack([drawn(n, window, ASIDE[0] if k == STRUCK else None) for k, n in enumerate(numbers)])
        for window in (CELL, AROUND)
    )
    crops, reader = CellCrops(IDS, images, np.ones(len(IDS)), None, around), MarkReader()
    seen = reader.read(crops)
    found = look_for_mended(placed(), crops, seen, reader, IDS)
    prior = prior_of(RULESETS["rulebook"])
    assert decode(seen, prior).cells["42"].mark.number != COUNTS
    assert decode(found, prior).cells["42"].mark.number == COUNTS
