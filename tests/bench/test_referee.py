"""The referee's page counts what the verdicts say."""

from __future__ import annotations

import random
from dataclasses import replace

from bench.referee import USA, alike, judge, page, sensible, settled, slipped, whim
from ontour_cv.referee import verify
from ontour_cv.rules import RULEBOOK


def test_the_page_counts_accused_named_and_explained() -> None:
    """One board of another game among the honest ones is one accused; slips made up elsewhere are not named."""
    fair = judge("honest", [sensible(1), whim(1), (sensible(1)[0], whim(1)[1])])
    slips = slipped("a number never rolled", 3)
    lost = replace(slips, name="elsewhere", regions=("nowhere",) * 3)
    text = page([fair], [slips, lost], lost, [judge("another game", [(sensible(1)[0], sensible(2)[1])])])
    assert "1 of 3 accused." in text
    assert "| honest | 3 | 1 |" in text
    assert "| a number never rolled | 3 | 100 % | 100 % (43.9-100), 3 of 3 | 100 % |" in text
    assert "| **all but the strict row** | 6 | 100 % | 50.0 % (18.8-81.2), 3 of 6 | 50.0 % |" in text
    assert "| another game | 1 | 0 | 0 | 0 |" in text


def test_boards_are_led_to_fewer_slips() -> None:
    record, board = alike(1)
    ((_, nearer),) = settled([(record, board)], random.Random(1), 5)
    before, after = (verify(USA, RULEBOOK, record, one).at_least for one in (board, nearer))
    assert after <= before
