"""What only resembles a home edition is another map: it is refused, as no print is known but one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from readings import make_reading

from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_editions
from ontour_cv.scorer.strangers import MOST_ELSEWHERE, refuse_strangers
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
