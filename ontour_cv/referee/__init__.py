"""The referee with the game's log: whether a board is a lawful outcome of a game, and the fewest slips when it is not.

``verify(template, variant, record, board) -> Verdict``

- ``template``: the map; ``variant``: ``record.variant``; ``record``: ``dealer.record.GameRecord``;
  ``board``: a ``BoardState``, unread regions count as wildcards.
- ``Verdict.legal``, ``Verdict.slips`` (one smallest set), ``Verdict.others`` (other sets as small, if looked for),
  ``Verdict.at_least`` (proved), ``Verdict.complete`` (False: there are too many slips to list them),
  ``Verdict.explanation`` (what was written where for each roll), ``Verdict.faulty`` (regions to be struck).
- ``BadLog`` when the record does not fit the map.

``struck(board, verdict)`` is the board without the faulty regions, ``verdict_document`` the verdict for JSON.
"""

from __future__ import annotations

from ontour_cv.referee.document import struck, verdict_document
from ontour_cv.referee.verdict import KINDS, Deed, Slip, Verdict
from ontour_cv.referee.verify import MOST_SLIPS, verify

__all__ = ["KINDS", "MOST_SLIPS", "Deed", "Slip", "Verdict", "struck", "verdict_document", "verify"]
