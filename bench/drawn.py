"""How well drawn tours are read: fresh rendered boards with a tour drawn on them, and what became of each.

Usage: python -m bench.drawn [--boards 400 100] [--others 60 20] [--strokes DIR] [--backgrounds DIR] [--out FILE]

Writes docs/drawn.md from all rows of the file; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2

from bench.cities import NEW_YORK, PARIS, played_board
from bench.photos import UNKNOWN_EDITIONS, Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import Share, table
from ontour_cv.board import BoardState
from ontour_cv.errors import BoardNotFound
from ontour_cv.scorer.city_drawn import Given
from ontour_cv.scorer.city_score import read_city, score_city_read
from ontour_cv.scorer.city_tour import with_city_tour
from ontour_cv.scorer.drawn import Drawn, price_by
from ontour_cv.synth.city_ink import with_city_ink
from ontour_cv.synth.city_tour import tour_drawer
from ontour_cv.synth.photograph import Settings, render, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.drawn import DrawnTour, LinkReader, read_drawn
from ontour_cv.vision.glyphs import GlyphScores, MarkReader
from ontour_cv.vision.landmarks import WorkingCopy, find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement, register
from ontour_cv.vision.sums import see_boxes

PAGE = Path(__file__).resolve().parents[1] / "docs" / "drawn.md"
TIERS = ("ordinary", "hard")
USA = "usa"
MAPS = {USA: "USA", "europe-home": "Europe", PARIS: "Paris", NEW_YORK: "New York"}
EXACT, WRONG, DECLINED, NO_BOARD = "read exactly", "read wrongly", "declined", "board not found"


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A photo of a board, the working copy, where the board lies, and what is written and drawn on it."""

    photo: Photo
    working: WorkingCopy
    placement: Placement | None
    board: BoardState
    truth: Truth


def shoot(studio: Studio, tier: str, k: int, long_side: int) -> Found:
    """Photo ``k`` of a tier, its board looked for."""
    rng = studio.rng(f"drawn {tier}", k)
    board = sample_board(studio.template, rng)
    writer = sample_writer(rng, studio.hand(rng))
    settings = Settings(tier, long_side, UNKNOWN_EDITIONS, 0.5, studio.tables, drawn=True)
    if studio.sheets:
        sheet = studio.sheets[int(rng.integers(len(studio.sheets)))]
        image, truth = render_print(sheet, board, settings, rng, writer)
    else:
        edition = studio.editions[int(rng.integers(len(studio.editions)))]
        image, truth = render(studio.template, edition, board, settings, rng, writer)
    return look_for(studio, Photo(f"{tier} {k}", image), truth)


def look_for(studio: Studio, photo: Photo, truth: Truth) -> Found:
    """The board in a photo, where it is found."""
    candidates = find_discs(photo)
    try:
        placement = register(photo, candidates, studio.editions)
    except BoardNotFound:
        placement = None
    return Found(photo, candidates.working, placement, truth.board, truth)


def measure(found: Found, links: Sequence[tuple[str, str]], reader: LinkReader, marks: MarkReader) -> Row:
    """What becomes of a photo, and what would if nobody looked at the score boxes."""
    counted = bool(found.truth.sums and found.truth.sums[2] is not None)
    row: Row = {"drawn": list(found.truth.drawn or ()), "counted": counted, "read": None, "what": NO_BOARD, "ms": 0.0}
    if found.placement is None:
        return row | {"alone": NO_BOARD}

    def read(boxes: GlyphScores | None) -> Row:
        assert found.placement is not None
        start = time.process_time()
        price = price_by(found.board, links, boxes)
        return told(dict(row), read_drawn(found.working, found.placement, links, reader, price), start)

    with_boxes = read(see_boxes(found.photo, found.placement, marks))
    return with_boxes | {"alone": read(None)["what"]}


def told(row: Row, tour: DrawnTour | Drawn, start: float) -> Row:
    """The row with what was read of its tour, and the processor time since ``start``."""
    row["ms"] = round(1000 * (time.process_time() - start), 1)
    row["read"] = list(tour.places) if tour.read else None
    same = list(tour.places) in (row["drawn"], row["drawn"][::-1])
    row["what"] = DECLINED if not tour.read else EXACT if same else WRONG
    return row


def new_york(studio: Studio, tier: str, k: int, long_side: int) -> Row:
    """What becomes of photo ``k`` of New York, its marks, soloists and ferries as read: ``score --drawn`` whole."""
    rng = studio.rng(f"drawn {tier}", k)
    board = played_board(studio, rng)
    writer = sample_writer(rng, studio.hand(rng))
    sheet = studio.sheets[int(rng.integers(2))]
    inked = with_city_ink(sheet, board, writer, rng)
    settings = Settings(tier, long_side, backgrounds=studio.tables, drawn=True)
    image, truth = render_print(inked, board.board, settings, rng, writer, tour_drawer(board, sheet, writer))
    row: Row = {"drawn": list(truth.drawn or ()), "read": None, "what": NO_BOARD, "ms": 0.0}
    try:
        reading = read_city(Photo(f"{tier} {k}", image), studio.map)
    except BoardNotFound:
        return row
    report = score_city_read("", reading, studio.template, Given(), {})
    start = time.process_time()
    tour = with_city_tour(report).tour
    assert tour is not None
    return told(row, tour, start)


def page(rows: Sequence[Row], seed: int, long_side: int) -> str:
    """``docs/drawn.md``."""
    lines = [
        "# Drawn tours: how well they are read",
        "",
        "Written by `python -m bench.drawn`; do not edit.",
        "",
        f"Rendered boards, seed {seed}, photos of {long_side} pixels, with a tour drawn by pen: from rim to rim,",
        "through the discs or round them, solid or dashed, with arrows or without, in the pen of the marks or another,",
        "now and then half erased, with ticks beside discs and meaningless arcs; on a fifth of the boards none.",
        "*Read exactly* means every leg and no other (or that none is drawn); *declined* means the reader said that it",
        "could not tell. The marks are taken as written, so that the figures are about the drawing alone. In brackets",
        "the 95 % interval; milliseconds are processor time for the drawn tour alone.",
        "",
        "Four players in seven who drew a tour wrote into the score boxes what they counted, mostly what it counts.",
        "Where the boxes are known (in print nobody measured they are not) they help to tell the tour. *Without the",
        "boxes*: read exactly, and wrongly, on the same photos when nobody looks there.",
        "",
        "Boards of the USA are the published ones and some nobody measured, the others this project's own print.",
        "In Paris a boat's leg is a line from stop to stop. On New York the tour goes by ferry, too; half of the",
        "players go over the ferries' lines again, for the others these are part of it as they stand. There marks and",
        "ferries are taken as read, errors and all.",
        "",
    ]
    body = []
    groups: list[tuple[str, Callable[[Row], bool]]] = [
        ("tour drawn", lambda row: bool(row["drawn"])),
        ("none drawn", lambda row: not row["drawn"]),
    ]
    for map_id, tier, (name, belongs) in product(MAPS, TIERS, groups):
        chosen = [row for row in rows if map_of(row) == map_id and row["tier"] == tier and belongs(row)]
        if not chosen:
            continue
        shares = [
            Share(sum(row["what"] == what for row in chosen), len(chosen)).text()
            for what in (EXACT, WRONG, DECLINED, NO_BOARD)
        ]
        times = sorted(row["ms"] for row in chosen if row["what"] != NO_BOARD)
        alone = [sum(row.get("alone") == what for row in chosen) for what in (EXACT, WRONG)]
        without = f"{alone[0]}, {alone[1]}" if "alone" in chosen[0] else ""
        slow = [f"{times[len(times) // 2]:.0f}", f"{times[-1]:.0f}"]
        body.append([f"{MAPS[map_id]}, {tier}, {name}", *shares, without, *slow])
    head = ["boards", EXACT, WRONG, DECLINED, NO_BOARD, "without the boxes", "ms: p50", "max"]
    invented = [row for row in rows if not row["drawn"] and row["what"] == WRONG]
    lines.append(table(head, body))
    lines.append(f"\nBoards without a tour on which one was read: {len(invented)}.\n")
    return "\n".join(lines)


def map_of(row: Row) -> str:
    """The map of a row; older ones of the USA do not say."""
    return str(row.get("map", USA))


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing, and write the page."""
    given = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    reader, marks, writer = LinkReader(given.model), MarkReader(), RowWriter(given.out)
    for map_id in MAPS:
        studio = Studio(given.seed, given.strokes, given.backgrounds, map_id)
        counts = given.boards if map_id == USA else given.others
        for tier, k in ((tier, k) for tier, count in zip(TIERS, counts, strict=True) for k in range(count)):
            key = f"{'' if map_id == USA else map_id + '-'}{tier}-{given.seed}-{k:05d}"
            if key in writer:
                continue
            row: Row = {"key": key, "map": map_id, "tier": tier}
            if map_id == NEW_YORK:
                row |= new_york(studio, tier, k, given.size)
            else:
                row |= measure(shoot(studio, tier, k, given.size), studio.template.ways(), reader, marks)
            writer.append(row)
            print(key, row["what"], flush=True)
    PAGE.write_text(page(read_rows(given.out), given.seed, given.size), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.drawn", description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, nargs=2, default=[400, 100], help="ordinary photos, hard photos")
    parser.add_argument("--others", type=int, nargs=2, default=[60, 20], help="the same of each other map")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--size", type=int, default=1800, help="longer side of the photos in pixels")
    add_sources(parser)
    parser.add_argument("--model", type=Path, help="folder of the model, if not the shipped one")
    parser.add_argument("--out", type=Path, default=RESULTS / "drawn.jsonl")
    return parser


if __name__ == "__main__":
    main()
