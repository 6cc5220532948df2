"""Editions nobody measured: a few discs sit elsewhere in print, and are found there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.register import register

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


def misplaced(edition: Edition, seed: int) -> dict[str, float]:
    """Cells that reading with the known edition puts more than 0.3 disc radii wrong, on a photo of ``edition``."""
    rng = np.random.default_rng(seed)
    settings = Settings(tier="ordinary", long_side=1600, jitter=0.0)
    image, truth = render(USA, edition, sample_board(USA, rng), settings, rng)
    photo = load_photo(encode(image, 90, False), "photo")
    placement = register(photo, find_discs(photo), [KNOWN])
    errors = {}
    for region, cell in truth.cells.items():
        step = np.subtract(placement.cells[region].centre_photo, cell.centre_photo)
        errors[region] = float(np.hypot(*np.linalg.solve(cell.axes_photo, step)))
    return {region: round(error, 2) for region, error in errors.items() if error > 0.3}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_discs_a_whole_disc_away_are_found(seed: int) -> None:
    """Oklahoma moved by a disc between two printings; its number is read where it stands."""
    assert misplaced(other_edition(MOVES), seed) == {}


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_on_a_known_edition_nothing_is_moved(seed: int) -> None:
    """A ring that a player drew off the middle is no disc elsewhere."""
    assert misplaced(KNOWN, seed) == {}
