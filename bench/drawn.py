"""How well drawn tours are read: fresh rendered boards with a tour drawn on them, and what became of each.

``python -m bench.drawn`` measures and writes ``docs/drawn.md``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from bench.photos import UNKNOWN_EDITIONS, Studio
from bench.stats import Share, table
from ontour_cv.errors import BoardNotFound
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.drawn import LinkReader, read_drawn
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register

ROOT = Path(__file__).resolve().parents[1]
EXACT, WRONG, DECLINED, NO_BOARD = "read exactly", "read wrongly", "declined", "board not found"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one photo: whether a tour was drawn on it, one of the words above, and the milliseconds."""

    drawn: bool
    what: str
    ms: float


def measure(studio: Studio, reader: LinkReader, tier: str, k: int, long_side: int) -> Outcome:
    """Photo ``k`` of a tier, read."""
    rng = studio.rng(f"drawn {tier}", k)
    board = sample_board(studio.template, rng)
    writer = sample_writer(rng, studio.hand(rng))
    edition = studio.editions[int(rng.integers(len(studio.editions)))]
    settings = Settings(tier, long_side, UNKNOWN_EDITIONS, 0.5, studio.tables, drawn=True)
    image, truth = render(studio.template, edition, board, settings, rng, writer)
    photo = Photo(f"{tier} {k}", image)
    drawn = truth.drawn or ()
    try:
        placement = register(photo, find_discs(photo), studio.editions)
    except BoardNotFound:
        return Outcome(bool(drawn), NO_BOARD, 0.0)
    start = time.process_time()
    tour = read_drawn(photo, placement, studio.template.edges(), reader)
    ms = 1000 * (time.process_time() - start)
    if not tour.read:
        return Outcome(bool(drawn), DECLINED, ms)
    return Outcome(bool(drawn), EXACT if tour.places in (drawn, drawn[::-1]) else WRONG, ms)


def page(rows: Sequence[tuple[str, list[Outcome]]], seed: int, long_side: int) -> str:
    """``docs/drawn.md``."""
    lines = [
        "# Drawn tours: how well they are read",
        "",
        "Written by `python -m bench.drawn`; do not edit.",
        "",
        f"Rendered USA boards, seed {seed}, photos of {long_side} pixels, with a tour drawn by pen: from rim to rim,",
        "through the discs or round them, solid or dashed, with arrows or without, in the pen of the marks or another,",
        "now and then half erased, with ticks beside discs; on some boards none. *Read exactly* means every leg and no",
        "other (or that none is drawn); *declined* means the reader said it could not tell. In brackets the 95 %",
        "interval; milliseconds are processor time for the drawn tour alone.",
        "",
    ]
    body = []
    for name, outcomes in rows:
        counts = Counter(outcome.what for outcome in outcomes)
        shares = [Share(counts[what], len(outcomes)).text() for what in (EXACT, WRONG, DECLINED, NO_BOARD)]
        times = sorted(outcome.ms for outcome in outcomes)
        body.append([name, *shares, f"{times[len(times) // 2]:.0f}", f"{times[-1]:.0f}"])
    head = ["boards", EXACT, WRONG, DECLINED, NO_BOARD, "ms: p50", "max"]
    return "\n".join([*lines, table(head, body)])


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=400, help="photos per tier")
    parser.add_argument("--tiers", nargs="+", default=["ordinary"])
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--size", type=int, default=2400, help="longer side of the photos in pixels")
    parser.add_argument("--strokes", type=Path, help="folder with recorded pen strokes")
    parser.add_argument("--backgrounds", type=Path, help="folder with photos of tables")
    parser.add_argument("--model", type=Path, help="folder of the model, if not the shipped one")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "drawn.md")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    studio, reader = Studio(given.seed, given.strokes, given.backgrounds), LinkReader(given.model)
    rows = []
    for tier in given.tiers:
        outcomes = [measure(studio, reader, tier, k, given.size) for k in range(given.boards)]
        rows += [
            (f"{tier}, tour drawn", [outcome for outcome in outcomes if outcome.drawn]),
            (f"{tier}, none drawn", [outcome for outcome in outcomes if not outcome.drawn]),
        ]
        print(tier, Counter(outcome.what for outcome in outcomes), flush=True)
    given.out.write_text(page([row for row in rows if row[1]], given.seed, given.size), encoding="utf-8")


if __name__ == "__main__":
    main()
