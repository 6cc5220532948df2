"""``ontour-cv score --map rolling-america``: photos of sheets in, scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ontour_cv.board import Mark
from ontour_cv.cli.score_options import tokens_by_photo
from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_map, map_ids
from ontour_cv.sheet import parse_sheet

if TYPE_CHECKING:
    from ontour_cv.cli.score_game import Table
    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.scorer.sheet_report import SheetReport
    from ontour_cv.scorer.sheet_score import PlainSheet
    from ontour_cv.vision.sheet_place import SheetPlacement


def is_sheet(map_id: str) -> bool:
    """Whether the boards of a map are sheets of coloured cells; False for unknown maps and ``"auto"``."""
    return map_id in map_ids() and any(region.outline for region in load_map(map_id).regions)


def refuse_for_sheets(rules: str | None) -> None:
    """``UsageError`` for options that only boards have."""
    if rules is not None:
        raise UsageError("--rules chooses between the rules of boards", "Leave it away for sheets.")


def read_sheet_corrections(
    sets: Sequence[str], photos: Sequence[Path], map_id: str
) -> Mapping[Path, dict[str, Mark | int]]:
    """The corrections of each photo: marks by state, numbers by token (``@rounds=8``); errors as for boards."""
    ids = load_map(map_id).ids
    found: dict[Path, dict[str, Mark | int]] = {}
    for photo, texts in tokens_by_photo(sets, photos).items():
        found[photo] = {}
        states = [text for text in texts if not text.startswith("@")]
        if states:
            named = {text.partition("=")[0].strip().upper() for text in states}
            marks = parse_sheet(" ".join(texts), ids).marks
            found[photo] |= {state: mark for state, mark in marks.items() if state in named}
        boxes = [text for text in texts if text.startswith("@")]
        if boxes:
            said = parse_sheet(" ".join([f"{ids[0]}=.", *boxes]), ids).boxes.said()
            found[photo] |= {f"@{name}": value for name, value in said.items()}
    return found


def sheet_jobs(
    sets: Sequence[str], photos: Sequence[Path], targets: Mapping[Path, Path], table: Table
) -> dict[Path, SheetJob]:
    """How each photo is to be scored."""
    corrections = read_sheet_corrections(sets, photos, table.map_id)
    return {photo: SheetJob(corrections[photo], targets.get(photo), table.record, table.map_id) for photo in photos}


@dataclass(frozen=True, slots=True)
class SheetJob:
    """How a sheet is to be scored: corrections, where the overlay goes, the game it comes from.

    The map is that whose boards are counted in a picture of several: ``"auto"`` for all.
    """

    corrections: Mapping[str, Mark | int]
    target: Path | None
    game: GameRecord | None
    map_id: str = "auto"

    def score(self, photo: Path, shown: PlainSheet | None = None) -> SheetReport:
        """The report on one photo, its overlay drawn; ``shown`` where it is loaded and its sheet found."""
        from ontour_cv.scorer.sheet_score import score_sheet_photo

        return self.draw(score_sheet_photo(photo, self.corrections, self.game, self.map_id, shown))

    def score_one(
        self, photos: Sequence[Path], camera: str | None, timeout: float, save: Path | None,
        found: Mapping[str, SheetPlacement] | None = None,
    ) -> SheetReport:  # fmt: skip
        """The report on one sheet from several photos of it, or from a camera's; its overlay drawn.

        ``found``: where the sheet lies in photos in which that is known, by their names.
        """
        from ontour_cv.cli.score_camera import score_camera_sheet
        from ontour_cv.scorer.sheet_several import score_same_sheet

        if camera is not None:
            return self.draw(score_camera_sheet(camera, self.corrections, timeout, save, self.game))
        return self.draw(score_same_sheet(photos, self.corrections, self.game, self.map_id, found))

    def draw(self, report: SheetReport) -> SheetReport:
        """Draws the overlay of a report, if one is wanted, and gives the report back."""
        if self.target is not None:
            from ontour_cv.scorer.sheet_drawing import save_sheet_overlay

            save_sheet_overlay(report, self.target)
        return report
