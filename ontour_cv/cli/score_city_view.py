"""Scores of boards of New York as people read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from ontour_cv.board import Kind
from ontour_cv.city_board import UNREAD_SOLOIST
from ontour_cv.cli.city import UNDECIDED, city_points, show_tracks, stop_text
from ontour_cv.cli.console import counted, percent, print_indented, print_paragraph
from ontour_cv.cli.marks import say
from ontour_cv.cli.score_city import place_answers
from ontour_cv.cli.score_doubts import BESIDE_DOUBTS, matters, poor_text, table_of
from ontour_cv.cli.score_game import column_of, player_of, title
from ontour_cv.cli.score_ranking import Line, show_lines
from ontour_cv.cli.score_uses import show_others, show_uses
from ontour_cv.maps.city import INSTRUMENTS

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.scorer.city_report import CityByLog, CityReport
    from ontour_cv.scorer.ranking import Standing


def show_city(report: CityReport, console: Console) -> None:
    """What the board is worth, its route, what was not read, problems and doubts."""
    console.print(f"[bold]{escape(title(report))}[/]  [dim]{escape(report.template.title)}[/]", soft_wrap=True)
    show_uses(report.photos, console)
    show_others(report.reading.others, console)
    rows = sorted(doubts(report), key=lambda row: row[0] not in report.ask)
    least = "" if report.drawn.complete else "At least "
    points = f"[bold green]{least}{escape(city_points(report.score))}[/]"
    console.print(f"  {points}{_range_text(report, bool(rows))}", soft_wrap=True)
    for told in not_read_texts(report):
        print_paragraph(f"  {told}", console)
    if report.poor:
        console.print(poor_text(report.cells.values(), "most of it is in doubt.", "from above, nearer, sharp"))
    if report.score.route:
        _show_route(report, console)
    show_tracks(report.board, report.score, console)
    for told in tour_texts(report):
        print_paragraph(f"  {told}", console)
    console.print("  [bold]As read[/]")
    if console.is_terminal:
        print_indented(str(report.board), console)
    else:  # in one line, to be copied
        print_paragraph(f"    {report.board}", console)
    if report.log is not None:
        for told in log_texts(report, report.log):
            print_paragraph(f"  {told}", console)
    problems = [problem for problem in report.problems if problem.rule != "unread"]
    for number, problem in enumerate(problems if report.log is None else [], start=1):
        print_paragraph(f"  Problem {number}: {problem.text}", console)
    if rows:
        console.print(_table(report, rows, console))
    console.print()


def show_city_ranking(
    standings: Sequence[Standing[CityReport]], failed: Sequence[str], console: Console, of: str = ""
) -> None:
    """All boards, best first, ties and open places shown; ``of`` names their map beside others."""
    lines = []
    for standing in standings:
        report, (low, high) = standing.report, standing.report.score_range
        least = "" if report.drawn.complete else "at least "
        notes = [f"{low} to {high}{beyond(report)} until the doubts are answered"] * (low < high)
        notes += ["place still open"] * (not standing.settled)
        score = report.score
        figures = (f"{least}{score.total}", score.visited, score.soloist_points, score.bonus)
        lines.append(Line(standing.place, standing.tied, player_of(report) or report.photo, figures, notes))
    show_lines(column_of(standings), ("Points", "Visited", "Soloists", "Boroughs"), lines, failed, console, of)


def beyond(report: CityReport) -> str:
    """What is said after a score's range: it is open above where ferries or soloists were not read."""
    return "" if report.drawn.complete else " or more"


def tour_texts(report: CityReport) -> list[str]:
    """What the drawn tour is worth beside the best; nothing where it was not looked for."""
    if report.tour is None:
        return []
    from ontour_cv.scorer.city_tour import plain
    from ontour_cv.scorer.drawn import NO_TOUR, drawn_sentences

    return drawn_sentences(report.tour, plain(report.score)) or [NO_TOUR]


def not_read_texts(report: CityReport) -> list[str]:
    """What was not looked for in the photo, and how to give it; nothing when all was."""
    drawn = report.drawn
    if drawn.complete:
        return []
    what = " and ".join(name for name in ("ferries", "soloists") if name in drawn.not_read).capitalize()
    partly = "all " if "ferries" in drawn.not_read and report.ink is not None and report.ink.ferries else ""
    ferries, soloists = len(drawn.ferries), len(drawn.soloists)
    told = f"{ferries} {'ferry' if ferries == 1 else 'ferries'} and "
    told += f"{counted(soloists, 'soloist')}"
    how = "" if ferries and soloists else " Give them: --set SOHO=37s --set ~SOHO-STG."
    return [f"{what} were not {partly}read from the photo; counted are {told}. Each one more can only add points.{how}"]


def log_texts(report: CityReport, log: CityByLog) -> list[str]:
    """What the game's log says of the board; where something is in doubt, slips are questions."""
    verdict = log.verdict
    if verdict.legal:
        return ["By the log: no slip."]
    if not (verdict.decided or verdict.at_least):
        return [f"By the log, not decided: {UNDECIDED}"]
    if not verdict.complete:
        return [f"By the log: it takes {counted(verdict.at_least, 'slip')} or more to explain this board."]
    head = "Slip:" if log.sure else "A slip, if all is read rightly:"
    return [f"{head} {slip.text}" for slip in verdict.slips]


Doubt = tuple[str, str, str, str, list[str]]
"""What is in doubt as ``ask`` has it, in words, read as, or, and what ``--set`` may be given."""


def doubts(report: CityReport) -> Iterator[Doubt]:
    """Each neighbourhood, in the map's order, and each ferry in doubt."""
    drawn = report.drawn
    for region in report.template.ids:
        cell, letters = report.cells[region], drawn.open_soloists.get(region)
        if region not in report.uncertain and letters is None:
            continue
        read, others = [], []
        if region in report.uncertain:
            unread = cell.mark.kind is Kind.UNREAD
            read.append(say(cell.mark) + ("" if unread else f" ({percent(cell.confidence)})"))
            others += [f"{say(mark)} ({percent(p)})" for mark, p in cell.alternatives[:2]]
        if letters is not None:
            letter = drawn.soloists.get(region, "")
            read.append("soloist not readable" if letter == UNREAD_SOLOIST else _soloist(letter))
            others += [_soloist(letter) for letter in letters[:2]]
        name = f"{region} {report.template.region(region).name}"
        answers = [f"{region}={sign}" for sign in place_answers(report, region)]
        yield region, name, ", ".join(read), ", ".join(others) or "anything", answers or [f"{region}=..."]
    for (one, other), chance in drawn.open_ferries.items():
        name = f"~{one}-{other}"
        ways = sorted([("drawn", name, chance), ("not drawn", f"{name}=.", 1 - chance)], key=lambda way: -way[2])
        first, second = (f"{word} ({percent(p)})" for word, _, p in ways)
        yield name, f"ferry {one}-{other}", first, second, [answer for _, answer, _ in ways]


def _range_text(report: CityReport, doubtful: bool) -> str:
    low, high = report.score_range
    if low < high:
        return f"  [yellow]({low} to {high}{beyond(report)}, until the doubts are answered)[/]"
    return BESIDE_DOUBTS if doubtful and not report.ask and not report.more else ""


def _soloist(letter: str) -> str:
    return INSTRUMENTS.get(letter, "no soloist" if not letter else "several soloists")


def _table(report: CityReport, rows: Sequence[Doubt], console: Console) -> Table:
    told = [
        (where, read, others, matters(name in report.ask, report.more), " or ".join(answers))
        for name, where, read, others, answers in rows
    ]
    return table_of("Where", told, console)


def _show_route(report: CityReport, console: Console) -> None:
    route = report.score.route
    arrow = "→" if "utf" in console.encoding.lower() else ">"
    signs = ", ".join(f"{letter} {name}" for letter, name in INSTRUMENTS.items())
    console.print(f"  [bold]Route[/]  [dim]({signs}, * star, ~ by ferry)[/]")
    stops = [stop_text(report.board, route, place).replace(" ", "_") for place in range(len(route))]
    print_indented(f" {arrow} ".join(stops), console, glue="_")
