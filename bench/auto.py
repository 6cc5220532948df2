"""``--map auto``: which map a photo shows, over all maps; rotated, cut off, and of other games. Wanted: none wrong.

Usage: python -m bench.auto [--photos 1280] [--start N] [--stop N] [--strokes DIR] [--backgrounds DIR]

A row a photo, written as it comes; a stopped run goes on, and parts may be measured in any order. Then docs/auto.md is
written from all rows.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.accuracy import SEED
from bench.measure import PLACED_RADII
from bench.photos import UNKNOWN_EDITIONS, Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import Share, quantile, table
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map, printed_map_ids
from ontour_cv.press.design import load_design
from ontour_cv.scorer.score import AUTO, known_prints
from ontour_cv.scorer.strangers import is_stranger
from ontour_cv.synth.decoys import DECOYS, make_decoy
from ontour_cv.synth.photograph import Settings, render, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.play_city import play_city
from ontour_cv.synth.printed import Print, make_print
from ontour_cv.synth.sheet_photo import render_sheet
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register
from ontour_cv.vision.sheet_model import SheetModel, sheet_model
from ontour_cv.vision.sheet_place import locate_sheet, obvious

PAGE = Path(__file__).resolve().parent.parent / "docs" / "auto.md"
TIERS = ("ordinary", "hard")
SHEET = "rolling-america"
CELL = 0.02
"""Radius that stands for a sheet's cells, sheet widths; half of it is a third of the narrowest cell."""

CITIES, CITIES_FROM = ("Paris", "New York"), 1000
"""How the cities' kinds begin, and the first photo of them: they came last, and rows from before stay as they are."""

CUT = (0.08, 0.6)
"""Least and largest share of the board's width or height that a cut photo lacks."""

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A photo, and what is true of it.

    Attributes:
        image: ``(H, W, 3)`` uint8 BGR.
        map: id of the map it shows; None when it shows none.
        centres: region id -> its middle in photo pixels, of discs or cells inside the picture; empty without a map.
        radius: the discs' radius, photo pixels; of a sheet that of its cells.
    """

    image: Image
    map: str | None
    centres: Mapping[str, tuple[float, float]]
    radius: float


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks, and write the page."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds)
    writer = RowWriter(options.out)
    for k in range(options.start, options.photos if options.stop is None else options.stop):
        key = f"auto-{options.seed}-{k:05d}"
        if key not in writer:
            row = measure_one(studio, k, key)
            writer.append(row)
            if verdict(row) == "wrong" or k % 25 == 24:
                print(f"{key}: {row['kind']}, {verdict(row)}, read as {row['found']}", file=sys.stderr, flush=True)
    if options.out == RESULTS / "auto.jsonl":
        PAGE.write_text(page(read_rows(options.out)), encoding="utf-8")


def measure_one(studio: Studio, k: int, key: str) -> Row:
    """One photo, and what it was taken for."""
    kind, tier = kind_of(k)
    rng = studio.rng("auto", k)
    shown = turned(KINDS[kind](studio, tier, rng), int(rng.integers(4)))
    began = time.process_time()
    found, centres = recognise(Photo(key, shown.image))
    spent = time.process_time() - began
    off = [np.hypot(*np.subtract(centres[r], at)) for r, at in shown.centres.items()] if found == shown.map else []
    placed = not off or float(np.median(off)) <= PLACED_RADII * shown.radius
    return {"key": key, "kind": kind, "tier": tier, "map": shown.map, "found": found, "placed": int(placed),
            "ms": round(1000 * spent)}  # fmt: skip


def kind_of(k: int) -> tuple[str, str]:
    """What photo ``k`` shows, a key of ``KINDS``, and its tier: kinds take turns, the cities' from ``CITIES_FROM``."""
    kinds = [kind for kind in KINDS if kind.startswith(CITIES) == (k >= CITIES_FROM)]
    return kinds[k % len(kinds)], TIERS[k // len(kinds) % len(TIERS)]


@cache
def every_print() -> tuple[Edition, ...]:
    """All known prints of all maps with boards, as ``ontour-cv score`` takes them."""
    cities = (edition for map_id in printed_map_ids() if load_map(map_id).city for edition in load_editions(map_id))
    return (*known_prints(AUTO)[1], *cities)


def recognise(photo: Photo) -> tuple[str | None, Mapping[str, tuple[float, float]]]:
    """The map that a photo is taken for, None for none, and where its cells are seen.

    As ``ontour-cv score`` does: boards first, and where there is none, the sheet of Rolling America; that is looked for
    before, too, where no board is seen at first.
    """
    try:
        instead = lambda: obvious(photo, _sheet_model()) is not None  # noqa: E731
        board = register(photo, find_discs(photo), every_print(), instead=instead)
        if not is_stranger(board):
            return board.edition.map, {region: place.centre_photo for region, place in board.cells.items()}
    except BoardNotFound:
        pass
    template = load_map(SHEET)
    try:
        sheet = locate_sheet(photo, _sheet_model())
    except BoardNotFound:
        return None, {}
    return SHEET, {region.id: _middle(sheet.warp.apply(np.array(region.outline))) for region in template.regions}


@cache
def _sheet_model() -> SheetModel:
    return sheet_model(load_map(SHEET))


def _middle(corners: NDArray[np.float64]) -> tuple[float, float]:
    x, y = corners.mean(axis=0)
    return float(x), float(y)


def verdict(row: Row) -> str:
    """``right``, ``refused`` or ``wrong``; a picture of no map is right to refuse."""
    if row["found"] is None:
        return "right" if row["map"] is None else "refused"
    return "right" if row["found"] == row["map"] and row["placed"] else "wrong"


def turned(shown: Shown, quarters: int) -> Shown:
    """The photo turned by quarter turns against the clock."""
    image, centres = shown.image, dict(shown.centres)
    for _ in range(quarters):
        width = image.shape[1]
        image = np.rot90(image)
        centres = {region: (y, width - 1 - x) for region, (x, y) in centres.items()}
    return Shown(np.ascontiguousarray(image), shown.map, centres, shown.radius)


def cut(shown: Shown, rng: np.random.Generator) -> Shown:
    """The photo without a part of the board, on one side."""
    places = np.array(list(shown.centres.values()))
    axis, far = int(rng.integers(2)), bool(rng.random() < 0.5)
    low, high = float(places[:, axis].min()), float(places[:, axis].max())
    share = float(rng.uniform(*CUT))
    edge = round(high - share * (high - low) if far else low + share * (high - low))
    slices = [slice(None), slice(None)]
    slices[1 - axis] = slice(None, edge) if far else slice(edge, None)
    shift = np.zeros(2)
    shift[axis] = 0 if far else edge
    image = np.ascontiguousarray(shown.image[tuple(slices)])
    moved = {region: tuple(np.subtract(at, shift).tolist()) for region, at in shown.centres.items()}
    inside = {r: (x, y) for r, (x, y) in moved.items() if 0 <= x < image.shape[1] and 0 <= y < image.shape[0]}
    return Shown(image, shown.map, inside, shown.radius)


def _of(image: Image, truth: Truth, map_id: str) -> Shown:
    centres = {region: place.centre_photo for region, place in truth.cells.items()}
    radius = float(np.median([hazard.radius_px for hazard in truth.hazards.values()]))
    return Shown(image, map_id, centres, radius)


def _published(studio: Studio, tier: str, rng: np.random.Generator) -> Shown:
    template, editions = studio.template, studio.editions
    edition = editions[int(rng.integers(len(editions)))]
    settings = Settings(tier, jitter=UNKNOWN_EDITIONS, backgrounds=studio.tables)
    board, writer = sample_board(template, rng), sample_writer(rng, studio.hand(rng))
    return _of(*render(template, edition, board, settings, rng, writer), template.id)


def _own(map_id: str) -> Callable[[Studio, str, np.random.Generator], Shown]:
    def photograph(studio: Studio, tier: str, rng: np.random.Generator) -> Shown:
        sheet = _sheet(map_id, bool(rng.random() < 0.5))
        writer = sample_writer(rng, studio.hand(rng))
        if sheet.template.city is None:
            board = sample_board(sheet.template, rng)
        else:
            board = play_city(sheet.template, random.Random(int(rng.integers(2**32)))).boards[0].board
        return _of(*render_print(sheet, board, Settings(tier, backgrounds=studio.tables), rng, writer), map_id)

    return photograph


@cache
def _sheet(map_id: str, lineart: bool) -> Print:
    template = load_map(map_id)
    return make_print(template, load_design(template), lineart)


def _rolling(studio: Studio, tier: str, rng: np.random.Generator) -> Shown:
    shot = render_sheet(int(rng.integers(2**31)), hard=tier == "hard", backgrounds=studio.tables)
    width = float(np.hypot(*(shot.corners[1] - shot.corners[0])))
    return Shown(shot.image, SHEET, {region: _middle(cell) for region, cell in shot.cells.items()}, CELL * width)


def _decoy(studio: Studio, tier: str, rng: np.random.Generator) -> Shown:
    """A picture of no map, or a board in a mirror."""
    kind = [*DECOYS, "mirror"][int(rng.integers(len(DECOYS) + 1))]
    if kind == "mirror":
        shown = _own(("usa", "europe-home")[int(rng.integers(2))])(studio, tier, rng)
        return Shown(np.ascontiguousarray(shown.image[:, ::-1]), None, {}, 0.0)
    return Shown(make_decoy(rng, kind, tier, backgrounds=studio.tables)[0], None, {}, 0.0)


def _cut(take: Callable[[Studio, str, np.random.Generator], Shown]) -> Callable[..., Shown]:
    return lambda studio, tier, rng: cut(take(studio, tier, rng), rng)


KINDS: Mapping[str, Callable[[Studio, str, np.random.Generator], Shown]] = {
    "USA, published": _published,
    "USA, printed at home": _own("usa"),
    "Europe, printed at home": _own("europe-home"),
    "USA, published, cut off": _cut(_published),
    "USA, printed at home, cut off": _cut(_own("usa")),
    "Europe, printed at home, cut off": _cut(_own("europe-home")),
    "Rolling America": _rolling,
    "no map": _decoy,
    "no map (more)": _decoy,
    "Europe, printed at home (more)": _own("europe-home"),
    "Paris, printed at home": _own("paris-home"),
    "New York, printed at home": _own("new-york-home"),
    "Paris, printed at home, cut off": _cut(_own("paris-home")),
    "New York, printed at home, cut off": _cut(_own("new-york-home")),
}
"""What the photos show."""


def page(rows: Sequence[Row]) -> str:
    """``docs/auto.md``."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(row["kind"].removesuffix(" (more)"), []).append(row)
    lines = [_line(kind, some) for kind, some in kinds.items()]
    lines.append(_line("**all**", rows))
    heads = ["photos of", "number", "right", "refused", "wrong", "ms p50"]
    return f"""# Which map is it?

Written by `python -m bench.auto` from `bench/results/auto.jsonl`; a test checks that they agree.

{len(rows)} rendered photos over all maps, ordinary and hard in equal parts, each turned by quarter turns at random; the
program is not told the map. *Cut off*: the photo lacks {100 * CUT[0]:.0f} to {100 * CUT[1]:.0f} % of the board on one
side. *No map*: other games, made-up maps, tables, boards in a mirror; refusing those is right. *Wrong*: another map
than the one shown, a map where there is none, or the right one in a wrong place (the median disc more than half a
radius off). Sheets of Rolling America are looked for where there is no board.

{table(heads, lines)}
Wrong, with its 95 % interval: {Share(sum(verdict(row) == "wrong" for row in rows), len(rows)).text()}.
"""


def _line(kind: str, rows: Sequence[Row]) -> list[object]:
    told = [verdict(row) for row in rows]
    middle = quantile([row["ms"] for row in rows], 0.5) if rows else 0
    return [kind, len(rows), *(told.count(word) for word in ("right", "refused", "wrong")), f"{middle:.0f}"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.auto", description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=1280)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--stop", type=int)
    add_sources(parser)
    parser.add_argument("--out", type=Path, default=RESULTS / "auto.jsonl")
    return parser


if __name__ == "__main__":
    main()
