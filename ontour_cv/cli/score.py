"""``ontour-cv score``: photos of boards in, scores out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.cli.board_input import RulesOption, full_map_id
from ontour_cv.cli.camera_options import (
    WAIT,
    CameraOption,
    SameBoardOption,
    SavePhotoOption,
    TimeoutOption,
    check_source,
)
from ontour_cv.cli.console import make_console
from ontour_cv.cli.score_ask import AskOption, ask_all, check_ask
from ontour_cv.cli.score_game import GameOption, PlayerOption, Table, open_table
from ontour_cv.cli.score_jobs import AnyJob, make_jobs
from ontour_cv.cli.score_keep import KeepOption, check_keep, keep_sheet
from ontour_cv.cli.score_missed import in_words_of
from ontour_cv.cli.score_options import (
    DrawnOption,
    EveryBoardOption,
    check_rules,
    check_tour,
    plan_overlay,
    plan_overlays,
    spread,
)
from ontour_cv.cli.score_sheet import is_sheet
from ontour_cv.cli.score_table import with_one_another
from ontour_cv.cli.score_uses import show_unused
from ontour_cv.errors import OnTourError, UsageError

if TYPE_CHECKING:
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
MapOption = Annotated[
    str, typer.Option("--map", metavar="MAP", callback=full_map_id, help="Which map; auto recognises it.")
]
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
    ask: AskOption = False,
    overlay: OverlayOption = None,
    game: GameOption = None,
    players: PlayerOption = None,
    keep: KeepOption = False,
    tour: DrawnOption = False,
    every: EveryBoardOption = False,
    same_board: SameBoardOption = False,
    camera: CameraOption = None,
    save_photo: SavePhotoOption = None,
    timeout: TimeoutOption = WAIT,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array, one object per photo.")] = False,
) -> None:
    """Score filled boards from their photos.

    Reads the board, checks the rules, and proves the best route. What could not be read for sure is listed with the
    runner-up; answer with --set, or let --ask ask you, and everything follows. A photo that reads poorly is still
    scored, with the range the score must lie in. Several photos make a ranking, and boards of one game are read with
    one another, for all hold the same numbers; a photo that fails stops no other. --every-board scores all boards and
    sheets of a table in one picture. With --same-board the photos are of one board: what glare hides in one may be
    clear in another. With --game the rolls of the game are known: doubts get few, and every slip is named. Of sheets of
    Rolling America the one with the fewest Xs wins.

    Exit code: 0 all scored; else that of the first photo that failed: 3 no board found, 4 file unreadable,
    5 bad board text, map or game. 2 when the command line makes no sense.
    """
    check_rules(rules)
    check_ask(ask, as_json)
    photos = once_each(photos or [])
    check_source(photos, camera, same_board, save_photo, timeout)
    one = camera is not None or same_board
    table = open_table(game, map_id)
    if every:  # numbered as they are looked up: among the boards of the game's map
        photos = once_each(spread(photos, table.map_id, one))
    named = photos or [Path("camera")]
    boards = named[:1] if one else photos
    table = table.of(boards, players or [])
    check_tour(tour, table.map_id)
    if keep:
        check_keep(table, is_sheet(table.map_id), len(boards))
    jobs = make_jobs(sets or [], boards, _targets(overlay, named, one), table, rules, tour)
    if one:
        alone = [_score_one_board(photos, camera, jobs[boards[0]], timeout, save_photo, table)]
    else:
        alone = score_all(photos, partial(_score_photo, jobs, table))
    by_board = [jobs[board] for board in boards]
    if ask:
        alone = ask_all(alone, by_board)
    outcomes = with_one_another(alone, by_board)
    drawn = [job.target for job in jobs.values() if job.target is not None]
    _print(table.named(outcomes), as_json, drawn)
    show_unused(outcomes, rules, tour, make_console(stderr=True))
    if keep:
        _keep(outcomes[0], table, as_json)
    sys.exit(exit_code(outcomes))


def once_each(photos: Sequence[Path]) -> list[Path]:
    """The boards in their order, one that is named twice once: read with itself it would be its own witness."""
    from ontour_cv.scorer.pictures import numbered

    first: dict[tuple[str, int | None], Path] = {}
    for photo in photos:
        file, number = numbered(photo)
        first.setdefault((os.path.realpath(file), number), photo)
    return list(first.values())


def _targets(overlay: Path | None, photos: Sequence[Path], one: bool) -> dict[Path, Path]:
    """Where the overlay of each board goes; all photos may show ``one``."""
    if not one:
        return dict(plan_overlays(overlay, photos))
    target = plan_overlay(overlay, photos)
    return {photos[0]: target} if target else {}


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


def exit_code(outcomes: Sequence[AnyOutcome]) -> int:
    """0 when every photo was scored, else the exit code of the first that was not."""
    from ontour_cv.scorer.report import Failure

    return next((outcome.error.exit_code for outcome in outcomes if isinstance(outcome, Failure)), 0)


def _score_photo(jobs: Mapping[Path, AnyJob], table: Table, photo: Path) -> Report | SheetReport | CityReport:
    with in_words_of(table, photo):
        return jobs[photo].score(photo)


def _score_one_board(
    photos: Sequence[Path], camera: str | None, job: AnyJob, timeout: float, save_photo: Path | None, table: Table
) -> AnyOutcome:
    """What became of several photos of one board, or of a camera's; ``UsageError`` when the boards are different."""
    from ontour_cv.scorer.report import Failure

    try:
        with in_words_of(table, photos[0] if photos else None):
            return job.score_one(photos, camera, timeout, save_photo)
    except UsageError:
        raise
    except OnTourError as error:
        return Failure(f"camera {camera}" if camera is not None else str(photos[0]), error)


def _keep(outcome: AnyOutcome, table: Table, as_json: bool) -> None:
    """Keeps the score of a sheet that could be read, and says so."""
    from ontour_cv.cli.console import print_paragraph
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
