"""What the rules tell the eyes, seen in what the eyes then make of a board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ontour_cv.rules import RULESETS, ruleset
from ontour_cv.scorer.prior import prior_of
from ontour_cv.vision.match import BLOCKED, LABELS
from ontour_cv.vision.pairs import joint_posterior

PRIOR = prior_of(RULESETS["rulebook"])
PAIRS = [{n: 0.99999} for ones in range(2, 9) for n in (10 + ones, 10 * ones + 1)]


def posterior(*cells: dict[int, float]) -> np.ndarray:
    """Of the cells given, on a board of lawful pairs beside them; what is left of each is spread over all labels."""
    out = np.empty((len(cells) + len(PAIRS), LABELS))
    for row, cell in enumerate((*cells, *PAIRS)):
        out[row] = np.log((1.0 - sum(cell.values())) / (LABELS - len(cell)))
        for label, chance in cell.items():
            out[row, label] = np.log(chance)
    return joint_posterior(out, PRIOR)


def test_a_partner_that_is_there_outweighs_an_x_that_would_excuse_its_absence() -> None:
    """26 or 20, twenty to one by the looks; 02 stands on the board, and an X that might have swallowed a partner."""
    found = posterior({26: 0.95, 20: 0.047}, {2: 0.99999}, {BLOCKED: 0.99999})
    assert found[0, 20] > 0.9


def test_as_many_rolls_are_circled_as_the_rules_have_in_their_setup() -> None:
    variant = RULESETS["rulebook"].variant
    assert prior_of(ruleset(variant)).setup_rolls == variant.setup_rolls == 2
    assert prior_of(ruleset(replace(variant, setup_rolls=0))).setup_rolls == 0


def test_an_x_excuses_a_lone_number_that_is_plain_to_see() -> None:
    found = posterior({26: 0.99999}, {BLOCKED: 0.99999})
    assert found[0, 26] > 0.99


def test_a_slip_that_is_written_clearly_stays_one() -> None:
    """20 and 26, no X: somebody wrote 26 in place of 02."""
    found = posterior({20: 0.9999999}, {26: 0.9999999})
    assert found[0, 20] > 0.99
    assert found[1, 26] > 0.99
