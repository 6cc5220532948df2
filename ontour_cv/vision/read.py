"""The recipe of reading on one screen; :class:`Reading` keeps every intermediate."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ontour_cv.maps.edition import Edition
from ontour_cv.vision.around import look_around
from ontour_cv.vision.beside import look_beside
from ontour_cv.vision.cells import CellCrops, cut_cells
from ontour_cv.vision.contested import contested, doubted, mistrusted
from ontour_cv.vision.covered import covered, half_hidden, out_of_sight
from ontour_cv.vision.decode import Decoded, decode
from ontour_cv.vision.glyphs import GlyphScores, MarkReader
from ontour_cv.vision.landmarks import Candidates, find_discs
from ontour_cv.vision.mended import look_for_mended
from ontour_cv.vision.others import OtherBoard, other_boards
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.register import Placement, register
from ontour_cv.vision.written import vouching


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Everything seen and thought about one photo.

    Attributes:
        timings_ms: stage name -> milliseconds.
        others: boards that lie beside this one.
    """

    photo: Photo
    candidates: Candidates
    placement: Placement
    crops: CellCrops
    scores: GlyphScores
    decoded: Decoded
    timings_ms: Mapping[str, float]
    others: tuple[OtherBoard, ...] = ()


class Stopwatch:
    """Milliseconds per named stage, in the order the stages ended."""

    def __init__(self) -> None:
        self.timings_ms: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """Books the time since the last call on ``stage``."""
        now = time.perf_counter()
        self.timings_ms[stage] = (now - self._last) * 1000.0
        self._last = now


def read_board(
    photo: Photo,
    editions: Sequence[Edition],
    reader: MarkReader,
    prior: Prior,
    instead: Callable[[], bool] | None = None,
) -> Reading:
    """What a photo shows: where the board lies and what stands in every cell.

    Args:
        photo: the picture.
        editions: every known printed edition of the maps in question.
        reader: the loaded mark network.
        prior: what the rules say about boards in general.
        instead: as for :func:`register`.

    Raises:
        BoardNotFound: no board of these editions is in the picture.
    """
    watch = Stopwatch()
    candidates = find_discs(photo)
    watch.lap("landmarks")
    placement = register(photo, candidates, editions, instead=instead, vouch=vouching(photo, candidates, reader))
    watch.lap("register")
    crops = cut_cells(photo, placement, candidates.working)
    watch.lap("cells")
    scores = look_around(photo, placement, reader.read(crops), reader)
    scores = look_beside(photo, placement, scores, reader)
    pairs = contested(placement)
    scores = doubted(scores, pairs, [*mistrusted(placement), *covered(scores, crops)])
    scores = half_hidden(scores, out_of_sight(placement, pairs))
    watch.lap("glyphs")
    unseen = {region for region, place in placement.cells.items() if not place.inside}
    decoded = decode(scores, prior, unseen)
    mended = look_for_mended(placement, crops, scores, reader, decoded.uncertain)
    if mended is not scores:
        scores, decoded = mended, decode(mended, prior, unseen)
    watch.lap("decode")
    others = other_boards((photo.bgr.shape[1], photo.bgr.shape[0]), candidates, placement, editions)
    watch.lap("others")
    return Reading(photo, candidates, placement, crops, scores, decoded, watch.timings_ms, others)
