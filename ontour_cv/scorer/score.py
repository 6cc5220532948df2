"""Where the camera meets the rules: photo -> reading -> corrections -> problems, best route, doubts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from ontour_cv.board import BoardState, Kind, Mark, format_mark, parse_board
from ontour_cv.dealer.record import GameRecord
from ontour_cv.errors import BadBoard, BadTemplate
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map, printed_map_ids
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import RULESETS, VARIANTS, Ruleset, ruleset, variant_for
from ontour_cv.scorer.game import ByLog, judge, read_with_log
from ontour_cv.scorer.pictures import load_board_photo
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.questions import find_questions
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.strangers import refuse_strangers
from ontour_cv.scorer.vouched import vouched
from ontour_cv.vision.decode import CellReading, decode
from ontour_cv.vision.glyphs import KINDS, GlyphScores, MarkReader
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import Reading, Stopwatch, read_board

AUTO = "auto"
"""The map argument that tries every map there is."""

_NEVER = -1000.0
"""Log-probability of what a correction rules out."""


def score_photo(
    path: Path,
    map: str = AUTO,
    rules: str | None = None,
    corrections: Mapping[str, Mark] | None = None,
    game: GameRecord | None = None,
) -> Report:
    """The best score of the board in a photo, proven for the marks as read.

    Args:
        path: the picture file, or one of its boards (``pictures.load_board_photo``).
        map: id of the map it shows, or ``"auto"`` to recognise it.
        rules: key of the rules; None for those the map is printed with.
        corrections: marks somebody vouches for, region id -> mark; they replace what was read, and its neighbours in
            doubt are thought over again with them.
        game: what was rolled in the game the board comes from.

    Raises:
        BadPhoto: the file is missing, damaged or unsupported.
        BoardNotFound: the picture shows no board of the map.
        BadTemplate: there is no such map, or no print of it is known.
        BadBoard: a correction names a region the map does not have.
        BadLog: the game was played on another map.
    """
    watch = Stopwatch()
    photo = load_board_photo(path, map)
    watch.lap("load")
    return score_read(str(path), read_photo(photo, map, rules), rules, corrections, watch.timings_ms, game)


def read_photo(
    photo: Photo,
    map: str = AUTO,
    rules: str | None = None,
    more: Sequence[Edition] = (),
    instead: Callable[[], bool] | None = None,
) -> Reading:
    """What a loaded photo shows; other parameters and errors as for :func:`score_photo`.

    Args:
        photo: the picture.
        map: as there.
        rules: as there.
        more: further editions that it may show.
        instead: as for ``vision.register.register``.
    """
    templates, editions = known_prints(map)
    prior = prior_of(_ruleset(templates[0], rules))
    return refuse_strangers(read_board(photo, (*editions, *more), mark_reader(), prior, instead))


def score_read(
    photo: str,
    reading: Reading,
    rules: str | None = None,
    corrections: Mapping[str, Mark] | None = None,
    timings_ms: Mapping[str, float] | None = None,
    game: GameRecord | None = None,
) -> Report:
    """The report on a reading of a known map, its cells thought over again with the corrections and the game's log."""
    template = load_map(reading.placement.edition.map)
    judged_by = _ruleset(template, rules, game)
    known = check_corrections(corrections or {}, template)
    unseen = [r for r, place in reading.placement.cells.items() if not place.inside and r not in known]
    scores = pin_scores(reading.scores, known) if known else reading.scores
    watch = Stopwatch()
    decoded = read_with_log(scores, unseen, template, judged_by, game) if game else None
    if decoded is None:
        decoded = decode(scores, prior_of(judged_by), unseen) if known else reading.decoded
    watch.lap("log")
    timings = {**(timings_ms or {}), **(watch.timings_ms if game else {})}
    report = score_reading(photo, reading, template, judged_by, known, timings, decoded.cells)
    if game is None:
        return report
    if decoded.lawful is None:
        return replace(report, log=ByLog(game, 0.0, None))
    return replace(report, log=judge(report.cells, decoded.lawful, template, judged_by, game))


def score_again(report: Report, answers: Mapping[str, Mark]) -> Report:
    """The report on the same reading with more marks that somebody vouches for; nothing is looked at anew.

    What was not in the photo is left out: the tour that was drawn, what other boards of the game told.
    """
    known = {region: report.cells[region].mark for region in report.corrected} | dict(answers)
    game = report.log.record if report.log else None
    # The log's own rules may be stored there only, so no name finds them; others were asked for by theirs.
    rules = None if game and report.variant == game.variant else report.rules
    again = score_read(report.photo, report.reading, rules, known, report.timings_ms, game)
    return replace(again, photos=report.photos)


def score_reading(
    photo: str,
    reading: Reading,
    template: MapTemplate,
    judged_by: Ruleset | None = None,
    corrections: Mapping[str, Mark] | None = None,
    timings_ms: Mapping[str, float] | None = None,
    cells: Mapping[str, CellReading] | None = None,
) -> Report:
    """The report on a reading.

    Args:
        photo: name of the photo.
        reading: what was seen.
        template: the map it shows.
        judged_by: the rules; None for those the map is printed with.
        corrections: marks somebody vouches for.
        timings_ms: stages before the reading.
        cells: the cells decoded anew, when corrections made that worth while; None for those of the reading.

    Raises:
        BadBoard: a correction names a region the map does not have.
    """
    judged_by = judged_by or _ruleset(template, None)
    known = check_corrections(corrections or {}, template)
    read = cells or reading.decoded.cells
    final = {region: vouched(known[region]) if region in known else read[region] for region in template.ids}
    board = BoardState({region: cell.mark for region, cell in final.items()})
    watch = Stopwatch()
    problems = judged_by.problems(template, board)
    score = judged_by.score(template, board)
    watch.lap("score")
    questions = find_questions(final, lambda marks: judged_by.score(template, marks))
    watch.lap("questions")
    return Report(
        photo=photo,
        template=template,
        variant=judged_by.variant,
        reading=reading,
        cells=final,
        corrected=tuple(known),
        problems=problems,
        score=score,
        score_range=questions.score_range,
        ask=questions.ask,
        more=questions.more,
        timings_ms={**(timings_ms or {}), **reading.timings_ms, **watch.timings_ms},
    )


def _ruleset(template: MapTemplate, rules: str | None, game: GameRecord | None = None) -> Ruleset:
    """The rules asked for, else those of the game, else those the map is printed with."""
    return ruleset(game.variant if game and rules is None else variant_for(template.rules, rules))


def check_corrections(corrections: Mapping[str, Mark], template: MapTemplate) -> dict[str, Mark]:
    """The corrections in the map's order; ``BadBoard`` when one names a region the map does not have."""
    called = {region.name.upper(): region.id for region in template.regions}
    for region, mark in corrections.items():
        if region not in template.ids and region in called:
            raise BadBoard(f"the map has no region {region!r}; did you mean {called[region]}?", "Name it by that.")
        parse_board(f"{region}={format_mark(mark)}", template.ids)
    return {region: corrections[region] for region in template.ids if region in corrections}


def pin_scores(scores: GlyphScores, known: Mapping[str, Mark]) -> GlyphScores:
    """The same scores, those of known cells certain; a cell known as unread is left as it is."""
    kind, number, circled = scores.kind.copy(), scores.number.copy(), scores.circled.copy()
    columns = {Kind.EMPTY: "empty", Kind.NUMBER: "number", Kind.STAR: "star", Kind.BLOCKED: "x"}
    for row, region in enumerate(scores.ids):
        mark = known.get(region)
        if mark is None or mark.kind is Kind.UNREAD:
            continue
        kind[row] = np.where(np.arange(len(KINDS)) == KINDS.index(columns[mark.kind]), 0.0, _NEVER)
        circled[row] = np.where(np.arange(2) == int(mark.circled), 0.0, _NEVER)
        if mark.number is not None:
            number[row] = np.where(np.arange(number.shape[1]) == mark.number, 0.0, _NEVER)
    return GlyphScores(scores.ids, kind, number, circled, scores.places)


def known_prints(map: str) -> tuple[tuple[MapTemplate, ...], tuple[Edition, ...]]:
    """The map with this id, or every map for ``"auto"``, and every known edition; ``BadTemplate`` without one.

    Rules that nobody knows are an error of the map's file, too: its boards were passed over without a word.
    """
    templates = tuple(load_map(map_id) for map_id in (printed_map_ids() if map == AUTO else (map,)))
    for template in templates:
        if template.rules not in VARIANTS:
            raise BadTemplate(
                f"{template.id}.toml: there are no rules called {template.rules!r}",
                f"Rules there are: {', '.join(VARIANTS)}.",
            )
    if map != AUTO and templates[0].rules not in RULESETS:
        raise BadTemplate(
            f"photos of {templates[0].title} cannot be read yet",
            f"Type the sheet instead: ontour-cv check --map {map} 'WA=3 OR=4 CA=x'",
        )
    templates = tuple(template for template in templates if template.rules in RULESETS)
    editions = tuple(edition for template in templates for edition in load_editions(template.id))
    if not editions:
        raise BadTemplate(
            f"no printed edition of the map {map!r} is known", "Measure one with: ontour-cv calibrate BLANK_PHOTO"
        )
    return templates, editions


@cache
def mark_reader() -> MarkReader:
    """The mark network, loaded once."""
    return MarkReader()
