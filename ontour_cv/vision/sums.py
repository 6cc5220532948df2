"""The three boxes at a board's edge in which players write what they counted, read by the mark network.

A box is cut out as if a disc lay in it, so the reader of marks reads it as it is. What the three say must go together,
which is most of the evidence: places and circles mostly add up to the total.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.around import mixed
from ontour_cv.vision.cells import CROP_PX, CROP_RADII, CellCrops, crop_cell
from ontour_cv.vision.glyphs import KINDS, GlyphScores, MarkReader, log_softmax
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import CellPlace, Placement

SIZE = 0.6
"""Radius of the disc that a box is taken for, in box heights: on 104 photos by writers kept for validation the log-loss
is a tenth less than with 0.7, and larger again with 0.5."""

LOOKS = ((0.0, 0.0), (-0.35, 0.0), (0.35, 0.0), (0.0, -0.2), (0.0, 0.2))
"""Where a box is cut out, in such radii: the boxes lie outside all discs, where the fit of the board is least sure."""

PART = 0.94
"""Share of a box's width and height that is looked at: its frame is not."""

RIGHT, WRONG, ALONE, NOTHING = 0.6, 0.05, 0.1, 0.25
"""How often players fill in all three and add up rightly, or wrongly, write the total alone, or nothing at all."""

READ = 0.98
"""From this probability on the boxes count as read."""

EXACT, NEARLY, NEAR = 0.85, 0.1, (2, 1)
"""How often players count rightly, or miss or add up to so many places and circles; else they write anything."""

Chances = NDArray[np.float64]

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


def see_boxes(photo: Photo, placement: Placement, reader: MarkReader) -> GlyphScores | None:
    """What the network thinks of each box; None where the boxes are not in the photo.

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
    return _mixed(seen)


def together(scores: GlyphScores, most: int, expected: Chances | None = None) -> Sums:
    """The likeliest contents of the three boxes.

    Args:
        scores: what the network thinks of each of the three.
        most: how many places the map has: nobody visits more, or gets more circles.
        expected: probability of each number of places and of circles written, ``(most + 1, most + 1)``, as
            :func:`near_to` gives it; all are alike when None.
    """
    written = _log_numbers(scores)
    empty = scores.kind[:, _EMPTY]
    made = sums_of(most)
    chance = alike(most) if expected is None else expected
    totals = np.full(100, 1 / _totals(most))
    if expected is not None:
        totals = np.bincount(np.minimum(made, 99).ravel(), expected.ravel(), minlength=100)
    pairs = np.log(chance) + written[0, : most + 1, None] + written[1, None, : most + 1]
    wrong = np.log(WRONG) - np.log(_totals(most)) + pairs[:, :, None] + written[2]
    right = np.where(made < 100, np.log(RIGHT) + pairs + written[2, np.minimum(made, 99)], -np.inf)
    alone = np.log(ALONE) + np.log(np.maximum(totals, 1e-9)) + empty[0] + empty[1] + written[2]
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


def tells(scores: GlyphScores, most: int) -> Chances:
    """How probable what is seen is, natural log, by the places and circles there were to count.

    ``(most + 1, most + 1)``; players count as :func:`near_to` says. Arguments as for :func:`together`.
    """
    written, empty = np.exp(_log_numbers(scores)), np.exp(scores.kind[:, _EMPTY])
    made = sums_of(most)
    fits = RIGHT * np.where(made < 100, written[2, np.minimum(made, 99)], 0.0)
    pairs = np.outer(written[0, : most + 1], written[1, : most + 1]) * (fits + WRONG * written[2].sum() / _totals(most))
    alone = ALONE * empty[0] * empty[1]
    off = sum(np.roll(np.pad(written[2], 3), away)[3:-3] for away in range(-3, 4)) / 7
    total = EXACT * written[2] + NEARLY * off + (1 - EXACT - NEARLY) * written[2].sum() / _totals(most)
    chance = EXACT * pairs + NEARLY * _around(pairs) + (1 - EXACT - NEARLY) * pairs.mean()
    chance = chance + alone * np.where(made < 100, total[np.minimum(made, 99)], 0.0) + NOTHING * empty.prod()
    return np.asarray(np.log(np.maximum(chance, 1e-300)))


def near_to(places: int, circles: int, most: int) -> Chances:
    """The probability of each number of places and of circles written where these were to be counted."""
    chances = (1 - EXACT - NEARLY) * alike(most)
    exact = np.zeros_like(chances)
    exact[min(places, most), min(circles, most)] = 1.0
    return np.asarray(chances + EXACT * exact + NEARLY * _around(exact))


def sums_of(most: int) -> NDArray[np.int_]:
    """What each number of places and of circles makes together, ``(most + 1, most + 1)``."""
    return np.add.outer(np.arange(most + 1), np.arange(most + 1))


def alike(most: int) -> Chances:
    """The same where nothing is known."""
    return np.full((most + 1, most + 1), 1.0 / (most + 1) ** 2)


def _log_numbers(scores: GlyphScores) -> Chances:
    """Log-probability of each number in each box, ``(3, 100)``."""
    return np.asarray(scores.kind[:, _NUMBER, None] + scores.number)


def _totals(most: int) -> int:
    """How many totals there are."""
    return min(2 * most, 99)


def _around(pairs: Chances) -> Chances:
    """The mean of the table over all counts ``NEAR`` each, zeros outside."""
    most = len(pairs)
    wide = np.pad(pairs, ((NEAR[0],) * 2, (NEAR[1],) * 2))
    steps = product(range(2 * NEAR[0] + 1), range(2 * NEAR[1] + 1))
    return np.asarray(np.mean([wide[a : a + most, b : b + most] for a, b in steps], axis=0))


def _mixed(seen: list[GlyphScores]) -> GlyphScores:
    """Several looks at the same boxes as one; what is cut out beside a box's middle shows less, and counts for less."""
    every = [one.kind for one in seen], [one.number for one in seen], [one.circled for one in seen]
    boxes = zip(*(np.stack(looks, axis=1) for looks in every), strict=True)
    kind, number, circled = (np.stack(parts) for parts in zip(*(mixed(*looks) for looks in boxes), strict=True))
    return replace(seen[0], kind=kind, number=number, circled=circled)


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
