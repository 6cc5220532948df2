"""What ``ontour-cv check --game`` prints: the verdict on a board by the log of its game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontour_cv.board import Kind, format_mark
from ontour_cv.cli.console import counted, print_paragraph

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.board import BoardState
    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.maps.model import MapTemplate
    from ontour_cv.referee import Deed, Verdict
    from ontour_cv.rules import Score


def show_verdict(
    verdict: Verdict, record: GameRecord, template: MapTemplate, board: BoardState, scores: tuple[Score, Score]
) -> None:
    """Print the verdict, the slips, and the score as written and without the faulty regions."""
    from ontour_cv.cli.console import make_console

    console = make_console()
    print_paragraph(_head(verdict), console)
    for number, slip in enumerate(verdict.slips, start=1):
        print_paragraph(f"{number}. {slip.text}", console)
    _show_others(verdict, console)
    unread = board.of_kind(Kind.UNREAD)
    if unread:
        print_paragraph(f"Unread, taken for whatever fits: {', '.join(unread)}.", console)
    if verdict.complete and verdict.rolls < len(record.rolls):
        print_paragraph(f"The board shows the first {verdict.rolls} of the game's {len(record.rolls)} rolls.", console)
    print_paragraph(f"As written: {_points(scores[0], template)}.", console)
    if verdict.faulty:
        gone = ", ".join(region for region in board.marks if region in verdict.faulty)
        print_paragraph(f"Without {gone}: {_points(scores[1], template)}.", console)


def show_turns(verdict: Verdict, record: GameRecord) -> None:
    """Print what was written for each roll, a line each."""
    from ontour_cv.cli.console import make_console
    from ontour_cv.referee.words import turn_name

    console = make_console()
    for index in range(verdict.rolls if verdict.complete else 0):
        deeds = [_deed(deed) for deed in verdict.explanation if deed.roll == index]
        print_paragraph(f"{turn_name(record.rolls, index)}: {', '.join(deeds)}", console)


def _head(verdict: Verdict) -> str:
    from ontour_cv.referee import MOST_SLIPS

    if verdict.legal:
        return "Legal: the game can have come out like this."
    if not verdict.complete and verdict.at_least <= MOST_SLIPS:
        return f"Not legal: {verdict.at_least} slips or more; which ones could not be settled."
    if not verdict.complete:
        return (
            f"Not legal: it would take {verdict.at_least} slips or more to explain this board, "
            "so it is probably not from this game."
        )
    count = len(verdict.slips)
    least = "" if verdict.at_least == count else f"; {verdict.at_least} or more are needed"
    return f"Not legal. {count} {'slip explains' if count == 1 else 'slips explain'} the board{least}:"


def _show_others(verdict: Verdict, console: Console) -> None:
    """Each other set by what it has instead of the slips told first."""
    from ontour_cv.referee.words import listed

    if verdict.others:
        print_paragraph("It can as well have been:", console)
    for slips in verdict.others:
        gone = [str(number) for number, slip in enumerate(verdict.slips, start=1) if slip not in slips]
        new = " ".join(slip.text for slip in slips if slip not in verdict.slips)
        print_paragraph(f"- instead of {listed(gone)}: {new}", console)


def _points(score: Score, template: MapTemplate) -> str:
    parts = f"{template.counted(score.visited)} + {counted(score.circles, 'circle')}"
    return f"{counted(score.total, 'point')} = {parts}"


def _deed(deed: Deed) -> str:
    due = "star" if deed.number is None else f"{deed.number:02d}"
    if deed.region is None or deed.mark is None:
        return f"{due} not written"
    if deed.mark.kind is Kind.BLOCKED:
        return f"{due} X in {deed.region}"
    card = f" with {deed.card}" if deed.card else ""
    shown = format_mark(deed.mark)
    right = shown.rstrip("o") in (due, "*" if deed.number is None else due)
    what = (due if right else f"{due} as {shown}") + (" circled" if right and deed.mark.circled else "")
    return f"{what} in {deed.region}{card}"
