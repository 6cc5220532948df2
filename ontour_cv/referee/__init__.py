"""The referee with the game's log: whether a board is a lawful outcome of a game, and the fewest slips when it is not.

``verify(template, variant, record, board, *, strict_x=False) -> Verdict``

- ``template``: the map; ``variant``: ``RULESETS[record.rules].variant``; ``record``: ``dealer.record.GameRecord``;
  ``board``: a ``BoardState``, unread regions count as wildcards.
- ``Verdict.legal``, ``Verdict.slips`` (one smallest set), ``Verdict.others`` (other sets as small, as far as looked for),
  ``Verdict.at_least`` (proved), ``Verdict.complete`` (False: there are too many slips to list them),
  ``Verdict.explanation`` (what was written where for each roll), ``Verdict.faulty`` (regions to be struck).
- ``BadLog`` when the record does not fit the map.
"""
