"""A verdict as plain data for JSON, and the board that is left without the faulty regions."""

from __future__ import annotations

from ontour_cv.board import BoardState, Kind, Mark, format_mark
from ontour_cv.dealer.record import GameRecord
from ontour_cv.referee.verdict import Deed, Slip, Verdict
from ontour_cv.referee.words import turn_name


def struck(board: BoardState, verdict: Verdict) -> BoardState:
    """The board with the faulty regions empty, so that no route goes there."""
    empty = Mark(Kind.EMPTY)
    return board.replace({region: empty for region in verdict.faulty if region in board.marks})


def verdict_document(verdict: Verdict, record: GameRecord) -> dict[str, object]:
    """The verdict as JSON has it; docs/json.md lists the fields."""
    return {
        "legal": verdict.legal,
        "complete": verdict.complete,
        "at_least": verdict.at_least,
        "slips": [_slip(slip, record) for slip in verdict.slips],
        "others": [[_slip(slip, record) for slip in slips] for slips in verdict.others],
        "faulty": [region for region in _in_order(verdict) if region in verdict.faulty],
        "rolls": verdict.rolls,
        "explanation": [_deed(deed, record) for deed in verdict.explanation],
    }


def _in_order(verdict: Verdict) -> list[str]:
    return list(dict.fromkeys(region for slip in verdict.slips for region in slip.regions))


def _slip(slip: Slip, record: GameRecord) -> dict[str, object]:
    turn = None if slip.roll is None else turn_name(record.rolls, slip.roll)
    return {"kind": slip.kind, "turn": turn, "regions": list(slip.regions), "text": slip.text}


def _deed(deed: Deed, record: GameRecord) -> dict[str, object]:
    return {
        "turn": turn_name(record.rolls, deed.roll),
        "number": "*" if deed.number is None else f"{deed.number:02d}",
        "region": deed.region,
        "card": deed.card,
        "mark": None if deed.mark is None else format_mark(deed.mark),
    }
