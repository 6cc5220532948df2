"""Whole games, from the dealer to the score: dealt and logged, read again from the file, played, judged, scored.

Usage: python -m bench.playing [--games 1000] [--map MAP ...] [--start N] [--stop N]

A row a game, written as it comes; a stopped run goes on. Then docs/playing.md is written from all rows. Each game is
dealt by the dealer into a file of its own and read from there again; two players play its rolls by a simulator that
knows nothing of the referee (in New York while they are dealt, since a full map ends the game). Wanted: no board is
accused, with the log or without.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import quantile, table
from ontour_cv.city_board import CityBoard
from ontour_cv.dealer.city import CityPosition
from ontour_cv.dealer.form import make_opening
from ontour_cv.dealer.log import load_game
from ontour_cv.dealer.play import deal_next, declare_full
from ontour_cv.dealer.record import GameRecord
from ontour_cv.dealer.store import create_game
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee import verify
from ontour_cv.referee.city_verify import verify_city
from ontour_cv.referee.sheet import verify_sheet
from ontour_cv.rules import ROLLING_AMERICA, ruleset
from ontour_cv.rules.city import city_problems, city_score, route_score
from ontour_cv.rules.rolling import sheet_problems, sheet_score
from ontour_cv.synth.play import play_rolls
from ontour_cv.synth.play_city import CityTable, crossed_rows
from ontour_cv.synth.play_rolling import play_dice

MAPS = ("usa", "europe-home", "rolling-america", "paris-home", "new-york-home")
PLAYERS = ("Anna", "Ben")
CREATED = "2026-11-21T20:00:00Z"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "playing.md"

Judge = Callable[[MapTemplate, GameRecord, str], Row]
"""Map, game and a seed for the player -> what became of the player's board."""


def main(arguments: list[str] | None = None) -> None:
    """Play as the command line asks, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.playing", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000, help="games per map")
    parser.add_argument("--map", action="append", choices=MAPS, help="repeatable; all if left out")
    parser.add_argument("--start", type=int, default=0, help="number of the first game of each map")
    parser.add_argument("--stop", type=int, help="number after the last one; --games if left out")
    parser.add_argument("--out", type=Path, default=RESULTS / "playing.jsonl")
    options = parser.parse_args(arguments)
    writer = RowWriter(options.out)
    for k in range(options.start, options.games if options.stop is None else options.stop):
        for map_id in options.map or MAPS:
            key = f"{map_id}-{k:05d}"
            if key not in writer:
                row = play_one(map_id, k)
                writer.append(row)
                if not lawful(row) or k % 100 == 99:
                    print(row, file=sys.stderr, flush=True)
    if options.out == RESULTS / "playing.jsonl":
        PAGE.write_text(page(read_rows(options.out)), encoding="utf-8")


def play_one(map_id: str, k: int) -> Row:
    """Game ``k`` of a map, from the first roll to the scores."""
    key, template = f"{map_id}-{k:05d}", load_map(map_id)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        if template.city is not None:
            record, made = dealt_city(template, f"playing {key}", path)
        else:
            record, made = dealt(map_id, f"playing {key}", path), ()
    spent = time.process_time() - began
    judge = sheet if record.variant.game == ROLLING_AMERICA else board
    boards = (
        [judge(template, record, f"{key} {name}") for name in record.players]
        if template.city is None
        else [city(template, record, one) for one in made]
    )
    return {"key": key, "map": map_id, "rolls": len(record.rolls), "deal_ms": round(1000 * spent), "boards": boards}


def dealt(map_id: str, seed: str, path: Path) -> GameRecord:
    """A whole game as its log has it: dealt roll by roll into the file ``path`` and read from there."""
    log = create_game(path, make_opening(map_id, None, PLAYERS, seed, CREATED))
    while not log.game.now.over:
        log = deal_next(path)
    game = load_game(path)
    if game != log.game:
        raise AssertionError(f"{seed}: the log reads as another game")
    return game.record


def dealt_city(template: MapTemplate, seed: str, path: Path) -> tuple[GameRecord, tuple[CityBoard, ...]]:
    """A game of New York as its log has it, and its boards: played while it is dealt, until a map is full."""
    log = create_game(path, make_opening(template.id, None, PLAYERS, seed, CREATED))
    players = CityTable(template, random.Random(seed), len(PLAYERS))
    while not players.full:
        log = deal_next(path)
        assert isinstance(log.game.now, CityPosition)
        players.turn(log.game.now)
    log = declare_full(path)
    game = load_game(path)
    if game != log.game:
        raise AssertionError(f"{seed}: the log reads as another game")
    return game.record, players.boards()


def board(template: MapTemplate, record: GameRecord, player: str) -> Row:
    """A player's board of On Tour: problems it has alone, slips by the log, and its score."""
    made = play_rolls(template, record.rolls, np.random.default_rng(list(player.encode()))).board
    rules = ruleset(record.variant)
    problems = [problem.rule for problem in rules.problems(template, made)]
    began = time.process_time()
    verdict = verify(template, record.variant, record, made)
    judged = time.process_time()
    best = rules.best(template, made, 1)
    routed = time.process_time()
    if best.total != rules.score(template, made).total or best.total != best.visited + best.circles:
        raise AssertionError(f"{player}: two ways to the score differ")
    return {
        "alone": problems,
        "legal": int(verdict.legal),
        "decided": int(verdict.complete),
        "slips": verdict.at_least,
        "score": best.total,
        "referee_ms": round(1000 * (judged - began), 1),
        "route_ms": round(1000 * (routed - judged), 1),
    }


def city(template: MapTemplate, record: GameRecord, made: CityBoard) -> Row:
    """A player's board of New York, likewise; the rows are crossed off as the best route earns."""
    began = time.process_time()
    best = city_score(template, made)
    routed = time.process_time()
    if route_score(template, made, best.route).total != best.total:
        raise AssertionError("two ways to the score differ")
    made = replace(made, tracks=crossed_rows(template, best.route, made))
    problems = [problem.rule for problem in city_problems(template, made)]
    asked = time.process_time()
    verdict = verify_city(template, record, made)
    judged = time.process_time()
    return {
        "alone": problems,
        "legal": int(verdict.legal),
        "decided": int(verdict.decided),
        "slips": verdict.at_least,
        "score": best.total,
        "ferries": len(made.ferries),
        "referee_ms": round(1000 * (judged - asked), 1),
        "route_ms": round(1000 * (routed - began), 1),
    }


def sheet(template: MapTemplate, record: GameRecord, player: str) -> Row:
    """A player's sheet of Rolling America, likewise; the score is its number of Xs."""
    made = play_dice(template, record.rolls, random.Random(player))
    problems = [problem.rule for problem in sheet_problems(template, made)]
    began = time.process_time()
    verdict = verify_sheet(template, record, made)
    judged = time.process_time()
    score = sheet_score(template, made, verdict.at_least)
    return {
        "alone": problems,
        "legal": int(verdict.legal),
        "decided": int(verdict.decided),
        "slips": verdict.at_least,
        "score": score.total,
        "powers": score.powers,
        "referee_ms": round(1000 * (judged - began), 1),
    }


def lawful(row: Row) -> bool:
    """True when no board of the game was accused of anything, alone or by the log."""
    return all(not one["alone"] and not one["slips"] for one in row["boards"])


def page(rows: Sequence[Row]) -> str:
    """``docs/playing.md``."""
    by_map = {map_id: [row for row in rows if row["map"] == map_id] for map_id in MAPS}
    return f"""# Whole games

Written by `python -m bench.playing` from `bench/results/playing.jsonl`; a test checks that they agree.

Each game is dealt by the dealer, roll by roll into a log file, and read from that file again; {len(PLAYERS)} players
play its rolls by the rules, through a simulator that knows nothing of the referee. Every board is then judged alone and
by the log, and scored. An accusation would be a fault of the referee or the simulator; wanted are none.

{table(list(HEADS), [line(load_map(map_id).title, some) for map_id, some in by_map.items()])}
*Not decided* is what the referees of Rolling America and New York say when their search is cut short
([rolling.md](rolling.md), [cities.md](cities.md)); nobody is accused by it. Points are those of the best route, in
Rolling America the number of Xs. Milliseconds of processor time.
"""


HEADS = (
    "map", "games", "boards", "accused alone", "accused by the log", "legal by the log", "not decided",
    "rolls", "points", "referee ms p50", "p95", "max",
)  # fmt: skip
"""Columns of the page's table."""


def line(title: str, rows: Sequence[Row]) -> list[object]:
    """One map's line of the table."""
    boards = [one for row in rows for one in row["boards"]]
    if not boards:
        return [title, *([0] * 2), *(["-"] * (len(HEADS) - 3))]
    rolls, points = [row["rolls"] for row in rows], [one["score"] for one in boards]
    spent = [one["referee_ms"] for one in boards]
    return [
        title,
        len(rows),
        len(boards),
        sum(bool(one["alone"]) for one in boards),
        sum(one["slips"] > 0 for one in boards),
        sum(one["legal"] for one in boards),
        sum(not one["decided"] for one in boards),
        f"{min(rolls)}-{max(rolls)}",
        f"{min(points)}-{max(points)}, median {quantile(points, 0.5):.0f}",
        *(f"{value:.0f}" for value in (quantile(spent, 0.5), quantile(spent, 0.95), max(spent))),
    ]


if __name__ == "__main__":
    main()
