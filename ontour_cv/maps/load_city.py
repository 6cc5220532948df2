"""The parts of a map's file that only city maps have: boats, and all that New York adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ontour_cv.maps.city import INSTRUMENTS, Boats, City, CityCard, Ferries
from ontour_cv.maps.fields import Fields

LETTERS = {name: letter for letter, name in INSTRUMENTS.items()}


@dataclass(frozen=True, slots=True)
class CityTables:
    """What is taken out of a map's file, besides what every map has."""

    boats: Boats | None
    city: City | None


def read_city(fields: Fields, name: str, waters: Mapping[str, tuple[str, ...]]) -> CityTables:
    """The city tables of a map's file, as far as it has them.

    Args:
        fields: the file's fields.
        name: the file's name.
        waters: region id -> the waters it lies at.

    Raises:
        BadTemplate: names the table and the field that is wrong.
    """
    return CityTables(
        _boats(fields, name) if fields.has("boats") else None,
        _city(fields, name, waters) if fields.has("city") else None,
    )


def _boats(fields: Fields, name: str) -> Boats:
    table = Fields(fields.take("boats", dict, "a table"), f"{name}, boats")
    boats = Boats(table.texts("stops"), table.integer("most_stops"))
    table.done()
    return boats


def _city(fields: Fields, name: str, waters: Mapping[str, tuple[str, ...]]) -> City:
    table = Fields(fields.take("city", dict, "a table"), f"{name}, city")
    cards = fields.take("card", list, "a list of [[card]] tables")
    city = City(
        waters=dict(waters),
        cards=tuple(_card(card, f"{name}, card {number}") for number, card in enumerate(cards, start=1)),
        park=table.texts("park"),
        park_counts_x=table.flag("park_counts_x"),
        bonus=table.integer("bonus"),
        tracks=_tracks(fields, name),
        ferries=_ferries(fields, name),
    )
    table.done()
    return city


def _tracks(fields: Fields, name: str) -> dict[str, tuple[int, ...]]:
    table = Fields(fields.take("tracks", dict, "a table of instrument: [numbers]"), f"{name}, tracks")
    tracks = {letter: table.integers(instrument) for letter, instrument in INSTRUMENTS.items()}
    table.done()
    return tracks


def _ferries(fields: Fields, name: str) -> Ferries:
    table = Fields(fields.take("ferry", dict, "a table"), f"{name}, ferry")
    ferries = Ferries(
        with_card=table.flag("with_card"),
        common_borough=table.flag("common_borough"),
        card_opens=table.flag("card_opens"),
        same_water=table.flag("same_water"),
        per_place=table.integer("per_place"),
        per_board=table.integer("per_board"),
    )
    table.done()
    return ferries


def _card(table: object, where: str) -> CityCard:
    fields = Fields(table, where)
    card_id = fields.text("id")
    fields.where = f"{where} ({card_id})"
    if fields.has("ferry"):
        if not fields.flag("ferry"):
            raise fields.wrong("'ferry' is false; leave it away on a card with boroughs")
        fields.done()
        return CityCard(card_id, ())
    boroughs = fields.texts("boroughs")
    if not boroughs:
        raise fields.wrong("'boroughs' is empty; a card without boroughs is a ferry card: ferry = true")
    soloist, place = "", ""
    if fields.has("soloist"):
        instrument, place = fields.text("soloist"), fields.text("soloist_in")
        if instrument not in LETTERS:
            raise fields.wrong(f"'soloist' is {instrument!r}; expected {', '.join(LETTERS)}")
        if place not in boroughs:
            raise fields.wrong(f"'soloist_in' is {place!r}, which is not among its boroughs")
        soloist = LETTERS[instrument]
    fields.done()
    return CityCard(card_id, boroughs, soloist, place)
