"""What the referee says: legal or not, who wrote what when, and which slips there are."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.board import Mark


@dataclass(frozen=True, slots=True)
class Slip:
    """One wrong deed.

    Attributes:
        kind: short name, for programs: one of :data:`KINDS`.
        roll: index into the record's rolls; None when no roll belongs to it.
        regions: ids of the regions concerned, in the map's order; empty for a number that was forgotten.
        text: what is wrong, one sentence for people.
    """

    kind: str
    roll: int | None
    regions: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing a roll made the player write.

    Attributes:
        roll: index into the record's rolls.
        number: the number to be written; None for a star.
        region: where it was written, or the X instead of it; None when it was forgotten.
        card: the card it was written with; None in the last turn, for an X, and for a slip in another region.
        mark: what stands in ``region``; None when it was forgotten.
    """

    roll: int
    number: int | None
    region: str | None
    card: str | None
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's finding.

    Attributes:
        legal: True when the board is a lawful outcome of the rolls seen.
        complete: True when ``slips`` and ``explanation`` explain all of the board; False: only ``at_least`` is known.
        slips: a smallest set of slips that explains the board; empty when it is legal, or not ``complete``.
        others: further sets of the same size, as far as they were looked for; each names other regions or turns.
        at_least: the proved least number of slips.
        explanation: every deed, in the order of the rolls, under ``slips``.
        faulty: ids of the regions that ``slips`` name: left out in the second score.
        rolls: how many of the record's rolls the board shows; fewer when it was photographed before the log's end.
    """

    legal: bool
    complete: bool
    slips: tuple[Slip, ...]
    others: tuple[tuple[Slip, ...], ...]
    at_least: int
    explanation: tuple[Deed, ...]
    faulty: frozenset[str]
    rolls: int


KINDS = {
    "region": "a number or star in a region that no card opened",
    "circle-missing": "no circle, though it stands on the very state of the card used",
    "circle-extra": "a circle that no card gives",
    "digits": "another number than the one rolled",
    "exchanged": "the setup's two numbers on each other's card",
    "same-card": "both numbers of a turn written with one card",
    "x-needless": "an X although there was a legal place",
    "forgotten": "a number or star that was not written",
    "extra": "something written that no roll asked for",
    "wrong-mark": "a star for a number, or a number for a star",
}
"""Every kind of slip, with what it means."""
