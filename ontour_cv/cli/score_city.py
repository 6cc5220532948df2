"""``ontour-cv score --map new-york-home``: photos of New York boards in, scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from ontour_cv.board import Kind, Mark, format_mark
from ontour_cv.city_board import parse_city_board
from ontour_cv.cli.board_input import with_rows_checked
from ontour_cv.cli.city import city_points, show_tracks, stop_text
from ontour_cv.cli.console import print_paragraph, print_route
from ontour_cv.cli.score_options import texts_by_photo
from ontour_cv.cli.score_ranking import Line, show_lines
from ontour_cv.cli.score_uses import show_others, show_uses
from ontour_cv.errors import UsageError
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.load import load_map, map_ids

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.cli.score_game import Table
    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.scorer.city_drawn import Given
    from ontour_cv.scorer.city_report import CityByLog, CityReport
    from ontour_cv.scorer.ranking import Standing


def is_city(map_id: str) -> bool:
    """Whether a map is one of New York; False for unknown maps and ``"auto"``."""
    return map_id in map_ids() and load_map(map_id).city is not None


def refuse_for_cities(rules: str | None) -> None:
    """``UsageError`` for options that only other boards have."""
    if rules is not None:
        raise UsageError("--rules is not for New York", "Leave it away; its rulings stand in the map's file.")


def read_given(sets: Sequence[str], photos: Sequence[Path], map_id: str) -> dict[Path, Given]:
    """What is given for each photo: ``SOHO=37s``, ``~SOHO-STG``, ``~SOHO-STG=.`` (no ferry), ``@s=1``.

    Errors are those of other boards; ``UsageError`` for a ferry that is given and taken away.
    """
    from ontour_cv.scorer.city_drawn import Given

    template = load_map(map_id)
    ids = template.ids
    found = {}
    for photo, every in texts_by_photo(sets, photos).items():
        gone = [text.removesuffix("=.") for text in every if text.startswith("~") and text.endswith("=.")]
        texts = [text for text in every if not (text.startswith("~") and text.endswith("=."))]
        no_ferries = parse_city_board(" ".join([f"{ids[0]}=.", *gone]), ids).ferries
        named = {text.partition("=")[0].strip().upper() for text in texts if text[:1] not in ("~", "@")}
        if not texts:
            found[photo] = Given(no_ferries=no_ferries)
            continue
        board = parse_city_board(" ".join(texts if named else [f"{ids[0]}=.", *texts]), ids)
        board = with_rows_checked(board, template)
        marks = {region: mark for region, mark in board.marks.items() if region in named}
        both = [f"~{a}-{b}" for a, b in board.ferries if (a, b) in no_ferries]
        if both:
            raise UsageError(f"--set {both[0]} is given and taken away", "Say one of the two.")
        found[photo] = Given(marks, dict(board.soloists), board.ferries, no_ferries, dict(board.tracks))
    return found


@dataclass(frozen=True, slots=True)
class CityJob:
    """How a board of New York is to be scored: map, what is given, where the overlay goes, its game, ``--drawn``."""

    map_id: str
    given: Given
    target: Path | None
    game: GameRecord | None
    tour: bool = False

    def score(self, photo: Path) -> CityReport:
        """The report on one photo, its overlay drawn."""
        from ontour_cv.scorer.city_score import judged, score_city_photo

        report = judged(score_city_photo(photo, self.map_id, self.given), self.game)
        return draw_city(report, self.target, self.tour)

    def score_one(self, photos: Sequence[Path], camera: str | None, timeout: float, save: Path | None) -> CityReport:
        """The report on one board from several photos of it, or from a camera's; its overlay drawn."""
        from ontour_cv.cli.score_camera import score_camera_city
        from ontour_cv.scorer.city_several import score_same_city

        if camera is not None:
            report = score_camera_city(camera, self.map_id, self.given, timeout, save, self.game)
        else:
            report = score_same_city(photos, self.map_id, self.given, self.game)
        return draw_city(report, self.target, self.tour)


def draw_city(report: CityReport, target: Path | None, tour: bool) -> CityReport:
    """The report with the drawn tour, if it is wanted; draws the overlay, if one is wanted."""
    if tour:
        from ontour_cv.scorer.city_tour import with_city_tour

        report = with_city_tour(report)
    if target is not None:
        from ontour_cv.scorer.city_drawing import save_city_overlay

        save_city_overlay(report, target)
    return report


def city_jobs(
    sets: Sequence[str], photos: Sequence[Path], targets: Mapping[Path, Path], table: Table, tour: bool = False
) -> Mapping[Path, CityJob]:
    """How each photo is to be scored."""
    given = read_given(sets, photos, table.map_id)
    return {photo: CityJob(table.map_id, given[photo], targets.get(photo), table.record, tour) for photo in photos}


def show_city(report: CityReport, console: Console) -> None:
    """What the board is worth, its route, what was not read, problems and doubts."""
    console.print(f"[bold]{escape(report.photo)}[/]  [dim]{escape(report.template.title)}[/]", soft_wrap=True)
    show_uses(report.photos, console)
    show_others(report.reading.others, console)
    low, high = report.score_range
    between = f"  [yellow]({low} to {high}, until the doubts are answered)[/]" if low < high else ""
    least = "" if report.drawn.complete else "At least "
    console.print(f"  [bold green]{least}{escape(city_points(report.score))}[/]{between}", soft_wrap=True)
    for told in not_read_texts(report):
        print_paragraph(f"  {told}", console)
    if report.poor:
        console.print("  [bold yellow]Poorly readable:[/] better take the photo again: from above, nearer, sharp.")
    if report.score.route:
        board = report.board
        print_route((stop_text(board, report.score.route, place) for place in range(len(report.score.route))), console)
    show_tracks(report.board, report.score, console)
    for told in tour_texts(report):
        print_paragraph(f"  {told}", console)
    print_paragraph(f"  As read: {report.board}", console)
    if report.log is not None:
        for told in log_texts(report, report.log):
            print_paragraph(f"  {told}", console)
    problems = [problem for problem in report.problems if problem.rule != "unread"]
    for number, problem in enumerate(problems if report.log is None else [], start=1):
        print_paragraph(f"  Problem {number}: {problem.text}", console)
    for told in doubt_texts(report):
        print_paragraph(f"  {told}", console)
    console.print()


def show_city_ranking(standings: Sequence[Standing[CityReport]], failed: Sequence[str], console: Console) -> None:
    """All boards, best first, ties and open places shown."""
    lines = []
    for standing in standings:
        report, (low, high) = standing.report, standing.report.score_range
        notes = [f"{low} to {high} until the doubts are answered"] * (low < high)
        notes += ["place still open"] * (not standing.settled)
        score = report.score
        figures = (score.total, score.visited, score.soloist_points, score.bonus)
        lines.append(Line(standing.place, standing.tied, report.photo, figures, notes))
    show_lines("Photo", ("Points", "Visited", "Soloists", "Boroughs"), lines, failed, console)


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
    ferries, soloists = len(drawn.ferries), len(drawn.soloists)
    told = f"{ferries} {'ferry' if ferries == 1 else 'ferries'} and "
    told += f"{soloists} {'soloist' if soloists == 1 else 'soloists'}"
    how = "" if ferries and soloists else " Give them: --set SOHO=37s --set ~SOHO-STG."
    return [f"{what} were not read from the photo; counted are {told}. Each one more can only add points.{how}"]


def log_texts(report: CityReport, log: CityByLog) -> list[str]:
    """What the game's log says of the board; where something is in doubt, slips are questions."""
    verdict = log.verdict
    if verdict.legal:
        return ["By the log: no slip."]
    if not verdict.complete or not (verdict.decided or verdict.at_least):
        most = f"{verdict.at_least} slips or more" if verdict.at_least else "more than could be settled"
        return [f"By the log: it takes {most} to explain this board."]
    head = "Slip:" if log.sure else "A slip, if all is read rightly:"
    return [f"{head} {slip.text}" for slip in verdict.slips]


def doubt_texts(report: CityReport) -> list[str]:
    """A sentence for each neighbourhood and ferry in doubt, those asked about first and as questions."""
    drawn = report.drawn
    places = [r for r in report.template.ids if r in report.uncertain or r in drawn.open_soloists]
    lines = [(region, _place_doubt(report, region)) for region in places]
    for (one, other), chance in drawn.open_ferries.items():
        name = f"~{one}-{other}"
        seen = "drawn" if chance >= 0.5 else "not drawn"
        lines.append((name, f"the ferry {one}-{other}, read as {seen}: --set {name} or --set {name}=."))
    lines.sort(key=lambda line: line[0] not in report.ask)
    return [f"{'Which is it?' if name in report.ask else 'Doubt:'} {text}" for name, text in lines]


def place_answers(report: CityReport, region: str) -> list[str]:
    """What a place in doubt may hold with its soloist, as ``--set`` takes it after the ``=``, likeliest first."""
    cell, drawn = report.cells[region], report.drawn
    marks = [cell.mark, *(mark for mark, _ in cell.alternatives[:2])] if cell.doubtful else [cell.mark]
    letter = drawn.soloists.get(region, "")
    letters = [letter, *drawn.open_soloists.get(region, ())[:2]] if region in drawn.open_soloists else [letter]
    letters = [choice for choice in letters if choice in ("", *INSTRUMENTS)]
    likely = [
        _sign(mark) + choice
        for mark in marks
        for choice in (letters if mark.number is not None else [""])
        if mark.kind is not Kind.UNREAD
    ]
    return list(dict.fromkeys(likely))


def _place_doubt(report: CityReport, region: str) -> str:
    """A doubtful place or soloist, its runners-up, and how to answer."""
    answers = " or ".join(f"--set {region}={sign}" for sign in place_answers(report, region))
    return f"{region} {report.template.region(region).name}: {answers or f'--set {region}=...'}"


def _sign(mark: Mark) -> str:
    return format_mark(Mark(mark.kind, mark.number))
