"""How well photos are read: fresh boards per tier, one row a photo, written as they come; a stopped run goes on.

Usage: python -m bench.accuracy [--map usa] [--boards 250] [--tier ordinary --tier hard] [--split valid] [--strokes DIR]
    [--backgrounds DIR]

Each map has a result file of its own. A map without a publisher's edition is shown as ``ontour-cv print`` draws it.

Then ``python -m bench.report`` writes docs/accuracy.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import cv2

from bench.measure import measure_photo, refused
from bench.photos import Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter, read_rows
from ontour_cv.errors import BoardNotFound
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.score import score_reading
from ontour_cv.synth.develop import encode
from ontour_cv.synth.shot import TIERS
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.read import Stopwatch, read_board

TESTED = ["ordinary", "hard"]
"""Tiers with targets."""

FIRST_MAP = "usa"
"""The map whose rows lie in ``accuracy.jsonl``; every other one has its name in the file's."""

SEED = 20261120
"""The boards of the published figures."""


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.split != "test" and not options.out:
        parser.error("--split valid needs --out: published rows are of writers kept for testing")
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds, options.map, options.split)
    out = options.out or rows_of(options.map)
    reader = MarkReader(options.model)
    origin = {
        "model": reader.name,
        "hands": "recorded" if studio.writers else "own",
        "tables": "photos" if studio.tables else "own",
    }
    refuse_mixing(out, origin)
    writer = RowWriter(out)
    stop = options.boards if options.stop is None else options.stop
    # tiers take turns, so that a run that is stopped has measured both
    for k in range(options.start, stop):
        for tier in options.tier or TESTED:
            key = f"{tier}-{options.seed}-{k:05d}"
            if key not in writer:
                row = measure_one(studio, reader, tier, k, key) | origin
                writer.append(row)
                print(summary(row), file=sys.stderr, flush=True)


def rows_of(map_id: str) -> Path:
    """Where the rows of a map lie."""
    return RESULTS / ("accuracy.jsonl" if map_id == FIRST_MAP else f"accuracy-{map_id}.jsonl")


def measure_one(studio: Studio, reader: MarkReader, tier: str, k: int, key: str) -> Row:
    """Render photo ``k`` of a tier, read it as ``ontour-cv score`` does, and compare."""
    began = time.process_time()
    image, truth = studio.shoot(tier, k)
    quality, subsampled = int(truth.scene["quality"]), bool(truth.scene["subsampled"])
    data = encode(image, quality, subsampled)
    rendered = time.process_time() - began
    watch = Stopwatch()
    photo = load_photo(data, key)
    watch.lap("load")
    try:
        reading = read_board(photo, studio.editions, reader, prior_of(RULESETS[studio.template.rules]))
    except BoardNotFound:
        return refused(key, truth) | {"render_s": round(rendered, 2)}
    report = score_reading(key, reading, studio.template, timings_ms=watch.timings_ms)
    return measure_photo(key, truth, report) | {"render_s": round(rendered, 2)}


def refuse_mixing(path: Path, origin: Row) -> None:
    """``SystemExit`` when the file holds rows of another network or another kind of handwriting."""
    for row in read_rows(path):
        if any(row[name] != value for name, value in origin.items()):
            held = {name: row[name] for name in origin}
            raise SystemExit(f"{path} holds rows of {held}, not {origin}: move it away or name another --out")


def summary(row: Row) -> str:
    """A row in short, for somebody who watches."""
    if not row["found"]:
        return f"{row['key']}: not found"
    silent = sum(not cell[4] for cell in row["wrong"])
    where = "" if row["located"] else " MISPLACED"
    return (
        f"{row['key']}:{where} {len(row['wrong'])} wrong ({silent} silent), {len(row['uncertain'])} uncertain, "
        f"ask {row['ask']}, score {row['read']} of {row['best']}, {sum(row['ms'].values()):.0f} ms"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.accuracy", description=__doc__.splitlines()[0])
    parser.add_argument("--map", default=FIRST_MAP, help="which map")
    parser.add_argument("--boards", type=int, default=250, help="photos per tier")
    parser.add_argument("--tier", action="append", choices=sorted(TIERS), help="repeatable; else ordinary and hard")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--start", type=int, default=0, help="number of the first photo of each tier")
    parser.add_argument("--stop", type=int, help="number after the last one; --boards if left out")
    add_sources(parser)
    parser.add_argument("--split", choices=("test", "valid"), default="test", help="whose hands; valid to choose by")
    parser.add_argument("--model", type=Path, help="folder with another mark network")
    parser.add_argument("--out", type=Path, help="default: a file for each map in bench/results")
    return parser


if __name__ == "__main__":
    main()
