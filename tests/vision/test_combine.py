"""Several photos of one board: never surer than justified, whatever their order, never of two boards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import readings
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.board import parse_board
from ontour_cv.vision.combine import PoolSettings, another_board, combine, pool, views, weigh
from ontour_cv.vision.glyphs import GlyphScores, log_softmax
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.read import Reading

IDS = readings.usa().ids
PLAIN = readings.make_reading(width=300)


def scores(board: str, sure: float = 0.97, seed: int = 0) -> GlyphScores:
    """Scores that read ``board`` with about this probability; the rest is chance."""
    rng = np.random.default_rng(seed)
    kind, number, circled = rng.normal(0, 1, (41, 4)), rng.normal(0, 1, (41, 100)), rng.normal(0, 0.1, (41, 2))
    marks = parse_board(board, IDS).marks
    for row, region in enumerate(IDS):
        mark = marks[region]
        column = {"empty": 0, "number": 1, "star": 2, "blocked": 3}[mark.kind.name.lower()]
        kind[row, column] += 6 + 8 * sure
        number[row, mark.number or 0] += 8 + 8 * sure
        circled[row, int(mark.circled)] += 4
    return GlyphScores(IDS, log_softmax(kind), log_softmax(number), log_softmax(circled))


def photo(name: str, given_scores: GlyphScores, move: float = 0.0) -> Reading:
    """A reading with these scores whose discs lie ``move`` pixels to the right."""
    cells = {
        region: replace(place, centre_photo=(place.centre_photo[0] + move, place.centre_photo[1]), inside=True)
        for region, place in PLAIN.placement.cells.items()
    }
    return replace(
        PLAIN,
        photo=replace(PLAIN.photo, name=name),
        placement=replace(PLAIN.placement, cells=cells),
        scores=given_scores,
    )


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_same_photo_again_tells_nothing_new(count: int) -> None:
    one = photo("a.jpg", scores(readings.GOLDEN))
    both = combine([one] * count, Prior())
    for part in ("kind", "number", "circled"):
        assert np.allclose(getattr(both.scores, part), getattr(one.scores, part), atol=1e-9)


@given(st.permutations(range(3)))
def test_the_order_of_photos_does_not_matter(order: list[int]) -> None:
    photos = [photo(f"{k}.jpg", scores(readings.GOLDEN, 0.3 * k, seed=k), 40.0 * k) for k in range(3)]
    one, other = combine(photos, Prior()), combine([photos[k] for k in order], Prior())
    assert one.photo.name == other.photo.name
    assert np.allclose(one.scores.number, other.scores.number)
    assert one.decoded.board == other.decoded.board


@given(st.integers(0, 10**6))
def test_two_photos_are_hardly_surer_than_the_surer_one(seed: int) -> None:
    """The writer's ambiguity is the same in both: log-odds grow by at most ``2 ** gain``."""
    settings = PoolSettings()
    parts = [scores(readings.GOLDEN, 0.0, seed), scores(readings.GOLDEN, 0.0, seed + 1)]
    weights = weigh([photo("a", parts[0]), photo("b", parts[1], 60.0)], settings)
    assert np.all(weights.sum(axis=0) <= 2**settings.gain + 1e-9)
    both = pool(parts, weights)
    odds = [part.circled[:, 1] - part.circled[:, 0] for part in (*parts, both)]
    assert np.all(np.abs(odds[2]) <= 2**settings.gain * np.maximum(np.abs(odds[0]), np.abs(odds[1])) + 1e-9)


def test_a_cell_outside_one_photo_is_read_from_the_other() -> None:
    right, wrong = scores(readings.GOLDEN), scores(readings.GOLDEN.replace("WA=21o", "WA=74"))
    cut = photo("cut.jpg", wrong, 50.0)
    cells = dict(cut.placement.cells)
    cells["WA"] = replace(cells["WA"], inside=False)
    cut = replace(cut, placement=replace(cut.placement, cells=cells))
    both = combine([cut, photo("whole.jpg", right)], Prior())
    assert str(both.decoded.board.marks["WA"]) == "21o"
    nowhere = combine([cut, replace(cut, photo=replace(cut.photo, name="again.jpg"))], Prior())
    assert "WA" in nowhere.decoded.uncertain


def test_photos_from_one_place_are_one_view() -> None:
    some = scores(readings.GOLDEN)
    assert len(set(views([photo("a", some), photo("b", some, 1.0), photo("c", some, 60.0)], 1.0))) == 2


def test_another_board_is_told_from_the_same() -> None:
    marks = parse_board(readings.GOLDEN, IDS).marks
    turned = " ".join(f"{region}={marks[other]}" for region, other in zip(IDS, (*IDS[5:], *IDS[:5]), strict=True))
    here, there = photo("a.jpg", scores(readings.GOLDEN)), photo("b.jpg", scores(turned), 60.0)
    assert another_board(here, there)
    assert another_board(there, here)
    slip = photo("c.jpg", scores(readings.GOLDEN.replace("NV=31", "NV=37"), seed=9), 60.0)
    assert not another_board(here, slip)
    blank = photo("d.jpg", scores(" ".join(f"{region}=." for region in IDS)))
    assert not another_board(blank, blank)


def test_readings_of_no_map_or_two_are_refused() -> None:
    with pytest.raises(ValueError, match="one map"):
        combine([], Prior())
