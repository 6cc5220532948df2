"""``ontour-cv maps``: the maps there are, and one of them in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.cli.board_input import JsonOption
from ontour_cv.cli.console import make_console, print_json
from ontour_cv.maps.load import load_editions, load_map, map_ids
from ontour_cv.maps.model import MapTemplate
from ontour_cv.maps.shape import map_shape
from ontour_cv.rules import VARIANTS, differences, variant_table, variants_for

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.maps.edition import Edition


def maps(
    name: Annotated[str | None, typer.Argument(metavar="MAP", help="Show this map in full.")] = None,
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
        print_json(_summary(template, editions) | {"regions": _regions(template)})
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
            "cards": len(template.cards),
        },
        "areas": list(template.areas),
        "editions": [{"name": e.name, "title": e.title, "radius": e.radius, "measured": e.measured} for e in editions],
    }


def _regions(template: MapTemplate) -> dict[str, object]:
    cards = {card.region: card.area for card in template.cards}
    return {
        region.id: {
            "name": region.name,
            "label": region.label,
            "areas": list(region.areas),
            "card": cards.get(region.id),
            "neighbours": list(region.neighbours),
        }
        for region in template.regions
    }


def _show_list(found: list[tuple[MapTemplate, tuple[Edition, ...]]], console: Console) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, justify in (("Map", "left"), ("Title", "left"), ("Spaces", "right"), ("Links", "right")):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    table.add_column("Cards", justify="right")
    table.add_column("Editions")
    for template, editions in found:
        sizes = (len(template.regions), len(template.edges()), len(template.cards))
        names = ", ".join(edition.name for edition in editions) or "-"
        table.add_row(template.id, template.title, *(str(size or "-") for size in sizes), names)
    console.print(table)
    homes = ", ".join(template.id for template, _ in found if not template.published)
    if homes:
        console.print(f"Home editions, whose printed maps are not known: {homes}.", soft_wrap=True)
    _show_rules(tuple(VARIANTS), console)


def _show_rules(keys: tuple[str, ...], console: Console) -> None:
    """A line per variant: its key, its title, and what it changes."""
    from rich.markup import escape

    for key in keys:
        changed = "; ".join(differences(VARIANTS[key]))
        text = VARIANTS[key].title + (f": {changed}" if changed else "")
        console.print(f"[bold]Rules {key}[/]: {escape(text)}", soft_wrap=True)


def _show_map(template: MapTemplate, editions: tuple[Edition, ...], console: Console) -> None:
    from rich.markup import escape
    from rich.table import Table

    drawn = f"{len(template.cards)} cards" if template.cards else f"{len(template.areas)} colours"
    sizes = f"{template.counted(len(template.regions))}, {len(template.edges())} links, {drawn}"
    console.print(f"[bold]{escape(template.title)}[/]: {sizes}; rules: {template.rules}")
    if not template.published:
        console.print("A home edition: the printed map is not known, and this is no copy of it.")
    _show_rules(variants_for(template.rules), console)
    cards = {card.region: card.area for card in template.cards}
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Id", "Name", "Printed", "Areas", "Card", "Neighbours"):
        table.add_column(heading)
    for region in template.regions:
        areas = "/".join(region.areas)
        neighbours = " ".join(region.neighbours)
        label, card = region.label or "-", cards.get(region.id, "-")
        table.add_row(region.id, region.name, label, areas, card, neighbours or "-")
    console.print(table)
    shape = map_shape(template)
    console.print(f"Farthest apart: {' and '.join(shape.ends)}, {shape.longest} links.", end=" ")
    console.print(f"Dead ends: {' '.join(shape.dead_ends) or 'none'}. Narrows: {' '.join(shape.narrows) or 'none'}.")
    for edition in editions:
        console.print(f"[bold]Edition {escape(edition.name)}[/]: {escape(edition.title)}. {escape(edition.measured)}")
