"""Scores as people read them: tables on a terminal, plain text elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ontour_cv.board import Kind, format_mark
from ontour_cv.cli.console import counted, make_console, print_indented, printable
from ontour_cv.cli.marks import say
from ontour_cv.cli.score_city_view import show_city, show_city_ranking
from ontour_cv.cli.score_doubts import BESIDE_DOUBTS, Row, matters, poor_text, row_of, table_of
from ontour_cv.cli.score_game import column_of, log_lines, player_of, title
from ontour_cv.cli.score_ranking import Line, show_lines
from ontour_cv.cli.score_sheet_view import show_sheet, show_sheet_ranking
from ontour_cv.cli.score_table import show_one_game
from ontour_cv.cli.score_uses import show_others, show_uses
from ontour_cv.files import was_written
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.drawn import NO_TOUR, drawn_sentences
from ontour_cv.scorer.ranking import Standing, rank
from ontour_cv.scorer.report import Failure, Outcome, Report
from ontour_cv.scorer.sheet_report import SheetReport, rank_sheets
from ontour_cv.vision.retake import Retake

_Board = TypeVar("_Board", Report, CityReport)


def show_outcomes(outcomes: Sequence[Outcome | SheetReport | CityReport], drawn: Sequence[Path]) -> None:
    """Every photo in the order given, then the ranking when there are several; failures and files on stderr."""
    console = make_console()
    errors = make_console(stderr=True)
    outcomes = [o if isinstance(o, Failure) else replace(o, photo=printable(o.photo)) for o in outcomes]
    for outcome in outcomes:
        if isinstance(outcome, Report):
            show_report(outcome, console)
        elif isinstance(outcome, SheetReport):
            show_sheet(outcome, console)
        elif isinstance(outcome, CityReport):
            show_city(outcome, console)
        else:
            show_failure(outcome, errors)
    _show_rankings(outcomes, console)
    for path in drawn:
        if was_written(path):
            errors.print(f"Overlay: {escape(printable(str(path)))}", soft_wrap=True)


def _show_rankings(outcomes: Sequence[Outcome | SheetReport | CityReport], console: Console) -> None:
    """One of each map's boards where there are several, the first with the photos that were not scored."""
    boards = _by_map([outcome for outcome in outcomes if isinstance(outcome, Report)])
    cities = _by_map([outcome for outcome in outcomes if isinstance(outcome, CityReport)])
    sheets = [outcome for outcome in outcomes if isinstance(outcome, SheetReport)]
    untold = [printable(outcome.photo) for outcome in outcomes if isinstance(outcome, Failure)]
    several = len(boards) + len(cities) + bool(sheets) > 1
    for some in boards:
        if len(some) + len(untold) > 1:
            show_ranking(rank(some), untold, console, some[0].template.title if several else "")
        untold = []
    for others in cities:
        if len(others) + len(untold) > 1:
            show_city_ranking(rank(others), untold, console, others[0].template.title if several else "")
        untold = []
    if sheets and len(sheets) + len(untold) > 1:
        show_sheet_ranking(rank_sheets(sheets), untold, console)


def _by_map(reports: Sequence[_Board]) -> list[list[_Board]]:
    """The boards of each map: points are compared with those of the same game only."""
    groups: dict[str, list[_Board]] = {}
    for report in reports:
        groups.setdefault(report.template.id, []).append(report)
    return list(groups.values())


def show_failure(failure: Failure, console: Console) -> None:
    """Why there is no score, and what to do."""
    message = escape(printable(failure.error.message))
    if failure.photo not in failure.error.message:
        message = f"{escape(printable(failure.photo))}: {message}"
    console.print(f"[bold red]Not scored:[/] {message}", soft_wrap=True)
    if failure.error.remedy:
        console.print(f"  {escape(failure.error.remedy)}", soft_wrap=True)


def show_report(report: Report, console: Console) -> None:
    """Total, route, problems and doubts of one board."""
    score = report.score
    where = f"{report.template.title}, {report.edition_text}, rules: {report.rules}"
    console.print(f"[bold]{escape(title(report))}[/]  [dim]{escape(where)}[/]", soft_wrap=True)
    show_uses(report.photos, console)
    show_others(report.reading.others, console)
    show_one_game(report, console)
    sum_text = f"{report.template.counted(score.visited)} + {counted(score.circles, 'circle')}"
    console.print(f"  [bold green]{counted(score.total, 'point')}[/] = {sum_text}{_range_text(report)}", soft_wrap=True)
    if report.poor:
        of_all = f"{len(report.uncertain)} of {report.template.counted(len(report.cells))}"
        how = "from above, nearer, sharp, without glare"
        console.print(poor_text(report.cells.values(), f"{of_all} are in doubt.", how))
    if score.route:
        _show_route(report, console)
    for sentence in (drawn_sentences(report.drawn, score) or [NO_TOUR]) if report.drawn else []:
        print_indented(sentence, console)
    if report.written is not None and report.written.read:
        print_indented(" ".join(report.written.sentences), console)
    for heading, sentence in (*log_lines(report), *out_of_sight(report)):
        print_indented(f"{heading} {sentence}".strip(), console)
    if report.problems and not (report.log and report.log.fits):
        console.print("  [bold red]Problems[/]")
        for problem in report.problems:
            print_indented(problem.text, console)
    if report.uncertain:
        console.print(doubts_table(report, console))
    if report.retake is not None:
        print_indented(retake_text(report.retake), console)
    console.print()


def out_of_sight(report: Report) -> Iterator[tuple[str, str]]:
    """What cells hold that the picture does not show, by the log or by the rest of the board: heading, sentence."""
    witness = "the log" if report.log and report.log.fits else f"the other {report.template.space_plural}"
    heading = "Not seen:" if report.reading.placement.bent else "Not in the picture:"
    for region, place in report.reading.placement.cells.items():
        mark = report.cells[region].mark
        if not place.inside and region not in report.corrected and mark.kind is not Kind.UNREAD:
            yield heading, f"{region}; by {witness} it holds {say(mark)}."


def retake_text(retake: Retake) -> str:
    """How one more photo would help, in a sentence."""
    shown = ", ".join(retake.regions[:4]) + (f" and {len(retake.regions) - 4} more" if len(retake.regions) > 4 else "")
    reasons = {
        "outside": f"{shown} cannot be seen",
        "bent": f"it is curled, or the lens is wide: {shown} cannot be followed",
        "glare": f"glare seems to lie over {shown}",
        "covered": f"something seems to lie on {shown}",
        "small": "the discs are small",
        "blur": "the photo is blurred",
        "tilt": "the board is seen at a slant",
    }
    return f"Or take one more photo {retake.how} ({reasons[retake.why]}), and score all of them with --same-board."


def doubts_table(report: Report, console: Console) -> Table:
    """Doubtful cells, those that can change the score first, the least sure before the surer ones."""
    ranked = sorted(report.uncertain, key=lambda region: (region not in report.ask, report.cells[region].confidence))
    return table_of(report.template.space.capitalize(), [_doubt(report, region) for region in ranked], console)


def _doubt(report: Report, region: str) -> Row:
    matter = matters(region in report.ask, report.more)
    return row_of(report.template.region(region), report.cells[region], say, format_mark, matter)


def show_ranking(standings: Sequence[Standing[Report]], failed: Sequence[str], console: Console, of: str = "") -> None:
    """All boards, best first, ties and open places shown; ``of`` names their map beside others."""
    by_log = any(s.report.log and s.report.log.without for s in standings)
    hindsight = any(s.report.log and s.report.log.could_have for s in standings)
    lines = []
    for standing in standings:
        report, log = standing.report, standing.report.log
        low, high = report.score_range
        notes = [f"{low} to {high} until {_names(report.ask)} answered"] * bool(report.ask)
        notes += ["place still open"] * (not standing.settled)
        notes += ["not of this game"] * bool(log and not log.fits)
        figures: list[int | str] = [report.score.total, report.score.visited, report.score.circles]
        figures += [log.without.total if log and log.without else "-"] * by_log
        figures += [log.could_have.score.total if log and log.could_have else "-"] * hindsight
        lines.append(Line(standing.place, standing.tied, player_of(report) or report.photo, figures, notes))
    headings = ("Points", "Visited", "Circles", *["Without slips"] * by_log, *["Could have had"] * hindsight)
    show_lines(column_of(standings), headings, lines, failed, console, of)


def _show_route(report: Report, console: Console) -> None:
    signs = {Kind.STAR: "*"}
    stops = []
    for region in report.score.route:
        mark = report.cells[region].mark
        sign = signs.get(mark.kind) or f"{mark.number:02d}"
        stops.append(f"{region}_{sign}{'o' if mark.circled else ''}")
    arrow = "→" if "utf" in console.encoding.lower() else ">"
    console.print("  [bold]Route[/]  [dim](o circled, * star)[/]")
    # Joined by underscores so that a line break never parts a state from its number.
    print_indented(f" {arrow} ".join(stops), console, glue="_")


def _range_text(report: Report) -> str:
    low, high = report.score_range
    if not report.ask:
        return BESIDE_DOUBTS if report.uncertain else ""
    others = ", and perhaps others" if report.more else ""
    return f"  [yellow]({low} to {high}, until {_names(report.ask)} answered{others})[/]"


def _names(regions: Sequence[str]) -> str:
    shown = ", ".join(regions[:4]) + (f" and {len(regions) - 4} more" if len(regions) > 4 else "")
    return f"{shown} {'is' if len(regions) == 1 else 'are'}"
