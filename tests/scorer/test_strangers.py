"""What only resembles a home edition is another map: it is refused, as no print is known but one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from readings import make_reading

from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.scorer.score import read_photo
from ontour_cv.scorer.strangers import MOST_ELSEWHERE, refuse_strangers
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import Reading


def reading_of(map_id: str, elsewhere: int, name: str | None = None) -> Reading:
    """A board of a map's own print, so many of its discs seen elsewhere."""
    edition = next(edition for edition in load_editions(map_id) if edition.name == "own")
    made = make_reading(width=300)
    place = next(iter(made.placement.cells.values()))
    cells = dict.fromkeys(edition.cells, place)
    edition = replace(edition, name=name or edition.name)
    return replace(made, placement=replace(made.placement, edition=edition, cells=cells, elsewhere=elsewhere))


@pytest.mark.parametrize("map_id", ["europe-home", "new-york-home", "paris-home"])
def test_a_board_like_a_home_edition_with_its_discs_elsewhere_is_refused(map_id: str) -> None:
    count = len(reading_of(map_id, 0).placement.cells)
    few = reading_of(map_id, int(MOST_ELSEWHERE * count))
    assert refuse_strangers(few) is few
    with pytest.raises(BoardNotFound, match="another map") as refusal:
        refuse_strangers(reading_of(map_id, int(MOST_ELSEWHERE * count) + 1))
    assert f"ontour-cv print {map_id}" in refusal.value.remedy


def test_a_published_map_drawn_anew_is_read() -> None:
    """Its links are those of the map, wherever its discs lie."""
    anew = reading_of("usa", 41)
    assert refuse_strangers(anew) is anew


def test_an_edition_somebody_measured_is_read() -> None:
    measured = reading_of("europe-home", 39, "my-print")
    assert refuse_strangers(measured) is measured


def test_a_photo_of_europe_drawn_by_somebody_else_is_refused() -> None:
    """Its discs lie half a radius from the home edition's in the mean: near enough to be found, and another map."""
    rng = np.random.default_rng(7)
    template, own = load_map("europe-home"), load_editions("europe-home")[0]
    moved = {region: tuple(spot + rng.normal(0, 0.4 * own.radius, 2)) for region, spot in own.cells.items()}
    theirs = replace(own, name="theirs", cells=moved)
    board, writer = sample_board(template, rng), sample_writer(rng)
    image, _ = render(template, theirs, board, Settings("ordinary", 1600, notes=0.0), rng, writer)
    with pytest.raises(BoardNotFound, match="resembles Europe"):
        read_photo(Photo("theirs.jpg", image), "europe-home")
