"""What the rules tell the eyes: a game's habits as plain probabilities."""

from __future__ import annotations

from ontour_cv.rules import Ruleset
from ontour_cv.vision.prior import Prior

LONE, FURTHER = 3.3, 5.0
"""Costs of numbers without a partner, those an X or the last turn excuses and all others.

A number whose partner stands beside it says no more; one alone is one of ninety. Counting the ways to pair 38 numbers
and the boards of 2,200 played games, an excused one costs 3.5 to 4.4; with 1.5 the eyes were believed where they tore a
pair apart. On 600 photos by writers kept for validation (USA and Europe, ordinary and hard) 475 boards were exactly
right with 1.5 and 479 with 3.3, the log-loss of marks fell from 992 to 964, doubts by a fiftieth; 4 is no better.
Counted, two that nothing excuses would cost 10; with 8.3 a slip that is written clearly stays one.
"""


def prior_of(ruleset: Ruleset) -> Prior:
    """What is known of a finished board before looking at it.

    Every roll writes both ab and ba and doubles are never written; but players slip, so the costs are finite and a
    clearly written breach is read as it stands. A finished board has no empty space (rulebook: play ends when all are
    filled), so on a board otherwise full an empty disc is more likely one that glare wiped out.
    """
    return Prior(
        reversed_pairs=True, unpaired_cost=LONE, broken_cost=FURTHER, double_cost=5.0, empty_cost=7.0, trend=True,
        setup_rolls=ruleset.variant.setup_rolls,
    )  # fmt: skip
