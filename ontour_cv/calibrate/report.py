"""A picture of a calibration: the photo with every disc marked and named, to be looked at before it is believed."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.calibrate.run import Calibration
from ontour_cv.calibrate.settle import How
from ontour_cv.files import write_beside

COLOURS = {How.LABEL: (70, 160, 30), How.LAYOUT: (200, 110, 20), How.ASSIGNED: (170, 40, 160), How.OPEN: (40, 40, 220)}
"""Blue-green-red: green, blue, purple, red."""

WIDTH = 1800
"""Width of the report, pixels."""


def draw_report(found: Calibration) -> NDArray[np.uint8]:
    """The picture, ``(H, WIDTH, 3)`` uint8, blue-green-red: each disc with its id and its distance from the layout."""
    photo, edition = found.blank.photo, found.edition
    scale = WIDTH / photo.bgr.shape[1]
    smooth = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    picture = np.asarray(cv2.resize(photo.bgr, None, fx=scale, fy=scale, interpolation=smooth), dtype=np.uint8)
    picture = np.asarray(cv2.addWeighted(picture, 0.65, np.full_like(picture, 255), 0.35, 0), dtype=np.uint8)
    board = np.array(list(edition.cells.values()))
    axes = found.to_photo.jacobians(board) * edition.radius * scale
    for k, (region, one) in enumerate(found.settled.items()):
        centre = (np.array(one.place.centre_photo) + 0.5) * scale - 0.5
        turn = np.linspace(0, 2 * np.pi, 73)
        outline = centre + np.column_stack([np.cos(turn), np.sin(turn)]) @ axes[k].T
        colour = COLOURS[one.how]
        cv2.polylines(picture, [np.rint(outline * 16).astype(np.int32)], True, colour, 2, cv2.LINE_AA, 4)
        cv2.drawMarker(picture, _pixel(centre), colour, cv2.MARKER_CROSS, 9, 1, cv2.LINE_AA)
        note = region if one.how is not How.OPEN else f"{region}?"
        _write(picture, note, outline[9] + (2, 6), colour, 0.55)
        _write(picture, f"{found.residuals.by_region[region]:.2f}", outline[9] + (2, 21), (70, 70, 70), 0.42)
    return np.vstack([_legend(found), picture])


def write_report(path: Path, found: Calibration) -> None:
    """Draws the picture into a PNG file, beside the edition (:func:`ontour_cv.files.write_beside`)."""
    encoded = cv2.imencode(".png", draw_report(found))[1]
    write_beside(path, encoded.tobytes(), "Choose another place for --report.")


def _legend(found: Calibration) -> NDArray[np.uint8]:
    strip = np.full((64, WIDTH, 3), 250, np.uint8)
    edition, off = found.edition, found.residuals
    title = f"{edition.map}-{edition.name}: {len(edition.cells)} discs, radius {edition.radius:.4f} board widths"
    spread = f"off the rough layout: median {off.median:.2f}, largest {off.largest:.2f} disc radii"
    _write(strip, f"{title}; {spread}", np.array([16.0, 26.0]), (40, 40, 40), 0.6)
    x = 16.0
    for how, colour in COLOURS.items():
        count = sum(one.how is how for one in found.settled.values())
        cv2.circle(strip, _pixel(np.array([x + 8, 46.0])), 7, colour, 2, cv2.LINE_AA)
        _write(strip, f"{how.value} {count}", np.array([x + 24, 52.0]), colour, 0.55)
        x += 190
    return strip


def _write(
    picture: NDArray[np.uint8], text: str, at: NDArray[np.float64], colour: tuple[int, int, int], size: float
) -> None:
    """Text with a white edge, its lower left corner at ``at``."""
    for tint, thick in (((255, 255, 255), 4), (colour, 1)):
        cv2.putText(picture, text, _pixel(at), cv2.FONT_HERSHEY_SIMPLEX, size, tint, thick, cv2.LINE_AA)


def _pixel(point: NDArray[np.float64]) -> tuple[int, int]:
    x, y = np.rint(point).astype(int)
    return int(x), int(y)
