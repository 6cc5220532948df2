"""The calibration of a board this project draws itself: no photo is needed, the drawing knows."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from statistics import median

from ontour_cv.calibrate.edition import Residuals, calibration_text, edition_file
from ontour_cv.errors import BadTemplate, UsageError
from ontour_cv.maps.check import edition_problems
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import BoardDesign
from ontour_cv.press.editions import own_edition


def drawn_edition(template: MapTemplate, design: BoardDesign) -> tuple[Edition, Residuals]:
    """The edition a drawing prints, and how far its discs lie from the map's rough layout."""
    edition = own_edition(template, design)
    off = {
        region.id: math.dist(edition.cells[region.id], region.layout) / edition.radius for region in template.regions
    }
    return edition, Residuals(off, median(off.values()), max(off.values()))


def check_drawn(template: MapTemplate, edition: Edition, residuals: Residuals, folder: Path, replace: bool) -> None:
    """Whether the calibration of a drawing may be written into ``folder``.

    Raises:
        BadTemplate: every command would refuse it, for the map's layout is wrong.
        UsageError: another calibration of that name is there, and nobody said to replace it.
    """
    if problems := edition_problems(edition, template):
        more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
        raise BadTemplate(
            f"the layout of {template.title} makes no board that can be read: {'; '.join(problems[:3])}{more}",
            f"Correct 'layout' in {template.id}.toml: board widths from the upper left corner, 0 to 1, and no two "
            "places much nearer to one another than the others. Without --calibration the board is printed as it is.",
        )
    path = folder / edition_file(edition.map, edition.name)
    if path.is_file() and not replace and _content(path) != calibration_text(edition, residuals).encode():
        message = f"{template.title} has another edition {edition.name!r} already: {path}"
        raise UsageError(
            message, "Choose another folder: --calibration DIR, or add --replace: then the new file counts."
        )


def _content(path: Path) -> bytes | None:
    """What is in a file; None when it cannot be read."""
    with suppress(OSError):
        return path.read_bytes()
    return None
