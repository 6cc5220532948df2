"""What a second photo brings: one hard photo of a board against two and three, in another light by another camera.

Usage: python -m bench.several [--boards 100] [--photos 2] [--strokes DIR] [--backgrounds DIR] [--out FILE]

Then ``python -m bench.several_page`` writes docs/several.md. A row holds the reading of the first photo alone, of the
second alone, and of both together, the real way (``scorer.several``), a board's photos once each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import cv2

from bench.measure import OUTSIDE
from bench.photos import UNKNOWN_EDITIONS, Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter
from ontour_cv.errors import BoardNotFound, UsageError
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import score_read
from ontour_cv.scorer.several import read_together, score_together
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render_again
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.photo import Photo, load_photo

SEED = 20261121
"""The boards of the published figures; no photo of ``bench.accuracy`` is among them."""


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks; what the file already holds is kept."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds, split=options.split)
    model = MarkReader().name
    writer = RowWriter(options.out)
    for k in range(options.start, options.boards):
        key = f"{options.tier}-{options.seed}-{k:05d}"
        if key not in writer:
            row = {"key": key, "tier": options.tier, "split": options.split, "model": model}
            row |= measure_board(studio, options.tier, k, options.photos)
            writer.append(row)
            print(key, row["ways"], file=sys.stderr, flush=True)


def shoot(studio: Studio, tier: str, k: int, count: int) -> list[tuple[Photo, Truth]]:
    """``count`` photos of board ``k``, encoded and loaded as files are."""
    rng = studio.rng(f"several-{tier}", k)
    board = sample_board(studio.template, rng)
    writer = sample_writer(rng, studio.hand(rng))
    edition = studio.editions[int(rng.integers(len(studio.editions)))]
    settings = Settings(tier=tier, jitter=UNKNOWN_EDITIONS, backgrounds=studio.tables)
    shots = []
    for number, (image, truth) in enumerate(
        islice(render_again(studio.template, edition, board, settings, rng, writer), count), 1
    ):
        data = encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"]))
        shots.append((load_photo(data, f"photo {number}"), truth))
    return shots


def measure_board(studio: Studio, tier: str, k: int, count: int) -> Row:
    """The row of board ``k``: what each photo gives alone and what the first ``n`` give together."""
    shots = shoot(studio, tier, k, count)
    truth = shots[0][1]
    best = RULESETS[studio.template.rules].score(studio.template, truth.board).total
    photos = [photo for photo, _ in shots]
    ways: dict[str, Row | None] = {}
    for number, photo in enumerate(photos, 1):
        ways[f"photo {number}"] = _counts([photo], truth, best)
    for n in range(2, count + 1):
        ways[f"{n} together"] = _counts(photos[:n], truth, best)
    gone = {r for r in truth.hazards if all(t.hazards[r].outside > OUTSIDE for _, t in shots)}
    glare = sum(hazard.glare >= 0.25 for hazard in truth.hazards.values())
    return {"cells": len(truth.hazards), "outside": len(gone), "glare": glare, "ways": ways}


def _counts(photos: Sequence[Photo], truth: Truth, best: int) -> Row | None:
    """Wrong, silently wrong, doubtful and asked cells, and the score; None when no board was found or they clash."""
    try:
        together = read_together(photos, truth.map)
    except (BoardNotFound, UsageError):
        return None
    report: Report = score_together(together) if len(photos) > 1 else score_read("one", together.reading)
    return judged(report, truth, best) | {"used": sum(use.error is None for use in together.uses)}


def judged(report: Report, truth: Truth, best: int) -> Row:
    """Wrong, silently wrong, doubtful and asked cells of a report, and whether its score is the ``best`` there is."""
    wrong = [r for r, cell in report.cells.items() if cell.mark != truth.board.marks[r]]
    return {
        "wrong": len(wrong),
        "silent": sum(not report.cells[r].doubtful for r in wrong),
        "uncertain": len(report.uncertain),
        "ask": len(report.ask),
        "score": int(report.score.total == best),
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.several", description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--photos", type=int, default=2, help="photos of each board")
    parser.add_argument("--tier", default="hard")
    parser.add_argument("--split", choices=("valid", "test"), default="test", help="which recorded writers")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--start", type=int, default=0, help="number of the first board")
    add_sources(parser)
    parser.add_argument("--out", type=Path, default=RESULTS / "several.jsonl")
    return parser


if __name__ == "__main__":
    main()
