"""What the referee says about a board of New York: legal or not, as far as that could be settled, and the slips."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.board import Kind, Mark, format_mark
from ontour_cv.city_board import CityBoard, Pair
from ontour_cv.dealer.record import GameRecord
from ontour_cv.referee.verdict import Slip
from ontour_cv.referee.words import turn_name

CITY_KINDS = {
    "region": "a number in a borough that no card opened, or the star of Central Park beside the park itself",
    "soloist": "another soloist than the card shows in that borough, or none, or one beside something else",
    "digits": "another number than the one rolled",
    "wrong-mark": "a star for a number, or a number for a star",
    "same-card": "both numbers of a turn written with one card",
    "x-needless": "an X although there was a legal place",
    "forgotten": "a number or star that was not written",
    "extra": "something written that no roll asked for",
    "circle-extra": "a circle; there are none in New York",
    "ferry": "a ferry that may not go there, or too many",
    "ferry-undue": "a turn spent on a ferry although none was due",
    "ferry-extra": "a ferry that no turn was spent on",
    "ferry-missing": "a turn in which nothing was written and no ferry drawn",
}
"""Every kind of slip, with what it means."""


@dataclass(frozen=True, slots=True)
class CityDeed:
    """One thing a roll made the player do.

    Attributes:
        roll: index into the record's rolls; None for the star of Central Park.
        what: ``37``, ``*``, or ``ferry``.
        region: where it was written, or the X instead of it; None for a ferry, and when it was forgotten.
        card: id of the card it was written with; None where no card is used.
        mark: what stands in ``region``.
    """

    roll: int | None
    what: str
    region: str | None = None
    card: str | None = None
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class CityVerdict:
    """The referee's finding.

    Attributes:
        legal: True when the board is a lawful outcome of the rolls seen, which is proved.
        decided: False when the effort ended before it was settled whether there is a slip, or which are the fewest.
        complete: True when ``slips`` and ``explanation`` explain all of the board.
        slips: a smallest set of slips that explains the board; empty when it is legal, or not ``complete``.
        at_least: the proved least number of slips.
        explanation: every deed, in the order of the rolls, under ``slips``.
        ferry_turns: indices of the rolls that were spent on ferries, under ``slips``.
        faulty: ids of the neighbourhoods that ``slips`` name: left out in the second score.
        faulty_ferries: ferries that ``slips`` name: left out, too.
        rolls: how many of the record's rolls the board shows.
    """

    legal: bool
    decided: bool
    complete: bool
    slips: tuple[Slip, ...]
    at_least: int
    explanation: tuple[CityDeed, ...]
    ferry_turns: tuple[int, ...]
    faulty: frozenset[str]
    faulty_ferries: tuple[Pair, ...]
    rolls: int


def struck_city(board: CityBoard, verdict: CityVerdict) -> CityBoard:
    """The board with the faulty neighbourhoods empty and without the faulty ferries, so that no route goes there."""
    empty = Mark(Kind.EMPTY)
    return CityBoard(
        board.board.replace({region: empty for region in verdict.faulty if region in board.marks}),
        {region: letter for region, letter in board.soloists.items() if region not in verdict.faulty},
        tuple(pair for pair in board.ferries if pair not in verdict.faulty_ferries),
        board.tracks,
    )


def city_verdict_document(verdict: CityVerdict, record: GameRecord) -> dict[str, object]:
    """The verdict as JSON has it; docs/cities.md lists the fields."""

    def turn(roll: int | None) -> str | None:
        return None if roll is None else turn_name(record.rolls, roll)

    return {
        "legal": verdict.legal,
        "decided": verdict.decided,
        "complete": verdict.complete,
        "at_least": verdict.at_least,
        "slips": [
            {"kind": s.kind, "turn": turn(s.roll), "regions": list(s.regions), "text": s.text} for s in verdict.slips
        ],
        "faulty": sorted(verdict.faulty),
        "faulty_ferries": [list(pair) for pair in verdict.faulty_ferries],
        "ferry_turns": [turn(roll) for roll in verdict.ferry_turns],
        "rolls": verdict.rolls,
        "explanation": [
            {
                "turn": turn(deed.roll),
                "what": deed.what,
                "region": deed.region,
                "card": deed.card,
                "mark": None if deed.mark is None else format_mark(deed.mark),
            }
            for deed in verdict.explanation
        ],
    }
