"""Editions nobody measured: a few discs sit elsewhere in print, and are found there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.vision.disc_net import places
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.register import register
from ontour_cv.vision.strays import _likeliest, to_ask

USA = load_map("usa")
KNOWN = load_editions("usa")[0]
MOVES = {"OK": (0.9, 0.55), "IN": (-0.45, 0.2), "CO": (-0.8, 0.7)}
"""Discs of the made-up printing, disc radii from where the known edition has them; two of them a whole disc away."""


def other_edition(moves: dict[str, tuple[float, float]]) -> Edition:
    """The known edition with some discs elsewhere."""
    moved = {
        k: (KNOWN.cells[k][0] + dx * KNOWN.radius, KNOWN.cells[k][1] + dy * KNOWN.radius)
        for k, (dx, dy) in moves.items()
    }
    return replace(KNOWN, name="other", cells={**KNOWN.cells, **moved})


def ringed(board: BoardState, regions: Iterable[str]) -> BoardState:
    """The board with a ring round what stands in those regions: it hides the disc's outline."""
    return BoardState({**board.marks, **{region: Mark(Kind.NUMBER, 48 + k, True) for k, region in enumerate(regions)}})


def misplaced(edition: Edition, seed: int, rings: Iterable[str] = ()) -> dict[str, float]:
    """Cells that reading with the known edition puts more than 0.35 disc radii wrong, on a photo of ``edition``."""
    rng = np.random.default_rng(seed)
    settings = Settings(tier="ordinary", long_side=1600, jitter=0.0)
    image, truth = render(USA, edition, ringed(sample_board(USA, rng), rings), settings, rng)
    photo = load_photo(encode(image, 90, False), "photo")
    placement = register(photo, find_discs(photo), [KNOWN])
    errors = {}
    for region, cell in truth.cells.items():
        step = np.subtract(placement.cells[region].centre_photo, cell.centre_photo)
        errors[region] = float(np.hypot(*np.linalg.solve(cell.axes_photo, step)))
    return {region: round(error, 2) for region, error in errors.items() if error > 0.35}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_discs_a_whole_disc_away_are_found(seed: int) -> None:
    """Oklahoma moved by a disc between two printings; its number is read where it stands."""
    assert misplaced(other_edition(MOVES), seed) == {}


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_discs_elsewhere_are_found_under_a_ring(seed: int) -> None:
    """A ring drawn on the rim hides it; the disc is found by all that is about its middle."""
    assert misplaced(other_edition(MOVES), seed, MOVES) == {}


@pytest.mark.parametrize(("region", "seed"), [("OK", 11), ("UT", 12), ("GA", 13)])
def test_a_single_disc_elsewhere_is_found(region: str, seed: int) -> None:
    """Two printings may differ in one state alone, and that one has a ring."""
    assert misplaced(other_edition({region: (0.6, -0.6)}), seed, [region]) == {}


def test_a_disc_that_nothing_shows_stays_where_it_was() -> None:
    """Under glare every place is as likely, and no disc counts as seen."""
    flat = np.zeros(places().shape[:2])
    assert _likeliest(flat, np.full_like(flat, 9.0)) is None


def test_the_likeliest_place_is_followed_unless_another_disc_is_there() -> None:
    at = np.array([0.7, -0.9])
    gaps = np.hypot(*(places() - at).transpose(2, 0, 1))
    answer = -30.0 * gaps**2
    assert _likeliest(answer, np.full_like(gaps, 9.0)) == pytest.approx(at, abs=0.15)
    barred = _likeliest(answer, gaps)
    assert barred is None or np.hypot(*(barred - at)) > 1.2


def test_a_sure_disc_elsewhere_makes_one_look_at_every_doubtful_one() -> None:
    trust, seen = np.array([2, 2, 1, 0, 2]), np.array([True, True, True, False, True])
    known = np.array([0.1, 0.1, 0.1, np.inf, 0.1])
    assert to_ask(trust, known, seen).tolist() == [False, False, False, True, False]
    other = np.array([0.8, 0.9, 0.1, np.inf, 0.1])
    assert to_ask(trust, other, seen).tolist() == [False, False, True, True, False]


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_on_a_known_edition_nothing_is_moved(seed: int) -> None:
    """A ring that a player drew off the middle is no disc elsewhere."""
    assert misplaced(KNOWN, seed) == {}
