"""Scores of sheets as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from ontour_cv.board import Kind, Mark
from ontour_cv.cli.check_sheet import score_text
from ontour_cv.cli.console import make_table, percent, print_paragraph
from ontour_cv.cli.score_doubts import BESIDE_DOUBTS, Row, matters, poor_text, row_of, table_of
from ontour_cv.cli.score_game import column_of, player_of, title
from ontour_cv.cli.score_ranking import Line, show_lines
from ontour_cv.cli.score_uses import show_others, show_uses
from ontour_cv.scorer.sheet_questions import JUDGED_BY
from ontour_cv.scorer.sheet_report import BOX_NAMES, SheetReport, SheetStanding
from ontour_cv.sheet import format_cell
from ontour_cv.vision.sheet_boxes import BoxReading

if TYPE_CHECKING:
    from rich.console import Console


def show_sheet(report: SheetReport, console: Console) -> None:
    """Score, what was read, problems and doubts of one sheet."""
    console.print(f"[bold]{escape(title(report))}[/]  [dim]{escape(report.template.title)}[/]", soft_wrap=True)
    show_uses(report.photos, console)
    show_others(report.reading.others, console)
    fewer = report.score_range[0] < report.score.total  # then nothing is the least but the range's own
    told = escape(score_text(report.score, report.exact or fewer))
    console.print(f"  [bold green]{told}[/]{_range_text(report)}", soft_wrap=True)
    print_paragraph(f"  {written_text(report)}", console)
    if report.poor:
        how = "from above, nearer, sharp, with more light"
        console.print(poor_text(report.cells.values(), "more than half of the states are in doubt.", how))
    console.print(_cells(report, console))
    for sentence in verdict_lines(report):
        print_paragraph(f"  {sentence}", console)
    problems = [p for p in report.problems if p.rule != "unread"]
    if problems:
        console.print("  [bold red]Problems[/]")
        for problem in problems:
            print_paragraph(f"    {problem.text}", console)
    if report.uncertain:
        console.print(_doubts(report, console))
    console.print()


def written_text(report: SheetReport) -> str:
    """The number of Xs the player wrote, compared with what is there, and the crossed boxes."""
    told = [f"{BOX_NAMES[name]} {value}" for name, value in report.sheet.boxes.said().items() if name != "x"]
    return f"{_said(report)} Boxes: {', '.join(told) or 'not seen'}."


def _said(report: SheetReport) -> str:
    """The number of Xs the player wrote, beside those that are there, in a sentence."""
    said, marks, total = report.sheet.boxes.x, report.score.crossed + report.score.blanks, report.score.total
    if said is None:
        return "No number of Xs is written."
    if said == total:
        return f"The sheet says {said}, which is right."
    if said == marks:
        return f"The sheet says {said}, and X and blanks make as many; mistakes make it {total}."
    unread = any(cell.mark.kind is Kind.UNREAD for cell in report.cells.values())
    so = f"{marks} if what was not read is blank" if unread else str(marks)
    return f"The sheet says {said}; X and blanks make {so}."


def verdict_lines(report: SheetReport) -> list[str]:
    """What the game's log says, in sentences."""
    verdict = report.verdict
    if verdict is None:
        return []
    if verdict.legal:
        return ["By the log: legal."]
    if verdict.slips:
        head = "By the log:" if verdict.decided else "By the log, not decided within the time allowed:"
        return [head, *(slip.text for slip in verdict.slips)]
    if verdict.decided:
        return [f"By the log: {verdict.at_least} mistakes or more, so it is probably not from this game."]
    return ["By the log: not decided within the time allowed."]


def show_sheet_ranking(standings: Sequence[SheetStanding], failed: Sequence[str], console: Console) -> None:
    """All sheets, fewest Xs first."""
    lines = []
    for standing in standings:
        report, (low, high) = standing.report, standing.report.score_range
        notes = [f"{low} to {high} until the doubts are answered"] * bool(report.ask)
        notes += [f"{low} to {high}"] * (low != high and not report.ask)
        notes += ["or more"] * (low == high and not report.exact)
        notes += ["place still open"] * (not standing.settled)
        figures = (report.score.total, report.score.powers)
        lines.append(Line(standing.place, standing.tied, player_of(report) or report.photo, figures, notes))
    show_lines(column_of(standings), ("Xs", "Powers"), lines, failed, console)


def say(mark: Mark) -> str:
    """A mark in a word: ``3``, ``3 circled``, ``X``, ``blank``, ``unread``."""
    word = {Kind.EMPTY: "blank", Kind.BLOCKED: "X", Kind.UNREAD: "unread"}.get(mark.kind) or str(mark.number)
    return word + (" circled" if mark.circled else "")


def _cells(report: SheetReport, console: Console) -> Table:
    """Every colour's states in a row."""
    table = make_table("", console)
    table.add_column("Colour", overflow="fold")
    table.add_column("Read", overflow="fold")
    for area in report.template.areas:
        states = [region.id for region in report.template.regions if area in region.areas]
        parts = []
        for state in states:
            cell = report.cells[state]
            text = f"{state}={format_cell(cell.mark)}{'?' if cell.doubtful else ''}"
            parts.append(f"[yellow]{text}[/]" if cell.doubtful else text)
        table.add_row(area, " ".join(parts))
    return table


def _doubts(report: SheetReport, console: Console) -> Table:
    ranked = sorted(report.uncertain, key=lambda name: (name not in report.ask, _confidence(report, name)))
    return table_of("Where", [_doubt(report, name) for name in ranked], console)


def _doubt(report: SheetReport, name: str) -> Row:
    if name.startswith("@"):
        # Only the log goes by boxes, and only by some; what the sheet is worth without one they do not change.
        judged = report.verdict is not None and name[1:] in JUDGED_BY
        return _box_row(name, report.boxes[name[1:]], matters(name in report.open, judged and report.more, "no"))
    matter = matters(name in report.ask, report.more)
    return row_of(report.template.region(name), report.cells[name], say, format_cell, matter)


def _box_row(name: str, found: BoxReading, matter: str) -> Row:
    def word(value: int | None) -> str:
        return "nothing" if value is None else str(value)

    others = ", ".join(f"{word(value)} ({percent(p)})" for value, p in found.alternatives[:2])
    likely = [value for value in (found.value, *(value for value, _ in found.alternatives)) if value is not None]
    return (
        BOX_NAMES[name[1:]],
        f"{word(found.value)} ({percent(found.confidence)})",
        others or "anything",
        matter,
        " or ".join(f"{name}={value}" for value in likely[:2]) or f"{name}=...",
    )


def _confidence(report: SheetReport, name: str) -> float:
    return report.boxes[name[1:]].confidence if name.startswith("@") else report.cells[name].confidence


def _range_text(report: SheetReport) -> str:
    low, high = report.score_range
    if not report.ask and low == high:
        return BESIDE_DOUBTS if any(c.doubtful for c in report.cells.values()) else ""
    named = report.open
    if not named:
        return f"  [yellow]({low} to {high}, the log does not decide)[/]"
    shown = ", ".join(named[:4]) + (f" and {len(named) - 4} more" if len(named) > 4 else "")
    others = ", and perhaps others" if report.ask and report.more else ""
    return f"  [yellow]({low} to {high}, until {shown} {'is' if len(named) == 1 else 'are'} answered{others})[/]"
