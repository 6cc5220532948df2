"""Settled discs -> an :class:`~ontour_cv.maps.edition.Edition` in the map's frame, and its calibration file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ontour_cv.calibrate.settle import Blank, How, Settled
from ontour_cv.errors import BoardNotFound, UsageError
from ontour_cv.files import write_file
from ontour_cv.geometry import Homography, Points
from ontour_cv.maps.check import edition_problems
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import EDITION_VERSION
from ontour_cv.maps.model import MapTemplate
from ontour_cv.vision.fits import fit_robust
from ontour_cv.vision.profile import disc_radius

DIGITS = 5
"""Decimals of a position in board widths: 0.01 mm on a real board."""


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """How far the discs lie from the map's rough layout, disc radii.

    Attributes:
        by_region: region id -> distance.
        median: of all.
        largest: of all.
    """

    by_region: Mapping[str, float]
    median: float
    largest: float


def make_edition(
    blank: Blank, settled: Mapping[str, Settled], name: str, title: str
) -> tuple[Edition, Residuals, Homography]:
    """The edition, how far its discs lie from the rough layout, and the map from its frame to the photo.

    The photo's constellation is laid on the layout by a homography that discs which sit elsewhere do not pull at, so
    all editions of a map lie in one frame whatever their photos' tilt.
    """
    layout = np.array([region.layout for region in blank.template.regions], dtype=np.float64)
    photo = np.array([settled[region].place.centre_photo for region in blank.template.ids], dtype=np.float64)
    matrix = fit_robust(photo, layout, np.ones(len(photo)), rounds=8)
    if matrix is None:
        raise BoardNotFound("the discs lie on one line.", "Take the photo from above with the whole board in it.")
    to_board = Homography(matrix, "photo", "board")
    board = to_board.apply(photo)
    to_photo = to_board.inverse()
    radius = round(disc_radius(blank.photo, photo, to_photo.jacobians(board)), 4)
    off = np.hypot(*(board - layout).T) / radius
    cells = {r: (round(float(x), DIGITS), round(float(y), DIGITS)) for r, (x, y) in zip(settled, board, strict=True)}
    edition = Edition(blank.template.id, name, title, cells, radius, _how_measured(blank, settled, board))
    by_region = {region: float(value) for region, value in zip(settled, off, strict=True)}
    return edition, Residuals(by_region, float(np.median(off)), float(off.max())), to_photo


def _how_measured(blank: Blank, settled: Mapping[str, Settled], board: Points) -> str:
    height, width = blank.photo.bgr.shape[:2]
    counts = {how: sum(one.how is how for one in settled.values()) for how in How}
    words = [f"{counts[how]} by {how.value}" for how in How if counts[how]]
    return f"one photo of a blank board, {width} x {height} px; {len(board)} discs: {', '.join(words)}"


def check_edition(edition: Edition, template: MapTemplate) -> None:
    """``UsageError`` when a measured edition would be refused as a print of its map: a disc was put somewhere else."""
    problems = edition_problems(edition, template)
    if problems:
        more = f" (and {len(problems) - 5} more)" if len(problems) > 5 else ""
        message = f"These are no positions of {template.title}: {'; '.join(problems[:5])}{more}."
        raise UsageError(message, "Say with --assign where those discs lie; --report draws what was found.")


def write_edition(folder: Path, edition: Edition, residuals: Residuals, remedy: str) -> Path:
    """Writes ``<map>-<name>.json`` into ``folder``; its path. ``NotWritten``, with ``remedy``, when that fails."""
    path = folder / edition_file(edition.map, edition.name)
    write_file(path, calibration_text(edition, residuals).encode(), remedy)
    return path


def edition_file(map_id: str, name: str) -> str:
    """What the file of an edition is called."""
    return f"{map_id}-{name}.json"


def calibration_text(edition: Edition, residuals: Residuals) -> str:
    """The calibration file's text: JSON, one region a line."""
    head = {
        "version": EDITION_VERSION,
        "map": edition.map,
        "name": edition.name,
        "title": edition.title,
        "measured": edition.measured,
        "radius": edition.radius,
        "residuals": {
            "unit": "disc radii from the rough layout",
            "median": round(residuals.median, 3),
            "largest": round(residuals.largest, 3),
        },
    }
    if edition.sums:
        head["sums"] = [list(box) for box in edition.sums]
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    cells = ",\n".join(f"    {json.dumps(region)}: [{x}, {y}]" for region, (x, y) in edition.cells.items())
    return "\n".join(["{", *lines, '  "cells": {', cells, "  }", "}", ""])
