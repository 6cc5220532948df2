"""What boxes say together: chances sum to one, one clear mark is that one, several or odd rows are told as such."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ontour_cv.errors import BadTemplate
from ontour_cv.resources import models_dir
from ontour_cv.vision.city_boxes import BOX_PX, box_input, burnt_out
from ontour_cv.vision.city_read import (
    JUDGES,
    MODEL,
    PARTED,
    PARTED_AT,
    PARTS,
    CityReader,
    from_left,
    one_of,
    parted,
    without_burnt,
)

LETTERS = ("s", "m", "d", "g")
FAR = 12.0

odds = st.floats(-15, 15)


@given(st.tuples(odds, odds, odds, odds))
def test_the_chances_of_a_soloist_sum_to_one(values: tuple[float, ...]) -> None:
    chances = one_of(LETTERS, np.array(values))
    assert set(chances) == {"", *LETTERS, "?"}
    assert sum(chances.values()) == pytest.approx(1.0)
    assert min(chances.values()) >= 0


@pytest.mark.parametrize("ticked", range(4))
def test_one_clear_mark_is_that_soloist(ticked: int) -> None:
    values = np.full(4, -FAR)
    values[ticked] = FAR
    assert one_of(LETTERS, values)[LETTERS[ticked]] > 0.999


def test_no_mark_is_none_and_two_are_several() -> None:
    assert one_of(LETTERS, np.full(4, -FAR))[""] > 0.999
    assert one_of(LETTERS, np.array([FAR, -FAR, FAR, -FAR]))["?"] > 0.999


@given(st.lists(odds, min_size=1, max_size=6))
def test_the_chances_of_a_row_sum_to_one(values: list[float]) -> None:
    chances = from_left(np.array(values))
    assert set(chances) == {-1, *range(len(values) + 1)}
    assert sum(chances.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("count", range(7))
def test_boxes_crossed_from_the_left_are_counted(count: int) -> None:
    values = np.where(np.arange(6) < count, FAR, -FAR)
    assert from_left(values)[count] > 0.99


def test_a_gap_between_marked_and_bare_boxes_parts_them() -> None:
    """Bare boxes of a print that the network takes for marked ones now and then, but far from all that are."""
    bare, marked = np.linspace(-3.0, 2.0, 60), np.linspace(8.0, 12.0, 10)
    odds = parted(np.concatenate([bare, marked]), 0.7, 1.3, 5)
    assert (odds[:60] < 0).all() and (odds[60:] > 0).all()


def test_a_few_boxes_beyond_a_gap_part_nothing() -> None:
    seen = np.concatenate([np.linspace(-9.0, -6.0, 60), [3.0, 4.0]])
    assert parted(seen, 0.7, 1.3, 5) == pytest.approx((seen - 0.7) / 1.3)


def test_marks_under_glare_are_not_bare_for_a_gap_above_them() -> None:
    seen = np.concatenate([np.linspace(-9.0, -4.5, 60), [-1.0, 1.0, 3.5], np.linspace(9.0, 14.0, 20)])
    assert parted(seen, 0.7, 1.3, 5)[62] == pytest.approx((3.5 - PARTED_AT) / PARTED)


def test_a_clear_gap_in_a_row_is_an_odd_row() -> None:
    chances = from_left(np.array([FAR, -FAR, FAR, FAR, -FAR, -FAR]))
    assert max(chances, key=lambda k: chances[k]) == -1


def test_a_box_sees_how_the_others_of_its_group_differ_from_their_print() -> None:
    cut = np.zeros((5, 6, BOX_PX, BOX_PX), np.float32)
    cut[1, :3] = -1.0  # one dark box in the first group of three
    seen = box_input(cut, [3, 2])
    assert seen.shape == (5, 9, BOX_PX, BOX_PX)
    assert seen[0, 6:].mean() == pytest.approx(-0.5)
    assert seen[1, 6:].mean() == 0
    assert seen[3, 6:].mean() == seen[4, 6:].mean() == 0


def box_cuts(count: int, left: float = 1.0) -> NDArray[np.float32]:
    """Bare boxes as print and photo show them, with so much of the lines' contrast left in the photo of the last."""
    lines = np.zeros((BOX_PX, BOX_PX), np.float32)
    lines[5:19, 5:19], lines[7:17, 7:17] = -1.0, 0.0
    cut = np.tile(lines, (count, 6, 1, 1))
    cut[-1, :3] *= left
    return cut


@pytest.mark.parametrize("left", [0.0, 0.1])
def test_boxes_without_their_lines_are_burnt_out(left: float) -> None:
    assert burnt_out(box_cuts(12, left)).tolist() == [False] * 11 + [True]


def test_pale_lines_and_ink_are_something_to_be_seen() -> None:
    assert not burnt_out(box_cuts(12, 0.4)).any()
    filled = box_cuts(12, 0.0)
    filled[-1, :3, 4:20, 4:20] = -2.0
    assert not burnt_out(filled).any()


def test_lines_that_are_pale_on_the_whole_board_are_usual() -> None:
    blurred = box_cuts(12)
    blurred[:, :3] *= 0.2
    assert not burnt_out(blurred).any()


def test_no_soloist_is_told_where_light_has_taken_a_box() -> None:
    seen = {"BUSH": {"": 0.9, "s": 0.1}, "MIDT": {"": 0.1, "s": 0.9}, "SOHO": {"": 0.9, "s": 0.1}}
    assert set(without_burnt(seen, {"BUSH", "MIDT"})) == {"MIDT", "SOHO"}


def test_a_missing_model_is_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(BadTemplate, match="cannot be loaded"):
        CityReader(tmp_path_factory.mktemp("empty"))


def test_the_card_belongs_to_the_shipped_models_and_they_are_small() -> None:
    card = json.loads((models_dir() / f"{MODEL}.json").read_text(encoding="utf-8"))
    files = [models_dir() / name for name in (*(f"{MODEL}-{part}.onnx" for part in PARTS), *JUDGES.values())]
    assert card["sha256"] == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    nets, judges = files[: len(PARTS)], files[len(PARTS) :]
    assert sum(path.stat().st_size for path in nets) < 550_000
    assert max(path.stat().st_size for path in judges) < 100_000
