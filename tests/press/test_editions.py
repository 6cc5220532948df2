"""Calibrations of the project's own boards come from the drawings."""

from __future__ import annotations

import math

import pytest

from ontour_cv import resources
from ontour_cv.calibrate.drawn import drawn_edition
from ontour_cv.calibrate.edition import calibration_text
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.press.design import load_design
from ontour_cv.press.editions import NAME, own_edition, own_frame

DESIGNED = sorted(path.stem for path in (resources.templates_dir() / "boards").glob("*.toml"))


@pytest.mark.parametrize("map_id", DESIGNED)
def test_the_calibration_is_what_the_drawing_says(map_id: str) -> None:
    """When this fails: ontour-cv print MAP --calibration calibration."""
    template = load_map(map_id)
    text = calibration_text(*drawn_edition(template, load_design(template)))
    assert (resources.calibration_dir() / f"{map_id}-{NAME}.json").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("map_id", DESIGNED)
def test_discs_stay_round_and_in_order(map_id: str) -> None:
    """The edition's frame is the design's, moved and scaled alike in both directions."""
    template = load_map(map_id)
    design = load_design(template)
    frame = own_frame(template, design)
    edition = own_edition(template, design)
    assert edition.radius == pytest.approx(frame.scale * design.radius, abs=1e-4)
    for region, place in edition.cells.items():
        assert math.dist(place, frame.apply(design.discs[region])) < 1e-5


def test_the_known_own_boards_are_designed() -> None:
    assert set(DESIGNED) == {"usa", "europe-home", "new-york-home", "paris-home"}
    assert all(NAME in [edition.name for edition in load_editions(map_id)] for map_id in DESIGNED)
