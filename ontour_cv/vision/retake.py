"""Which further photo would help: the side from which what hides the doubtful cells would lie elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ontour_cv.vision.clarity import disc_radius_px, edge_width, tilt_deg, washed_out
from ontour_cv.vision.covered import out_of_sight
from ontour_cv.vision.read import Reading


@dataclass(frozen=True, slots=True)
class Retake:
    """How to take one more photo.

    Attributes:
        how: ``"from the left"``, ``"from nearer"`` ...; it completes "take one more photo".
        why: what hides the cells: ``"outside"``, ``"bent"``, ``"glare"``, ``"covered"``, ``"small"``, ``"blur"`` or
            ``"tilt"``.
        regions: ids of the doubtful cells it would help.
    """

    how: str
    why: str
    regions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetakeSettings:
    """From where on something is in the way.

    Attributes:
        least_radius_px: smaller discs are hard to read; the hard photos of the benchmark have 13.5 and more.
        most_blur: edge width in disc radii, see :func:`ontour_cv.vision.clarity.edge_width`.
        most_tilt_deg: degrees off straight above.
    """

    least_radius_px: float = 14.0
    most_blur: float = 0.19
    most_tilt_deg: float = 38.0


def advise(
    readings: Sequence[Reading], doubtful: Collection[str], settings: RetakeSettings | None = None
) -> Retake | None:
    """The photo that would help most; None when nothing is in doubt or no photo would help: a scrawl stays a scrawl.

    Args:
        readings: of all photos of the board so far.
        doubtful: ids of the cells worth asking about.
        settings: what counts as in the way.
    """
    cfg = settings or RetakeSettings()
    if not doubtful or not readings:
        return None
    ids = list(readings[0].placement.cells)
    wanted = np.array([region in doubtful for region in ids])
    outside = np.array([[not place.inside for place in r.placement.cells.values()] for r in readings])
    glare = np.array([washed_out(reading.crops) for reading in readings])
    missing = wanted & outside.all(axis=0)
    if missing.any() and all(reading.placement.bent for reading in readings):
        return Retake("with the board pressed flat, from further away", "bent", _names(ids, missing))
    if missing.any():
        return Retake("with the whole board in the picture", "outside", _names(ids, missing))
    hidden = wanted & (outside | glare).all(axis=0)
    if hidden.any():
        return Retake(_side(readings[0], hidden), "glare", _names(ids, hidden))
    lost = np.array([np.isin(ids, out_of_sight(reading.placement)) for reading in readings])
    covered = wanted & (outside | glare | lost).all(axis=0)
    if covered.any():
        return Retake("with nothing lying on the board", "covered", _names(ids, covered))
    regions = _names(ids, wanted)
    if all(disc_radius_px(r.placement) < cfg.least_radius_px for r in readings):
        return Retake("from nearer", "small", regions)
    if all(edge_width(r.crops) > cfg.most_blur for r in readings):
        return Retake("with the phone held still", "blur", regions)
    if all(tilt_deg(r.placement) > cfg.most_tilt_deg for r in readings):
        return Retake("from straight above", "tilt", regions)
    return None


def _side(reading: Reading, hidden: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
    """The side to step to. A reflection on a flat board moves the way the camera does: it leaves by the nearest edge.

    Sides are those of the picture, and so those of whoever took it.
    """
    centres = np.array([place.centre_photo for place in reading.placement.cells.values()])
    x, y = centres[hidden].mean(axis=0)
    (left, top), (right, bottom) = centres.min(axis=0), centres.max(axis=0)
    ways = {
        "from the left": x - left,
        "from the right": right - x,
        "from the far side": y - top,
        "from the near side": bottom - y,
    }
    return min(ways, key=lambda way: ways[way])


def _names(ids: Sequence[str], chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[str, ...]:
    return tuple(region for region, yes in zip(ids, chosen, strict=True) if yes)
