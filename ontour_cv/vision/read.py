"""The recipe of reading on one screen; :class:`Reading` keeps every intermediate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ontour_cv.vision.cells import CellCrops
from ontour_cv.vision.decode import Decoded
from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.landmarks import Candidates
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Everything seen and thought about one photo.

    Attributes:
        timings_ms: stage name -> milliseconds.
    """

    photo: Photo
    candidates: Candidates
    placement: Placement
    crops: CellCrops
    scores: GlyphScores
    decoded: Decoded
    timings_ms: Mapping[str, float]
