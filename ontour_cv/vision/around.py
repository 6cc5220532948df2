"""Where only the fit of the whole board places a disc, the eyes look around before they give up.

A board nobody measured has discs that sit elsewhere, and some of them are not found (``strays``). Cut out half a
disc beside its place, a 37 is a 3. The network itself knows a cell that is cut well: it is sure of it. So on such a
board a cell whose disc was not seen, and which is not read clearly, is cut out again all around, and what the pieces
show counts by how sure the network is of each.

On photos of two real boards read with another edition's positions, with writers kept for validation, 43 of the 78 cells
this concerns were right without and 59 with it; of cells whose disc was seen as many were lost as gained, so they are
left alone; and so are boards of measured editions, where the fit is right.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import crop_cell
from ontour_cv.vision.glyphs import KINDS, GlyphScores, MarkReader, certainty
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement

CLEAR = 0.97
"""A cell read with this probability is where it should be."""

MOST = 8
"""So many cells of a board are looked around, the least clear ones: each costs half as much as reading the board."""

RINGS, SPOKES = (0.3, 0.6), 8
"""How far away, in disc radii, and in how many directions."""

POWER = 2.0
"""A look counts by the network's certainty to this power."""

_NUMBER = KINDS.index("number")


def look_around(photo: Photo, placement: Placement, scores: GlyphScores, reader: MarkReader) -> GlyphScores:
    """The scores with those cells thought over that no disc was seen at.

    Args:
        photo: the picture at full resolution.
        placement: where the board lies.
        scores: what the network thinks of each cell where it was cut out.
        reader: the loaded network.
    """
    if not placement.unmeasured:
        return scores
    sure = certainty(scores)
    places = [placement.cells[region] for region in scores.ids]
    rows = [row for row, place in enumerate(places) if place.inside and not place.seen and sure[row] < CLEAR]
    rows = sorted(rows, key=lambda row: sure[row])[:MOST]
    if not rows:
        return scores
    angles = 2.0 * np.pi * np.arange(SPOKES) / SPOKES
    spots = [np.zeros(2), *(ring * np.array([np.cos(a), np.sin(a)]) for ring in RINGS for a in angles)]
    kind, number, circled = scores.kind.copy(), scores.number.copy(), scores.circled.copy()
    for row in rows:
        place = places[row]
        centres = [np.asarray(place.centre_photo) + place.axes_photo @ spot for spot in spots]
        moved = [replace(place, centre_photo=(float(x), float(y))) for x, y in centres]
        seen = reader.read_alone(np.stack([crop_cell(photo.bgr, each) for each in moved]))
        kind[row], number[row], circled[row] = mixed(seen.kind, seen.number, seen.circled)
    return replace(scores, kind=kind, number=number, circled=circled)


def mixed(
    kind: NDArray[np.float64],
    number: NDArray[np.float64],
    circled: NDArray[np.float64],
    weights: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Several looks at one cell as one.

    Args:
        kind: ``(L, 4)`` as in :class:`GlyphScores`, of each look, and
        number: ``(L, 100)``, and
        circled: ``(L, 2)``.
        weights: ``(L,)`` how much each counts; by default the surer ones more.

    Returns:
        The same three, of all looks together: ``(4,)``, ``(100,)`` and ``(2,)``.
    """
    if weights is None:
        weights = certainty(GlyphScores(("",) * len(kind), kind, number, circled)) ** POWER
    kinds = np.exp(kind) * weights[:, None]
    numbers = np.exp(number) * kinds[:, [_NUMBER]]
    circles = np.exp(circled) * weights[:, None]
    kinds, numbers, circles = (np.log(part.sum(axis=0)) - np.log(part.sum()) for part in (kinds, numbers, circles))
    return kinds, numbers, circles
