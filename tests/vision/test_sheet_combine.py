"""Several photos of one sheet: never surer than justified, whatever their order, never of two sheets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sheet_readings as made
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.vision.glyphs import log_softmax
from ontour_cv.vision.sheet_combine import another_sheet, combine_sheets
from ontour_cv.vision.sheet_glyphs import SHEET_HEADS, SheetScores
from ontour_cv.vision.sheet_prior import SheetPrior
from ontour_cv.vision.sheet_read import SheetReading

PLAIN = made.make_sheet_reading(made.LEGAL)
STATES = made.TEMPLATE.ids
COUNT = len(made.MODEL.ids)


def scores(text: str, sure: float = 1.0, seed: int = 0) -> SheetScores:
    """Scores that read ``text``; the smaller ``sure``, the less clearly."""
    rng = np.random.default_rng(seed)
    heads = {name: rng.normal(0, 0.5, (COUNT, size)) for name, size in SHEET_HEADS}
    for row, mark in enumerate(made.sheet_of(text).marks.values()):
        heads["kind"][row, 0 if mark.number is None and mark.kind.name == "EMPTY" else 1 if mark.number else 2] += (
            8 * sure
        )
        if mark.number:
            heads["digit"][row, mark.number - 1] += 8 * sure
        heads["circled"][row, int(mark.circled)] += 8 * sure
    return SheetScores(**{name: log_softmax(table) for name, table in heads.items()})


def photo(name: str, seen: SheetScores, move: float = 0.0) -> SheetReading:
    """A reading with these scores whose sheet lies ``move`` pixels to the right."""
    shift = np.array([[1.0, 0.0, move], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    flat = replace(PLAIN.placement.warp.flat, matrix=shift @ PLAIN.placement.warp.flat.matrix)
    placement = replace(PLAIN.placement, warp=replace(PLAIN.placement.warp, flat=flat))
    return replace(PLAIN, photo=replace(PLAIN.photo, name=name), placement=placement, scores=seen)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_same_photo_again_tells_nothing_new(count: int) -> None:
    one = photo("a.jpg", scores(made.LEGAL))
    both = combine_sheets([one] * count, SheetPrior())
    for name, _ in SHEET_HEADS:
        assert np.allclose(getattr(both.scores, name), getattr(one.scores, name), atol=1e-9)


@given(st.permutations(range(3)))
def test_the_order_of_photos_does_not_matter(order: list[int]) -> None:
    photos = [photo(f"{k}.jpg", scores(made.LEGAL, 0.4 + 0.2 * k, k), 60.0 * k) for k in range(3)]
    one, other = combine_sheets(photos, SheetPrior()), combine_sheets([photos[k] for k in order], SheetPrior())
    assert np.allclose(one.scores.digit, other.scores.digit)
    assert one.photo.name == other.photo.name == "2.jpg"


def test_what_one_photo_does_not_show_another_does() -> None:
    right, wrong = scores(made.LEGAL), scores(made.LEGAL.replace("GA=3", "GA=6"))
    row = STATES.index("GA")
    inside = np.ones(COUNT, dtype=bool)
    inside[row] = False
    cut = photo("cut.jpg", wrong)
    cut = replace(cut, crops=replace(cut.crops, inside=inside))
    both = combine_sheets([cut, photo("whole.jpg", right, 60.0)], SheetPrior())
    assert both.crops.inside.all()
    assert both.decoded.cells["GA"].mark.number == 3


def test_two_views_are_hardly_surer_than_one() -> None:
    seen = scores(made.LEGAL, 0.5)
    both = combine_sheets([photo("a.jpg", seen), photo("b.jpg", seen, 80.0)], SheetPrior())
    states = slice(0, len(STATES))
    gained = both.scores.digit[states].max(axis=1) - seen.digit[states].max(axis=1)
    assert (gained >= -1e-9).all()
    assert gained.max() < 0.2


def test_photos_of_two_sheets_are_told_apart_and_of_one_are_not() -> None:
    anna = photo("anna.jpg", scores(made.LEGAL))
    blank = photo("blank.jpg", scores("AK=."))
    another = made.LEGAL
    for state in ("CO", "KS", "NE", "SD", "ND", "MN", "IA", "MO", "AR", "LA", "MS", "AL", "GA", "FL"):
        another = another.replace(f"{state}=3", f"{state}=5")
    assert another_sheet(anna, photo("bert.jpg", scores(another)))
    assert another_sheet(anna, blank)
    assert not another_sheet(anna, photo("again.jpg", scores(made.LEGAL, 0.8, 4), 50.0))
    assert not another_sheet(blank, photo("blank2.jpg", scores("AK=.", 0.9, 3)))


def test_readings_of_nothing_or_of_two_maps_are_refused() -> None:
    with pytest.raises(ValueError, match="one sheet"):
        combine_sheets([], SheetPrior())
    strange = replace(PLAIN, placement=replace(PLAIN.placement, model=replace(made.MODEL, map="other")))
    with pytest.raises(ValueError, match="one sheet"):
        combine_sheets([PLAIN, strange], SheetPrior())
