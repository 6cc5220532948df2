"""What is wrong with the city part of a map, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from ontour_cv.maps.city import GAME, INSTRUMENTS, City
from ontour_cv.maps.game import game_of
from ontour_cv.maps.model import MapTemplate

BOROUGHS_PER_CARD = 3
"""A card shows one to three boroughs (New York rulebook)."""


def boat_problems(template: MapTemplate) -> list[str]:
    """Every problem of the map's boats."""
    if template.boats is None:
        return []
    found = [f"the boat stop {stop} is not on the map" for stop in template.boats.stops if stop not in template.ids]
    if len(template.boats.stops) == 1:
        found.append("boats need two stops or more")
    return found


def city_problems(template: MapTemplate) -> list[str]:
    """Every problem of the map's city part, and of a map that should have one."""
    found, game = [], game_of(template.rules)
    if game is not None and (game == GAME) != (template.city is not None):
        missing = "the map has none" if template.city is None else f"{template.rules!r} are of another game"
        found.append(f"the rules of New York and a [city] table go together, but {missing}")
    return found + ([] if template.city is None else _part_problems(template, template.city))


def _part_problems(template: MapTemplate, city: City) -> list[str]:
    found = [*_park_problems(template, city), *_card_problems(template, city)]
    found += [
        f"{region.id} must lie in one borough, not in {len(region.areas)}"
        for region in template.regions
        if len(region.areas) != 1
    ]
    for letter, row in city.tracks.items():
        if not row or any(later < earlier for earlier, later in pairwise(row)):
            found.append(f"the row of the {INSTRUMENTS[letter]} is {list(row)}; expected numbers that never fall")
    if not city.ferries.with_card and not city.ferries.common_borough:
        found.append("no ferry could ever be drawn: with_card and common_borough are both false")
    return found


def _park_problems(template: MapTemplate, city: City) -> Iterator[str]:
    if not city.park:
        yield "no region lies round the park"
    for region in city.park:
        if region not in template.ids:
            yield f"{region} lies round the park but is not on the map"


def _card_problems(template: MapTemplate, city: City) -> Iterator[str]:
    for name, count in Counter(card.id for card in city.cards).items():
        if count > 1:
            yield f"the card {name} is in the deck {count} times"
    for card in city.cards:
        if len(card.boroughs) > BOROUGHS_PER_CARD:
            yield f"the card {card.id} opens {len(card.boroughs)} boroughs; {BOROUGHS_PER_CARD} are the most"
        for borough in card.boroughs:
            if borough not in template.areas:
                yield f"the card {card.id} opens {borough!r}, which is not among the areas"
