"""How the referee with the game's log judges: honest boards, boards with one planted slip, and how long it takes.

``python -m bench.referee`` measures and writes ``docs/referee.md``; ``--boards N`` sets the boards of each kind.
True boards, no photos: what reading adds is measured elsewhere.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.stats import Share, quantile, table

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from recorded import SLIPS, crowded, honest, planted  # noqa: E402

from ontour_cv.board import BoardState, Kind, Mark  # noqa: E402
from ontour_cv.dealer.record import GameRecord, Phase, Roll  # noqa: E402
from ontour_cv.maps.load import load_map  # noqa: E402
from ontour_cv.referee import MOST_SLIPS, Verdict, verify  # noqa: E402
from ontour_cv.rules import BGA, RULEBOOK, Variant  # noqa: E402
from ontour_cv.synth.play import play_game  # noqa: E402

USA = load_map("usa")
Case = tuple[GameRecord, BoardState]


@dataclass(frozen=True, slots=True)
class Judged:
    """Boards of one kind.

    Attributes:
        name: the kind.
        verdicts: what was found, board by board.
        regions: where each slip was planted; empty for honest boards.
        seconds: processor time of each.
    """

    name: str
    verdicts: tuple[Verdict, ...]
    regions: tuple[str, ...]
    seconds: tuple[float, ...]


def judge(name: str, cases: Sequence[Case], variant: Variant = RULEBOOK, regions: Sequence[str] = ()) -> Judged:
    """The verdicts on some boards, and how long each took."""
    verdicts, seconds = [], []
    for record, board in cases:
        start = time.process_time()
        verdicts.append(verify(USA, variant, record, board))
        seconds.append(time.process_time() - start)
    return Judged(name, tuple(verdicts), tuple(regions), tuple(seconds))


def sensible(seed: int) -> Case:
    """A game by a player who wants a long route."""
    game = play_game(USA, np.random.default_rng(seed))
    rolls = tuple(Roll(Phase(t.phase), tuple(c.region for c in t.cards), t.dice) for t in game.turns)
    return GameRecord(USA.id, "rulebook", ("A",), rolls, True), game.board


def whim(seed: int) -> Case:
    """A game by a player who writes anywhere, some of them filling one region first, some with many doubles."""
    return honest(USA, random.Random(f"honest {seed}"))


def slipped(kind: str, boards: int, variant: Variant = RULEBOOK) -> Judged:
    """Boards with one planted slip of a kind."""
    made = [planted(USA, random.Random(f"{kind} {seed}"), kind) for seed in range(boards)]
    return judge(kind, [(one.record, one.board) for one in made], variant, [one.region for one in made])


def alike(seed: int) -> Case:
    """A game of few different rolls whose board had regions exchanged; cards come as they like."""
    rng = random.Random(f"alike {seed}")
    areas = {card.region: card.area for card in USA.cards}
    dice = rng.choice([[(3, 7)], [(3, 7), (1, 2)], [(3, 7), (3, 7), (4, 4)]])
    rolls = [Roll(Phase.SETUP, tuple(rng.sample(USA.ids, 2)), (3, 7)) for _ in range(2)]
    left = len(USA.ids) - 4
    while left > 0:
        phase, die = (Phase.TURN, rng.choice(dice)) if left > 2 else (Phase.LAST, (3, 7))
        cards = tuple(rng.sample(USA.ids, 3)) if phase is Phase.TURN else ()
        star = die[0] == die[1] or len({areas[card] for card in cards}) == 1
        rolls.append(Roll(phase, cards, die))
        left -= 1 if star else min(2, left)
    marks = [mark for roll in rolls for mark in _marks(roll, areas, rng)][: len(USA.ids)]
    rng.shuffle(marks)
    return GameRecord(USA.id, "rulebook", ("A",), tuple(rolls), True), BoardState(
        dict(zip(USA.ids, marks, strict=True))
    )


def _marks(roll: Roll, areas: dict[str, str], rng: random.Random) -> list[Mark]:
    if roll.double or (roll.cards and roll.phase is Phase.TURN and len({areas[card] for card in roll.cards}) == 1):
        return [Mark(Kind.STAR)]
    crossed = 0.12 if roll.phase is Phase.TURN else 0.0
    ring = roll.phase is Phase.SETUP
    return [Mark(Kind.BLOCKED) if rng.random() < crossed else Mark(Kind.NUMBER, n, ring) for n in roll.numbers]


def page(fair: Sequence[Judged], slips: Sequence[Judged], strict: Judged, hard: Sequence[Judged]) -> str:
    """``docs/referee.md``."""
    accused = sum(not verdict.legal for one in fair for verdict in one.verdicts)
    return "\n".join(
        [
            "# The referee with the game's log",
            "",
            "Written by `python -m bench.referee`; do not edit. True boards of the USA map, no photos. Processor time",
            f"in one process, everything loaded, Python {platform.python_version()} on {platform.machine()}.",
            "",
            "## Honest boards",
            "",
            f"{accused} of {sum(len(one.verdicts) for one in fair)} accused.",
            "",
            table(["boards", "number", "accused", *_TIMES], [_fair(one) for one in fair]),
            "## One planted slip",
            "",
            "The player slips once and goes on honestly. A slip may leave a board that another lawful course of the",
            "same game explains; nobody can name such a slip. *Named*: the region where it was planted is in a",
            "smallest set of slips. *First*: it is in the set that is told first; the others are told after it.",
            "With two digits swapped, the wrong number often stands twice, and nothing tells which is the slip.",
            "",
            table(
                ["planted", "number", "no lawful explanation", "named", "first", *_TIMES],
                [_slips(one.name, [one]) for one in (*slips, strict)] + [_slips("**all but the strict row**", slips)],
            ),
            "## Boards that are hard to judge",
            "",
            f"More than {MOST_SLIPS} slips are not listed; *given up* says how often the search ended without the",
            "fewest slips where these may be no more than that. Whether a board is legal is always decided.",
            "",
            table(["boards", "number", "legal", "explained", "given up", *_TIMES], [_hard(one) for one in hard]),
        ]
    )


_TIMES = ("p50 ms", "p99 ms", "max ms")


def _times(seconds: Sequence[float]) -> list[str]:
    return [f"{1000 * quantile(seconds, share):.1f}" for share in (0.5, 0.99, 1.0)]


def _fair(one: Judged) -> list[object]:
    return [one.name, len(one.verdicts), sum(not v.legal for v in one.verdicts), *_times(one.seconds)]


def _slips(name: str, some: Sequence[Judged]) -> list[object]:
    pairs = [(v, region) for one in some for v, region in zip(one.verdicts, one.regions, strict=True) if not v.legal]
    named = sum(any(region in s.regions for slips in (v.slips, *v.others) for s in slips) for v, region in pairs)
    first = sum(any(region in slip.regions for slip in v.slips) for v, region in pairs)
    number = sum(len(one.verdicts) for one in some)
    shares = [Share(len(pairs), number).short(), Share(named, len(pairs)).text(), Share(first, len(pairs)).short()]
    return [name, number, *shares, *_times([second for one in some for second in one.seconds])]


def _hard(one: Judged) -> list[object]:
    legal = sum(v.legal for v in one.verdicts)
    given_up = sum(not v.complete and v.at_least <= MOST_SLIPS for v in one.verdicts)
    explained = sum(v.complete for v in one.verdicts)
    return [one.name, len(one.verdicts), legal, explained, given_up, *_times(one.seconds)]


def settled(cases: Sequence[Case], rng: random.Random, tries: int = 60) -> list[Case]:
    """The boards after exchanging marks as long as that lowers the number of slips: the hardest are near legal."""
    return [_settle(record, board, rng, tries) for record, board in cases]


def _settle(record: GameRecord, board: BoardState, rng: random.Random, tries: int) -> Case:
    least = verify(USA, RULEBOOK, record, board).at_least
    for _ in range(tries):
        if least <= 1:
            break
        here, there = rng.sample(USA.ids, 2)
        tried = board.replace({here: board.marks[there], there: board.marks[here]})
        slips = verify(USA, RULEBOOK, record, tried).at_least
        if slips <= least:
            board, least = tried, slips
    return record, board


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000, help="honest boards, and boards with a slip")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "referee.md")
    given = parser.parse_args(arguments)
    half = given.boards // 2
    kinds: list[tuple[str, Callable[[int], Case]]] = [("who want a long route", sensible), ("who write anywhere", whim)]
    fair = [judge(f"players {name}", [make(seed) for seed in range(half)]) for name, make in kinds]
    always = [honest(USA, random.Random(f"bga {seed}"), always=True) for seed in range(half // 2)]
    fair.append(judge("as on Board Game Arena", always, BGA))
    slips = [slipped(kind, given.boards // len(SLIPS)) for kind in SLIPS]
    needless = slipped(SLIPS[-1], given.boards // len(SLIPS), replace(RULEBOOK, x_last_resort=True))
    strict = replace(needless, name=f"{SLIPS[-1]}, strict reading")
    others = [(sensible(seed)[0], sensible(seed + 5000)[1]) for seed in range(given.boards // 10)]
    equal = [alike(seed) for seed in range(given.boards // 10)]
    hard = [
        judge("of another game", others),
        judge("few different rolls, marks shuffled", equal),
        judge("equal rolls, one card short", [crowded(seed) for seed in range(given.boards // 50)]),
        judge("few different rolls, led to few slips", settled(equal[: given.boards // 100], random.Random("settle"))),
    ]
    given.out.write_text(page(fair, slips, strict, hard), encoding="utf-8")


if __name__ == "__main__":
    main()
