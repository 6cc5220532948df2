"""Whole games of Rolling America, played by the rules by a player who wants few Xs.

A source of sheets and logs for tests and benchmarks. It knows the rules by itself and nothing of the referee, so the
two check each other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.dealer.bag import ROLLS_PER_ROUND, WILD, BagPosition
from ontour_cv.dealer.record import GameRecord, Roll
from ontour_cv.maps.model import MapTemplate
from ontour_cv.sheet import POWERS, ROUNDS, SIDES, Boxes, Sheet

_BLANK, _CROSS = Mark(Kind.EMPTY), Mark(Kind.BLOCKED)


@dataclass(frozen=True, slots=True)
class PlayedSheet:
    """A played game: the dice, the sheet at its end, and what was done with each die, in words."""

    record: GameRecord
    sheet: Sheet
    story: tuple[str, ...]


class _Dice:
    """Chance from a ``random.Random``."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def below(self, n: int) -> int:
        return self._rng.randrange(n)


def play_rolling(template: MapTemplate, rng: random.Random, rounds: int = ROUNDS) -> PlayedSheet:
    """A game of ``rounds`` rounds; ``rng`` gives dice, tastes and whims."""
    position, chance = BagPosition(template), _Dice(rng)
    player = _Player(template, rng)
    while len(position.rolls) < rounds * ROLLS_PER_ROUND:
        deal = position.draw(chance)
        position = position.after(deal)
        player.roll(list(zip(deal.roll.colours, deal.roll.dice, strict=True)), position.left)
    over = position.over
    record = GameRecord(template.id, template.rules, ("Anna",), position.rolls, over)
    return PlayedSheet(record, player.sheet(rounds, over), tuple(player.story))


def play_dice(template: MapTemplate, rolls: Sequence[Roll], rng: random.Random) -> Sheet:
    """The sheet of one player to whom a dealer rolled all ``rolls`` of a game; ``rng`` gives tastes and whims."""
    player = _Player(template, rng)
    for done, roll in enumerate(rolls, start=1):
        player.roll(list(zip(roll.colours, roll.dice, strict=True)), len(rolls) - done)
    return player.sheet(len(rolls) // ROLLS_PER_ROUND, over=True)


@dataclass(slots=True)
class _Player:
    """One player: the sheet so far, and tastes drawn once."""

    template: MapTemplate
    rng: random.Random
    marks: dict[str, Mark] = field(init=False)
    used: dict[str, int] = field(init=False)
    story: list[str] = field(init=False)
    links: dict[str, tuple[str, ...]] = field(init=False)
    colour: dict[str, str] = field(init=False)
    eager: float = field(init=False)
    whim: float = field(init=False)

    def __post_init__(self) -> None:
        self.marks = dict.fromkeys(self.template.ids, _BLANK)
        self.used = {"change": 0, "guard": 0, "dupe": 0}
        self.story = []
        self.links = {region.id: region.neighbours for region in self.template.regions}
        self.colour = {region.id: region.areas[0] for region in self.template.regions}
        self.eager, self.whim = self.rng.random(), self.rng.choice((0.0, 0.5, 3.0))

    def roll(self, dice: list[tuple[str, int]], left: int) -> None:
        """Both dice, the one with fewer places first, or the other way round at a whim."""
        dice.sort(key=lambda die: len(self.fits(die[1], self.blank(die[0]))))
        if self.rng.random() < 0.3:
            dice.reverse()
        for colour, number in dice:
            self.die(colour, number, left)

    def die(self, colour: str, number: int, left: int) -> None:
        """One die: written, helped by a power, crossed out, or passed over."""
        own = self.blank(colour)
        everywhere = self.blank(WILD)
        fits = self.fits(number, own)
        late = left < 12
        if fits:
            if colour != WILD and self.may("change") and self.rng.random() < 0.03:
                return self.write(number, self.fits(number, everywhere), "change")
            if self.may("guard") and self.rng.random() < 0.01:
                return self.guard(number, own)
            return self.write(number, fits, "", again=late and self.may("dupe") and self.rng.random() < 0.2)
        elsewhere = self.fits(number, everywhere) if colour != WILD else []
        if own and self.may("guard") and self.rng.random() < (0.7 if late else 0.2 + 0.4 * self.eager):
            return self.guard(number, own)
        if elsewhere and self.may("change") and self.rng.random() < (0.3 + 0.5 * self.eager if own else 0.5 * late):
            return self.write(number, elsewhere, "change", again=self.may("dupe") and self.rng.random() < 0.1)
        if not own:
            self.story.append(f"{colour} {number}: passed over")
            return None
        place = min(own, key=lambda state: (len(self.open(state)), self.rng.random()))
        self.marks[place] = _CROSS
        self.story.append(f"{colour} {number}: X in {place}")
        return None

    def guard(self, number: int, places: Sequence[str]) -> None:
        """The number in the place where it does least harm, guarded."""
        place = min(places, key=lambda state: (len(self.open(state)), self.rng.random()))
        self.marks[place] = Mark(Kind.NUMBER, number, True)
        self.used["guard"] += 1
        self.story.append(f"{number} guarded in {place}")

    def write(self, number: int, places: Sequence[str], power: str, again: bool = False) -> None:
        """The number where it leaves most open; with ``again`` a second one in the first one's colour."""
        place = min(places, key=lambda state: self.harm(state, number))
        self.marks[place] = Mark(Kind.NUMBER, number)
        told = f"{number} in {place}"
        if power:
            self.used[power] += 1
            told += f", {power}"
        others = self.fits(number, self.blank(self.colour[place])) if again else []
        if others:
            other = min(others, key=lambda state: self.harm(state, number))
            self.marks[other] = Mark(Kind.NUMBER, number)
            self.used["dupe"] += 1
            told += f", dupe in {other}"
        self.story.append(told)

    def harm(self, state: str, number: int) -> float:
        """How many numbers the blank neighbours lose, a free state and a whim put on top."""
        lost = 0.0
        for other in self.links[state]:
            if self.marks[other].kind is Kind.EMPTY:
                lost += sum(abs(value - number) > 1 for value in self.open(other))
        lone = 4.0 if not self.links[state] else 0.0
        return lost + lone + self.whim * self.rng.random()

    def open(self, state: str) -> list[int]:
        """Numbers that fit into the state."""
        return [number for number in range(1, SIDES + 1) if self.fits(number, [state])]

    def fits(self, number: int, places: Sequence[str]) -> list[str]:
        """Those of the places into which the number fits."""
        return [state for state in places if not any(self.blocks(other, number) for other in self.links[state])]

    def blocks(self, state: str, number: int) -> bool:
        mark = self.marks[state]
        return mark.number is not None and not mark.circled and abs(mark.number - number) > 1

    def blank(self, colour: str) -> list[str]:
        """Blank states of the colour; of the wild one all."""
        return [s for s, m in self.marks.items() if m.kind is Kind.EMPTY and colour in (WILD, self.colour[s])]

    def may(self, power: str) -> bool:
        return self.used[power] < POWERS

    def sheet(self, rounds: int, over: bool) -> Sheet:
        """The sheet with its boxes; the number of Xs is written when the game is over."""
        count = sum(mark.kind in (Kind.BLOCKED, Kind.EMPTY) for mark in self.marks.values())
        return Sheet(BoardState(dict(self.marks)), Boxes(rounds=rounds, **self.used, x=count if over else None))
