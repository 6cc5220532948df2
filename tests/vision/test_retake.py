"""The advice for one more photo: the side to step to, or nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import readings

from ontour_cv.vision.clarity import washed_out
from ontour_cv.vision.read import Reading
from ontour_cv.vision.retake import advise

LARGE = readings.make_reading(width=1100, tilt=0.05)


def shiny(*regions: str) -> Reading:
    """The stand-in with a reflection over these cells."""
    images = LARGE.crops.images.copy()
    for region in regions:
        images[LARGE.crops.ids.index(region)] = 255
    return replace(LARGE, crops=replace(LARGE.crops, images=images))


def test_nothing_is_advised_when_no_photo_would_help() -> None:
    assert advise([LARGE], []) is None
    assert advise([LARGE], ["WA"]) is None, "a clear photo of a scrawl"
    assert advise([], ["WA"]) is None


@pytest.mark.parametrize(
    ("region", "way"),
    [("OR", "from the left"), ("NC", "from the right"), ("TX", "from the near side"), ("ND", "from the far side")],
)
def test_glare_is_walked_away_from_by_the_nearest_edge(region: str, way: str) -> None:
    found = advise([shiny(region)], [region, "CO"])
    assert found is not None
    assert (found.why, found.regions, found.how) == ("glare", (region,), way)


def test_glare_that_another_photo_lacks_is_no_reason() -> None:
    assert advise([shiny("WA"), LARGE], ["WA"]) is None


def test_cells_cut_off_come_first() -> None:
    cells = dict(LARGE.placement.cells)
    cells["WA"] = replace(cells["WA"], inside=False)
    found = advise([replace(shiny("NV"), placement=replace(LARGE.placement, cells=cells))], ["WA", "NV"])
    assert found is not None
    assert (found.why, found.regions) == ("outside", ("WA",))


def test_a_board_bent_as_a_whole_is_to_be_pressed_flat() -> None:
    """Its lost discs are in the picture; another photo that shows it flat is enough."""
    cells = dict(LARGE.placement.cells)
    cells["WA"] = replace(cells["WA"], seen=False, inside=False)
    bent = replace(LARGE, placement=replace(LARGE.placement, cells=cells, bent=True))
    found = advise([bent], ["WA", "NV"])
    assert found is not None
    assert (found.why, found.regions) == ("bent", ("WA",))
    assert advise([bent, LARGE], ["WA", "NV"]) is None


def test_what_lies_on_a_disc_is_to_be_taken_away() -> None:
    """Where a card lies its disc is not seen; a photo without it is enough, and glare is walked away from first."""
    cells = dict(LARGE.placement.cells)
    cells["WA"] = replace(cells["WA"], seen=False)
    hidden = replace(LARGE.placement, cells=cells)
    found = advise([replace(LARGE, placement=hidden)], ["WA", "NV"])
    assert found is not None
    assert (found.why, found.regions, found.how) == ("covered", ("WA",), "with nothing lying on the board")
    assert advise([replace(LARGE, placement=hidden), LARGE], ["WA", "NV"]) is None
    assert advise([replace(LARGE, placement=hidden)], ["NV"]) is None, "nobody asks about it"
    shining = advise([replace(shiny("NV"), placement=hidden)], ["WA", "NV"])
    assert shining is not None
    assert (shining.why, shining.regions) == ("glare", ("NV",))


def test_small_discs_want_a_nearer_photo() -> None:
    found = advise([readings.make_reading(width=300)], ["WA"])
    assert found is not None
    assert found.why == "small"


def test_washed_out_discs_are_told_from_written_and_empty_ones() -> None:
    assert not washed_out(LARGE.crops).any()
    hidden = washed_out(shiny("NV", "AZ").crops)
    assert {LARGE.crops.ids[k] for k in np.flatnonzero(hidden)} == {"NV", "AZ"}
