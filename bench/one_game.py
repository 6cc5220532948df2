"""Boards of one game read with one another, without a log: what each further board at the table brings.

Usage: python -m bench.one_game [--games 40] [--tier ordinary] [--strokes DIR] [--backgrounds DIR] [--out FILE]

A row a board, written as it comes; a stopped run goes on. Then docs/one-game.md is written from all rows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from bench.measure import OUTSIDE
from bench.photos import UNKNOWN_EDITIONS, Studio, add_sources
from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.several import judged
from bench.several_page import COLUMNS, line
from bench.slips import record_of
from bench.stats import table
from ontour_cv.errors import BoardNotFound
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.one_game import read_with_one_another
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import mark_reader, score_read
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import play_game, play_rolls
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.read import read_board

PAGE = Path(__file__).resolve().parent.parent / "docs" / "one-game.md"

SEED = 20261125
"""The boards of the published figures."""

PLAYERS = 4
"""Boards at a table."""

TIERS = ("ordinary", "hard")

WAYS = ("alone", "with one other", "with two others", "with three others")

Board = tuple[Report | None, Truth]


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks, and write the page."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds, split=options.split)
    writer = RowWriter(options.out)
    for k in range(options.start, options.games):
        for tier in options.tier or TIERS:
            keys = [f"{tier}-{options.seed}-{k:05d}-{player}" for player in range(PLAYERS)]
            if all(key in writer for key in keys):
                continue
            for key, row in zip(keys, measure_table(studio, tier, k), strict=True):
                writer.append({"key": key, "tier": tier, "split": options.split, "model": mark_reader().name} | row)
                print(key, row["ways"], file=sys.stderr, flush=True)
    if options.out == RESULTS / "one-game.jsonl":
        PAGE.write_text(page(read_rows(options.out)), encoding="utf-8")


def shoot(studio: Studio, tier: str, k: int) -> list[Board]:
    """Table ``k``: each player's board, the same rolls written by another hand, photographed and read by itself."""
    rng = studio.rng(f"one-game-{tier}", k)
    first = play_game(studio.template, rng)
    rolls = record_of(first, studio.template).rolls
    boards: list[Board] = []
    for player in range(PLAYERS):
        game = play_rolls(studio.template, rolls, rng) if player else first
        writer = sample_writer(rng, studio.hand(rng))
        edition = studio.editions[int(rng.integers(len(studio.editions)))]
        settings = Settings(tier=tier, jitter=UNKNOWN_EDITIONS, backgrounds=studio.tables)
        image, truth = render(studio.template, edition, game.board, settings, rng, writer)
        data = encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"]))
        name = f"{k}-{player}.jpg"
        try:
            prior = prior_of(RULESETS[studio.template.rules])
            reading = read_board(load_photo(data, name), studio.editions, mark_reader(), prior)
            boards.append((score_read(name, reading), truth))
        except BoardNotFound:
            boards.append((None, truth))
    return boards


def measure_table(studio: Studio, tier: str, k: int) -> list[Row]:
    """The rows of table ``k``, one for each board: read alone, and with those of the players to the left."""
    boards = shoot(studio, tier, k)
    rows: list[Row] = []
    for player, (_, truth) in enumerate(boards):
        order = [boards[(player + n) % PLAYERS] for n in range(PLAYERS)]
        ways = {way: _counts(_together(order[: n + 1]), truth) for n, way in enumerate(WAYS)}
        gone = sum(hazard.outside > OUTSIDE for hazard in truth.hazards.values())
        rows.append({"cells": len(truth.hazards), "outside": gone, "ways": ways})
    return rows


def _together(boards: Sequence[Board]) -> Report | None:
    """The first of the boards, read with the others; those that were not found tell nothing."""
    if boards[0][0] is None:
        return None
    return read_with_one_another([report for report, _ in boards if report is not None])[0]


def _counts(report: Report | None, truth: Truth) -> Row | None:
    if report is None:
        return None
    best = RULESETS[report.rules].score(report.template, truth.board).total
    found = report.one_game
    return judged(report, truth, best) | {
        "compared": int(found is not None),
        "strange": len(found.strange if found else ()),
    }


def page(rows: Sequence[Row]) -> str:
    """The whole page, Markdown."""
    head = """# Boards of one game, read with one another

Written by `python -m bench.one_game` from `bench/results/one-game.jsonl`; a test checks that they agree.
"""
    if not rows:
        return head + "\nNot measured yet.\n"
    parts = [head]
    models = ", ".join(sorted({row["model"] for row in rows}))
    parts.append(
        f"""The same rolls written by {PLAYERS} simulated players with hands the network never saw, a photo of each
board of the USA, no log. Network: `{models}`.
Cells are marks with their circles; a silent error is a wrong cell that is not in `uncertain`. Where the boards do not
tell all that was rolled, each counts as it was read alone.
"""
    )
    for tier in TIERS:
        some = [row for row in rows if row["tier"] == tier]
        if some:
            last = [way for way in (row["ways"][WAYS[-1]] for row in some) if way]
            compared, strange = (sum(way[what] for way in last) for what in ("compared", "strange"))
            parts.append(f"## {tier.capitalize()} photos, {len(some)} boards\n")
            parts.append(table(COLUMNS, [line(way, some) for way in WAYS]))
            parts.append(
                f"Of these {compared} could be compared with all others. Numbers said to stand on no other board, where"
                f" nobody\nmade a slip: {strange}.\n"
            )
    return "\n".join(parts)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.one_game", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--tier", action="append", choices=TIERS, help="repeatable; else both")
    parser.add_argument("--split", choices=("valid", "test"), default="test", help="which recorded writers")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--start", type=int, default=0, help="number of the first game")
    add_sources(parser)
    parser.add_argument("--out", type=Path, default=RESULTS / "one-game.jsonl")
    return parser


if __name__ == "__main__":
    main()
