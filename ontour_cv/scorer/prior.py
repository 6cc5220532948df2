"""What the rules tell the eyes: a game's habits as plain probabilities."""

from __future__ import annotations

from ontour_cv.rules import Ruleset
from ontour_cv.vision.prior import Prior


def prior_of(ruleset: Ruleset) -> Prior:
    """What is known of a finished board before looking at it.

    Every roll writes both ab and ba and doubles are never written; but players slip, so the costs are finite and a
    clearly written breach is read as it stands. A finished board has no empty space (rulebook: play ends when all are
    filled), so on a board otherwise full an empty disc is more likely one that glare wiped out.
    """
    return Prior(reversed_pairs=True, double_cost=5.0, empty_cost=7.0, trend=True)
