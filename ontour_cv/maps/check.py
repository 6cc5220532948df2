"""What is wrong with a map or an edition, in words: the map's own referee."""

from __future__ import annotations

import math
from collections import Counter

from ontour_cv.maps.check_city import boat_problems, city_problems
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.game import SHEETS, game_of
from ontour_cv.maps.model import MapTemplate

MAX_SHIFT = 0.1
"""How far (board widths) a printed disc may lie from the map's rough layout: about five disc radii. Editions differ by
up to one radius; more means that two regions were exchanged or that another frame was used."""

RADII = (0.005, 0.1)
"""Plausible disc radii in board widths; the known boards have about 0.019."""


def map_problems(template: MapTemplate) -> tuple[str, ...]:
    """Every problem of the map, one sentence each; empty when it is sound."""
    return (
        *_id_problems(template),
        *_link_problems(template),
        *_count_problems(template),
        *_card_problems(template),
        *_colour_problems(template),
        *boat_problems(template),
        *city_problems(template),
    )


def edition_problems(edition: Edition, template: MapTemplate) -> tuple[str, ...]:
    """Every reason why ``edition`` cannot be a print of ``template``; empty when it can."""
    found = []
    known = set(template.ids)
    if edition.map != template.id:
        found.append(f"it is for the map {edition.map!r}, not {template.id!r}")
    found += [f"{region} is not on the map" for region in edition.cells if region not in known]
    found += [f"{region} has no position" for region in template.ids if region not in edition.cells]
    if not RADII[0] <= edition.radius <= RADII[1]:
        found.append(f"a disc radius of {edition.radius:g} board widths is not plausible")
    for region in template.regions:
        place = edition.cells.get(region.id)
        if place is not None and math.dist(place, region.layout) > MAX_SHIFT:
            shift = math.dist(place, region.layout)
            found.append(f"{region.id} lies {shift:.2f} board widths from where the map has it")
    places = list(edition.cells.items())
    for index, (region_id, place) in enumerate(places):
        for other, other_place in places[:index]:
            if math.dist(place, other_place) < edition.radius:
                found.append(f"{other} and {region_id} lie on one another")
    return tuple(found)


def _id_problems(template: MapTemplate) -> list[str]:
    found = [f"{region} is listed {count} times" for region, count in Counter(template.ids).items() if count > 1]
    labels = Counter(region.label for region in template.regions)
    for label, count in labels.items():
        if label and count > 1 and label not in template.shared_labels:
            found.append(f"the label {label!r} is printed {count} times but is not among the shared labels")
    found += [f"the shared label {x!r} is not printed twice" for x in template.shared_labels if labels[x] < 2]
    return found


def _link_problems(template: MapTemplate) -> list[str]:
    links = {region.id: region.neighbours for region in template.regions}
    found = []
    for region, neighbours in links.items():
        found += [f"{region} lists {other} twice" for other, n in Counter(neighbours).items() if n > 1]
        for other in dict.fromkeys(neighbours):
            if other == region:
                found.append(f"{region} lists itself as a neighbour")
            elif other not in links:
                found.append(f"{region} lists {other}, which is not on the map")
            elif region not in links[other]:
                found.append(f"{region} lists {other}, but {other} does not list {region}")
    found += _island_problems(template, links)
    for part in _parts(template):
        cut_off = _unreachable(part)
        if cut_off:
            found.append(f"no way leads from {next(iter(part))} to {', '.join(cut_off)}")
    return found


def _island_problems(template: MapTemplate, links: dict[str, tuple[str, ...]]) -> list[str]:
    found = []
    for island in template.islands:
        if island not in links:
            found.append(f"the island {island} is not on the map")
        elif links[island]:
            found.append(f"{island} is called an island but lists {', '.join(links[island])}")
    return found


def _parts(template: MapTemplate) -> list[dict[str, tuple[str, ...]]]:
    """What must hold together by itself: the whole map, or in New York each borough, for ferries join those."""
    links = {region: template.reach(region) for region in template.ids if region not in template.islands}
    if template.city is None:
        return [links]
    areas = {region.id: region.areas for region in template.regions}
    parts = ({r: near for r, near in links.items() if area in areas[r]} for area in template.areas)
    return [part for part in parts if part]


def _unreachable(links: dict[str, tuple[str, ...]]) -> list[str]:
    """Regions that cannot be reached from the first one, in the map's order."""
    seen: set[str] = set()
    waiting = list(links)[:1]
    while waiting:
        region = waiting.pop()
        if region not in seen:
            seen.add(region)
            waiting += [other for other in links[region] if other in links]
    return [region for region in links if region not in seen]


def _count_problems(template: MapTemplate) -> list[str]:
    counts = (
        ("regions", template.spaces, len(template.regions)),
        ("links", template.links, len(template.edges())),
        ("cards", template.deck, len(template.city.cards if template.city else template.cards)),
    )
    return [
        f"{have} {what} are listed but {said} are printed" for what, said, have in counts if said not in (None, have)
    ]


def _card_problems(template: MapTemplate) -> list[str]:
    regions = {region.id: region for region in template.regions}
    found = []
    for region in template.regions:
        found += [
            f"{region.id} lies in {x!r}, which is not among the areas" for x in region.areas if _alien(template, x)
        ]
    for card in template.cards:
        if _alien(template, card.area):
            found.append(f"the card {card.region} opens {card.area!r}, which is not among the areas")
        if card.region not in regions:
            found.append(f"the card {card.region} is for a region that is not on the map")
        elif card.area not in regions[card.region].areas:
            found.append(f"the card {card.region} opens {card.area!r}, but {card.region} does not lie there")
    repeated = Counter(card.id for card in template.cards)
    found += [f"the card {card} is in the deck {count} times" for card, count in repeated.items() if count > 1]
    return found


def _colour_problems(template: MapTemplate) -> list[str]:
    """On a sheet of Rolling America a die is written in the states of its colour."""
    odd = [f"{r.id} must have one colour, not {len(r.areas)}" for r in template.regions if len(r.areas) != 1]
    odd += ["no areas are listed, which are the colours of the dice"] * (not template.areas)
    return odd if odd and game_of(template.rules) == SHEETS else []


def _alien(template: MapTemplate, area: str) -> bool:
    return bool(template.areas) and area not in template.areas
