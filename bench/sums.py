"""How well the score boxes are read: fresh boards whose players counted, or did not, and what became of each.

Usage: python -m bench.sums [--boards 150] [--strokes DIR] [--backgrounds DIR] [--out FILE]

Writes docs/written.md from all rows of the file; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2

from bench.photos import Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import Share, table
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_editions
from ontour_cv.press.design import load_design
from ontour_cv.press.editions import NAME
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.score import score_reading
from ontour_cv.scorer.written import with_players_own
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import make_print
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.read import read_board

PAGE = Path(__file__).resolve().parents[1] / "docs" / "written.md"
TIERS = ("ordinary", "hard")
READ_RIGHT, READ_WRONG, SILENT = "told rightly", "told wrongly", "nothing told"
PRINTS = 3
"""Every so many boards one of this project's own print."""


def measure_one(studio: Studio, reader: MarkReader, tier: str, k: int) -> Row:
    """Photo ``k`` of a tier, and what ``score --drawn`` tells of its boxes."""
    rng = studio.rng(f"sums {tier}", k)
    board = sample_board(studio.template, rng)
    writer = sample_writer(rng, studio.hand(rng))
    settings = Settings(tier, jitter=0.0, backgrounds=studio.tables, drawn=True, sums=True)
    if k % PRINTS == PRINTS - 1:
        sheet = make_print(studio.template, load_design(studio.template), lineart=k % 2 == 1)
        image, truth = render_print(sheet, board, settings, rng, writer)
    else:
        image, truth = render(studio.template, studio.editions[k % 2], board, settings, rng, writer)
    photo = load_photo(encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"])), f"{tier} {k}")
    row: Row = {"print": truth.edition, "written": list(truth.sums or ()), "found": 0, "what": SILENT, "ms": 0.0}
    try:
        reading = read_board(photo, load_editions(studio.map), reader, prior_of(RULESETS[studio.template.rules]))
    except BoardNotFound:
        return row
    report = with_players_own(score_reading(str(k), reading, studio.template))
    written = report.written
    assert written is not None
    row |= {"found": 1, "ms": round(report.timings_ms["written"], 1)}
    if not written.read:
        return row
    read = [written.places, written.circles, written.total]
    return row | {"read": read, "what": READ_RIGHT if read == row["written"] else READ_WRONG}


def page(rows: Sequence[Row]) -> str:
    """``docs/written.md``."""
    lines = [
        "# Score boxes: how well they are read",
        "",
        "Written by `python -m bench.sums`; do not edit.",
        "",
        "Rendered USA boards, in the positions of both measured editions and on this project's own print, four in five",
        "with a drawn tour, as `score --drawn` reads them, with the player's count in the three boxes: mostly what the",
        "tour counts, now and then miscounted, added up wrongly, the total alone, or nothing; without a tour anything.",
        "Handwriting of writers the network never saw. *Nothing told* means that the program did not say what is in",
        "the boxes: the probability of all three numbers together was too small, or the boxes were not in the picture.",
        "In brackets the 95 % interval; milliseconds are those it takes to look at the boxes.",
        "",
    ]
    body = []
    for tier in TIERS:
        for name in ("published editions", "own print"):
            for filled in (True, False):
                some = [row for row in rows if row["tier"] == tier and (row["print"] == NAME) == (name == "own print")]
                some = [row for row in some if any(value is not None for value in row["written"]) == filled]
                if not some:
                    continue
                shares = [
                    Share(sum(row["what"] == what for row in some), len(some)).text()
                    for what in (READ_RIGHT, READ_WRONG, SILENT)
                ]
                times = sorted(row["ms"] for row in some if row["found"])
                title = f"{tier}, {name}, {'filled in' if filled else 'empty'}"
                body.append([title, *shares, f"{times[len(times) // 2]:.0f}" if times else "-"])
    return "\n".join([*lines, table(["boards", READ_RIGHT, READ_WRONG, SILENT, "ms"], body), ""])


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing, and write the page."""
    given = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    studio, reader = Studio(given.seed, given.strokes, given.backgrounds), MarkReader()
    writer = RowWriter(given.out)
    for k in range(given.boards):
        for tier in TIERS:
            key = f"{tier}-{given.seed}-{k:05d}"
            if key not in writer:
                row: Row = {"key": key, "tier": tier} | measure_one(studio, reader, tier, k)
                writer.append(row)
                print(key, row["what"], flush=True)
    PAGE.write_text(page(read_rows(given.out)), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.sums", description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=150, help="photos per tier")
    parser.add_argument("--seed", type=int, default=12)
    add_sources(parser)
    parser.add_argument("--out", type=Path, default=RESULTS / "sums.jsonl")
    return parser


if __name__ == "__main__":
    main()
