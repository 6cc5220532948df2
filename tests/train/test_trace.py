"""Digits known as pictures become pen strokes that look like them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from ontour_cv.train.hands import Hands
from ontour_cv.train.trace import load_traced, traced


def drawn(strokes: list[list[tuple[int, int]]], width: int = 3) -> np.ndarray:
    """A 28 x 28 picture of pen strokes."""
    big = np.zeros((112, 112), np.uint8)
    for points in strokes:
        cv2.polylines(big, [np.array(points) * 4], False, 255, 4 * width, cv2.LINE_AA)
    return np.asarray(cv2.resize(big, (28, 28), interpolation=cv2.INTER_AREA), dtype=np.uint8)


ONE = drawn([[(14, 4), (14, 24)]])
SEVEN = drawn([[(7, 5), (20, 5), (12, 23)], [(10, 14), (19, 14)]])
RING = drawn([[(int(14 + 7 * np.cos(t)), int(14 + 9 * np.sin(t))) for t in np.linspace(0, 6.29, 40)]])


def length(strokes: list[np.ndarray]) -> float:
    """How far the pen moves."""
    return float(sum(np.linalg.norm(np.diff(s, axis=0), axis=1).sum() for s in strokes))


def test_a_line_is_one_stroke_of_its_length() -> None:
    """Height 1 by definition, nothing sideways."""
    (stroke,) = traced(ONE, "1")
    assert np.ptp(stroke[:, 1]) == pytest.approx(1.0)
    assert np.ptp(stroke[:, 0]) < 0.1


def test_a_ring_is_closed() -> None:
    """One stroke that ends where it began, round its middle."""
    (stroke,) = traced(RING, "0")
    assert np.linalg.norm(stroke[0] - stroke[-1]) < 0.08
    assert length([stroke]) == pytest.approx(2.8, rel=0.1)  # an ellipse of height 1 and width 7/9


def test_a_crossing_keeps_all_its_arms() -> None:
    """The bar of a 7 is there, left and right of the stem."""
    strokes = traced(SEVEN, "7")
    points = np.concatenate(strokes)
    middle = points[np.abs(points[:, 1]) < 0.12]
    assert np.ptp(middle[:, 0]) > 0.3
    assert length(strokes) > 1.8


def test_what_cannot_be_followed_is_left_out() -> None:
    """No ink, and a blot that lines in a pen's width would not fill."""
    assert traced(np.zeros((28, 28), np.uint8), "0") == []
    blot = np.zeros((28, 28), np.uint8)
    blot[4:24, 6:22] = 255
    blot[12:16, 12:16] = 0
    blot[13:15, 0:6] = 255
    assert traced(blot, "6") == []


def test_writers_keep_to_their_split(tmp_path: Path) -> None:
    """Writer 19 is a test writer and never among those who train."""
    path = tmp_path / "mnist.npz"
    np.savez(path, images=np.stack([ONE] * 20), labels=np.tile(np.arange(10), 2), writer=np.repeat([11, 19], 10))
    assert len(load_traced(path, "train")) == 1
    assert len(load_traced(path, "test")) == 1
    assert load_traced(path, "valid") == []


def test_hands_mix_and_fall_back() -> None:
    """Without recordings everybody writes our own shapes; with them every digit can be written."""
    rng = np.random.default_rng(0)
    assert Hands([], []).pick(rng, 0.0).glyph("3", rng)
    samples = {str(d): [traced(SEVEN, "7")] for d in range(10)}
    for _ in range(20):
        hand = Hands([samples], [samples]).pick(rng, 0.2)
        assert all(hand.glyph(label, rng) for label in "0123456789*xo")
