"""The house rulings of a home edition, told in words: what its file settles where the printed rules are not known."""

from __future__ import annotations

from collections.abc import Iterator

from ontour_cv.maps.city import INSTRUMENTS, Boats, City
from ontour_cv.maps.model import MapTemplate


def house_rulings(template: MapTemplate) -> tuple[str, ...]:
    """Every house ruling of the map, one sentence each, made from its data; none for a map without open questions."""
    told: list[str] = []
    if template.boats is not None:
        told += _boats(template, template.boats)
    if template.city is not None:
        told += _city(template, template.city)
    return tuple(told)


def _boats(template: MapTemplate, boats: Boats) -> Iterator[str]:
    most = boats.most_stops
    far = f"to one at most {most} stops along the river" if most else "to any other"
    yield f"A route may go by boat from any stop {far}; the numbers never fall there either."
    yield f"Boats stop in {', '.join(boats.stops)}."
    yield f"The deck has {len(template.cards)} cards: each space has one for each area it lies in."
    yield "In the setup a card of a space that has a number already is put back, and another is flipped."


def _city(template: MapTemplate, city: City) -> Iterator[str]:
    yield _when(city)
    ferries = city.ferries
    where = "two neighbourhoods at the same water" if ferries.same_water else "any two that are not landlocked"
    yield f"A ferry joins {where}, in different boroughs, each pair once."
    limits = [f"{ferries.per_place} at a neighbourhood"] * bool(ferries.per_place)
    limits += [f"{ferries.per_board} on a board"] * bool(ferries.per_board)
    yield f"At most {' and '.join(limits)}." if limits else "There may be any number of ferries."
    opens = "opens every borough, without a soloist" if ferries.card_opens else "opens no borough"
    yield f"For writing, a ferry card {opens}."
    yield f"Central Park is surrounded by {', '.join(city.park)}; its star goes into any empty neighbourhood."
    if city.park_counts_x:
        yield "An X round Central Park counts as filled."
    else:
        yield "With an X round Central Park there is no star for it."
    yield _tracks(city)
    have = sum(bool(card.soloist) for card in city.cards)
    ferry = sum(card.ferry for card in city.cards)
    yield f"The deck has {len(city.cards)} cards: {ferry} with a ferry, {have} with a soloist."


def _when(city: City) -> str:
    ways = ["a ferry card lies open"] * city.ferries.with_card
    ways += ["the three cards have a borough in common"] * city.ferries.common_borough
    return f"A ferry may be drawn instead of writing when {' or when '.join(ways)}."


def _tracks(city: City) -> str:
    rows: dict[tuple[int, ...], list[str]] = {}
    for letter, row in city.tracks.items():
        rows.setdefault(row, []).append(INSTRUMENTS[letter])
    told = [f"{', '.join(names)}: {' '.join(map(str, row))}" for row, names in rows.items()]
    return f"The rows of soloists: {'; '.join(told)}."
