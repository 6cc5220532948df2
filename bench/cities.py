"""How well played boards of New York and Paris are read: fresh photos per tier, one row a photo; a stopped run goes on.

Usage: python -m bench.cities [--boards 200] [--tier ordinary --tier hard] [--strokes DIR] [--backgrounds DIR]

Boards are played by the rules, written and ticked by hands nobody trained on, printed in colour or as line art, and
photographed. Then ``python -m bench.cities_page`` writes docs/cities-accuracy.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from bench.accuracy import refuse_mixing
from bench.photos import Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard
from ontour_cv.errors import BoardNotFound
from ontour_cv.rules import RULESETS
from ontour_cv.rules.city import city_score
from ontour_cv.scorer.city_drawn import Given, city_reader
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.city_score import PRIOR, score_city_read
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import mark_reader, score_read
from ontour_cv.synth.city_ink import with_city_ink
from ontour_cv.synth.city_letters import LetterHabits, sample_letters
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.play_city import crossed_rows, play_city
from ontour_cv.synth.strokes import Writer, sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.read import Reading, read_board

NEW_YORK, PARIS = "new-york-home", "paris-home"
TIERS = ("ordinary", "hard")

SEED = 20261122
"""The boards of the published figures."""

PLACED = 0.5
"""A board is located when the median disc lies within this of the truth, disc radii."""

LETTERS = 0.2
"""Share of players who write a soloist's letter beside the number and tick no box."""

ROWS_USED = 0.8
"""Share of players who cross off the soloists' rows."""


def networks() -> str:
    """Which networks read New York, in short: the beginnings of their files' hashes."""
    return "-".join([mark_reader().name, *(str(sha)[:8] for sha in city_reader().card["sha256"].values())])


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks; maps and tiers take turns."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    studios = {m: Studio(options.seed, options.strokes, options.backgrounds, m) for m in (NEW_YORK, PARIS)}
    origin = {
        "model": networks(),
        "hands": "recorded" if studios[NEW_YORK].writers else "own",
        "tables": "photos" if studios[NEW_YORK].tables else "own",
    }  # fmt: skip
    refuse_mixing(options.out, origin)
    writer = RowWriter(options.out)
    for k in range(options.start, options.boards):
        for tier in options.tier or TIERS:
            for map_id, studio in studios.items():
                key = f"{map_id}-{tier}-{options.seed}-{k:05d}"
                if key in writer or (map_id == PARIS and k % 4):  # fewer: nothing is read there but discs
                    continue
                measured = new_york(studio, tier, k) if map_id == NEW_YORK else paris(studio, tier, k)
                row = {"key": key, "map": map_id, "tier": tier} | measured | origin
                writer.append(row)
                print(summary(row), file=sys.stderr, flush=True)


def paris(studio: Studio, tier: str, k: int) -> Row:
    """Photo ``k`` of Paris, read as ``ontour-cv score`` does, and compared."""
    image, truth = studio.shoot(tier, k)
    data = encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"]))
    photo = load_photo(data, "paris")
    began = time.process_time()
    try:
        reading = read_board(photo, studio.editions, mark_reader(), prior_of(RULESETS[studio.template.rules]))
    except BoardNotFound:
        return {"found": 0, "located": 0}
    report = score_read("paris", reading)
    best = RULESETS[studio.template.rules].score(studio.template, truth.board).total
    return compared(truth, reading, report) | {
        "ask": len(report.ask),
        "best": best,
        "read": report.score.total,
        "low": report.score_range[0],
        "high": report.score_range[1],
        "ms": round(1000 * (time.process_time() - began)),
    }


def new_york(studio: Studio, tier: str, k: int, pen: Callable[[Writer], Writer] = lambda writer: writer) -> Row:
    """Photo ``k`` of New York, read as ``ontour-cv score`` does, and compared; ``pen`` may change how it is written."""
    rng = studio.rng(f"city {tier}", k)
    board = played_board(studio, rng)
    writer = pen(sample_writer(rng, studio.hand(rng)))
    habits = written_letters(studio, tier, k)
    sheet = with_city_ink(studio.sheets[int(rng.integers(2))], board, writer, rng, letters=habits)
    image, truth = render_print(sheet, board.board, Settings(tier, backgrounds=studio.tables), rng, writer)
    data = encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"]))
    photo = load_photo(data, "new york")
    began = time.process_time()
    try:
        reading = read_board(photo, studio.editions, mark_reader(), PRIOR)
    except BoardNotFound:
        return {"found": 0, "located": 0}
    report = score_city_read("new york", reading, studio.template, Given(), {})
    spent = round(1000 * (time.process_time() - began))
    return compared(truth, reading, report) | drawn(board, report) | {
        "letters": int(habits is not None),
        "ask": len(report.ask),
        "best": city_score(studio.template, board).total,
        "read": report.score.total,
        "low": report.score_range[0],
        "high": report.score_range[1],
        "ms": spent,
    }  # fmt: skip


def written_letters(studio: Studio, tier: str, k: int) -> LetterHabits | None:
    """How the player of photo ``k`` writes letters; None for one who ticks boxes. Chance of its own."""
    rng = studio.rng(f"letters {tier}", k)
    return sample_letters(rng, held_out=True) if rng.random() < LETTERS else None


def played_board(studio: Studio, rng: np.random.Generator) -> CityBoard:
    """A board at the end of a game, its rows crossed off for the best route by most players, now and then wrongly."""
    board = play_city(studio.template, random.Random(int(rng.integers(2**32)))).boards[0]
    if rng.random() >= ROWS_USED:
        return board
    tracks = crossed_rows(studio.template, city_score(studio.template, board).route, board)
    city = studio.template.city
    assert city is not None
    for letter, row in city.tracks.items():
        if rng.random() < 0.1:
            tracks[letter] = int(np.clip(tracks[letter] + rng.choice([-1, 1]), 0, len(row)))
    return replace(board, tracks=tracks)


def compared(truth: Truth, reading: Reading, report: Report | CityReport) -> Row:
    """The discs: whether they lie where they are, and those read wrongly."""
    found = reading.placement.cells
    off = [
        float(np.linalg.norm(np.linalg.solve(place.axes_photo, np.subtract(found[r].centre_photo, place.centre_photo))))
        for r, place in truth.cells.items()
    ]
    wrong = [
        [r, str(mark), str(report.cells[r].mark), int(report.cells[r].doubtful)]
        for r, mark in truth.board.marks.items()
        if report.cells[r].mark != mark
    ]
    return {
        "found": 1,
        "located": int(np.median(off) <= PLACED),
        "cells": len(truth.cells),
        "wrong": wrong,
        "uncertain": len(report.uncertain),
    }


def drawn(board: CityBoard, report: CityReport) -> Row:
    """What was drawn beside the discs: ferries missed and invented, soloists and rows read wrongly."""
    seen, given = report.board, report.drawn
    soloists = [
        [r, board.soloists.get(r, ""), seen.soloists.get(r, ""),
         int(r in given.open_soloists or seen.soloists.get(r) == UNREAD_SOLOIST)]
        for r in board.marks
        if board.soloists.get(r, "") != seen.soloists.get(r, "")
    ]  # fmt: skip
    true_rows = board.tracks if any(board.tracks.values()) else {}
    rows = [
        [letter, true_rows.get(letter), seen.tracks.get(letter)]
        for letter in "smdg"
        if true_rows.get(letter) != seen.tracks.get(letter)
    ]
    return {
        "ferries": len(board.ferries),
        "missed": [["-".join(p), int(p in given.open_ferries)] for p in board.ferries if p not in seen.ferries],
        "invented": [["-".join(p), int(p in given.open_ferries)] for p in seen.ferries if p not in board.ferries],
        "soloists": len(board.soloists),
        "wrong_soloists": soloists,
        "wrong_rows": rows,
        "not_read": list(given.not_read),
        "open": [len(given.open_ferries), len(given.open_soloists)],
    }


def exact(row: Row) -> bool:
    """True when everything that counts was read rightly."""
    return bool(row["found"]) and not (
        row["wrong"] or row.get("missed") or row.get("invented") or row.get("wrong_soloists")
    )


def silent(row: Row) -> int:
    """How much was read wrongly without a doubt."""
    if not row["found"]:
        return 0
    pairs = [*row.get("missed", []), *row.get("invented", [])]
    return sum(not one[3] for one in (*row["wrong"], *row.get("wrong_soloists", []))) + sum(not p[1] for p in pairs)


def summary(row: Row) -> str:
    """A row in short, for somebody who watches."""
    if not row["found"]:
        return f"{row['key']}: not found"
    told = f"{row['key']}: {len(row['wrong'])} cells wrong"
    if "ferries" in row:
        told += f", ferries {row['ferries']}, missed {row['missed']}, invented {row['invented']}"
        told += f", soloists {row['wrong_soloists']}, rows {row['wrong_rows']}, open {row['open']}"
    return f"{told}, ask {row['ask']}, score {row['read']} of {row['best']}, {row['ms']} ms"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.cities", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--boards", type=int, default=200, help="photos of New York per tier; of Paris a quarter as many"
    )
    parser.add_argument("--start", type=int, default=0, help="number of the first photo of each tier")
    parser.add_argument("--tier", action="append", choices=TIERS, help="repeatable; else both")
    parser.add_argument("--seed", type=int, default=SEED)
    add_sources(parser)
    parser.add_argument("--out", type=Path, default=RESULTS / "cities.jsonl")
    return parser


if __name__ == "__main__":
    main()
