"""How many states of a sheet stay blank: every die fills one, every dupe one more, but for the dice passed over."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ontour_cv.rules.rolling import DICE_PER_ROUND
from ontour_cv.sheet import POWERS, ROUNDS

PASSED: Mapping[int, tuple[float, ...]] = {
    5: (0.996, 0.004),
    6: (0.956, 0.039, 0.005),
    7: (0.621, 0.319, 0.054, 0.006),
    8: (0.056, 0.264, 0.367, 0.232, 0.067, 0.012, 0.002),
}
"""Rounds -> how probable it is that so many of their dice were passed over, for their colour was full: measured on 800
games of ``synth.play_rolling`` after five to seven rounds, 2,000 after eight. Before that none is."""

HONEST = 0.85
"""How probable a row of boxes is crossed off as it should be; else any number of them is as probable."""

LATE = 0.3
"""How often a round that is over was not crossed off yet."""

SLIPS = np.array([0.1, 0.2, 0.4, 0.2, 0.1])
"""How far players who make slips are off: states left out, or filled once too often."""

SLIPPING, ANYHOW = 0.15, 0.02
"""Share of the sheets with such slips, and of those on which nothing follows from the boxes.

These and the shares above, but for ``PASSED``, are judged, not measured: no sheets of real evenings are known. On 230
rendered sheets of writers kept for choosing 0.7 to 0.95 honest, 0.15 to 0.3 slipping and 0.002 to 0.05 anyhow asked as
many questions, within a twentieth.
"""


def blanks_of(crossed: Mapping[str, int], states: int) -> NDArray[np.float64]:
    """How probable each number of blank states is, ``(states + 1,)``, summing to one.

    Args:
        crossed: how many boxes are crossed off, by ``"rounds"`` and ``"dupe"``.
        states: of the sheet.
    """
    rounds, seen = crossed["rounds"], crossed["dupe"]
    chance = np.zeros(states + 1)
    for dupes in range(POWERS + 1):
        share = HONEST * (dupes == seen) + (1 - HONEST) / (POWERS + 1)
        for rolled, weight in _rolled(rounds).items():
            for passed, p in enumerate(_passed(rolled)):
                blank = states - rolled - dupes + passed
                if 0 <= blank <= states:
                    chance[blank] += share * weight * p
    chance /= chance.sum()
    slipped = np.convolve(chance, SLIPS, mode="same")
    mixed = (1 - SLIPPING) * chance + SLIPPING * slipped / slipped.sum()
    return np.asarray((1 - ANYHOW) * mixed + ANYHOW / len(mixed))


def _rolled(rounds: int) -> dict[int, float]:
    """How many dice may have been rolled when so many rounds are crossed off: an unfinished game may stop anywhere."""
    done = rounds * DICE_PER_ROUND
    if rounds == ROUNDS:
        return {done: 1.0}
    some = {done + dice: LATE / DICE_PER_ROUND for dice in range(1, DICE_PER_ROUND + 1)}
    return {done: 1.0 - LATE, **some}


def _passed(rolled: int) -> tuple[float, ...]:
    return PASSED.get(rolled // DICE_PER_ROUND, (1.0,))
