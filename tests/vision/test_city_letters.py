"""Boxes and letters together: whichever the player used tells the soloist, and what contradicts is a question."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontour_cv.vision.city_letters import CLASSES, SHIFTS, chances_of, looked_again, together

KEYS = (*CLASSES, "?")


def sure(key: str, keys: tuple[str, ...], doubt: float = 1e-3) -> dict[str, float]:
    """Chances that leave little doubt about one key."""
    return {one: 1 - doubt if one == key else doubt / (len(keys) - 1) for one in keys}


def board(boxes: str, letters: str) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """A region for each character: what its boxes and what its letter say; ``-`` is none."""
    names = [f"R{k}" for k in range(len(boxes))]
    said = [
        {name: sure(one.replace("-", ""), keys) for name, one in zip(names, row, strict=True)}
        for row, keys in ((boxes, KEYS), (letters, CLASSES))
    ]
    return said[0], said[1]


def best(found: dict[str, dict[str, float]]) -> str:
    return "".join(max(chances, key=lambda key: chances[key]) or "-" for chances in found.values())


@pytest.mark.parametrize(
    ("boxes", "letters", "read"),
    [
        ("smdg--------", "------------", "smdg--------"),  # ticked
        ("------------", "smdg--------", "smdg--------"),  # written
        ("------------", "------------", "------------"),  # neither
        ("smdg----sm--", "---------d--", "smdg----sm--"),  # ticked, and something like a letter once
        ("-m------sm--", "smdg----smgg", "smdg----smgg"),  # written, some ticked as well
    ],
)
def test_whichever_way_the_player_marks_soloists_is_read(boxes: str, letters: str, read: str) -> None:
    assert best(together(*board(boxes, letters))) == read


def test_a_single_letter_among_ticks_is_no_soloist() -> None:
    found = together(*board("smdgsmdg----", "---------d--"))
    assert found["R9"][""] > 0.95


def test_a_letter_and_another_box_on_a_board_of_letters_leave_a_doubt() -> None:
    found = together(*board("d-----------", "smdgsmdg----"))
    assert max(found["R0"].values()) < 0.999


@given(st.integers(0, 10_000))
def test_the_chances_of_each_region_sum_to_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    boxes = {f"R{k}": dict(zip(KEYS, rng.dirichlet(np.full(len(KEYS), 0.2)), strict=True)) for k in range(8)}
    letters = {f"R{k}": dict(zip(CLASSES, rng.dirichlet(np.full(len(CLASSES), 0.2)), strict=True)) for k in range(6)}
    found = together(boxes, letters)
    assert set(found) == set(boxes)
    for region, chances in found.items():
        assert sum(chances.values()) == pytest.approx(1.0)
        assert set(chances) == set(KEYS)
        if region not in letters:
            assert chances == boxes[region]


def test_hot_logits_are_less_sure() -> None:
    logits = np.array([[3.0, 0.0, 0.0, 0.0, 0.0]])
    assert chances_of(logits, 1.0)[0][""] > chances_of(logits, 2.0)[0][""] > 0.2


def test_a_network_as_sure_as_can_be_leaves_a_board_that_can_be_weighed() -> None:
    """Everywhere a letter without any doubt, and boxes that say nothing: no probability is none at all."""
    logits = np.full((3, len(CLASSES) + 4), -400.0)
    logits[:, 1] = 400.0
    letters = dict(zip("ABC", chances_of(logits, 1.0), strict=True))
    blank = {"": 1.0, "s": 0.0, "m": 0.0, "d": 0.0, "g": 0.0, "?": 0.0}
    with np.errstate(all="raise"):
        found = together(dict.fromkeys("ABC", blank), letters)
    assert all(max(chances, key=lambda key: chances[key]) == CLASSES[1] for chances in found.values())


def test_only_what_is_unsure_is_looked_at_again_and_all_looks_count_alike() -> None:
    spots = np.arange(3 * 6 * 8 * 8, dtype=np.float32).reshape(3, 6, 8, 8)
    told = np.array([[30.0, 0, 0, 0, 0, 7], [1.0, 0.9, 0, 0, 0, 7], [0, 30.0, 0, 0, 0, 7]])
    seen: list[np.ndarray] = []

    def network(some: np.ndarray) -> np.ndarray:
        seen.append(some)
        return np.array([[0.0, 2.0, 0, 0, 0, 2]])

    mean = looked_again(spots, told, 1.0, network)
    assert [len(some) for some in seen] == [1] * len(SHIFTS)
    assert all(np.array_equal(np.sort(some, axis=None), np.sort(spots[1], axis=None)) for some in seen)  # moved, whole
    assert len({some.tobytes() for some in seen} | {spots[1].tobytes()}) == len(SHIFTS) + 1
    np.testing.assert_array_equal(mean[[0, 2]], told[[0, 2]])
    np.testing.assert_allclose(mean[1], (told[1] + len(SHIFTS) * network(spots[:1])[0]) / (len(SHIFTS) + 1))


def test_where_all_is_sure_nothing_is_looked_at_again() -> None:
    told = np.array([[30.0, 0, 0, 0, 0, 7]])
    assert looked_again(np.zeros((1, 6, 8, 8), np.float32), told, 1.0, lambda _: pytest.fail("looked")) is told
