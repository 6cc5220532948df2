"""``ontour-cv score --map new-york-home``: photos of New York boards in, scores out; ferries and soloists are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from ontour_cv.board import Kind, Mark, format_mark
from ontour_cv.city_board import format_cell, parse_city_board
from ontour_cv.cli.city import city_points, show_tracks
from ontour_cv.cli.console import print_paragraph, print_route
from ontour_cv.cli.score_options import texts_by_photo
from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_map, map_ids

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.city_score import Given


def is_city(map_id: str) -> bool:
    """Whether a map is one of New York; False for unknown maps and ``"auto"``."""
    return map_id in map_ids() and load_map(map_id).city is not None


def refuse_for_cities(
    camera: str | None, same_board: bool, rules: str | None, overlay: Path | None, game: GameRecord | None
) -> None:
    """``UsageError`` for options that only other boards have."""
    if camera is not None or same_board:
        option = "--camera" if camera is not None else "--same-board"
        raise UsageError(f"{option} is not for boards of New York", "Name one photo of each board.")
    if rules is not None:
        raise UsageError("--rules is not for New York", "Leave it away; its rulings stand in the map's file.")
    if overlay is not None:
        raise UsageError("--overlay does not draw boards of New York", "Leave it away.")
    if game is not None:
        remedy = "Score the photo without it, then: ontour-cv check --game GAME 'BOARD' with the board it prints."
        raise UsageError("photos of New York are not read by a game's log, for ferries are not in it", remedy)


def read_given(sets: Sequence[str], photos: Sequence[Path], map_id: str) -> dict[Path, Given]:
    """What is given for each photo: ``SOHO=37s``, ``~SOHO-STG``, ``@s=1``; errors as for other boards."""
    from ontour_cv.scorer.city_score import Given

    ids = load_map(map_id).ids
    found = {}
    for photo, texts in texts_by_photo(sets, photos).items():
        named = {text.partition("=")[0].strip().upper() for text in texts if text[:1] not in ("~", "@")}
        if not texts:
            found[photo] = Given()
            continue
        board = parse_city_board(" ".join(texts if named else [f"{ids[0]}=.", *texts]), ids)
        marks = {region: mark for region, mark in board.marks.items() if region in named}
        found[photo] = Given(marks, dict(board.soloists), board.ferries, dict(board.tracks))
    return found


@dataclass(frozen=True, slots=True)
class CityJob:
    """How a board of New York is to be scored: the map, and what is given."""

    map_id: str
    given: Given
    target: None = None

    def score(self, photo: Path) -> CityReport:
        """The report on one photo."""
        from ontour_cv.scorer.city_score import score_city_photo

        return score_city_photo(photo, self.map_id, self.given)


def city_jobs(sets: Sequence[str], photos: Sequence[Path], map_id: str) -> Mapping[Path, CityJob]:
    """How each photo is to be scored."""
    return {photo: CityJob(map_id, given) for photo, given in read_given(sets, photos, map_id).items()}


def show_city(report: CityReport, console: Console) -> None:
    """The least the board is worth, its route, what was not read, problems and doubts."""
    console.print(f"[bold]{escape(report.photo)}[/]  [dim]{escape(report.template.title)}[/]", soft_wrap=True)
    low, high = report.score_range
    between = f"  [yellow]({low} to {high}, until the doubts are answered)[/]" if low < high else ""
    console.print(f"  [bold green]At least {escape(city_points(report.score))}[/]{between}", soft_wrap=True)
    print_paragraph(f"  {counted_text(report)}", console)
    if report.poor:
        console.print("  [bold yellow]Poorly readable:[/] better take the photo again: from above, nearer, sharp.")
    if report.score.route:
        marks = report.board.marks
        print_route((f"{r} {format_cell(marks[r], report.soloists.get(r, ''))}" for r in report.score.route), console)
    show_tracks(report.board, report.score, console)
    print_paragraph(f"  As read: {report.board}", console)
    problems = [problem for problem in report.problems if problem.rule != "unread"]
    for number, problem in enumerate(problems, start=1):
        print_paragraph(f"  Problem {number}: {problem.text}", console)
    for region in report.uncertain:
        print_paragraph(f"  Doubt: {doubt_text(report, region)}", console)
    console.print()


def counted_text(report: CityReport) -> str:
    """Which ferries and soloists the score counts, and that the photo was not searched for them."""
    ferries, soloists = len(report.ferries), len(report.soloists)
    told = f"{ferries} {'ferry' if ferries == 1 else 'ferries'} and "
    told += f"{soloists} {'soloist' if soloists == 1 else 'soloists'}"
    how = "" if ferries and soloists else " Give them: --set SOHO=37s --set ~SOHO-STG."
    return (
        f"Ferries and soloists were not read from the photo; counted are the {told} given with --set. "
        f"Each one more can only add points.{how}"
    )


def doubt_text(report: CityReport, region: str) -> str:
    """A doubtful cell, its runners-up, and how to answer."""
    cell = report.cells[region]
    marks = [cell.mark, *(mark for mark, _ in cell.alternatives[:2])]
    likely = [mark for mark in marks if mark.kind is not Kind.UNREAD]
    answers = " or ".join(f"--set {region}={_sign(mark)}" for mark in likely) or f"--set {region}=..."
    return f"{region} {report.template.region(region).name}: {answers}"


def _sign(mark: Mark) -> str:
    return format_mark(Mark(mark.kind, mark.number))
