"""One writer's habit misleads every cell alike: two readings of it are not two witnesses.

Numbers come in reversed pairs, so a 17 read beside a 71 looks certain. But somebody whose 1 looks like a 7 has written
18 and 81, and both read as 78 and 87. To take the two cells as independent would multiply two halves of one doubt into
certainty. What both cells of a pair could be, if the same digit were another in both, keeps the odds that the better
witness gives it, and a part of the other's. A pen that ran dry hides both numbers of a pair alike, too: that nothing
lacks a partner makes no space emptier than it looks, and a star or an X hardly any plainer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.match import BLOCKED, EMPTY, STAR

SECOND_WITNESS = 0.25
"""How much of its evidence the less clear cell of a pair adds.

1 would be two independent witnesses, 0 one. On 90 rendered boards of writers kept for validation, 0 left 0.11 % of the
cells silently wrong and 16 % in doubt, 0.25 left 0.16 % and 14 %, 0.5 left 0.30 % and 13 %, 1 left 0.60 % and 11 %.
"""

NO_NUMBER = 0.1
"""Share of what the eyes hold possible in a cell that stays possible when the pairs make it a star or an X.

On a board that can hardly be read the joint readings that are tried agree on such a cell by chance: on 140 photos of
boards with streaky pens by writers kept for validation two cells fewer of eight were silently wrong, on 149 with usual
pens 5 cells of 6,109 more in doubt.
"""

NUMBERS = 100
"""Labels that are numbers; they come first."""


def cautious(posterior: NDArray[np.float64], unary: NDArray[np.float64]) -> NDArray[np.float64]:
    """The posterior with no more certainty about pairs than one writer's hand can give, ``(N, LABELS)``.

    Args:
        posterior: ``(N, LABELS)``, of all cells together; the most probable label of every cell stays so.
        unary: ``(N, LABELS)`` log-probabilities of the cells by themselves.
    """
    out = posterior.copy()
    best = posterior.argmax(axis=1)
    for row, label in enumerate(best):
        if label == EMPTY:
            out[row] = np.maximum(posterior[row], np.exp(unary[row]))
            continue
        if label in (STAR, BLOCKED):
            out[row] = np.maximum(posterior[row], NO_NUMBER * np.exp(unary[row]))
            continue
        tens, ones = divmod(int(label), 10)
        if label >= NUMBERS or tens == ones:
            continue
        for other in np.flatnonzero(best == 10 * ones + tens):
            rivals = _rivals(tens, ones)
            here = unary[row, rivals] - unary[row, label]
            there = unary[other, _reversed(rivals)] - unary[other, best[other]]
            odds = np.exp(np.minimum(here, there) + SECOND_WITNESS * np.maximum(here, there))
            least = posterior[row, label] * np.minimum(odds, 1.0)
            out[row, rivals] = np.maximum(out[row, rivals], least)
    return np.asarray(out / out.sum(axis=1, keepdims=True), dtype=np.float64)


def _rivals(tens: int, ones: int) -> NDArray[np.int_]:
    """What a number would be if one of its digits were another, doubles left out."""
    first = [10 * digit + ones for digit in range(10) if digit not in (tens, ones)]
    second = [10 * tens + digit for digit in range(10) if digit not in (tens, ones)]
    return np.array(first + second)


def _reversed(numbers: NDArray[np.int_]) -> NDArray[np.int_]:
    return 10 * (numbers % 10) + numbers // 10
