"""What doubts about places of New York mean: checked against scoring every board they allow."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import CityBoard
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.route import Work
from ontour_cv.rules.city import city_score, city_score_range
from ontour_cv.scorer import city_questions as questions
from ontour_cv.scorer.city_drawn import Drawn, lawful_ferries
from ontour_cv.scorer.city_questions import MOST_BOARDS, MOST_DOUBTS, MOST_WORK, city_questions
from ontour_cv.synth.play_city import play_city
from ontour_cv.vision.decode import CellReading

TEMPLATE = load_map("new-york-home")


def doubted(board: CityBoard, others: dict[str, tuple[Mark, ...]]) -> dict[str, CellReading]:
    """The board's cells, those named doubtful between what they are and the ``others``."""
    cells = {region: CellReading(mark, 1.0, (), False) for region, mark in board.marks.items()}
    for region, marks in others.items():
        share = 0.4 / len(marks)
        cells[region] = CellReading(board.marks[region], 0.6, tuple((mark, share) for mark in marks), True)
    return cells


def with_marks(board: CityBoard, marks: dict[str, Mark]) -> CityBoard:
    return replace(board, board=BoardState({**board.marks, **marks}))


@pytest.mark.parametrize("seed", range(6))
def test_of_places_with_known_marks_the_range_is_exact(seed: int) -> None:
    """A 27 that may be a 21 is no star and no X: the range is that of the boards there may be, and none else."""
    rng = random.Random(seed)
    board = play_city(TEMPLATE, rng).boards[0]
    numbers = [region for region, mark in board.marks.items() if mark.kind is Kind.NUMBER]
    others = {region: (Mark(Kind.NUMBER, rng.randrange(1, 99)),) for region in rng.sample(numbers, 2)}
    others[rng.choice(numbers)] = (Mark(Kind.STAR),)
    found = city_questions(TEMPLATE, board, doubted(board, others))
    totals = {}
    for chosen in itertools.product(*((board.marks[r], *marks) for r, marks in others.items())):
        marks = dict(zip(others, chosen, strict=True))
        totals[chosen] = city_score(TEMPLATE, with_marks(board, marks)).total
    assert found.score_range == (min(totals.values()), max(totals.values()))
    matters = []
    for k, region in enumerate(others):
        rests: dict[tuple[Mark, ...], set[int]] = {}
        for chosen, total in totals.items():
            rests.setdefault((*chosen[:k], *chosen[k + 1 :]), set()).add(total)
        if any(len(found_totals) > 1 for found_totals in rests.values()):
            matters.append(region)
    assert set(found.ask) == set(matters)
    assert not found.more


def test_of_too_many_boards_the_range_still_holds_each() -> None:
    """Beyond what can be tried a place may hold anything, which is wider but never wrong."""
    rng = random.Random(7)
    board = play_city(TEMPLATE, rng).boards[0]
    numbers = [region for region, mark in board.marks.items() if mark.kind is Kind.NUMBER]
    others = {r: tuple(Mark(Kind.NUMBER, rng.randrange(1, 99)) for _ in range(3)) for r in rng.sample(numbers, 4)}
    assert 4 ** len(others) > MOST_BOARDS
    low, high = city_questions(TEMPLATE, board, doubted(board, others)).score_range
    for _ in range(12):
        marks = {region: rng.choice((board.marks[region], *some)) for region, some in others.items()}
        assert low <= city_score(TEMPLATE, with_marks(board, marks)).total <= high


def many_doubts(rng: random.Random) -> tuple[CityBoard, dict[str, CellReading], Drawn]:
    """A played board with more doubts of all kinds than are looked at together."""
    board = play_city(TEMPLATE, rng).boards[0]
    numbers = [region for region, mark in board.marks.items() if mark.kind is Kind.NUMBER]
    others = {
        r: (rng.choice((Mark(Kind.NUMBER, rng.randrange(1, 99)), Mark(Kind.STAR))),) for r in rng.sample(numbers, 6)
    }
    soloists = {r: rng.choice([("",), tuple(x for x in INSTRUMENTS if x != s)]) for r, s in board.soloists.items()}
    open_soloists = dict(rng.sample(sorted(soloists.items()), min(4, len(soloists))))
    lawful = [p for p in itertools.combinations(board.marks, 2) if p not in board.ferries]
    lines = [*board.ferries[:2], *rng.sample(lawful, 3)]
    ferries = {pair: 0.6 if pair in board.ferries else 0.4 for pair in lines}
    drawn = Drawn(dict(board.soloists), open_soloists, board.ferries, ferries, {}, ())
    return board, doubted(board, others), drawn


def boards_alone(board: CityBoard, cells: dict[str, CellReading], drawn: Drawn) -> dict[str, list[CityBoard]]:
    """The boards that one doubt alone allows, by its name."""
    out: dict[str, list[CityBoard]] = {}
    for region, cell in cells.items():
        for mark, _ in cell.alternatives:
            out.setdefault(region, []).append(with_marks(board, {region: mark}))
    for region, letters in drawn.open_soloists.items():
        for letter in (board.soloists[region], "", *letters):
            out.setdefault(region, []).append(replace(board, soloists={**board.soloists, region: letter}))
    for pair in drawn.open_ferries:
        lines = tuple(p for p in board.ferries if p != pair) + ((pair,) if pair not in board.ferries else ())
        out[f"~{pair[0]}-{pair[1]}"] = [replace(board, ferries=lines)]
    return out


@pytest.mark.parametrize("seed", range(2))
def test_of_very_many_doubts_those_that_matter_by_themselves_are_asked_first(seed: int) -> None:
    board, cells, drawn = many_doubts(random.Random(100 + seed))
    found = city_questions(TEMPLATE, board, cells, drawn)
    alone = boards_alone(board, cells, drawn)
    assert len(alone) > MOST_DOUBTS
    worth = city_score(TEMPLATE, board).total
    assert found.score_range[0] <= worth <= found.score_range[1]
    matter = {name for name, boards in alone.items() if any(city_score(TEMPLATE, b).total != worth for b in boards)}
    assert set(found.ask) == (matter or set(alone))
    assert found.more == (set(found.ask) != set(alone))
    for boards in alone.values():
        assert all(found.score_range[0] <= city_score(TEMPLATE, b).total <= found.score_range[1] for b in boards)


@pytest.mark.parametrize("work", [0, 2_000, 10_000, 30_000])
@pytest.mark.parametrize("seed", range(2))
def test_where_the_work_ends_the_range_still_holds_each_and_something_is_asked(
    seed: int, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wider than need be, and never narrower than with enough of it."""
    board, cells, drawn = many_doubts(random.Random(100 + seed))
    whole = city_questions(TEMPLATE, board, cells, drawn)
    monkeypatch.setattr(questions, "MOST_WORK", work)
    found = city_questions(TEMPLATE, board, cells, drawn)
    assert found.score_range[0] <= whole.score_range[0] and whole.score_range[1] <= found.score_range[1]
    assert set(whole.ask) <= set(found.ask)
    for one in itertools.chain.from_iterable(boards_alone(board, cells, drawn).values()):
        assert found.score_range[0] <= city_score(TEMPLATE, one).total <= found.score_range[1]


def test_a_board_hardly_read_with_doubtful_ferries_all_over_is_told_within_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thirty-five places that may be stars beside forty-five ferries took minutes."""
    rng = random.Random(1)
    played = play_city(TEMPLATE, random.Random(3)).boards[0]
    unread = rng.sample(list(played.marks), 35)
    board = with_marks(played, dict.fromkeys(unread, Mark(Kind.UNREAD)))
    cells = {r: CellReading(m, 0.0 if r in unread else 1.0, (), r in unread) for r, m in board.marks.items()}
    lines = {pair: 0.3 for pair in rng.sample(lawful_ferries(TEMPLATE), 45) if pair not in played.ferries}
    spent = 0

    def counted(template: MapTemplate, one: CityBoard, work: Work) -> tuple[int, int]:
        nonlocal spent
        before = work.left
        points = city_score_range(template, one, work)
        spent += max(0, before) - max(0, work.left)
        return points

    monkeypatch.setattr(questions, "city_score_range", counted)
    found = city_questions(TEMPLATE, board, cells, Drawn(board.soloists, {}, played.ferries, lines, {}, ()))
    assert spent <= 2 * MOST_WORK
    assert found.ask
    assert found.score_range[0] <= city_score(TEMPLATE, board).total
    assert city_score(TEMPLATE, played).total <= found.score_range[1]


def test_a_place_read_for_sure_enough_is_no_question() -> None:
    """The reading alone is all that is left of such a doubt."""
    board = play_city(TEMPLATE, random.Random(3)).boards[0]
    cells = doubted(board, {})
    region = city_score(TEMPLATE, board).route[0]
    cells[region] = CellReading(board.marks[region], 0.993, ((Mark(Kind.BLOCKED), 0.007),), True)
    total = city_score(TEMPLATE, board).total
    assert city_questions(TEMPLATE, board, cells).score_range == (total, total)
    assert city_questions(TEMPLATE, board, cells).ask == ()
