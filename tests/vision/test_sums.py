"""Score boxes: what the three say must go together, and nothing is seen in boxes that are not there."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.press.design import load_design
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import make_print
from ontour_cv.vision.glyphs import GlyphScores, MarkReader, log_softmax
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo, load_photo
from ontour_cv.vision.register import register
from ontour_cv.vision.sums import ALONE, NOTHING, RIGHT, WRONG, near_to, see_boxes, tells, together

USA = load_map("usa")
PHOTOS = Path(__file__).resolve().parent.parent / "fixtures" / "photos"


def seen(*boxes: dict[int | None, float]) -> GlyphScores:
    """What good eyes see: numbers, or None for empty, with their probabilities."""
    kind, number = np.full((3, 4), 1e-9), np.full((3, 100), 1e-6)
    for row, box in enumerate(boxes):
        kind[row, 0] = box.get(None, 1e-6)
        kind[row, 1] = max(1 - kind[row, 0], 1e-6)
        for value, p in box.items():
            if value is not None:
                number[row, value] = p
    kind, number = log_softmax(np.log(kind)), log_softmax(np.log(number))
    return GlyphScores(("places", "circles", "total"), kind, number, np.zeros((3, 2)))


def test_what_is_clear_is_read_even_when_it_is_added_up_wrongly() -> None:
    found = together(seen({24: 1.0}, {6: 1.0}, {31: 1.0}), 41)
    assert (found.places, found.circles, found.total) == (24, 6, 31)
    assert found.probability > 0.95


def test_an_unclear_number_follows_from_the_others() -> None:
    found = together(seen({24: 0.5, 29: 0.5}, {6: 1.0}, {30: 1.0}), 41)
    assert (found.places, found.circles, found.total) == (24, 6, 30)
    assert found.probability > 0.98


def test_empty_boxes_and_a_lone_total() -> None:
    assert together(seen({None: 1.0}, {None: 1.0}, {None: 1.0}), 41).nothing
    found = together(seen({None: 1.0}, {None: 1.0}, {28: 1.0}), 41)
    assert (found.places, found.circles, found.total) == (None, None, 28)


def test_what_the_drawn_tour_counts_helps_to_read_them_but_does_not_stand_for_them() -> None:
    half, plain = seen({24: 0.5, 29: 0.5}, {6: 0.5, 1: 0.5}, {30: 1.0}), seen({25: 1.0}, {6: 1.0}, {31: 1.0})
    assert together(half, 41).probability < 0.9
    for scores, written in ((half, (24, 6, 30)), (plain, (25, 6, 31))):
        found = together(scores, 41, near_to(24, 6, 41))
        assert (found.places, found.circles, found.total) == written
        assert found.probability > 0.95


@pytest.mark.parametrize("visits", [(24, 6), (0, 0), (41, 41), (50, 3)])
def test_what_is_expected_to_be_written_is_likeliest_what_there_was_to_count(visits: tuple[int, int]) -> None:
    expected = near_to(*visits, 41)
    assert np.unravel_index(expected.argmax(), expected.shape) == tuple(min(k, 41) for k in visits)
    assert 0.9 < expected.sum() <= 1.0 + 1e-9
    assert expected.min() > 0


@pytest.mark.parametrize("seed", range(4))
def test_boxes_tell_what_was_counted_as_summing_over_every_way_to_fill_them_in(seed: int) -> None:
    """Beside a sum written out, on a map of six places; the middle, where no count leaves the table."""
    rng = np.random.default_rng(seed)
    kind, number = log_softmax(rng.normal(0, 2, (3, 4))), log_softmax(rng.normal(0, 2, (3, 100)))
    told = tells(GlyphScores(("places", "circles", "total"), kind, number, np.zeros((3, 2))), 6)
    p, empty = np.exp(kind[:, 1, None] + number), np.exp(kind[:, 0])
    for places, circles in product(range(2, 5), range(1, 6)):
        chance = NOTHING * float(empty.prod())
        for a, b in product(range(7), range(7)):
            near = abs(a - places) <= 2 and abs(b - circles) <= 1
            counted = 0.85 * ((a, b) == (places, circles)) + 0.1 / 15 * near + 0.05 / 49
            filled = RIGHT * p[2, a + b] + WRONG / 12 * p[2].sum()
            chance += counted * p[0, a] * p[1, b] * filled
        for total in range(100):
            made = places + circles
            counted = 0.85 * (total == made) + 0.1 / 7 * (abs(total - made) <= 3) + 0.05 / 12
            chance += ALONE * empty[0] * empty[1] * counted * p[2, total]
        assert told[places, circles] == pytest.approx(np.log(chance), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_probability_is_that_of_summing_over_every_content(seed: int) -> None:
    """Beside a sum written out, on a map of four places."""
    rng = np.random.default_rng(seed)
    kind, number = log_softmax(rng.normal(0, 2, (3, 4))), log_softmax(rng.normal(0, 2, (3, 100)))
    found = together(GlyphScores(("places", "circles", "total"), kind, number, np.zeros((3, 2))), 4)
    p, empty = np.exp(kind[:, 1, None] + number), np.exp(kind[:, 0])
    chances: dict[tuple[int | None, int | None, int | None], float] = {}
    for a, b, c in product(range(5), range(5), range(100)):
        weight = WRONG / 25 / 8 + (RIGHT / 25 if a + b == c else 0.0)
        chances[a, b, c] = weight * p[0, a] * p[1, b] * p[2, c]
    for c in range(100):
        chances[None, None, c] = ALONE / 8 * empty[0] * empty[1] * p[2, c]
    chances[None, None, None] = NOTHING * float(empty.prod())
    best = max(chances, key=lambda key: chances[key])
    assert (found.places, found.circles, found.total) == best
    assert found.probability == pytest.approx(chances[best] / sum(chances.values()), rel=1e-9)


def test_the_boxes_of_a_printed_board_are_read() -> None:
    """Nine photos of our own print: what is told is what was written, and most are told."""
    reader, told = MarkReader(), 0
    sheet = make_print(USA, load_design(USA), width_px=1300)
    for seed in range(9):
        rng = np.random.default_rng(seed)
        picture, truth = render_print(
            sheet, sample_board(USA, rng), Settings("ordinary", 1600, notes=0.0, sums=True), rng
        )
        photo = Photo("board", picture)
        boxes = see_boxes(photo, register(photo, find_discs(photo), load_editions("usa")), reader)
        assert truth.sums is not None
        assert boxes is not None
        found = together(boxes, len(USA.ids))
        if found.probability > 0.98:
            told += 1
            assert (found.places, found.circles, found.total) == truth.sums
    assert told >= 5


def test_nothing_is_read_where_the_boxes_are_unknown_or_outside() -> None:
    photo = load_photo(sorted(PHOTOS.glob("*.jpg"))[0])
    placement = register(photo, find_discs(photo), load_editions("usa"))
    unknown = replace(placement, edition=replace(placement.edition, sums=()))
    assert see_boxes(photo, unknown, MarkReader()) is None
    far = replace(placement.edition, sums=((3.0, 3.0, 0.04, 0.02),) * 3)
    assert see_boxes(photo, replace(placement, edition=far), MarkReader()) is None
    black = Photo("black", np.zeros_like(cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2RGB)))
    boxes = see_boxes(black, placement, MarkReader())
    assert boxes is not None
    found = together(boxes, len(USA.ids))
    assert found.nothing or found.probability < 0.98
