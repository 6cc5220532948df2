"""Where the camera meets the rules of New York: photo -> marks -> what was given -> problems, best route, doubts.

Numbers, stars and Xs are read. Ferries, soloists and crossed rows are not: they count as somebody gives them, and since
no ferry and no soloist more ever makes the best route worth less, the score is the least the board is worth.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard, Pair
from ontour_cv.errors import BadTemplate
from ontour_cv.maps.load import load_editions, load_map, printed_map_ids
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules.city import city_of, city_problems, city_score
from ontour_cv.scorer.city_report import CityReport
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import check_corrections, mark_reader, pin_scores, read_photo, score_read
from ontour_cv.vision.decode import CellReading, decode
from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.photo import load_photo
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.read import Reading, Stopwatch, read_board

PRIOR = Prior(reversed_pairs=True, double_cost=5.0)
"""Before looking: numbers come in reversed pairs, doubles are never written. A finished board may have empty places."""

_NEVER = -1000.0


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody vouches for.

    Attributes:
        marks: region id -> mark.
        soloists: region id -> soloist, for regions of ``marks`` only; those of ``marks`` not in it have none.
        ferries: all that count.
        tracks: letter -> boxes crossed off.
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    soloists: Mapping[str, str] = field(default_factory=dict)
    ferries: tuple[Pair, ...] = ()
    tracks: Mapping[str, int] = field(default_factory=dict)


def score_city_photo(path: Path, map: str, given: Given | None = None) -> CityReport:
    """The best score of the New York board in a photo, with the ferries and soloists given.

    Raises:
        BadPhoto: the file is missing, damaged or unsupported.
        BoardNotFound: the picture shows no board of the map.
        BadTemplate: there is no such map, or no print of it is known.
    """
    watch = Stopwatch()
    photo = load_photo(path)
    watch.lap("load")
    template = load_map(map)
    editions = load_editions(map)
    if not editions:
        raise BadTemplate(
            f"no printed edition of the map {map!r} is known",
            f"Print one: ontour-cv print {map} -o board.pdf --calibration FOLDER_OF_THE_MAP",
        )
    reading = read_board(photo, editions, mark_reader(), PRIOR)
    return score_city_read(str(path), reading, template, given or Given(), watch.timings_ms)


def score_any_photo(path: Path, corrections: Mapping[str, Mark] | None = None) -> Report | CityReport:
    """The best score of the board in a photo that may show any map with routes; errors as ``score.score_photo``."""
    watch = Stopwatch()
    photo = load_photo(path)
    watch.lap("load")
    cities = [edition for map_id in printed_map_ids() if load_map(map_id).city for edition in load_editions(map_id)]
    reading = read_photo(photo, more=cities)
    template = load_map(reading.placement.edition.map)
    if template.city is None:
        return score_read(str(path), reading, None, corrections, watch.timings_ms)
    given = Given(check_corrections(corrections or {}, template))
    return score_city_read(str(path), reading, template, given, watch.timings_ms)


def score_city_read(
    name: str, reading: Reading, template: MapTemplate, given: Given, timings_ms: Mapping[str, float]
) -> CityReport:
    """The report on a reading, its discs thought over again with what was given."""
    watch = Stopwatch()
    unseen = [r for r, place in reading.placement.cells.items() if not place.inside and r not in given.marks]
    decoded = decode(pin_scores(_without_circles(reading.scores), given.marks), PRIOR, unseen)
    cells = {region: _vouched(given, region, decoded.cells[region]) for region in template.ids}
    soloists = {region: given.soloists[region] for region in template.ids if region in given.soloists}
    board = CityBoard(BoardState({r: cell.mark for r, cell in cells.items()}), soloists, given.ferries, given.tracks)
    score, score_range = city_score(template, board), city_range(template, board, cells)
    watch.lap("score")
    return CityReport(
        photo=name,
        template=template,
        reading=reading,
        cells=cells,
        soloists=soloists,
        ferries=given.ferries,
        tracks=given.tracks,
        corrected=tuple(region for region in template.ids if region in given.marks),
        problems=city_problems(template, board),
        score=score,
        score_range=score_range,
        timings_ms={**timings_ms, **reading.timings_ms, **watch.timings_ms},
    )


def city_range(template: MapTemplate, board: CityBoard, cells: Mapping[str, CellReading]) -> tuple[int, int]:
    """Bounds of the score over everything in doubt; exact when nothing is.

    No place and no soloist more ever makes the best route worth less. So the least is that with all doubtful places
    shut and unread soloists gone. The most is that with a star, which fits any number, in each doubtful place, and the
    largest step of any row for each soloist that may be there.
    """
    doubtful = [region for region, cell in cells.items() if cell.doubtful or cell.mark.kind is Kind.UNREAD]
    unsure = [region for region, letter in board.soloists.items() if letter == UNREAD_SOLOIST or region in doubtful]
    sure = {region: letter for region, letter in board.soloists.items() if region not in unsure}
    rows = city_of(template).tracks.values()
    step = max((b - a for row in rows for a, b in itertools.pairwise((0, *itertools.accumulate(row, max)))), default=0)

    def best(kind: Kind) -> int:
        marks = {r: Mark(kind) if r in doubtful else mark for r, mark in board.marks.items()}
        return city_score(template, replace(board, board=BoardState(marks), soloists=sure)).total

    low = best(Kind.BLOCKED)
    return low, (best(Kind.STAR) if doubtful else low) + step * len(unsure)


def _without_circles(scores: GlyphScores) -> GlyphScores:
    """The same scores with circles ruled out: New York has none."""
    circled = np.where(np.arange(2) == 1, _NEVER, np.zeros_like(scores.circled))
    return GlyphScores(scores.ids, scores.kind, scores.number, circled)


def _vouched(given: Given, region: str, read: CellReading) -> CellReading:
    mark = given.marks.get(region)
    if mark is None:
        return read
    unread = mark.kind is Kind.UNREAD
    return CellReading(mark, 0.0 if unread else 1.0, (), doubtful=unread)
