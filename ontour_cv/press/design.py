"""How a map's board is designed: where discs, coasts and furniture lie, in board widths; from TOML, or made up."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ontour_cv import resources
from ontour_cv.errors import BadTemplate
from ontour_cv.maps.fields import Fields
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.drawing import Point, rectangle

ASPECT = 0.7
"""Height of every board over its width: as large as fits on two sheets of A4 or of Letter side by side."""

RADII = (0.028, 0.3)
"""Largest disc radius of a board nobody designed: board widths, and share of the least distance between two discs."""

WINDOW = (0.045, 0.045, 0.955, 0.555)
"""Where the discs of a board nobody designed lie; the furniture stands below."""

PANELS = ("left", "bottom")
"""Where title, legend, rules and score boxes may stand."""

Outlines = Mapping[str, tuple[Point, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class BoardDesign:
    """The design of one map's board. Lengths in board widths, x right and y down from the top left corner.

    Attributes:
        panel: where the furniture stands, one of ``PANELS``.
        radius: of a disc.
        place: what one region is called, ``"state"``, as the map says.
        places: what several are called.
        discs: region id -> centre, in the map's order.
        bends: link ``"A-B"`` -> how far its middle lies to the left of the straight way, in link lengths.
        land: name -> coast.
        water: name -> lake.
        plain: name -> land that is not played.
        seeds: region id -> more points that belong to it.
        green: name -> park.
        piers: region id -> the place at the water where its boats stop.
        words: name of a water -> where it is written.
        ticks: region id -> its boxes to tick for a soloist: left, top, and how many stand in a row (1, 2 or 4).
        rows: top left corner of the soloists' rows and the score boxes of a city; None without.
    """

    panel: str
    radius: float
    place: str
    places: str
    discs: Mapping[str, Point]
    bends: Mapping[str, float]
    land: Outlines
    water: Outlines
    plain: Outlines
    seeds: Mapping[str, tuple[Point, ...]]
    green: Outlines = field(default_factory=dict)
    piers: Mapping[str, Point] = field(default_factory=dict)
    words: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    ticks: Mapping[str, tuple[float, float, int]] = field(default_factory=dict)
    rows: Point | None = None


def load_design(template: MapTemplate) -> BoardDesign:
    """The map's design from ``boards/<map>.toml``, or one made from its layout; ``BadTemplate`` for a wrong file."""
    for folder in resources.map_dirs():
        if (folder / f"{template.id}.toml").is_file():
            path = folder / "boards" / f"{template.id}.toml"
            return read_design(path, template) if path.is_file() else made_up(template)
    return made_up(template)


def read_design(path: Path, template: MapTemplate) -> BoardDesign:
    """The design in the file ``path``; ``BadTemplate`` names the file and the field that is wrong."""
    try:
        fields = Fields(tomllib.loads(path.read_text(encoding="utf-8")), f"boards/{path.name}")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise BadTemplate(f"boards/{path.name} does not parse: {fault}", "Correct the file.") from fault
    panel = fields.text("panel")
    if panel not in PANELS:
        raise fields.wrong(f"'panel' is {panel!r}; expected one of {', '.join(PANELS)}")
    centres = _places(fields, "discs", template)
    if missing := [region for region in template.ids if region not in centres]:
        raise fields.wrong(f"'discs' lacks {', '.join(missing)}")
    bends = _table(fields, "bends")
    grown = _outlines(fields, "seeds", 1)
    _know(fields, "seeds", grown, template)
    piers = _places(fields, "piers", template)
    if (stops := template.boats.stops if template.boats else ()) and set(piers) != set(stops):
        raise fields.wrong(f"'piers' names {', '.join(piers) or 'none'}; the map's boats stop at {', '.join(stops)}")
    design = BoardDesign(
        panel=panel,
        radius=fields.number("radius"),
        place=template.space,
        places=template.space_plural,
        discs={region: centres[region] for region in template.ids},
        bends={key: bends.number(key) for key in bends.rest()},
        land=_outlines(fields, "land"),
        water=_outlines(fields, "water"),
        plain=_outlines(fields, "plain"),
        seeds=grown,
        green=_outlines(fields, "green"),
        piers=piers,
        words=_outlines(fields, "words", 1),
        ticks=_ticks(fields, template),
        rows=fields.point("rows") if fields.has("rows") else None,
    )
    fields.done()
    return design


def made_up(template: MapTemplate) -> BoardDesign:
    """A design for a map without one: its layout fitted into the window, as large as neighbours allow.

    Raises:
        BadTemplate: two discs would lie at the same place.
    """
    left, top, right, bottom = WINDOW
    xs, ys = ([region.layout[axis] for region in template.regions] for axis in (0, 1))
    wide, high = max(max(xs) - min(xs), 1e-6), max(max(ys) - min(ys), 1e-6)
    scale = min((right - left) / wide, (bottom - top) / high, 1.0)
    x0, y0 = (left + right - scale * (min(xs) + max(xs))) / 2, (top + bottom - scale * (min(ys) + max(ys))) / 2
    discs = {r.id: (x0 + scale * r.layout[0], y0 + scale * r.layout[1]) for r in template.regions}
    spots = list(discs.values())
    closest = min((math.dist(one, other) for k, one in enumerate(spots) for other in spots[:k]), default=1.0)
    radius = round(min(RADII[0], RADII[1] * closest), 4)
    if not radius and not any(region.outline for region in template.regions):
        one, other = _nearest(discs)
        message = f"the map {template.title} has {one} and {other} at the same place, so no board can be drawn"
        raise BadTemplate(message, f"Give each a 'layout' of its own in {template.id}.toml.")
    frame = rectangle(left - 0.03, top - 0.03, right + 0.03, bottom + 0.03)
    return BoardDesign("bottom", radius, template.space, template.space_plural, discs, {}, {"board": frame}, {}, {}, {})


def _nearest(discs: Mapping[str, Point]) -> tuple[str, str]:
    """The two regions whose discs lie nearest to one another, in the map's order."""
    return min(itertools.combinations(discs, 2), key=lambda pair: math.dist(discs[pair[0]], discs[pair[1]]))


def _table(fields: Fields, key: str) -> Fields:
    table = fields.take(key, dict, "a table") if fields.has(key) else {}
    return Fields(table, f"{fields.where}, {key}")


def _places(fields: Fields, key: str, template: MapTemplate) -> dict[str, Point]:
    table = _table(fields, key)
    places = {region: table.point(region) for region in table.rest()}
    _know(fields, key, places, template)
    return places


def _ticks(fields: Fields, template: MapTemplate) -> dict[str, tuple[float, float, int]]:
    blocks = _outlines(fields, "ticks", 2)
    _know(fields, "ticks", blocks, template)
    if any(columns not in (1, 2, 4) for _, (columns, _rows) in blocks.values()):
        raise fields.wrong("'ticks' needs [[left, top], [columns, rows]] with 1, 2 or 4 columns")
    return {region: (*corner, int(columns)) for region, (corner, (columns, _rows)) in blocks.items()}


def _outlines(fields: Fields, key: str, least: int = 3) -> Outlines:
    table = _table(fields, key)
    return {table.on_one_line(key, name): _points(table, name, least) for name in table.rest()}


def _points(fields: Fields, key: str, least: int) -> tuple[Point, ...]:
    values = fields.take(key, list, "a list of pairs [x, y]")
    table = Fields({str(k): value for k, value in enumerate(values)}, f"{fields.where}, {key}")
    if len(values) < least:
        raise fields.wrong(f"{key!r} holds {len(values)} points; expected {least} or more")
    return tuple(table.point(str(k)) for k in range(len(values)))


def _know(fields: Fields, key: str, named: Mapping[str, object], template: MapTemplate) -> None:
    strange = [region for region in named if region not in template.ids]
    if strange:
        raise fields.wrong(f"{key!r} names {', '.join(strange)}, which the map does not have")
