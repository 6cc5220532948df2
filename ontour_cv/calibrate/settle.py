"""Which disc is which region: the map's rough layout proposes, the printed labels confirm, the player decides."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ontour_cv.calibrate.labels import read_label
from ontour_cv.errors import BoardNotFound, UsageError
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.vision.landmarks import THOROUGH, Candidates, find_discs
from ontour_cv.vision.measure import measure
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.profile import disc_radius
from ontour_cv.vision.register import CellPlace, Placement, register

USUAL_RADIUS = 0.02
"""Disc radius looked for at first, board widths: about 1/50 on every board measured."""

SAME_SIZE = (0.85, 1.18)
"""Measured over usual radius of discs that are read as they are; others are looked at as large as they are printed."""


class How(Enum):
    """How the place of a cell came to be known; the value is a word for the report."""

    LABEL = "label read"
    LAYOUT = "layout"
    ASSIGNED = "assigned"
    OPEN = "open"


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """One region's disc in the photo.

    Attributes:
        place: where it lies.
        how: how that came to be known.
        label: what Tesseract read there, None when nothing.
    """

    place: CellPlace
    how: How
    label: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Blank:
    """A photo of a blank board, laid out by the map's rough layout alone."""

    photo: Photo
    template: MapTemplate
    candidates: Candidates
    placement: Placement


def lay_out(photo: Photo, template: MapTemplate) -> Blank:
    """The board in the photo; ``BoardNotFound`` when its discs do not form this map."""
    cells = {region.id: region.layout for region in template.regions}
    rough = Edition(template.id, "layout", "rough layout", cells, USUAL_RADIUS, "the map's layout")
    candidates = find_discs(photo, THOROUGH)
    return Blank(photo, template, candidates, _sized(photo, register(photo, candidates, [rough])))


def _sized(photo: Photo, found: Placement) -> Placement:
    """The same with discs as large as the photo shows them: a map of one's own may have much smaller ones."""
    seen = [region for region, place in found.cells.items() if place.seen and place.inside]
    if not seen:
        return found
    centres = np.array([found.cells[region].centre_photo for region in seen], dtype=np.float64)
    board = np.array([found.edition.cells[region] for region in seen], dtype=np.float64)
    size = disc_radius(photo, centres, found.board_to_photo.jacobians(board), USUAL_RADIUS) / USUAL_RADIUS
    if SAME_SIZE[0] <= size <= SAME_SIZE[1]:
        return found
    cells = {region: replace(place, axes_photo=place.axes_photo * size) for region, place in found.cells.items()}
    return replace(found, cells=cells)


def settle(blank: Blank, progress: Callable[[str], None] = lambda _: None) -> dict[str, Settled]:
    """Every region of the map with its disc.

    A region stays :attr:`How.OPEN` when no disc was found where the layout wants one, or when the label printed there
    is another region's.

    Args:
        blank: the blank board.
        progress: called with a region's id before its label is read.

    Raises:
        BoardNotFound: the labels are those of another map.
        MissingTool: Tesseract is not installed.
    """
    labels = {region.label for region in blank.template.regions}
    settled: dict[str, Settled] = {}
    for region in blank.template.regions:
        progress(region.id)
        place = blank.placement.cells[region.id]
        label = read_label(blank.photo, place, labels, region.label)
        if label == region.label:
            how = How.LABEL
        else:
            how = How.LAYOUT if label is None and place.seen and place.inside else How.OPEN
        settled[region.id] = Settled(place, how, label)
    read = sum(one.label is not None for one in settled.values())
    right = sum(one.how is How.LABEL for one in settled.values())
    if read == 0:
        raise BoardNotFound(
            f"{blank.photo.name}: none of the printed labels could be read.",
            "Take the photo nearer and sharp, of the blank board, and check that --map names its map.",
        )
    if right < max(3, 0.6 * read):
        raise BoardNotFound(
            f"{blank.photo.name}: the printed labels are not those of {blank.template.id!r} ({right} of {read} agree).",
            "Check that --map names the map in the photo, and that the photo is not a mirror image.",
        )
    return settled


def assign(
    blank: Blank, settled: Mapping[str, Settled], points: Mapping[str, tuple[float, float]]
) -> dict[str, Settled]:
    """The same with the regions of ``points`` put where the player says, photo pixels.

    A click is rarely exact: when a disc is surely there, within a radius, its own centre is taken.
    """
    out = dict(settled)
    for region, point in points.items():
        old = out[region].place
        axes = np.asarray(old.axes_photo, dtype=np.float64)
        centre = np.array(point, dtype=np.float64)
        found = measure(blank.photo, blank.candidates, centre[None], axes[None])
        if found.trust[0] == 2 and float(np.hypot(*found.offsets[0])) < 0.9:
            centre = centre + axes @ found.offsets[0]
        place = replace(old, centre_photo=(float(centre[0]), float(centre[1])), seen=True, inside=True)
        out[region] = Settled(place, How.ASSIGNED, out[region].label)
    return out


def parse_assignments(texts: list[str], template: MapTemplate) -> dict[str, tuple[float, float]]:
    """``["WA=232,149"]`` as ``{"WA": (232.0, 149.0)}``; ``UsageError`` quotes what does not fit."""
    out: dict[str, tuple[float, float]] = {}
    for text in texts:
        region, _, numbers = text.partition("=")
        try:
            x, y = (float(number) for number in numbers.split(","))
        except ValueError:
            raise UsageError(f"{text!r} is no assignment.", "Write it as WA=232,149: photo pixels.") from None
        if region not in template.ids:
            ids = " ".join(template.ids)
            raise UsageError(f"{region!r} is no region of the map {template.id!r}.", f"Its regions are {ids}.")
        if not (math.isfinite(x) and math.isfinite(y)):
            raise UsageError(f"{text!r} is no place.", "Write it as WA=232,149: photo pixels.")
        if region in out:
            raise UsageError(f"{region} is assigned twice.", "Name one place for each disc.")
        out[region] = (x, y)
    return out


def check_inside(photo: Photo, points: Mapping[str, tuple[float, float]]) -> None:
    """``UsageError`` when one of ``points``, photo pixels, lies outside the photo."""
    height, width = photo.bgr.shape[:2]
    for region, (x, y) in points.items():
        if not (0 <= x < width and 0 <= y < height):
            what = f"{region}={x:g},{y:g} lies outside the photo, which has {width} x {height} pixels."
            raise UsageError(what, "Count from the photo's top left corner.")
