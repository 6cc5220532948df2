"""A disc that may be another cell's, on a board whose map was drawn anew.

Where a cell is seen nowhere and a neighbour was found some way off, the disc the neighbour has may be the cell's: what
is read there, however clearly, is then read in the wrong cell. Which of the two it is no look can tell, so both are
asked about. Where the discs hardly show that this is a board at all, so is every cell found far off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points, radii
from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.register import Placement

ASTRAY, CLAIM = 0.6, 2.7
"""A disc further than the one from where the board has its cell, and no further than the other from where it has a cell
that is seen nowhere, may be that cell's; disc radii."""

TAKEN = 0.2
"""How probable that is taken to be. On 78 photos of one design read with the positions of another alone, by writers
kept for validation, 2 cells are silently wrong in place of 12, 20 more in doubt, and as many boards exact (50). So it
is with 0.1 and 0.3; with 0.4 two boards fewer are exact."""


UNPROVEN = 8.0
"""Evidence (natural log) under which discs found far off are not trusted either: as much as a wide look has to show."""

FAR = 1.0
"""How far that is, disc radii."""


def contested(placement: Placement) -> list[tuple[str, str]]:
    """Cells seen nowhere and the neighbour that may have their disc, on a board nobody measured."""
    if not placement.unmeasured:
        return []
    ids = tuple(placement.cells)
    places = list(placement.cells.values())
    expected, centres, own = _astray(placement)
    takers = np.array([place.seen for place in places]) & (own > ASTRAY)
    found = []
    for k, place in enumerate(places):
        if place.seen or not place.inside:
            continue
        away = np.where(takers, radii(centres - expected[k], place.axes_photo), np.inf)
        nearest = int(away.argmin())
        if away[nearest] < CLAIM:
            found.append((ids[k], ids[nearest]))
    return found


def mistrusted(placement: Placement) -> list[str]:
    """Cells found far off on a board nobody measured that its discs do not prove: their discs may be anybody's."""
    if not placement.unmeasured or placement.log_odds >= UNPROVEN:
        return []
    _, _, own = _astray(placement)
    return [region for region, off in zip(placement.cells, own, strict=True) if off > FAR]


def _astray(placement: Placement) -> tuple[Points, Points, NDArray[np.float64]]:
    """Where the edition has the discs and where they were found, photo pixels, and how far that is, disc radii."""
    board = np.array([placement.edition.cells[region] for region in placement.cells], dtype=np.float64)
    expected = placement.board_to_photo.apply(board)
    centres = np.array([place.centre_photo for place in placement.cells.values()])
    steps = zip(centres - expected, placement.cells.values(), strict=True)
    return expected, centres, np.array([radii(step[None], place.axes_photo)[0] for step, place in steps])


def doubted(
    scores: GlyphScores, pairs: Sequence[tuple[str, str]], alone: Sequence[str] = (), share: float = TAKEN
) -> GlyphScores:
    """The scores with what two cells lay claim to weighed both ways.

    Args:
        scores: what the network thinks of each cell.
        pairs: from :func:`contested`; whatever stands on the second one's disc may be the first one's, and then
            anything in the second.
        alone: from :func:`mistrusted`; there may be anything.
        share: how probable that is.
    """
    kind, number, circled = scores.kind.copy(), scores.number.copy(), scores.circled.copy()
    for cell, taker in pairs:
        a, b = scores.ids.index(cell), scores.ids.index(taker)
        for part in (kind, number, circled):
            both = part[[a, b]]
            part[a] = mixed(both[0], both[1], share)
            part[b] = mixed(both[1], _anything(part), share)
    for cell in alone:
        for part in (kind, number, circled):
            row = scores.ids.index(cell)
            part[row] = mixed(part[row], _anything(part), share)
    return replace(scores, kind=kind, number=number, circled=circled)


def _anything(part: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-probabilities when nothing is known."""
    return np.full(part.shape[1], -np.log(part.shape[1]))


def mixed(one: NDArray[np.float64], other: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Log-probabilities where the second holds as probably as ``share`` says, and else the first."""
    return np.asarray(np.logaddexp(np.log(1 - share) + one, np.log(share) + other), dtype=np.float64)
