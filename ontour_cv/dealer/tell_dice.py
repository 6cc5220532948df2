"""What a roll of Rolling America means at the table, in words."""

from __future__ import annotations

from ontour_cv.dealer.bag import ROLLS_PER_ROUND, WILD
from ontour_cv.dealer.record import Roll
from ontour_cv.sheet import ROUNDS, SIDES


def dice_title(index: int) -> str:
    """What the ``index``-th roll is called, from 0: ``Round 3 of 8 · roll 2 of 3``."""
    return f"Round {round_of(index)} of {ROUNDS} · roll {index % ROLLS_PER_ROUND + 1} of {ROLLS_PER_ROUND}"


def round_of(index: int) -> int:
    """Which round the ``index``-th roll belongs to, from 1."""
    return index // ROLLS_PER_ROUND + 1


def dice_advice(roll: Roll, index: int) -> tuple[str, ...]:
    """What to write for a roll, a sentence each."""
    told = [_die(colour, number) for colour, number in zip(roll.colours, roll.dice, strict=True)]
    told.append("Fits nowhere: X in a blank state of its colour; none blank: nothing.")
    if index % ROLLS_PER_ROUND == ROLLS_PER_ROUND - 1:
        told.append(f"Then cross off round {round_of(index)}.")
    return tuple(told)


def dice_words(roll: Roll) -> str:
    """Both dice: ``red 4 and wild 2``."""
    return " and ".join(f"{colour} {number}" for colour, number in zip(roll.colours, roll.dice, strict=True))


def _die(colour: str, number: int) -> str:
    where = "any state" if colour == WILD else f"a{'n' * (colour[0] in 'aeio')} {colour} state"
    fit = [f"{value}" for value in range(max(1, number - 1), min(SIDES, number + 1) + 1)]
    return f"{colour.capitalize()}: write {number} in {where} that borders no number but {', '.join(fit)}."
