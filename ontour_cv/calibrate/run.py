"""A calibration from start to end: photo -> settled discs -> edition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ontour_cv.calibrate.edition import Residuals, make_edition
from ontour_cv.calibrate.labels import require_tesseract
from ontour_cv.calibrate.settle import Blank, How, Settled, assign, check_inside, lay_out, settle
from ontour_cv.geometry import Homography
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.vision.photo import Photo

Places = Mapping[str, tuple[float, float]]
Ask = Callable[[Blank, Mapping[str, Settled]], Places]


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """An edition and how it was measured; ``to_photo`` maps its board frame to the photo."""

    blank: Blank
    settled: Mapping[str, Settled]
    edition: Edition
    residuals: Residuals
    to_photo: Homography


def measure_edition(
    photo: Photo, template: MapTemplate, name: str, title: str, places: Places, ask: Ask
) -> Calibration:
    """The edition printed on the blank board in ``photo``.

    Args:
        photo: the blank board.
        template: its map.
        name: short name of the edition.
        title: name for people.
        places: where the player says discs lie, photo pixels; the rest is found.
        ask: called with what could not be settled; answers as ``places`` does, for all of it.

    Raises:
        MissingTool: Tesseract is not installed.
        BoardNotFound: the photo does not show this map.
        UsageError: a place named lies outside the photo.
    """
    check_inside(photo, places)
    require_tesseract()
    blank = lay_out(photo, template)
    settled = assign(blank, settle(blank), places)
    doubts = {region: one for region, one in settled.items() if one.how is How.OPEN}
    if doubts:
        answers = ask(blank, doubts)
        check_inside(photo, answers)
        settled = assign(blank, settled, answers)
    edition, residuals, to_photo = make_edition(blank, settled, name, title)
    return Calibration(blank, settled, edition, residuals, to_photo)
