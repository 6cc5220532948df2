"""The same photos read without and with the log of their game, and photos of boards with one planted slip.

Usage: python -m bench.game [--boards 250] [--tier hard] [--kind fair --kind slip] [--strokes DIR] [--backgrounds DIR]

Rows are written as they come; a stopped run goes on. Then ``python -m bench.game_page`` writes docs/game.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.accuracy import SEED, TESTED, refuse_mixing
from bench.measure import OUTSIDE
from bench.photos import UNKNOWN_EDITIONS, Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter
from bench.slips import Planted, plant, record_of
from ontour_cv.board import BoardState
from ontour_cv.dealer.record import GameRecord
from ontour_cv.errors import BoardNotFound
from ontour_cv.referee import Slip, verify
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import score_read
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import play_game
from ontour_cv.synth.shot import TIERS
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.read import read_board

KINDS = ("fair", "slip")
"""Boards as played, and boards with one planted slip."""

UNFINISHED = 0.08
"""Share of fair boards photographed before the end of their game."""


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds)
    reader = MarkReader(options.model)
    origin = {
        "model": reader.name,
        "hands": "recorded" if studio.writers else "own",
        "tables": "photos" if studio.tables else "own",
    }
    refuse_mixing(options.out, origin)
    writer = RowWriter(options.out)
    stop = options.boards if options.stop is None else options.stop
    for k in range(options.start, stop):
        for tier in options.tier or TESTED:
            for kind in options.kind or KINDS:
                key = f"{tier}-{kind}-{options.seed}-{k:05d}"
                if key not in writer:
                    row = measure_one(studio, reader, tier, kind, k, key) | origin
                    writer.append(row)
                    print(summary(row), file=sys.stderr, flush=True)


def measure_one(studio: Studio, reader: MarkReader, tier: str, kind: str, k: int, key: str) -> Row:
    """Render photo ``k``, read it without and with its log, and compare both with the truth."""
    image, truth, record, planted = shoot(studio, tier, kind, k)
    head: Row = {"key": key, "tier": tier, "kind": kind, "planted": planted.kind if planted else ""}
    photo = load_photo(encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"])), key)
    variant = RULESETS[record.rules].variant
    true = verify(studio.template, variant, record, truth.board)
    slips = [told(slip) for some in (true.slips, *true.others) for slip in some]
    head |= {"lawful": int(true.legal), "slips": slips}
    try:
        reading = read_board(photo, studio.editions, reader, prior_of(RULESETS[record.rules]))
    except BoardNotFound:
        return head | {"found": 0}
    began = time.thread_time()
    alone = score_read(key, reading)
    between = time.thread_time()
    report = score_read(key, reading, game=record)
    return (
        head
        | {"found": 1, "alone": compared(truth, alone), "log": compared(truth, report)}
        | said(report)
        | {"ms": [round(1000 * (between - began), 1), round(1000 * (time.thread_time() - between), 1)]}
    )


def shoot(studio: Studio, tier: str, kind: str, k: int) -> tuple[NDArray[np.uint8], Truth, GameRecord, Planted | None]:
    """Photo ``k`` of a series with its truth, its game's log, and the slip that was planted."""
    rng = studio.rng(f"game-{tier}-{kind}", k)
    unfinished = kind == "fair" and rng.random() < UNFINISHED
    game = play_game(studio.template, rng, int(rng.integers(0, 19)) if unfinished else None)
    planted = plant(game, studio.template, rng) if kind == "slip" else None
    board: BoardState = planted.board if planted else game.board
    writer = sample_writer(rng, studio.hand(rng))
    edition = studio.editions[int(rng.integers(len(studio.editions)))]
    settings = Settings(tier=tier, jitter=UNKNOWN_EDITIONS, backgrounds=studio.tables)
    image, truth = render(studio.template, edition, board, settings, rng, writer)
    return image, truth, record_of(game, studio.template), planted


def compared(truth: Truth, report: Report) -> Row:
    """Read against true: the wrong cells ``[id, truth, read, confidence, doubtful]``, and what is asked."""
    counted = [r for r, hazard in truth.hazards.items() if hazard.outside <= OUTSIDE]
    wrong = [
        [r, str(truth.board.marks[r]), str(report.cells[r].mark), round(report.cells[r].confidence, 4),
         int(report.cells[r].doubtful)]
        for r in counted
        if report.cells[r].mark != truth.board.marks[r]
    ]  # fmt: skip
    best = RULESETS[report.rules].score(report.template, truth.board).total
    doubtful = [r for r in report.uncertain if r in counted]
    return {"cells": len(counted), "wrong": wrong, "uncertain": doubtful, "ask": len(report.ask),
            "best": best, "read": report.score.total}  # fmt: skip


def said(report: Report) -> Row:
    """What was said about slips: told for sure, asked, and pointed out beside a doubt."""
    log = report.log
    if log is None or log.verdict is None:
        return {"fits": 0, "told": [], "asked": [], "pointed": []}
    pairs = list(zip(log.verdict.slips, log.sure, strict=True))
    return {
        "fits": 1,
        "told": [told(slip) for slip, sure in pairs if sure],
        "asked": [told(slip) for slip, sure in pairs if not sure],
        "others": [told(slip) for some in log.verdict.others for slip in some],
        "pointed": [told(slip) for possible in log.possible for slip in possible.slips],
    }


def told(slip: Slip) -> str:
    """A slip in short: its kind and its regions."""
    return f"{slip.kind} {' '.join(slip.regions)}"


def summary(row: Row) -> str:
    """A row in short, for somebody who watches."""
    if not row["found"]:
        return f"{row['key']}: not found"
    alone, log = row["alone"], row["log"]
    return (
        f"{row['key']} {row['planted']}: wrong {len(alone['wrong'])} -> {len(log['wrong'])}, "
        f"ask {alone['ask']} -> {log['ask']}; told {row['told']}, asked {row['asked']}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.game", description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=250, help="photos per tier and kind")
    parser.add_argument("--tier", action="append", choices=sorted(TIERS), help="repeatable; else ordinary and hard")
    parser.add_argument("--kind", action="append", choices=KINDS, help="repeatable; else both")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--start", type=int, default=0, help="number of the first photo of each series")
    parser.add_argument("--stop", type=int, help="number after the last one; --boards if left out")
    add_sources(parser)
    parser.add_argument("--model", type=Path, help="folder with another mark network")
    parser.add_argument("--out", type=Path, default=RESULTS / "game.jsonl")
    return parser


if __name__ == "__main__":
    main()
