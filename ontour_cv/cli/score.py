"""``ontour-cv score``: photos of boards in, scores out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.board import Mark
from ontour_cv.cli.board_input import RulesOption
from ontour_cv.cli.camera_options import (
    CameraOption,
    SameBoardOption,
    SavePhotoOption,
    TimeoutOption,
    check_source,
)
from ontour_cv.cli.score_city import CityJob, city_jobs, draw_city, is_city, refuse_for_cities
from ontour_cv.cli.score_game import GameOption, PlayerOption, Table, open_table
from ontour_cv.cli.score_keep import KeepOption, check_keep, keep_sheet
from ontour_cv.cli.score_options import (
    DrawnOption,
    EveryBoardOption,
    check_rules,
    check_tour,
    plan_overlay,
    plan_overlays,
    read_corrections,
    spread,
)
from ontour_cv.cli.score_sheet import SheetJob, is_sheet, refuse_for_sheets, sheet_jobs
from ontour_cv.cli.score_table import with_one_another
from ontour_cv.errors import BoardNotFound, OnTourError, UsageError

if TYPE_CHECKING:
    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.report import Outcome, Report
    from ontour_cv.scorer.sheet_report import SheetOutcome, SheetReport

    AnyOutcome = Outcome | SheetOutcome | CityReport

PhotosArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PHOTO...", help="Photos of filled boards, one board each; table.jpg#2 is the second of several."
    ),
]
MapOption = Annotated[str, typer.Option("--map", metavar="MAP", help="Which map; auto recognises it.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="REGION=MARK",
        help="Correct what was read: NV=31, SD=*o, WI=x, TX=. (repeatable). With several photos: PHOTO:NV=31.",
    ),
]
OverlayOption = Annotated[
    Path | None,
    typer.Option(
        "--overlay", metavar="FILE|DIR", help="Draw route, readings and doubts on the photo: a file, or a folder."
    ),
]


def score(
    photos: PhotosArgument = None,
    map_id: MapOption = "auto",
    rules: RulesOption = None,
    sets: SetOption = None,
    overlay: OverlayOption = None,
    game: GameOption = None,
    players: PlayerOption = None,
    keep: KeepOption = False,
    tour: DrawnOption = False,
    every: EveryBoardOption = False,
    same_board: SameBoardOption = False,
    camera: CameraOption = None,
    save_photo: SavePhotoOption = None,
    timeout: TimeoutOption = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array, one object per photo.")] = False,
) -> None:
    """Score filled boards from their photos.

    Reads the board, checks the rules, and proves the best route. What could not be read for sure is listed with the
    runner-up; answer with --set, and everything follows. A photo that reads poorly is still scored, with the range the
    score must lie in. Several photos make a ranking, and boards of one game are read with one another, for all hold the
    same numbers; a photo that fails stops no other. --every-board scores all boards of a table in one picture. With
    --same-board the photos are of one board: what glare hides in one may be clear in another. With --game the rolls of
    the game are known: doubts get few, and every slip is named. Of sheets of Rolling America the one with the fewest Xs
    wins.

    Exit code: 0 all scored; else that of the first photo that failed: 3 no board found, 4 file unreadable,
    5 bad board text, map or game. 2 when the command line makes no sense.
    """
    check_rules(rules)
    photos = photos or []
    check_source(photos, camera, same_board, save_photo)
    one = camera is not None or same_board
    if every:
        photos = spread(photos, map_id, one)
    named = photos or [Path("camera")]
    boards = named[:1] if one else photos
    table = open_table(game, map_id, players or [], boards)
    check_tour(tour, table.map_id)
    if keep:
        check_keep(table, is_sheet(table.map_id), len(boards))
    if one:
        target = plan_overlay(overlay, named)
        targets = {boards[0]: target} if target else {}
    else:
        targets = dict(plan_overlays(overlay, photos))
    jobs = _jobs(sets or [], boards, targets, table, rules, tour)
    if one:
        outcomes = [_score_one_board(photos, camera, jobs[boards[0]], timeout, save_photo)]
    else:
        alone = score_all(photos, lambda photo: jobs[photo].score(photo))
        outcomes = with_one_another(alone, lambda report: _drawn_anew(report, jobs))
    drawn = [job.target for job in jobs.values() if job.target is not None]
    _print(table.named(outcomes), as_json, drawn)
    if keep:
        _keep(outcomes[0], table, as_json)
    sys.exit(exit_code(outcomes))


@dataclass(frozen=True, slots=True)
class Job:
    """How a board is to be scored: map, rules, corrections, where the overlay goes, its game, and ``--drawn``."""

    map_id: str
    rules: str | None
    corrections: Mapping[str, Mark]
    target: Path | None
    game: GameRecord | None
    tour: bool = False

    def score(self, photo: Path) -> Report | SheetReport | CityReport:
        """The report on one photo, its overlay drawn; where any map may be shown, cities and sheets are tried, too."""
        from ontour_cv.scorer.any_map import score_any_photo
        from ontour_cv.scorer.city_report import CityReport
        from ontour_cv.scorer.score import score_photo

        try:
            if self.map_id == "auto" and self.rules is None:
                report = score_any_photo(photo, self.corrections)
                if isinstance(report, CityReport):
                    return draw_city(report, self.target, self.tour)
                return self.draw(report)
            return self.draw(score_photo(photo, self.map_id, self.rules, self.corrections, self.game))
        except BoardNotFound as none:
            return self._sheet(none, lambda job: job.score(photo))

    def score_one(
        self, photos: Sequence[Path], camera: str | None, timeout: float, save: Path | None
    ) -> Report | SheetReport | CityReport:
        """The report on one board from several photos of it, or from a camera's, its overlay drawn."""
        from ontour_cv.cli.score_camera import score_camera
        from ontour_cv.scorer.several import score_same_board

        if camera is not None:
            return self.draw(score_camera(camera, self.map_id, self.rules, self.corrections, timeout, save, self.game))
        try:
            return self.draw(score_same_board(photos, self.map_id, self.rules, self.corrections, self.game))
        except BoardNotFound as none:
            city = self._city(photos) if self.map_id == "auto" and self.rules is None else None
            return city or self._sheet(none, lambda job: job.score_one(photos, None, timeout, None))

    def _city(self, photos: Sequence[Path]) -> CityReport | None:
        """The report on several photos of a board of New York, if that is what they show."""
        from ontour_cv.maps.load import load_map, printed_map_ids
        from ontour_cv.scorer.city_drawn import Given

        for map_id in printed_map_ids():
            if load_map(map_id).city is not None and self.corrections.keys() <= set(load_map(map_id).ids):
                job = CityJob(map_id, Given(dict(self.corrections)), self.target, None, self.tour)
                with suppress(BoardNotFound):
                    return job.score_one(photos, None, 0.0, None)
        return None

    def _sheet(self, none: BoardNotFound, score: Callable[[SheetJob], SheetReport]) -> SheetReport:
        """What is shown may be a sheet where any map may be; else the boards' own words say what to do."""
        if self.map_id != "auto":
            raise none
        try:
            return score(SheetJob(dict(self.corrections), self.target, None))
        except BoardNotFound:
            raise none from None

    def draw(self, report: Report) -> Report:
        """The report with the drawn tour, if it is wanted, and with hindsight; draws the overlay, if one is wanted."""
        if self.game is not None:
            from ontour_cv.scorer.hindsight import with_hindsight

            report = with_hindsight(report)
        if self.tour:
            from ontour_cv.scorer.written import with_players_own

            report = with_players_own(report)
        if self.target is not None:
            from ontour_cv.scorer.drawing import save_overlay

            save_overlay(report, self.target)
        return report


def score_all(
    photos: Sequence[Path], score_one: Callable[[Path], Report | SheetReport | CityReport]
) -> list[AnyOutcome]:
    """What became of each photo, in order; a progress bar on stderr when there are several and somebody looks."""
    from rich.console import Console
    from rich.progress import Progress

    from ontour_cv.scorer.report import Failure

    outcomes: list[AnyOutcome] = []
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=len(photos) < 2 or not console.is_terminal) as progress:
        task = progress.add_task("Scoring", total=len(photos))
        for photo in photos:
            progress.update(task, description=f"Scoring {photo.name}")
            try:
                outcomes.append(score_one(photo))
            except OnTourError as error:
                outcomes.append(Failure(str(photo), error))
            progress.advance(task)
    return outcomes


def _drawn_anew(report: Report, jobs: Mapping[Path, Job | SheetJob | CityJob]) -> Report:
    """A report on a board that was read again, with its overlay and whatever else was asked for."""
    job = jobs[Path(report.photo)]
    return job.draw(report) if isinstance(job, Job) else report


def exit_code(outcomes: Sequence[AnyOutcome]) -> int:
    """0 when every photo was scored, else the exit code of the first that was not."""
    from ontour_cv.scorer.report import Failure

    return next((outcome.error.exit_code for outcome in outcomes if isinstance(outcome, Failure)), 0)


def _score_one_board(
    photos: Sequence[Path], camera: str | None, job: Job | SheetJob | CityJob, timeout: float, save_photo: Path | None
) -> AnyOutcome:
    """What became of several photos of one board, or of a camera's; ``UsageError`` when the boards are different."""
    from ontour_cv.scorer.report import Failure

    try:
        return job.score_one(photos, camera, timeout, save_photo)
    except UsageError:
        raise
    except OnTourError as error:
        return Failure(f"camera {camera}" if camera is not None else str(photos[0]), error)


def _jobs(
    sets: Sequence[str],
    photos: Sequence[Path],
    targets: Mapping[Path, Path],
    table: Table,
    rules: str | None,
    tour: bool,
) -> Mapping[Path, Job | SheetJob | CityJob]:
    """How each photo is to be scored; ``UsageError`` for options that its map does not have."""
    if is_sheet(table.map_id):
        refuse_for_sheets(rules)
        return sheet_jobs(sets, photos, targets, table)
    if is_city(table.map_id):
        refuse_for_cities(rules)
        return city_jobs(sets, photos, targets, table, tour)
    known = read_corrections(sets, photos)
    return {p: Job(table.map_id, rules, known[p], targets.get(p), table.record, tour) for p in photos}


def _keep(outcome: AnyOutcome, table: Table, as_json: bool) -> None:
    """Keeps the score of a sheet that could be read, and says so."""
    from ontour_cv.cli.console import make_console, print_paragraph
    from ontour_cv.scorer.sheet_report import SheetReport

    if isinstance(outcome, SheetReport):
        kept = keep_sheet(outcome, table)
        if not as_json:
            print_paragraph(kept, make_console())


def _print(outcomes: Sequence[AnyOutcome], as_json: bool, drawn: list[Path]) -> None:
    if as_json:
        from ontour_cv.scorer.document import to_json

        sys.stdout.write(to_json(outcomes))
        return
    from ontour_cv.cli.score_view import show_outcomes

    show_outcomes(outcomes, drawn)
