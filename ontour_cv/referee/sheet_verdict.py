"""What the referee of Rolling America says when the game's log is there."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = {
    "neighbours": "a number that did not fit a neighbour's",
    "guards": "a fourth guarded number",
    "circle-missing": "a guarded number without its circle",
    "circle-extra": "an X with a circle",
    "x-needless": "an X though the number fitted somewhere",
    "number": "another number than the die showed",
    "colour": "a number in another colour than the die's, without a colour change",
    "astray": "neither the die's number nor its colour",
    "forgotten": "a die that was not written though it had to be",
    "extra": "something written that no die accounts for",
}
"""Every kind of slip, with what it means."""


@dataclass(frozen=True, slots=True)
class SheetSlip:
    """One mistake: ``kind`` of :data:`KINDS`, the roll (None: none belongs to it), the states, and a sentence."""

    kind: str
    roll: int | None
    regions: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class DieDeed:
    """What was done with one die.

    Attributes:
        roll: index into the record's rolls.
        colour: the die's colour.
        number: what it showed.
        kind: ``write``, ``x``, ``pass`` (its colour was full) or ``lost`` (a slip).
        regions: where it was written: two states with a dupe.
        changed: True when its colour was changed.
        text: all that in words.
    """

    roll: int
    colour: str
    number: int
    kind: str
    regions: tuple[str, ...]
    changed: bool
    text: str


@dataclass(frozen=True, slots=True)
class SheetVerdict:
    """The referee's finding.

    Attributes:
        legal: True when some order and some use of the powers makes every die land where it had to.
        decided: False when the search ran out of its effort: then fewer mistakes than ``slips`` may do, but not fewer
            than ``at_least``; without any ``slips`` no explanation was found.
        slips: mistakes that explain the sheet, a smallest set when it is decided; empty when it is legal, or when more
            than a handful are needed.
        at_least: the proved least number of mistakes, with the powers that are crossed off.
        explanation: what was done with each die, in order.
        notes: what the boxes beside the map say wrongly; no X for those.
        rolls: how many of the record's rolls the sheet shows.
    """

    legal: bool
    decided: bool
    slips: tuple[SheetSlip, ...]
    at_least: int
    explanation: tuple[DieDeed, ...]
    notes: tuple[str, ...]
    rolls: int

    @property
    def mistakes(self) -> int:
        """How many cost an X: slips that are not proved to be the fewest explain the sheet, but cost nothing."""
        return max(self.at_least, len(self.slips) if self.decided else 0)

    @property
    def settled(self) -> bool:
        """True when ``mistakes`` is how many there are, not only how many at least."""
        return self.legal or (self.decided and bool(self.slips))
