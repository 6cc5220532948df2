"""Map templates from TOML and printed editions from JSON, validated as they are read."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ontour_cv import resources
from ontour_cv.errors import BadTemplate
from ontour_cv.maps.check import edition_problems, map_problems
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.fields import Fields
from ontour_cv.maps.load_city import read_city
from ontour_cv.maps.model import Box, Card, MapTemplate, Region

NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
"""What ids of maps and names of editions look like; they become parts of file names."""

EDITION_VERSION = 1
"""Version of the calibration file's form."""


class NoSuchMap(BadTemplate):
    """No map has that id in the folders looked in."""


def map_ids(search: Sequence[Path] = ()) -> tuple[str, ...]:
    """Ids of all maps there are, sorted: in the folders ``search``, in those of ``resources.map_dirs``."""
    folders = (*search, *resources.map_dirs())
    return tuple(
        sorted({path.stem for folder in folders for path in folder.glob("*.toml") if NAME.fullmatch(path.stem)})
    )


def load_map(map_id: str, search: Sequence[Path] = ()) -> MapTemplate:
    """The map called ``map_id``, looked for in ``search`` first.

    Raises:
        NoSuchMap: there is none.
        BadTemplate: its file is wrong.
    """
    if NAME.fullmatch(map_id):
        for folder in (*search, *resources.map_dirs()):
            path = folder / f"{map_id}.toml"
            if path.is_file():
                found = path.stat()
                return _unchanged(path, found.st_ino, found.st_mtime_ns, found.st_size)
    ids = map_ids(search)
    close = _resembling(map_id, ids)
    ask = f"Did you mean {' or '.join(close)}? " if close else ""
    raise NoSuchMap(f"there is no map called {map_id!r}", f"{ask}Maps there are: {', '.join(ids) or 'none'}.")


def map_called(name: str) -> str:
    """The id of the one map whose id is ``name`` or begins so, in small letters or large; else ``name`` as it is."""
    ids, wanted = map_ids(), name.strip().casefold()
    found = [map_id for map_id in ids if map_id == wanted] or [map_id for map_id in ids if map_id.startswith(wanted)]
    return found[0] if wanted and len(found) == 1 else name


def _resembling(name: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Ids that somebody who typed ``name`` may mean: they begin so, or it is misspelt."""
    from difflib import get_close_matches

    typed, words = name.casefold(), {map_id.removesuffix("-home"): map_id for map_id in ids}
    words = {map_id.partition("-")[0]: map_id for map_id in ids} | words
    begins = [map_id for map_id in ids if typed and map_id.startswith(typed)]
    misspelt = get_close_matches(typed.removesuffix("-home"), words, cutoff=0.7)
    return tuple(dict.fromkeys([*begins, *(words[word] for word in misspelt)]))


@lru_cache(maxsize=32)
def _unchanged(path: Path, *stamp: int) -> MapTemplate:
    """The map in a file that was not touched since it was read; the dealer asks for it twice a roll."""
    return read_map(path)


def read_map(path: Path) -> MapTemplate:
    """The map in the file ``path``; ``BadTemplate`` names the file and the field that is wrong."""
    fields = Fields(parse_file(path, tomllib.loads, tomllib.TOMLDecodeError), path.name)
    printed = Fields(fields.take("printed", dict, "a table"), f"{path.name}, printed")
    tables = fields.take("region", list, "a list of [[region]] tables")
    regions: list[Region] = []
    cards: list[Card] = []
    waters: dict[str, tuple[str, ...]] = {}
    for number, table in enumerate(tables, start=1):
        _region(table, f"{path.name}, region {number}", regions, cards, waters)
    city = read_city(fields, path.name, waters)
    template = MapTemplate(
        id=fields.text("id"),
        title=fields.text("title"),
        published=fields.flag("published"),
        rules=fields.text("rules"),
        links=printed.integer("links"),
        regions=tuple(regions),
        cards=tuple(cards),
        areas=fields.texts("areas"),
        shared_labels=fields.texts("shared_labels") if fields.has("shared_labels") else (),
        spaces=printed.integer("regions"),
        deck=printed.integer("cards"),
        islands=fields.texts("islands") if fields.has("islands") else (),
        boxes=_boxes(fields, path.name) if fields.has("boxes") else (),
        **_words(fields),
        boats=city.boats,
        city=city.city,
    )
    fields.done()
    printed.done()
    if template.id != path.stem:
        raise fields.wrong(f"'id' is {template.id!r}; expected {path.stem!r}, as the file is called")
    _refuse(path, map_problems(template))
    return template


def printed_map_ids(search: Sequence[Path] = ()) -> tuple[str, ...]:
    """Ids of the maps of which a print may be known, sorted; no other file need be read to look for a board."""
    folders = (*search, *resources.calibration_dirs())
    files = [path for folder in folders for path in folder.glob("*.json")]
    return tuple(map_id for map_id in map_ids(search) if any(path.name.startswith(f"{map_id}-") for path in files))


def load_editions(map_id: str, search: Sequence[Path] = ()) -> tuple[Edition, ...]:
    """All known prints of a map, sorted by name.

    Args:
        map_id: which map.
        search: more folders with templates and calibrations; an edition there stands before the project's own of the
            same name.

    Raises:
        BadTemplate: the map or one of the files is wrong.
    """
    template = load_map(map_id, search)
    found: dict[str, Edition] = {}
    for folder in (*search, *resources.calibration_dirs()):
        here: dict[str, Edition] = {}
        for path in sorted(folder.glob(f"{map_id}-*.json")):
            if path.stem.removeprefix(f"{map_id}-") not in found and _is_for(path, map_id):
                edition = read_edition(path, template)
                here[edition.name] = edition
        found = here | found
    return tuple(found[name] for name in sorted(found))


def read_edition(path: Path, template: MapTemplate) -> Edition:
    """The printed edition in the file ``path``; ``BadTemplate`` names the file and the field that is wrong."""
    fields = Fields(parse_file(path, json.loads, json.JSONDecodeError), path.name)
    version = fields.integer("version")
    if version != EDITION_VERSION:
        raise fields.wrong(f"'version' is {version}; this program knows version {EDITION_VERSION}")
    if fields.has("residuals"):
        fields.take("residuals", dict, "a table")
    sums = _sums(fields) if fields.has("sums") else ()
    places = Fields(fields.take("cells", dict, "a table of region: [x, y]"), f"{path.name}, cells")
    edition = Edition(
        map=fields.text("map"),
        name=fields.text("name"),
        title=fields.text("title"),
        cells=_in_map_order({region: places.point(region) for region in places.rest()}, template),
        radius=fields.number("radius"),
        measured=fields.text("measured"),
        sums=sums,
        boxed=template.city is not None,
    )
    fields.done()
    if path.stem != f"{edition.map}-{edition.name}":
        raise fields.wrong(f"'map' and 'name' ask for the file name {edition.map}-{edition.name}.json")
    _refuse(path, edition_problems(edition, template))
    return edition


def _sums(fields: Fields) -> tuple[tuple[float, float, float, float], ...]:
    """Three boxes for the score, each its middle, width and height."""
    expected = "three lists [x, y, width, height]"
    found = fields.take("sums", list, expected)
    for box in found:
        numbers = isinstance(box, list) and len(box) == 4 and all(isinstance(v, int | float) for v in box)
        if not numbers or min(box[2:]) <= 0:
            raise fields.wrong(f"'sums' holds {box!r}; expected {expected}")
    if len(found) != 3:
        raise fields.wrong(f"'sums' holds {len(found)} boxes; expected {expected}")
    return tuple((float(x), float(y), float(w), float(h)) for x, y, w, h in found)


def _region(
    table: object, where: str, regions: list[Region], cards: list[Card], waters: dict[str, tuple[str, ...]]
) -> None:
    """Add the region of a table, its cards, and the waters it lies at."""
    fields = Fields(table, where)
    region_id = fields.text("id")
    fields.where = f"{where} ({region_id})"
    if not re.fullmatch(r"[A-Z][A-Z0-9]*", region_id):
        raise fields.wrong("'id' must be capital letters and digits, a letter first")
    region = Region(
        id=region_id,
        name=fields.text("name"),
        label=fields.text("label") if fields.has("label") else "",
        areas=fields.texts("areas"),
        neighbours=tuple(sorted(fields.texts("neighbours"))),
        layout=fields.point("layout"),
        outline=fields.points("outline") if fields.has("outline") else (),
    )
    regions.append(region)
    if fields.has("card"):
        cards.append(Card(region_id, fields.text("card")))
    if fields.has("cards"):
        cards += [Card(region_id, area, f"{region_id}/{area}") for area in fields.texts("cards")]
    waters[region_id] = fields.texts("waters") if fields.has("waters") else ()
    fields.done()


def _words(fields: Fields) -> dict[str, str]:
    """What players call a region, and several; the map names both words or neither."""
    if not (fields.has("space") or fields.has("space_plural")):
        return {}
    return {"space": fields.text("space"), "space_plural": fields.text("space_plural")}


def _boxes(fields: Fields, name: str) -> tuple[Box, ...]:
    boxes = Fields(fields.take("boxes", dict, "a table of box: [left, top, right, bottom]"), f"{name}, boxes")
    return tuple(Box(key, *boxes.rectangle(key)) for key in boxes.rest())


def _in_map_order(cells: dict[str, tuple[float, float]], template: MapTemplate) -> dict[str, tuple[float, float]]:
    known = {region: cells[region] for region in template.ids if region in cells}
    return known | cells


def _is_for(path: Path, map_id: str) -> bool:
    """False for a file of a longer map id: ``europe-home-2020.json`` is none of the map ``europe``."""
    table: Any = parse_file(path, json.loads, json.JSONDecodeError)
    return not (isinstance(table, dict) and str(table.get("map")).startswith(f"{map_id}-"))


def parse_file(path: Path, parse: Callable[[str], object], error: type[ValueError]) -> object:
    """What ``parse``, which raises ``error``, makes of a file's text; ``BadTemplate`` when it cannot be read."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise BadTemplate(f"{path.name} cannot be read: {fault.strerror}", "Check the file.") from fault
    except UnicodeDecodeError as fault:
        raise BadTemplate(f"{path.name} is not UTF-8 text", "Save it as UTF-8.") from fault
    except error as fault:
        raise BadTemplate(f"{path.name} does not parse: {fault}", "Correct the file.") from fault


def _refuse(path: Path, problems: tuple[str, ...]) -> None:
    if problems:
        more = f" (and {len(problems) - 5} more)" if len(problems) > 5 else ""
        raise BadTemplate(f"{path.name}: {'; '.join(problems[:5])}{more}", "Correct the file.")
