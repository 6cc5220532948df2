"""``ontour-cv maps``: the maps there are, and one of them in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.cli.board_input import JsonOption, full_map_id
from ontour_cv.cli.console import counted, make_console, print_json, print_paragraph
from ontour_cv.maps.city import INSTRUMENTS, City
from ontour_cv.maps.load import load_editions, load_map, map_ids
from ontour_cv.maps.model import MapTemplate
from ontour_cv.maps.rulings import house_rulings
from ontour_cv.maps.shape import map_shape
from ontour_cv.rules import VARIANTS, differences, variant_table, variants_for

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.maps.edition import Edition


def maps(
    name: Annotated[
        str | None, typer.Argument(metavar="MAP", callback=full_map_id, help="Show this map in full.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the maps and the variants of the rules, or show one map: its spaces, links, cards and known editions."""
    if name is None:
        found = [(load_map(map_id), load_editions(map_id)) for map_id in map_ids()]
        if as_json:
            print_json([_summary(template, editions) for template, editions in found])
        else:
            _show_list(found, make_console())
        return
    template, editions = load_map(name), load_editions(name)
    if as_json:
        print_json(_summary(template, editions) | {"regions": _regions(template)} | _city(template))
    else:
        _show_map(template, editions, make_console())


def _summary(template: MapTemplate, editions: tuple[Edition, ...]) -> dict[str, object]:
    return {
        "id": template.id,
        "title": template.title,
        "published": template.published,
        "rules": template.rules,
        "variants": {key: variant_table(VARIANTS[key]) for key in variants_for(template.rules)},
        "counts": {
            "regions": len(template.regions),
            "links": len(template.edges()),
            "cards": _deck(template),
        },
        "rulings": list(house_rulings(template)),
        "areas": list(template.areas),
        "editions": [{"name": e.name, "title": e.title, "radius": e.radius, "measured": e.measured} for e in editions],
    }


def _deck(template: MapTemplate) -> int:
    return len(template.city.cards if template.city else template.cards)


def _regions(template: MapTemplate) -> dict[str, object]:
    city = template.city
    return {
        region.id: {
            "name": region.name,
            "label": region.label,
            "areas": list(region.areas),
            "card": next(iter(_cards(template, region.id)), None),
            "neighbours": list(region.neighbours),
        }
        | ({"cards": _cards(template, region.id)} if template.boats else {})
        | ({"boats": list(template.boats.reach(region.id))} if template.boats else {})
        | ({"waters": list(city.waters[region.id])} if city else {})
        for region in template.regions
    }


def _city(template: MapTemplate) -> dict[str, object]:
    """What only a map of New York has."""
    city = template.city
    if city is None:
        return {}
    return {
        "deck": [
            {
                "id": card.id,
                "boroughs": list(card.boroughs),
                "ferry": card.ferry,
                "soloist": INSTRUMENTS.get(card.soloist),
                "soloist_in": card.soloist_in or None,
            }
            for card in city.cards
        ],
        "park": list(city.park),
        "bonus": city.bonus,
        "tracks": {INSTRUMENTS[letter]: list(row) for letter, row in city.tracks.items()},
    }


def _cards(template: MapTemplate, region: str) -> list[str]:
    return [card.area for card in template.cards if card.region == region]


def _show_list(found: list[tuple[MapTemplate, tuple[Edition, ...]]], console: Console) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, justify in (("Map", "left"), ("Title", "left"), ("Spaces", "right"), ("Links", "right")):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    table.add_column("Cards", justify="right")
    table.add_column("Editions")
    for template, editions in found:
        sizes = (len(template.regions), len(template.edges()), _deck(template))
        names = ", ".join(edition.name for edition in editions) or "-"
        table.add_row(template.id, template.title, *(str(size or "-") for size in sizes), names)
    console.print(table)
    homes = ", ".join(template.id for template, _ in found if not template.published)
    if homes:
        print_paragraph(f"Home editions, whose printed maps are not known: {homes}.", console)
    for template, _ in found:
        _tell_unknown_rules(template, console)
    _show_rules(tuple(VARIANTS), console)


def _tell_unknown_rules(template: MapTemplate, console: Console) -> None:
    if template.rules not in VARIANTS:
        text = f"{template.id} is played by rules {template.rules!r}, which are not known: its boards are not scored."
        print_paragraph(text, console)


def _show_rules(keys: tuple[str, ...], console: Console) -> None:
    """A line per variant: its key, its title, and what it changes."""
    from rich.markup import escape

    for key in keys:
        changed = "; ".join(differences(VARIANTS[key]))
        text = VARIANTS[key].title + (f": {changed}" if changed else "")
        console.print(f"[bold]Rules {key}[/]: {escape(text)}", soft_wrap=not console.is_terminal)


def _show_map(template: MapTemplate, editions: tuple[Edition, ...], console: Console) -> None:
    from rich.markup import escape
    from rich.table import Table

    drawn = counted(_deck(template), "card") if _deck(template) else counted(len(template.areas), "colour")
    sizes = f"{template.counted(len(template.regions))}, {counted(len(template.edges()), 'link')}, {drawn}"
    console.print(f"[bold]{escape(template.title)}[/]: {sizes}; rules: {template.rules}")
    if not template.published:
        console.print("A home edition: the printed map is not known, and this is no copy of it.")
    _tell_unknown_rules(template, console)
    _show_rules(variants_for(template.rules), console)
    for number, ruling in enumerate(house_rulings(template), start=1):
        console.print(f"House ruling {number}: {escape(ruling)}", soft_wrap=not console.is_terminal)
    table = Table(box=None, pad_edge=False, header_style="bold")
    city = template.city
    for heading in ("Id", "Name", "Printed", "Areas", "Waters" if city else "Card", "Neighbours"):
        table.add_column(heading)
    for region in template.regions:
        areas = "/".join(region.areas)
        neighbours = " ".join(region.neighbours)
        extra = city.waters[region.id] if city else _cards(template, region.id)
        table.add_row(region.id, region.name, region.label or "-", areas, ", ".join(extra) or "-", neighbours or "-")
    console.print(table)
    if city:
        _show_city_cards(city, console)
    else:
        _show_shape(template, console)
    for edition in editions:
        console.print(f"[bold]Edition {escape(edition.name)}[/]: {escape(edition.title)}. {escape(edition.measured)}")


def _show_city_cards(city: City, console: Console) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Card", "Boroughs", "Soloist"):
        table.add_column(heading)
    for card in city.cards:
        soloist = f"{INSTRUMENTS[card.soloist]} in {card.soloist_in}" if card.soloist else "-"
        table.add_row(card.id, ", ".join(card.boroughs) or "ferry", soloist)
    console.print(table)


def _show_shape(template: MapTemplate, console: Console) -> None:
    shape = map_shape(template)
    console.print(f"Farthest apart: {' and '.join(shape.ends)}, {counted(shape.longest, 'link')}.", end=" ")
    console.print(f"Dead ends: {' '.join(shape.dead_ends) or 'none'}. Narrows: {' '.join(shape.narrows) or 'none'}.")
