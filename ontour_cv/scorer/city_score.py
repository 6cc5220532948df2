"""Where the camera meets the rules of New York: photo -> marks, soloists, ferries -> problems, best route, doubts.

What was drawn is read on this project's own print alone (``city_drawn``). On others the soloists and ferries somebody
gives are counted, and since none more ever makes the best route worth less, the score is the least the board is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ontour_cv.board import BoardState
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard
from ontour_cv.dealer.record import GameRecord
from ontour_cv.errors import BadTemplate
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee.city_verify import verify_city
from ontour_cv.rules.city import city_problems, city_score
from ontour_cv.scorer.city_drawn import Given, decide, read_drawn_ink
from ontour_cv.scorer.city_questions import city_questions
from ontour_cv.scorer.city_report import CityByLog, CityReport
from ontour_cv.scorer.pictures import load_board_photo
from ontour_cv.scorer.score import mark_reader, pin_scores
from ontour_cv.scorer.strangers import refuse_strangers
from ontour_cv.scorer.vouched import vouched
from ontour_cv.vision.city_read import CityInkReading
from ontour_cv.vision.decode import decode
from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.read import Reading, Stopwatch, read_board

PRIOR = Prior(reversed_pairs=True, double_cost=5.0, trend=True)
"""Before looking: numbers come in reversed pairs, doubles are never written, and high ones stand
together. A finished board may have empty places."""

_NEVER = -1000.0


def score_city_photo(path: Path, map: str, given: Given | None = None) -> CityReport:
    """The best score of the New York board in a photo.

    Raises:
        BadPhoto: the file is missing, damaged or unsupported.
        BoardNotFound: the picture shows no board of the map.
        BadTemplate: there is no such map, or no print of it is known.
    """
    watch = Stopwatch()
    photo = load_board_photo(path, map)
    watch.lap("load")
    return score_city_read(str(path), read_city(photo, map), load_map(map), given or Given(), watch.timings_ms)


def read_city(photo: Photo, map: str, instead: Callable[[], bool] | None = None) -> Reading:
    """What stands in the discs of the New York board in a picture; errors as for :func:`score_city_photo`.

    ``instead`` is as for ``vision.register.register``.
    """
    editions = load_editions(map)
    if not editions:
        raise BadTemplate(
            f"no printed edition of the map {map!r} is known",
            f"Print one: ontour-cv print {map} -o board.pdf --calibration FOLDER_OF_THE_MAP",
        )
    return refuse_strangers(read_board(photo, editions, mark_reader(), PRIOR, instead))


def score_city_read(
    name: str,
    reading: Reading,
    template: MapTemplate,
    given: Given,
    timings_ms: Mapping[str, float],
    ink: CityInkReading | None = None,
) -> CityReport:
    """The report on a reading, its discs thought over again with what was given.

    Args:
        name: of the photo.
        reading: what stands in its discs.
        template: the map.
        given: what somebody vouches for.
        timings_ms: of what was done before.
        ink: what was drawn, where several photos were asked; read from this one when None.
    """
    watch = Stopwatch()
    unseen = [r for r, place in reading.placement.cells.items() if not place.inside and r not in given.marks]
    decoded = decode(pin_scores(_without_circles(reading.scores), given.marks), PRIOR, unseen)
    read = decoded.cells
    cells = {r: vouched(given.marks[r]) if r in given.marks else read[r] for r in template.ids}
    ink = ink or read_drawn_ink(reading, template)
    drawn = decide(ink, template, cells, given)
    watch.lap("drawn")
    marks = BoardState({r: cell.mark for r, cell in cells.items()})
    board = CityBoard(marks, drawn.soloists, drawn.ferries, drawn.tracks)
    score = city_score(template, board)
    watch.lap("score")
    questions = city_questions(template, board, cells, drawn)
    watch.lap("questions")
    return CityReport(
        photo=name,
        template=template,
        reading=reading,
        cells=cells,
        drawn=drawn,
        corrected=tuple(region for region in template.ids if region in given.marks),
        problems=city_problems(template, board),
        score=score,
        score_range=questions.score_range,
        ask=questions.ask,
        more=questions.more,
        timings_ms={**timings_ms, **reading.timings_ms, **watch.timings_ms},
        given=given,
        ink=ink,
    )


def score_city_again(report: CityReport, answers: Given) -> CityReport:
    """The report on the same reading with more that somebody vouches for; nothing is looked at anew."""
    given = (report.given or Given()).and_then(answers)
    again = score_city_read(report.photo, report.reading, report.template, given, report.timings_ms, report.ink)
    return judged(replace(again, photos=report.photos), report.log.record if report.log else None)


def judged(report: CityReport, record: GameRecord | None) -> CityReport:
    """The report with what the log of its game says about the board as read; as it is without a log."""
    if record is None:
        return report
    verdict = verify_city(report.template, record, report.board)
    sure = report.drawn.complete and not report.doubts and UNREAD_SOLOIST not in report.drawn.soloists.values()
    return replace(report, log=CityByLog(record, verdict, sure))


def _without_circles(scores: GlyphScores) -> GlyphScores:
    """The same scores with circles ruled out: New York has none."""
    circled = np.where(np.arange(2) == 1, _NEVER, np.zeros_like(scores.circled))
    return GlyphScores(scores.ids, scores.kind, scores.number, circled, scores.places)
