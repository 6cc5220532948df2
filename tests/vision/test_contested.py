"""Where a neighbour may have the disc of a cell that is seen nowhere, neither is read with confidence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.vision.contested import CLAIM, FAR, UNPROVEN, contested, doubted, mistrusted
from ontour_cv.vision.glyphs import GlyphScores, log_softmax
from ontour_cv.vision.register import CellPlace, Placement
from ontour_cv.vision.strays import SEVERAL
from tests.readings import make_reading

PLACEMENT = make_reading().placement
CELL, TAKER = "SC", "NC"


def moved(towards: float, elsewhere: int = SEVERAL, **changes: bool) -> Placement:
    """South Carolina seen nowhere, and the disc of North Carolina so many radii from it."""
    cells: dict[str, CellPlace] = dict(PLACEMENT.cells)
    here, there = (np.asarray(cells[region].centre_photo) for region in (CELL, TAKER))
    way = np.linalg.solve(cells[CELL].axes_photo, there - here)
    spot = here + cells[CELL].axes_photo @ (way / np.hypot(*way) * towards)
    cells[TAKER] = replace(cells[TAKER], centre_photo=(float(spot[0]), float(spot[1])))
    cells[CELL] = replace(cells[CELL], **({"seen": False} | changes))
    return replace(PLACEMENT, cells=cells, elsewhere=elsewhere)


def test_a_neighbour_found_astray_near_a_cell_seen_nowhere_may_have_its_disc() -> None:
    assert contested(moved(1.5)) == [(CELL, TAKER)]


@pytest.mark.parametrize(
    "placement",
    [moved(1.5, seen=True), moved(1.5, inside=False), moved(1.5, elsewhere=0), moved(CLAIM + 0.3),
     replace(moved(1.5), cells={**moved(1.5).cells, TAKER: PLACEMENT.cells[TAKER]})],
    ids=["seen itself", "outside the picture", "an edition that was measured", "too far away", "where it should be"],
)  # fmt: skip
def test_nothing_is_contested_where(placement: Placement) -> None:
    assert contested(placement) == []


def test_both_ways_are_weighed_and_nothing_else_changes() -> None:
    """The cell keeps 0.7 of its own and gets 0.3 of the neighbour's, who may then hold anything."""
    rng = np.random.default_rng(5)
    kind, number, circled = (log_softmax(rng.normal(0, 3, (3, n))) for n in (4, 100, 2))
    before = GlyphScores(("A", "B", "C"), kind, number, circled)
    after = doubted(before, [("A", "C")], share=0.3)
    for one, other in ((kind, after.kind), (number, after.number), (circled, after.circled)):
        assert np.allclose(np.exp(other[0]), 0.7 * np.exp(one[0]) + 0.3 * np.exp(one[2]))
        assert np.allclose(np.exp(other[2]), 0.7 * np.exp(one[2]) + 0.3 / one.shape[1])
        assert np.array_equal(other[1], one[1])
        assert np.allclose(np.exp(other).sum(axis=1), 1.0)
    assert doubted(before, []).kind.tolist() == kind.tolist()


def test_what_is_found_far_off_is_mistrusted_where_the_discs_prove_no_board() -> None:
    """The taker lies far from its place; nobody else does."""
    far = moved(1.5, seen=True)
    assert mistrusted(replace(far, log_odds=UNPROVEN - 0.1)) == [TAKER]
    assert mistrusted(replace(far, log_odds=UNPROVEN)) == []
    assert mistrusted(replace(far, log_odds=UNPROVEN - 0.1, elsewhere=0)) == []
    assert mistrusted(replace(PLACEMENT, log_odds=0.0, elsewhere=SEVERAL)) == []
    assert FAR >= 1.0


def test_in_a_mistrusted_cell_may_stand_anything() -> None:
    rng = np.random.default_rng(6)
    kind, number, circled = (log_softmax(rng.normal(0, 3, (2, n))) for n in (4, 100, 2))
    after = doubted(GlyphScores(("A", "B"), kind, number, circled), [], ["B"], 0.2)
    for one, other in ((kind, after.kind), (number, after.number), (circled, after.circled)):
        assert np.allclose(np.exp(other[1]), 0.8 * np.exp(one[1]) + 0.2 / one.shape[1])
        assert np.array_equal(other[0], one[0])
