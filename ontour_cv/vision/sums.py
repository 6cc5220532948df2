"""The three boxes at a board's edge in which players write what they counted, read by the mark network.

A box is cut out as if a disc lay in it, so the reader of marks reads it as it is. What the three say must go together,
which is most of the evidence: places and circles mostly add up to the total.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX, CROP_RADII, CellCrops, crop_cell
from ontour_cv.vision.glyphs import KINDS, GlyphScores, MarkReader, log_softmax
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import CellPlace, Placement

SIZE = 0.7
"""Radius of the disc that a box is taken for, in box heights."""

LOOKS = ((0.0, 0.0), (-0.35, 0.0), (0.35, 0.0), (0.0, -0.2), (0.0, 0.2))
"""Where a box is cut out, in such radii: the boxes lie outside all discs, where the fit of the board is least sure."""

PART = 0.94
"""Share of a box's width and height that is looked at: its frame is not."""

RIGHT, WRONG, ALONE, NOTHING = 0.6, 0.05, 0.1, 0.25
"""How often players fill in all three and add up rightly, or wrongly, write the total alone, or nothing at all."""

READ = 0.98
"""From this probability on the boxes count as read."""

_EMPTY, _NUMBER = KINDS.index("empty"), KINDS.index("number")


@dataclass(frozen=True, slots=True)
class Sums:
    """What stands in the boxes.

    Attributes:
        places, circles, total: the numbers written; None for an empty box.
        probability: of all three together.
    """

    places: int | None
    circles: int | None
    total: int | None
    probability: float

    @property
    def nothing(self) -> bool:
        """True when all boxes are empty."""
        return self.places is None and self.circles is None and self.total is None


def read_sums(photo: Photo, placement: Placement, reader: MarkReader) -> Sums | None:
    """What the player wrote into the boxes, the likeliest reading; None where the boxes are not in the photo.

    None, too, where nobody knows where this edition has them.

    Args:
        photo: the picture at full resolution.
        placement: where the board lies.
        reader: the loaded network.
    """
    if not placement.edition.sums or placement.unmeasured:
        return None
    places = [_place(placement, box, look) for look in LOOKS for box in placement.edition.sums]
    height, width = photo.bgr.shape[:2]
    if not all(_inside(place, width, height) for place in places[:3]):
        return None
    shapes = [box[2:] for _ in LOOKS for box in placement.edition.sums]
    shifts = [look for look in LOOKS for _ in range(3)]
    images = np.stack(
        [
            _alone(crop_cell(photo.bgr, place), shape, shift)
            for place, shape, shift in zip(places, shapes, shifts, strict=True)
        ]
    )
    detail = np.array([np.sqrt(abs(np.linalg.det(place.axes_photo))) for place in places])
    seen = [
        reader.read(CellCrops(("places", "circles", "total"), images[k : k + 3], detail[k : k + 3]))
        for k in range(0, len(images), 3)
    ]
    return together(_mixed(seen), len(placement.cells))


def together(scores: GlyphScores, most: int) -> Sums:
    """The likeliest contents of the three boxes.

    Args:
        scores: what the network thinks of each of the three.
        most: how many places the map has: nobody visits more, or gets more circles.
    """
    number = scores.kind[:, _NUMBER, None] + scores.number
    empty = scores.kind[:, _EMPTY]
    pairs = number[0, : most + 1, None] + number[1, None, : most + 1]
    made = np.add.outer(np.arange(most + 1), np.arange(most + 1))
    totals = np.log(min(2 * most, 99))
    ways = np.log(pairs.size)
    wrong = np.log(WRONG) - ways - totals + pairs[:, :, None] + number[2]
    right = np.where(made < 100, np.log(RIGHT) - ways + pairs + number[2, np.minimum(made, 99)], -np.inf)
    alone = np.log(ALONE) - totals + empty[0] + empty[1] + number[2]
    nothing = np.array([np.log(NOTHING) + empty.sum()])
    chances = np.exp(log_softmax(np.concatenate([wrong.ravel(), right.ravel(), alone, nothing])))
    filled = chances[: wrong.size].reshape(wrong.shape).copy()
    first, second = np.nonzero(made < 100)
    filled[first, second, made[first, second]] += chances[wrong.size :][: made.size].reshape(made.shape)[first, second]
    single = chances[wrong.size + made.size : -1]
    places, circles, total = (int(k) for k in np.unravel_index(int(filled.argmax()), filled.shape))
    found = [
        Sums(places, circles, total, float(filled[places, circles, total])),
        Sums(None, None, int(single.argmax()), float(single.max())),
        Sums(None, None, None, float(chances[-1])),
    ]
    return max(found, key=lambda one: one.probability)


def _mixed(seen: list[GlyphScores]) -> GlyphScores:
    """Several looks at the same boxes as one: their mean probabilities."""
    kind = np.log(np.mean([np.exp(one.kind) for one in seen], axis=0))
    number = np.log(np.mean([np.exp(one.number) for one in seen], axis=0))
    return replace(seen[0], kind=kind, number=number)


def _alone(crop: NDArray[np.uint8], shape: tuple[float, float], shift: tuple[float, float]) -> NDArray[np.uint8]:
    """The crop with everything outside its box in the box's own colour: no frames, signs and neighbours."""
    per_radius = CROP_PX / 2 / CROP_RADII
    half = per_radius * PART * np.array(shape) / (2 * SIZE * shape[1])
    middle = (CROP_PX - 1) / 2 - per_radius * np.array(shift)
    x, y = np.arange(CROP_PX) - middle[0], np.arange(CROP_PX) - middle[1]
    inside = (np.abs(y)[:, None] <= half[1]) & (np.abs(x)[None, :] <= half[0])
    ground = np.median(crop[inside], axis=0)
    return np.where(inside[..., None], crop, ground).astype(np.uint8)


def _place(placement: Placement, box: tuple[float, float, float, float], look: tuple[float, float]) -> CellPlace:
    """The disc that a box is taken for."""
    radius = SIZE * box[3]
    board = np.array([[box[0] + look[0] * radius, box[1] + look[1] * radius]])
    spot = placement.board_to_photo.apply(board)[0]
    axes = placement.board_to_photo.jacobians(board)[0] * radius
    return CellPlace((float(spot[0]), float(spot[1])), axes, True, True)


def _inside(place: CellPlace, width: int, height: int) -> bool:
    reach = np.abs(place.axes_photo).sum(axis=1)
    low, high = np.array(place.centre_photo) - reach, np.array(place.centre_photo) + reach
    return bool((low >= 0).all() and high[0] <= width - 1 and high[1] <= height - 1)
