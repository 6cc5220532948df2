"""decode: readings, doubts and circles cell by cell; what the trend and a script add to them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.board import Kind, Mark
from ontour_cv.vision.decode import (
    BLOCKED,
    CIRCLED_SHARE,
    DOUBT_ALONE,
    DOUBT_AMONG_MANY,
    EMPTY,
    MANY,
    STAR,
    decode,
    label_scores,
    mark_of,
)
from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.prior import Prior
from ontour_cv.vision.script import Place, Script, Writing

PAIRS = Prior(reversed_pairs=True)


def scores(kind: dict[str, float], number: dict[int, float], circled: float) -> GlyphScores:
    """One cell called ``A``."""
    kinds = np.log([[kind.get(k, 1e-9) for k in ("empty", "number", "star", "x")]])
    numbers = np.full((1, 100), -25.0)
    for value, chance in number.items():
        numbers[0, value] = np.log(chance)
    return GlyphScores(("A",), kinds, numbers, np.log(np.clip([[1 - circled, circled]], 1e-9, 1)))


FINISHED = Prior(reversed_pairs=True, empty_cost=7.0)
"""As for maps of which every space is filled."""


def cells_of(*cells: GlyphScores, places: np.ndarray | None = None) -> GlyphScores:
    """Single cells as a board: A, B, C ..."""
    parts = (np.concatenate([getattr(cell, name) for cell in cells]) for name in ("kind", "number", "circled"))
    return GlyphScores(tuple("ABCDEFGHIJKLMNOP"[: len(cells)]), *parts, places)


def pairs(*lone: int) -> GlyphScores:
    """A board of lawful pairs: first the numbers given, which have no partner, then 12, 21, 13, 31 and so on."""
    both = [n for ones in (2, 3, 4, 5) for n in (10 + ones, 10 * ones + 1)]
    return cells_of(*(scores({"number": 0.9999}, {n: 0.9999}, 1e-4) for n in (*lone, *both)))


@given(st.integers(0, 99), st.sampled_from(["empty", "number", "star", "x"]))
@settings(max_examples=20, deadline=None)
def test_a_cell_outside_the_picture_holds_the_missing_partner(garbage: int, kind: str) -> None:
    """Whatever the network makes of what it was shown there; it is a doubt all the same."""
    board = pairs(garbage, 67)
    board.kind[0] = scores({kind: 1.0}, {}, 0.0).kind
    found = decode(board, FINISHED, unseen=board.ids[:1])
    cell = found.cells[board.ids[0]]
    assert cell.mark == Mark(Kind.NUMBER, 76)
    assert cell.alternatives[0][0] == Mark(Kind.NUMBER, 76, True)
    assert 0.5 < cell.confidence < 0.9
    assert found.uncertain == board.ids[:1]


@pytest.mark.parametrize(
    ("board", "unseen", "prior"),
    [
        (pairs(6), 1, FINISHED),
        (pairs(6, 38, 92), 1, FINISHED),
        (pairs(6, 7, 8, 67), 3, FINISHED),
        (pairs(6, 67), 1, Prior(empty_cost=7.0)),
        (pairs(6, 67), 1, PAIRS),
    ],
    ids=["nothing is missing", "one of two", "too many", "no pairs", "spaces may stay empty"],
)
def test_a_cell_outside_the_picture_is_left_unread_where_nothing_tells(
    board: GlyphScores, unseen: int, prior: Prior
) -> None:
    names = board.ids[:unseen]
    found = decode(board, prior, unseen=names)
    assert all(found.cells[name].mark == Mark(Kind.UNREAD) for name in names)
    assert set(names) <= set(found.uncertain)


def test_an_early_photo_says_nothing_of_what_it_does_not_show() -> None:
    early = pairs(6, 67, 1, 2, 3, 4)
    early.kind[2:6] = scores({"empty": 0.9999}, {}, 0.0).kind
    assert decode(early, FINISHED, unseen=early.ids[:1]).cells[early.ids[0]].mark == Mark(Kind.UNREAD)


def test_doubles_are_less_probable_than_their_neighbours() -> None:
    """11 is never written, so a 11-or-17 is a 17."""
    single = scores({"number": 1.0}, {11: 0.6, 17: 0.4}, 0.0)
    assert label_scores(single, Prior(double_cost=5.0)).argmax() == 17
    assert label_scores(single, Prior()).argmax() == 11


def test_a_full_board_hardly_has_an_empty_cell() -> None:
    """Glare looks like an empty disc; on a board that is otherwise full the cell is asked about instead."""
    glare = scores({"empty": 0.97, "number": 0.03}, {5: 0.5, 8: 0.5}, 0.0)
    assert decode(glare, Prior()).cells["A"].mark.kind is Kind.EMPTY
    assert decode(glare, Prior(empty_cost=4.5)).cells["A"].doubtful
    assert decode(glare, Prior(empty_cost=4.5, few_empty=0)).cells["A"].mark == Mark(Kind.EMPTY)


def test_confidence_covers_mark_and_circle() -> None:
    """A sure number with a doubtful circle is a doubtful cell, and the other circle is its runner-up."""
    cell = decode(scores({"number": 1.0}, {21: 1.0}, 0.7), Prior()).cells["A"]
    assert cell.mark == Mark(Kind.NUMBER, 21, True)
    assert cell.confidence == pytest.approx(0.7, abs=0.01)
    assert cell.alternatives[0][0] == Mark(Kind.NUMBER, 21, False)
    assert cell.doubtful


def test_a_clear_cell_is_not_doubtful() -> None:
    """No question where there is nothing to ask."""
    cell = decode(scores({"star": 0.9999}, {5: 1.0}, 0.001), Prior()).cells["A"]
    assert cell.mark == Mark(Kind.STAR)
    assert not cell.doubtful


@pytest.mark.parametrize("blurred", [0, MANY - 1, MANY, 2 * MANY])
@pytest.mark.parametrize("outside", [0, MANY])
def test_where_many_cells_are_doubtful_another_is_sooner(blurred: int, outside: int) -> None:
    """What misleads the reader in four cells misleads it elsewhere, too; cells outside the picture tell nothing."""
    nearly = (DOUBT_ALONE + DOUBT_AMONG_MANY) / 2
    some = [0.6] * blurred + [nearly, 0.9999] + [0.9999] * outside
    board = cells_of(*(scores({"number": 1.0}, {21: chance, 27: 1 - chance}, 0.0) for chance in some))
    names = board.ids
    unseen = names[len(names) - outside :]
    doubtful = decode(board, Prior(), unseen).uncertain
    assert (names[blurred] in doubtful) == (blurred >= MANY)
    assert names[blurred + 1] not in doubtful
    assert set(names[:blurred]) | set(unseen) <= set(doubtful)


@pytest.mark.parametrize(
    ("label", "circled", "mark"),
    [
        (7, True, Mark(Kind.NUMBER, 7, True)),
        (STAR, True, Mark(Kind.STAR, None, True)),
        (BLOCKED, True, Mark(Kind.BLOCKED)),
        (EMPTY, True, Mark(Kind.EMPTY)),
    ],
)
def test_only_numbers_and_stars_are_circled(label: int, circled: bool, mark: Mark) -> None:
    """A ring round an X or an empty disc is not a circle of the game."""
    assert mark_of(label, circled) == mark


def told(*cells: tuple[str, int, bool]) -> Script:
    """A game in which each of these numbers had to be written just there, circled or either way."""
    writings = []
    for turn, (cell, number, either) in enumerate(cells):
        places = (Place(cell, True), Place(cell, False)) if either else (Place(cell, False),)
        writings.append(Writing(number, places, turn, -8.0))
    return Script(tuple(writings), len(cells))


def test_with_a_script_a_circle_as_usual_as_any_tells_nothing() -> None:
    """The eyes give what share of all cells is circled: their ink said nothing, and the script leaves it open."""
    for share, low, high in ((CIRCLED_SHARE, 0.49, 0.51), (0.1, 0.0, 0.25), (0.6, 0.75, 1.0)):
        cell = scores({"number": 0.9999}, {41: 0.9999}, share)
        read = decode(cells_of(cell), Prior(script=told(("A", 41, True)))).cells["A"]
        chance = sum(p for mark, p in ((read.mark, read.confidence), *read.alternatives) if mark.circled)
        assert low <= chance <= high


@pytest.mark.parametrize(("sure", "passes"), [(0.9999, 1), (0.6, 2)])
def test_with_a_script_the_trend_is_taken_again_only_where_a_doubt_is_left(
    sure: float, passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time from what the script made of the cells: there a 14 that may be a 74 is a 14 for certain."""
    seen: list[np.ndarray] = []

    def watched(certain: np.ndarray, places: np.ndarray) -> np.ndarray:
        seen.append(certain.copy())
        return np.zeros_like(certain)

    monkeypatch.setattr("ontour_cv.vision.decode.trend", watched)
    board = cells_of(
        scores({"number": 0.9999}, {14: 0.6, 74: 0.4}, 1e-6),
        scores({"number": 0.9999}, {20: sure, 30: 1 - sure}, 1e-6),
        scores({"number": 0.9999}, {30: sure, 20: 1 - sure}, 1e-6),
        places=np.array([[0.1, 0.2], [0.5, 0.3], [0.9, 0.6]]),
    )
    both = tuple(Place(cell, False) for cell in "BC")
    first = Writing(14, (Place("A", False),), 0, -8.0)
    script = Script((first, Writing(20, both, 1, -8.0), Writing(30, both, 2, -8.0)), 3)
    read = decode(board, Prior(trend=True, script=script))
    assert str(read.cells["A"].mark) == "14"
    assert len(seen) == passes
    assert seen[0][0, 14] == pytest.approx(0.6, abs=0.01)
    assert passes == 1 or seen[1][0, 14] > 0.99


def test_where_the_setup_circles_two_pairs_doubtful_circles_that_make_them_are_likelier() -> None:
    """12 and 21 are surely circled, 13 and 31 two to three against, nothing else is."""
    shares = {12: 0.9999, 21: 0.9999, 13: 0.4, 31: 0.4, 14: 1e-4, 41: 1e-4}
    board = cells_of(*(scores({"number": 0.9999}, {n: 0.9999}, share) for n, share in shares.items()))
    bare, known = (decode(board, Prior(reversed_pairs=True, setup_rolls=rolls)).board.marks for rolls in (0, 2))
    assert [mark.circled for mark in bare.values()] == [True, True, False, False, False, False]
    assert [mark.circled for mark in known.values()] == [True, True, True, True, False, False]
