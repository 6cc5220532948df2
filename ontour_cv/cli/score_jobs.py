"""How a board named on the command line of ``ontour-cv score`` is to be scored: a job for each kind of map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ontour_cv.cli.score_answers import Answers, read_answers
from ontour_cv.cli.score_city import CityJob, city_jobs, draw_city, is_city, refuse_for_cities
from ontour_cv.cli.score_game import Table
from ontour_cv.cli.score_sheet import SheetJob, is_sheet, refuse_for_sheets, sheet_jobs
from ontour_cv.errors import BadBoard, BoardNotFound, MirrorImage

if TYPE_CHECKING:
    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.report import Report
    from ontour_cv.scorer.sheet_report import SheetReport
    from ontour_cv.vision.photo import Photo

    AnyReport = Report | SheetReport | CityReport


NEEDS_MAP = "A camera looks for boards of the USA, Europe and Paris; for New York and Rolling America name --map."

NO_OTHERS = "With --rules only boards of the USA, Europe and Paris are looked for; leave it away for others."


@dataclass(frozen=True, slots=True)
class Job:
    """How a board is to be scored: map, rules, corrections, where the overlay goes, its game, and ``--drawn``."""

    map_id: str
    rules: str | None
    answers: Answers
    target: Path | None
    game: GameRecord | None
    tour: bool = False

    def score(self, photo: Path) -> AnyReport:
        """The report on one photo, its overlay drawn; where any map may be shown, cities and sheets are tried, too."""
        from ontour_cv.scorer.any_map import PlainlyASheet, score_any_photo
        from ontour_cv.scorer.city_report import CityReport
        from ontour_cv.scorer.score import score_photo

        try:
            if self.map_id == "auto" and self.rules is None:
                report = score_any_photo(photo, self.answers)
                if isinstance(report, CityReport):
                    return draw_city(report, self.target, self.tour)
                return self.draw(report)
            with self._told(NO_OTHERS if self.rules else ""):
                return self.draw(score_photo(photo, self.map_id, self.rules, self.answers.marks(), self.game))
        except BoardNotFound as none:
            shown = none.shown if isinstance(none, PlainlyASheet) else None
            return self._sheet(none, lambda job: job.score(photo, shown))

    def score_one(self, photos: Sequence[Path], camera: str | None, timeout: float, save: Path | None) -> AnyReport:
        """The report on one board from several photos of it, or from a camera's, its overlay drawn."""
        from ontour_cv.cli.score_camera import score_camera
        from ontour_cv.scorer.any_map import AtAGlance
        from ontour_cv.scorer.several import score_same_board

        if camera is not None:
            known = self.answers.marks()
            with self._told(NEEDS_MAP):
                return self.draw(score_camera(camera, self.map_id, self.rules, known, timeout, save, self.game))
        look = AtAGlance(photos) if self.map_id == "auto" else None
        instead = None if look is None else look.sheet if self.rules else look.no_board
        try:
            known = self.answers.marks()
            return self.draw(score_same_board(photos, self.map_id, self.rules, known, self.game, instead))
        except (BoardNotFound, BadBoard) as none:  # answers in another map's notation: perhaps it is that map
            city = self._city(photos, look.sheet) if look is not None and self.rules is None else None
            found = look.sheets() if look is not None else None
            return city or self._sheet(none, lambda job: job.score_one(photos, None, timeout, None, found))

    @contextmanager
    def _told(self, more: str) -> Iterator[None]:
        """Says what else may be wrong where no board was found, though any map would do."""
        try:
            yield
        except BoardNotFound as none:
            if self.map_id != "auto" or not more:
                raise
            raise BoardNotFound(none.message, f"{none.remedy} {more}".strip()) from none

    def _city(self, photos: Sequence[Path], sheet: Callable[[Photo], bool]) -> CityReport | None:
        """The report on several photos of a board of New York, if that is what they show."""
        from ontour_cv.maps.load import load_map, printed_map_ids
        from ontour_cv.scorer.city_several import score_same_city

        for map_id in printed_map_ids():
            if load_map(map_id).city is not None:
                with suppress(BoardNotFound, BadBoard):  # answers that it does not take are about another map
                    report = score_same_city(photos, map_id, self.answers.given(map_id), None, sheet)
                    return draw_city(report, self.target, self.tour)
        return None

    def _sheet(self, none: BoardNotFound | BadBoard, score: Callable[[SheetJob], SheetReport]) -> SheetReport:
        """What is shown may be a sheet where any map may be; else the boards' own words say what to do.

        On a sheet that answers are not about, what is wrong with them is said: ``BadBoard``.
        """
        if self.map_id != "auto":
            raise none
        unfit: BadBoard | None = None
        try:
            job = SheetJob(self.answers.sheet(), self.target, None)
        except BadBoard as fault:
            unfit, job = fault, SheetJob({}, None, None)
        try:
            report = score(job)
        except MirrorImage:
            raise
        except (BoardNotFound, BadBoard):
            raise none from None
        if unfit is not None:
            raise unfit
        return report

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


AnyJob = Job | SheetJob | CityJob


def drawn_anew(report: AnyReport, job: AnyJob) -> AnyReport:
    """A report on a board that was scored again, with its overlay and whatever else its job asks for."""
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.report import Report

    if isinstance(report, Report):
        return job.draw(report) if isinstance(job, Job) else report
    if isinstance(report, CityReport):
        return draw_city(report, job.target, not isinstance(job, SheetJob) and job.tour)
    return SheetJob({}, job.target, None).draw(report)


def make_jobs(
    sets: Sequence[str],
    photos: Sequence[Path],
    targets: Mapping[Path, Path],
    table: Table,
    rules: str | None,
    tour: bool,
) -> Mapping[Path, AnyJob]:
    """How each photo is to be scored; ``UsageError`` for options that its map does not have."""
    if is_sheet(table.map_id):
        refuse_for_sheets(rules)
        return sheet_jobs(sets, photos, targets, table)
    if is_city(table.map_id):
        refuse_for_cities(rules)
        return city_jobs(sets, photos, targets, table, tour)
    known = read_answers(sets, photos)
    return {p: Job(table.map_id, rules, known[p], targets.get(p), table.record, tour) for p in photos}
