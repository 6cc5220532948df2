"""Which doubts matter: checked against trying every board that the doubts allow."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.rules import Score
from ontour_cv.scorer.questions import ENOUGH, Questions, find_questions, plausible_marks
from ontour_cv.vision.decode import CellReading

ANYTHING = [
    Mark(Kind.EMPTY),
    *(Mark(Kind.NUMBER, n, circled) for n in range(100) for circled in (False, True)),
    *(Mark(Kind.STAR, None, circled) for circled in (False, True)),
]


def brute_best(links: Mapping[str, list[str]], board: BoardState) -> Score:
    """The best route by trying every path: slow and plain on purpose."""
    marks = board.marks

    def extend(region: str, level: int, seen: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
        mark = marks[region]
        if mark.kind not in (Kind.NUMBER, Kind.STAR):
            return 0, seen
        if mark.kind is Kind.NUMBER and mark.number is not None:
            if mark.number < level:
                return 0, seen
            level = mark.number
        seen = (*seen, region)
        onward = [extend(other, level, seen) for other in links[region] if other not in seen]
        more, route = max(onward, default=(0, seen))
        return 1 + mark.circled + more, route

    total, route = max(extend(region, 0, ()) for region in links)
    return Score(total, len(route), total - len(route), route)


def brute_score(links: Mapping[str, list[str]], board: BoardState) -> int:
    return brute_best(links, board).total


def random_links(rng: random.Random, count: int) -> dict[str, list[str]]:
    names = [f"R{i}" for i in range(count)]
    links: dict[str, list[str]] = {name: [] for name in names}
    for a, b in itertools.combinations(names, 2):
        if rng.random() < 0.4:
            links[a].append(b)
            links[b].append(a)
    return links


def random_mark(rng: random.Random) -> Mark:
    kind = rng.choices([Kind.NUMBER, Kind.STAR, Kind.BLOCKED, Kind.EMPTY], [10, 2, 1, 1])[0]
    number = rng.randrange(30) if kind is Kind.NUMBER else None
    return Mark(kind, number, kind in (Kind.NUMBER, Kind.STAR) and rng.random() < 0.3)


def random_cells(rng: random.Random, names: list[str], doubts: int) -> dict[str, CellReading]:
    doubtful = set(rng.sample(names, doubts))
    cells = {}
    for name in names:
        if name in doubtful:
            marks = list(dict.fromkeys(random_mark(rng) for _ in range(rng.randint(2, 4))))
            if rng.random() < 0.4 and marks[0].kind in (Kind.NUMBER, Kind.STAR):
                marks = [marks[0], replace(marks[0], circled=not marks[0].circled)]
            rest = tuple((mark, 0.4 / len(marks)) for mark in marks[1:])
            cells[name] = CellReading(marks[0], 1 - sum(p for _, p in rest), rest, True)
        else:
            cells[name] = CellReading(random_mark(rng), 1.0, (), False)
    return cells


def by_trying(
    links: Mapping[str, list[str]], cells: Mapping[str, CellReading], choices: Mapping[str, list[Mark]]
) -> Questions:
    """The same answer from the definition: every board, and every cell with all the others held."""
    names = list(choices)
    base = {region: cell.mark for region, cell in cells.items()}
    scores = {
        combination: brute_score(links, BoardState(base | dict(zip(names, combination, strict=True))))
        for combination in itertools.product(*choices.values())
    }
    matter = set()
    for i, name in enumerate(names):
        seen: dict[tuple[Mark, ...], set[int]] = {}
        for combination, score in scores.items():
            seen.setdefault(combination[:i] + combination[i + 1 :], set()).add(score)
        if any(len(values) > 1 for values in seen.values()):
            matter.add(name)
    return Questions((min(scores.values()), max(scores.values())), tuple(name for name in cells if name in matter))


@pytest.mark.parametrize("seed", range(60))
def test_range_and_ask_are_exact_within_the_budget(seed: int) -> None:
    rng = random.Random(seed)
    links = random_links(rng, 6)
    cells = random_cells(rng, list(links), rng.randint(0, 4))
    choices = {
        name: [cell.mark, *(mark for mark, _ in cell.alternatives)] for name, cell in cells.items() if cell.doubtful
    }
    found = find_questions(cells, lambda board: brute_best(links, board), budget=10_000)
    assert found == by_trying(links, cells, choices)


def doubts_of(cells: Mapping[str, CellReading]) -> dict[str, list[Mark]]:
    return {
        name: [cell.mark, *(mark for mark, _ in cell.alternatives)] for name, cell in cells.items() if cell.doubtful
    }


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("budget", [0, 12])
def test_without_budget_what_matters_by_itself_is_asked_first(seed: int, budget: int) -> None:
    rng = random.Random(seed)
    links = random_links(rng, 6)
    cells = random_cells(rng, list(links), rng.randint(1, 4))
    choices = doubts_of(cells)
    found = find_questions(cells, lambda board: brute_best(links, board), budget=budget)
    truth = by_trying(links, cells, choices)
    assert found.score_range[0] <= truth.score_range[0] <= truth.score_range[1] <= found.score_range[1]
    read = {region: cell.mark for region, cell in cells.items()}
    total = brute_score(links, BoardState(read))
    alone = {
        name
        for name, marks in choices.items()
        if any(brute_score(links, BoardState(read | {name: mark})) != total for mark in marks)
    }
    assert alone <= set(found.ask)
    assert set(truth.ask) <= set(found.ask) or set(found.ask) == alone
    assert found.more or set(truth.ask) <= set(found.ask)
    if not found.ask:
        assert found.score_range == truth.score_range


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("budget", [0, 12])
def test_answering_until_nothing_is_open_gives_the_true_score(seed: int, budget: int) -> None:
    """Whatever the doubtful cells really hold, and however little was explored."""
    rng = random.Random(1000 + seed)
    links = random_links(rng, 6)
    cells = random_cells(rng, list(links), rng.randint(1, 4))
    held = {name: rng.choice(marks) for name, marks in doubts_of(cells).items()}
    true = brute_score(links, BoardState({name: held.get(name, cell.mark) for name, cell in cells.items()}))
    for _ in range(len(cells) + 1):
        found = find_questions(cells, lambda board: brute_best(links, board), budget=budget)
        if not found.ask:
            break
        cells |= {name: CellReading(held[name], 1.0, (), False) for name in found.ask}
    assert not found.ask
    assert found.score_range == (true, true)


@pytest.mark.parametrize("seed", range(12))
def test_an_unread_cell_may_be_anything(seed: int) -> None:
    """A neighbour in doubt that matters only for some numbers of the unread cell is asked for with it, or after it."""
    rng = random.Random(seed)
    links = random_links(rng, 5)
    cells = random_cells(rng, list(links), 1)
    cells["R0"] = CellReading(Mark(Kind.UNREAD), 0.0, (), True)
    choices = {
        name: ANYTHING if name == "R0" else [cell.mark, *(mark for mark, _ in cell.alternatives)]
        for name, cell in cells.items()
        if cell.doubtful
    }
    found = find_questions(cells, lambda board: brute_best(links, board))
    truth = by_trying(links, cells, choices)
    assert found.score_range == truth.score_range
    assert bool(found.ask) or not truth.ask
    assert set(truth.ask) <= set(found.ask) or "R0" in found.ask


def test_a_doubt_that_cannot_change_the_score_is_not_asked() -> None:
    """30 whatever MC is."""
    links = {"A": ["B"], "B": ["A"], "MC": []}
    cells = {
        "A": CellReading(Mark(Kind.NUMBER, 10), 1.0, (), False),
        "B": CellReading(Mark(Kind.NUMBER, 20), 1.0, (), False),
        "MC": CellReading(Mark(Kind.NUMBER, 10), 0.6, ((Mark(Kind.NUMBER, 16), 0.4),), True),
    }
    assert find_questions(cells, lambda board: brute_best(links, board)) == Questions((2, 2), ())


def test_two_doubts_that_matter_only_together_are_both_asked() -> None:
    """Changing either cell alone leaves the score as it is; changing both does not."""
    links = {"A": ["B"], "B": ["A"], "C": ["D"], "D": ["C"]}
    low, high = Mark(Kind.NUMBER, 10), Mark(Kind.EMPTY)
    sure = CellReading(Mark(Kind.NUMBER, 20), 1.0, (), False)
    doubt = CellReading(low, 0.6, ((high, 0.4),), True)
    cells = {"A": sure, "B": doubt, "C": sure, "D": doubt}
    assert find_questions(cells, lambda board: brute_best(links, board)) == Questions((1, 2), ("B", "D"))


def test_blocked_or_empty_is_no_question() -> None:
    """Neither can be visited."""
    cell = CellReading(Mark(Kind.BLOCKED), 0.7, ((Mark(Kind.EMPTY), 0.3),), True)
    assert plausible_marks(cell) == (Mark(Kind.BLOCKED),)


def test_a_doubt_whose_known_marks_are_improbable_together_may_be_anything() -> None:
    cell = CellReading(Mark(Kind.NUMBER, 10), 0.3, ((Mark(Kind.NUMBER, 16), 0.2),), True)
    assert plausible_marks(cell) is None


def test_a_doubt_that_may_be_unreadable_may_be_anything() -> None:
    number, unread = Mark(Kind.NUMBER, 10), Mark(Kind.UNREAD)
    assert plausible_marks(CellReading(number, 0.7, ((unread, 0.3),), True)) is None
    assert plausible_marks(CellReading(number, ENOUGH, ((unread, 1 - ENOUGH),), True)) == (number,)


def test_the_work_is_bounded_on_a_board_of_doubts() -> None:
    """Forty doubtful cells are answered within twice the budget and a handful, not with 4 to the 40 boards."""
    rng = random.Random(5)
    links = random_links(rng, 40)
    cells = random_cells(rng, list(links), 40)
    solved = 0

    def fake(board: BoardState) -> Score:
        nonlocal solved
        solved += 1
        route = board.of_kind(Kind.NUMBER, Kind.STAR)
        return Score(len(route), len(route), 0, route)

    found = find_questions(cells, fake, budget=100)
    assert solved < 220
    total = fake(BoardState({r: c.mark for r, c in cells.items()})).total
    assert found.score_range[0] <= total <= found.score_range[1]


def test_what_is_too_improbable_is_doubted_but_no_question() -> None:
    """Marks are considered until they are together probable enough; of what is left nobody is asked."""
    read, likely, rare = (Mark(Kind.NUMBER, number, False) for number in (21, 27, 24))
    left = 1 - ENOUGH
    cell = CellReading(read, 0.95, ((likely, 0.05 - left / 2), (rare, left / 2)), True)
    assert plausible_marks(cell) == (read, likely)
    more = replace(cell, confidence=0.9, alternatives=((likely, 0.1 - 2 * left), (rare, 2 * left)))
    assert plausible_marks(more) == (read, likely, rare)
    assert plausible_marks(replace(cell, confidence=1 - left / 2, alternatives=((rare, left / 2),))) == (read,)
