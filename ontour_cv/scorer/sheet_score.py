"""Where the camera meets the rules of Rolling America: photo -> sheet -> corrections -> problems, score, doubts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from ontour_cv.board import Kind, Mark, format_mark
from ontour_cv.dealer.record import GameRecord
from ontour_cv.geometry import Points
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules.rolling import sheet_problems, sheet_score
from ontour_cv.scorer.pictures import load_board_photo
from ontour_cv.scorer.sheet_blanks import blanks_of
from ontour_cv.scorer.sheet_log import SheetLog
from ontour_cv.scorer.sheet_questions import find_questions
from ontour_cv.scorer.sheet_report import SheetReport
from ontour_cv.scorer.vouched import vouched
from ontour_cv.sheet import MOST, POWERS, parse_sheet
from ontour_cv.vision.others import OtherBoard
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import Stopwatch
from ontour_cv.vision.sheet_boxes import BoxReading
from ontour_cv.vision.sheet_decode import decode_sheet, sheet_of
from ontour_cv.vision.sheet_glyphs import SheetNetwork
from ontour_cv.vision.sheet_model import SheetModel, sheet_model
from ontour_cv.vision.sheet_others import other_sheets, sheet_outline, sheets_beside
from ontour_cv.vision.sheet_pieces import LOOKS
from ontour_cv.vision.sheet_place import SheetPlacement, obvious
from ontour_cv.vision.sheet_prior import SheetPrior
from ontour_cv.vision.sheet_read import SheetReading, read_sheet

MAP = "rolling-america"
"""The map whose sheets can be photographed."""

Corrections = Mapping[str, Mark | int]
"""Marks by state, and numbers by token of the boxes (``"@rounds"``)."""

PlainSheet = tuple[Photo, SheetPlacement]
"""A loaded photo and its sheet, which a short look showed plainly."""


def score_sheet_photo(
    path: Path, corrections: Corrections | None = None, game: GameRecord | None = None, map: str = MAP,
    shown: PlainSheet | None = None,
) -> SheetReport:  # fmt: skip
    """The score of the sheet in a photo.

    Args:
        path: the picture file, or one of its sheets (``pictures.load_board_photo``).
        corrections: what somebody vouches for; it replaces what was read.
        game: what was rolled in the game the sheet comes from.
        map: id of the map whose boards a number in ``path`` counts, ``"auto"`` for all.
        shown: the photo loaded and its sheet found, if it was.

    Raises:
        BadPhoto: the file is missing, damaged or unsupported.
        BoardNotFound: the picture shows no sheet.
        BadBoard: a correction names a state the map does not have.
    """
    watch = Stopwatch()
    photo, found = shown or (load_board_photo(path, map), None)
    watch.lap("load")
    return score_sheet_read(str(path), read_sheet_photo(photo, found), corrections, watch.timings_ms, game)


def read_sheet_photo(photo: Photo, found: SheetPlacement | None = None) -> SheetReading:
    """What a loaded photo shows, its sheet ``found`` or to be looked for; errors as for :func:`score_sheet_photo`."""
    network = _network()
    return read_sheet(photo, network, sheet_prior(load_map(network.model.map)), found)


def plain_sheet(photo: Photo) -> SheetPlacement | None:
    """The sheet that a short look at a loaded photo leaves no doubt about; None where it leaves any."""
    return obvious(photo, _model())


def sheets_in(photo: Photo, boards: Sequence[Points]) -> list[Points]:
    """Outlines ``(4, 2)`` of the sheets in a loaded photo, photo pixels.

    Beside ``boards``, whose outlines are given, only those that are plain to see.
    """
    looks = 1 if boards else len(LOOKS)
    return [sheet_outline(one) for one in other_sheets(photo, _model(), boards, looks)]


def sheets_beside_board(photo: Photo, discs: Points, others: Sequence[Points]) -> tuple[OtherBoard, ...]:
    """The sheets that a short look shows beside a board's ``discs (N, 2)`` and the outlines of others, photo pixels."""
    return tuple(sheets_beside(photo, _model(), discs, others))


def score_sheet_read(
    name: str, reading: SheetReading, corrections: Corrections | None = None,
    timings_ms: Mapping[str, float] | None = None, game: GameRecord | None = None,
) -> SheetReport:  # fmt: skip
    """The report on a reading, its cells thought over again with the corrections."""
    model = reading.placement.model
    template = load_map(model.map)
    known = check_corrections(corrections or {}, template)
    marks = {state: mark for state, mark in known.items() if isinstance(mark, Mark)}
    told = {state: mark for state, mark in marks.items() if mark.kind is not Kind.UNREAD}
    decoded = reading.decoded
    if told:
        decoded = decode_sheet(reading.scores, model, sheet_prior(template), reading.crops.inside, told)
    watch = Stopwatch()
    cells = {state: vouched(marks[state]) if state in marks else cell for state, cell in decoded.cells.items()}
    numbers = {state.removeprefix("@"): value for state, value in known.items() if isinstance(value, int)}
    boxes = {name: box for name, box in decoded.boxes.items() if name not in numbers}
    boxes |= {name: BoxReading(value, 1.0, ()) for name, value in numbers.items()}
    seen = {name: boxes[name] for name in MOST if name in boxes}
    sheet = sheet_of(cells, seen)
    log = SheetLog(template, game, sheet) if game is not None else None
    score = sheet_score(template, sheet, log.verdict.mistakes if log is not None else None)
    watch.lap("score")
    questions = find_questions(template, cells, seen, log)
    watch.lap("questions")
    return SheetReport(
        photo=name,
        template=template,
        reading=reading,
        cells=cells,
        boxes=boxes,
        corrected=tuple(known),
        problems=sheet_problems(template, sheet),
        score=score,
        score_range=questions.score_range,
        powers_range=questions.powers_range,
        ask=questions.ask,
        more=questions.more,
        timings_ms={**(timings_ms or {}), **reading.timings_ms, **watch.timings_ms},
        verdict=log.verdict if log is not None else None,
        game=game,
    )


def score_sheet_again(report: SheetReport, answers: Corrections) -> SheetReport:
    """The report on the same reading with more that somebody vouches for; nothing is looked at anew."""
    known: dict[str, Mark | int] = {}
    for name in report.corrected:
        value = report.boxes[name[1:]].value if name.startswith("@") else report.cells[name].mark
        if value is not None:
            known[name] = value
    again = score_sheet_read(report.photo, report.reading, known | dict(answers), report.timings_ms, report.game)
    return replace(again, photos=report.photos)


def check_corrections(corrections: Corrections, template: MapTemplate) -> dict[str, Mark | int]:
    """The corrections in the map's order; ``BadBoard`` when one names a state or box that there is not."""
    for name, value in corrections.items():
        if isinstance(value, Mark):
            text = format_mark(value) if value.number is None else f"{value.number}{'o' * value.circled}"
            parse_sheet(f"{name}={text}", template.ids)
    order = [*template.ids, *(f"@{name}" for name in MOST)]
    return {name: corrections[name] for name in order if name in corrections}


def sheet_prior(template: MapTemplate) -> SheetPrior:
    """What the rules say about a sheet before it is looked at.

    Neighbours that clash are a player's slip, about one number in a hundred. A slip is one mark, however many others it
    does not fit, so that a clear number among five strangers is read as it stands: of 300 rendered sheets of writers
    kept for choosing 121 states were wrong; 129 where each clash cost as much as any other. More than three circles, or
    circles that the crossed guard boxes do not bear out, are slips too. The written number is that of the Xs and blanks
    on two of five sheets, judged low: players count well, and how sure the Xs are is weighed beside it. How many states
    are blank follows from the dice rolled (``sheet_blanks``): on 230 rendered sheets every fifth question is asked no
    more. All costs are finite: what is clearly written is read as it stands.
    """
    rows = {"rounds": 0.97, "change": 0.8, "guard": 0.8, "dupe": 0.8}
    return SheetPrior(
        neighbours=template.edges(), step=1, clash_cost=8.0, slip_cost=4.6, circles=POWERS, circle_cost=1.0,
        guard_cost=1.5, odd_circle_cost=4.0, in_row=rows, counted=0.4,
        blanks=partial(blanks_of, states=len(template.ids)),
    )  # fmt: skip


@cache
def _network() -> SheetNetwork:
    """The sheet network, loaded once."""
    return SheetNetwork(_model())


@cache
def _model() -> SheetModel:
    """The sheet as it is printed, made once."""
    return sheet_model(load_map(MAP))
