"""Numbers written beside their disc: an empty disc with one next to it is asked about.

Who wipes a number off and finds the disc wet, or wants to keep the abbreviation in sight, writes beside it. The cell
then looks empty, surely so, and the board is scored without it. So where few cells are empty the photo is looked at
all round each of them. A number there may be the cell's, or a note; which of the two only the player knows, so it is a
doubt and no reading. Signs do not count: small crosses beside discs are how players tick states off.

On photos of four designs by writers kept for validation, of 257 cells with a number beside them, up to ten a board, 166
are seen so, and of 156 with nothing beside them none. Boards with more empty cells are left alone: they are unfinished.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import radii
from ontour_cv.vision.around import mixed
from ontour_cv.vision.cells import crop_cell
from ontour_cv.vision.glyphs import KINDS, GlyphScores, MarkReader
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement

MOST = 10
"""Empty cells up to which a board is looked at: each costs a fifth as much as reading the board."""

RINGS, SPOKES = (1.5, 1.9), 8
"""How far from the disc's middle is looked, in disc radii, and in how many directions."""

OTHERS, WRITTEN_ON = 1.5, 2.0
"""So far from the middle of every other disc, and of one with a mark: what is nearer is that one's."""

CLEAR = 0.5
"""How probable one number has to be. From 0.3 on 195 of these cells are seen so, and three with nothing beside them."""

ITS_OWN = 0.5
"""How probable it is taken to be that such a number is the cell's."""

_EMPTY, _NUMBER = KINDS.index("empty"), KINDS.index("number")


def look_beside(photo: Photo, placement: Placement, scores: GlyphScores, reader: MarkReader) -> GlyphScores:
    """The scores with those empty cells in doubt that a number is written beside.

    Args:
        photo: the picture at full resolution.
        placement: where the board lies.
        scores: what the network thinks of each cell.
        reader: the loaded network.
    """
    empty = scores.kind[:, _EMPTY] > np.log(0.5)
    if empty.sum() > MOST:
        return scores
    kind, number, circled = scores.kind.copy(), scores.number.copy(), scores.circled.copy()
    for row in np.flatnonzero(empty):
        place = placement.cells[scores.ids[row]]
        spots = _free_spots(placement, scores.ids, empty, int(row)) if place.inside else []
        if not spots:
            continue
        moved = [replace(place, centre_photo=spot) for spot in spots]
        seen = reader.read_alone(np.stack([crop_cell(photo.bgr, each) for each in moved]))
        best, sure = clearest_number(seen)
        if sure > CLEAR:
            kind[row], number[row], circled[row] = either(scores, int(row), seen, best, ITS_OWN)
    return replace(scores, kind=kind, number=number, circled=circled)


def clearest_number(seen: GlyphScores) -> tuple[int, float]:
    """The look that shows a number most clearly, and how probable that number is, 0-1."""
    sure = clearness(seen)
    best = int(sure.argmax())
    return best, float(sure[best])


def clearness(seen: GlyphScores) -> NDArray[np.float64]:
    """How probable the likeliest number is at each look, ``(L,)``, 0-1."""
    return np.asarray(np.exp(seen.kind[:, _NUMBER] + seen.number.max(axis=1)))


def either(
    scores: GlyphScores, row: int, seen: GlyphScores, look: int, share: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """A cell's kind, number and circle if with probability ``share`` it is what one of the looks beside it shows."""
    pairs = ((scores.kind, seen.kind), (scores.number, seen.number), (scores.circled, seen.circled))
    kinds, numbers, circles = (np.stack([here[row], there[look]]) for here, there in pairs)
    return mixed(kinds, numbers, circles, np.array([1 - share, share]))


def _free_spots(
    placement: Placement, ids: tuple[str, ...], empty: NDArray[np.bool_], row: int
) -> list[tuple[float, float]]:
    """Places round a cell, photo pixels, that belong to no other."""
    place = placement.cells[ids[row]]
    centres = np.array([placement.cells[each].centre_photo for each in ids])
    least = np.where(empty, OTHERS, WRITTEN_ON)
    least[row] = 0.0
    spots = []
    for angle in 2.0 * np.pi * np.arange(SPOKES) / SPOKES:
        for ring in RINGS:
            spot = centres[row] + place.axes_photo @ (ring * np.array([np.cos(angle), np.sin(angle)]))
            if (radii(centres - spot, place.axes_photo) >= least).all():
                spots.append((float(spot[0]), float(spot[1])))
    return spots
