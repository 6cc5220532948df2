"""Renders tests/fixtures/games: the log of one game, photos of its players' boards, and their truth.

Usage: python -m bench.game_fixtures

Only our own pen shapes, art and tables are used. Cleo's board has one planted slip; none is chosen by how it is read.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import cv2
import numpy as np

from bench.fixtures import fitted_jpeg
from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.events import Deal
from ontour_cv.dealer.form import event_line, opening_line
from ontour_cv.dealer.game import Opening, new_game
from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.rules import RULEBOOK
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.strokes import parametric_hand, sample_writer

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from recorded import Scripted  # noqa: E402

GAMES = ROOT / "tests" / "fixtures" / "games"
PLAYERS = ("Anna", "Ben", "Cleo")
TIERS = {"Anna": "ordinary", "Ben": "hard", "Cleo": "ordinary"}
EDITIONS = ("2019", "print-and-play")
SEED = 1121


def main() -> None:
    """Deal, play, render, and write everything."""
    cv2.setNumThreads(1)
    GAMES.mkdir(parents=True, exist_ok=True)
    record = deal(GAMES / "evening.jsonl")
    template = load_map("usa")
    editions = [edition for edition in load_editions("usa") if edition.name in EDITIONS]
    lines = []
    for number, player in enumerate(PLAYERS):
        board = Scripted(template, random.Random(SEED + number), record).play()
        if player == "Cleo":
            board, region = swapped(board)
            lines.append(f"Cleo swapped the digits in {region}.\n")
        rng = np.random.default_rng([SEED, number])
        writer = sample_writer(rng, parametric_hand(rng, held_out=True))
        settings = Settings(TIERS[player], 1400)
        image, truth = render(template, editions[number % len(editions)], board, settings, rng, writer)
        name = f"evening-{player.lower()}"
        (GAMES / f"{name}.jpg").write_bytes(fitted_jpeg(image))
        (GAMES / f"{name}.txt").write_text(f"{truth.board}\n", encoding="utf-8")
        lines.append(f"- `{name}.jpg`, {TIERS[player]}; its truth: `{name}.txt`.\n")
    (GAMES / "README.md").write_text(PAGE + "".join(sorted(lines)), encoding="utf-8")


PAGE = """# One game

Made by `python -m bench.game_fixtures`: the log `evening.jsonl` and a rendered photo of each board, with our own
pen shapes, art and tables.

"""


def deal(path: Path) -> GameRecord:
    """A game dealt from a seed, written as the dealer writes it, always with the same times."""
    opening = Opening(load_map("usa"), RULEBOOK, PLAYERS, f"fixture {SEED}", "2026-11-20T19:00:00Z")
    game, lines = new_game(opening), [opening_line(opening)]
    while not game.now.over:
        event: Deal = game.draw()
        lines.append(event_line(event, game.events + 1, f"2026-11-20T19:{game.events + 1:02d}:00Z"))
        game = game.after(event)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return game.record


def swapped(board: BoardState) -> tuple[BoardState, str]:
    """The board with the digits of its first plain number exchanged that nobody else has, and where."""
    numbers = [mark.number for mark in board.marks.values()]
    for region in board.of_kind(Kind.NUMBER):
        mark = board.marks[region]
        value = mark.number or 0
        turned = 10 * (value % 10) + value // 10
        if not mark.circled and numbers.count(value) == numbers.count(turned) == 1:
            return board.replace({region: Mark(Kind.NUMBER, turned)}), region
    raise AssertionError("no number stands alone")


if __name__ == "__main__":
    main()
