"""Boards of one game read with one another: everybody wrote the same numbers, so the others tell what one board hides.

Nobody need have kept a log. What is read for sure on at least two boards, or twice on one (ab and ba), was rolled; the
number of spaces shows whether that is all there was. Then each board is read as with a log that knows the numbers and
nothing else (``vision.script``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import log

from ontour_cv.board import Kind
from ontour_cv.rules import ruleset
from ontour_cv.rules.count import is_double, reverse
from ontour_cv.scorer.prior import prior_of
from ontour_cv.scorer.report import OneGame, Report
from ontour_cv.scorer.score import pin_scores, score_reading
from ontour_cv.vision.decode import CIRCLED_SHARE, CellReading, decode
from ontour_cv.vision.script import Place, Script, Slips, Writing

SURE = 0.99
"""Only what is read so surely tells what was rolled."""

ALIKE = 0.7
"""Boards belong together when so much of one's sure numbers stands on the other, too. Two boards of one game differ by
what an X replaced, one in twenty; boards of two games share two numbers in five by chance."""

FEWEST = 12
"""Boards with fewer sure numbers are not compared: chance could make them alike."""

ONE_BOARD = 0.75
"""Boards with the same number in so many spaces are one, photographed twice: no second witness. Of 234 pairs of boards
of simulated players at one table none had more than 0.44 in common, half of them 0.15."""

SKIPPED = log(0.05)
"""Log-weight of an X in the place of a number: of 40 marks a board two are Xs."""

SLIPS = Slips(stranger=-8.0, double=-11.0, star=-9.0)
"""As with a log, but that the numbers follow from other boards: they may lack one."""

OTHERWISE = 0.02
"""How often a number has a circle where it has none on another board, in the same state, or the other way round."""

MOST_SLIPS = 6
"""A board on which more does not fit is left as it was read."""

Numbers = Counter[int | None]
"""How often each number stands on a board, or was rolled; None is a star."""


def read_with_one_another(reports: Sequence[Report]) -> tuple[Report, ...]:
    """The reports in their order, boards of one game read anew with what the others hold; all others as they are.

    Boards with a log, and those of which nobody else's is there, are left alone.
    """
    out = list(reports)
    for group in _games(reports):
        script = script_of([reports[k] for k in group])
        if script is None:
            continue
        for k in group:
            others = tuple(reports[j].photo for j in group if j != k)
            out[k] = _read_again(reports[k], script, others)
    return tuple(out)


def script_of(reports: Sequence[Report]) -> Script | None:
    """What everybody had to write, from the boards of one game; None where they do not tell all of it."""
    cells = reports[0].template.ids
    filled = max(sum(mark.kind is not Kind.EMPTY for mark in report.board.marks.values()) for report in reports)
    rolled = _rolled([_numbers(report) for report in reports], filled)
    if rolled is None:
        return None
    rings = _rings(reports)
    writings: list[Writing] = []
    for number, count in rolled.items():
        for one in (number,) if number is None else (number, reverse(number)):
            known = rings if count == 1 else {}
            places = tuple(_place(cell, one, circled, known) for cell in cells for circled in (False, True))
            for k in range(count):
                writings.append(Writing(one, places, len(writings), SKIPPED, len(writings) - 1 if k else None))
    due = min(len(writings), len(cells))
    return Script(tuple(writings), due, early=len(cells), ending=tuple(range(len(writings))), slips=SLIPS)


def _rolled(seen: Sequence[Numbers], filled: int) -> Numbers | None:
    """The lower number of each pair, and stars, and how often each was rolled; None where it is not ``filled`` cells.

    First what two readings bear out, then what two boards do, for one habit misreads both numbers of a pair; then any.
    Of three boards or more a star that none shows for sure may be what is missing; of two it may as well be a pair.
    """
    pairs = sorted({min(n, reverse(n)) for some in seen for n in some if n is not None and not is_double(n)})
    both = {n: [(some[n], some[reverse(n)]) for some in seen] for n in pairs}
    witnesses = (
        {n: sorted(count for two in found for count in two)[-2] for n, found in both.items()},
        {n: sorted(max(two) for two in found)[-2] for n, found in both.items()},
        {n: max(max(two) for two in found) for n, found in both.items()},
    )
    stars = sorted(some[None] for some in seen)
    counts = range(stars[-1], stars[-2] - 1, -1)  # one too many does less harm than one too few
    for told, count in [*product(witnesses, counts), *((told, stars[-1] + 1) for told in witnesses if len(seen) > 2)]:
        if filled <= 2 * sum(told.values()) + count <= filled + 1:
            found: Numbers = Counter(told)
            found[None] = count
            return +found
    return None


def _rings(reports: Sequence[Report]) -> dict[tuple[str, int | None], bool]:
    """State and number of what is read for sure, and whether it is circled; where boards differ, nothing is known.

    Whether a number has a circle in a state depends on the cards of its turn, which were the same for all.
    """
    told: dict[tuple[str, int | None], set[bool]] = {}
    for report in reports:
        for cell, reading in report.cells.items():
            if reading.confidence >= SURE and reading.mark.kind in (Kind.NUMBER, Kind.STAR):
                told.setdefault((cell, reading.mark.number), set()).add(reading.mark.circled)
    return {key: circles.pop() for key, circles in told.items() if len(circles) == 1}


def _place(cell: str, number: int | None, circled: bool, rings: Mapping[tuple[str, int | None], bool]) -> Place:
    share = CIRCLED_SHARE
    if number is not None and (cell, number) in rings:
        share = 1 - OTHERWISE if rings[cell, number] else OTHERWISE
    return Place(cell, circled, weight=log(share if circled else 1 - share))


def _read_again(report: Report, script: Script, others: tuple[str, ...]) -> Report:
    """One board with what the others hold; as it was where too much of it does not fit."""
    if not report.uncertain and not _strange(report.cells, script):
        return replace(report, one_game=OneGame(others, (), ()))
    rules = ruleset(report.variant)
    known = {region: report.cells[region].mark for region in report.corrected}
    reading = report.reading
    unseen = [r for r, place in reading.placement.cells.items() if not place.inside and r not in known]
    scores = pin_scores(reading.scores, known) if known else reading.scores
    decoded = decode(scores, replace(prior_of(rules), script=script), unseen)
    if decoded.slips is None or decoded.slips > MOST_SLIPS:
        return report
    again = score_reading(report.photo, reading, report.template, rules, known, None, decoded.cells)
    settled = tuple(r for r in report.uncertain if r not in again.uncertain)
    timings = {**report.timings_ms, **again.timings_ms}
    found = OneGame(others, settled, _strange(again.cells, script))
    return replace(again, timings_ms=timings, photos=report.photos, one_game=found)


def _strange(cells: Mapping[str, CellReading], script: Script) -> tuple[str, ...]:
    """Ids of the cells with a number, read for sure, that nobody had to write; doubles are breaches anyway."""
    rolled = {writing.number for writing in script.writings}
    return tuple(
        region
        for region, cell in cells.items()
        if cell.mark.number is not None and not is_double(cell.mark.number) and cell.mark.number not in rolled
        if not cell.doubtful
    )


def _games(reports: Sequence[Report]) -> list[list[int]]:
    """Places in ``reports`` of the boards of each game that has several."""
    seen = [_numbers(report) for report in reports]
    groups: list[list[int]] = []
    for k, report in enumerate(reports):
        if report.log is not None or report.photos:
            continue
        near = [
            group
            for group in groups
            if any(_same_table(reports[j], report) and _alike(seen[j], seen[k]) for j in group)
        ]
        if any(_one_board(reports[j], report) for group in near for j in group):
            continue
        groups = [group for group in groups if group not in near]
        groups.append([j for group in near for j in group] + [k])
    return [sorted(group) for group in groups if len(group) > 1]


def _same_table(one: Report, other: Report) -> bool:
    return one.template.id == other.template.id and one.variant == other.variant


def _alike(one: Numbers, other: Numbers) -> bool:
    fewer = min(one.total(), other.total())
    return fewer >= FEWEST and (one & other).total() >= ALIKE * fewer


def _one_board(one: Report, other: Report) -> bool:
    marks, others = one.board.marks, other.board.marks
    same = sum(marks[region].number == others[region].number is not None for region in marks)
    return same >= ONE_BOARD * len(marks)


def _numbers(report: Report) -> Numbers:
    """Sure numbers and stars of a board, and how often each stands there; circles may be in doubt."""
    found: Numbers = Counter()
    for cell in report.cells.values():
        mark = cell.mark
        if mark.kind in (Kind.NUMBER, Kind.STAR) and _mark_chance(cell) >= SURE:
            found[mark.number] += 1
    return found


def _mark_chance(cell: CellReading) -> float:
    """How probable the mark is, with a circle or without."""
    twin = replace(cell.mark, circled=not cell.mark.circled)
    return cell.confidence + sum(p for mark, p in cell.alternatives if mark == twin)
