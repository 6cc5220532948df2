"""``ontour-cv score --map new-york-home``: photos of New York boards in, scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ontour_cv.board import Kind, Mark, format_mark
from ontour_cv.city_board import parse_city_board
from ontour_cv.cli.board_input import parse_rows_checked
from ontour_cv.cli.score_options import tokens_by_photo
from ontour_cv.errors import UsageError
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.load import load_map, map_ids

if TYPE_CHECKING:
    from ontour_cv.cli.score_game import Table
    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.scorer.city_drawn import Given
    from ontour_cv.scorer.city_report import CityReport


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
    for photo, every in tokens_by_photo(sets, photos).items():
        gone = [text.removesuffix("=.") for text in every if text.startswith("~") and text.endswith("=.")]
        texts = [text for text in every if not (text.startswith("~") and text.endswith("=."))]
        no_ferries = parse_city_board(" ".join([f"{ids[0]}=.", *gone]), ids).ferries
        named = {text.partition("=")[0].strip().upper() for text in texts if text[:1] not in ("~", "@")}
        if not texts:
            found[photo] = Given(no_ferries=no_ferries)
            continue
        board = parse_rows_checked(" ".join(texts if named else [f"{ids[0]}=.", *texts]), template)
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


def _sign(mark: Mark) -> str:
    return format_mark(Mark(mark.kind, mark.number))
