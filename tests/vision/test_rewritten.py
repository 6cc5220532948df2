"""Dry and coloured pens are known for what they are; a full black pen makes strokes whole and leaves the rest alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from circled import BLACK, RADIUS, WHITE, Colour

from ontour_cv.vision.cells import CROP_PX, CellCrops
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.pen import FROM_CENTRE
from ontour_cv.vision.rewritten import BLACK as LEFT
from ontour_cv.vision.rewritten import COLOURED, REACH, UNEVEN, blackened, colourful, evened, rewritten, unevenness

NUMBERS = [f"{n:02d}" for n in (13, 31, 24, 42, 56, 65, 70, 7, 89, 98, 16, 61, 37, 73, 28, 82)]
RED = (60, 50, 210)


def stroke(number: str) -> np.ndarray:
    """How much of each pixel a number covers, 0-1."""
    mask = np.zeros((4 * CROP_PX, 4 * CROP_PX), np.uint8)
    (wide, high), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_SIMPLEX, 4.0, 20)
    middle = (2 * CROP_PX - wide // 2, 2 * CROP_PX + high // 2)
    cv2.putText(mask, number, middle, cv2.FONT_HERSHEY_SIMPLEX, 4.0, 255, 20, cv2.LINE_AA)
    return np.asarray(cv2.resize(mask, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)) / 255


def written(depth: float, pen: Colour = BLACK, dot: Colour | None = None) -> np.ndarray:
    """A board of white discs; the pen leaves between all and ``1 - depth`` of its ink, in blobs of a few pixels."""
    rng = np.random.default_rng(5)
    cells = []
    for number in NUMBERS:
        blobs = cv2.resize(rng.random((16, 16)).astype(np.float32), (CROP_PX, CROP_PX), interpolation=cv2.INTER_CUBIC)
        ink = stroke(number)[..., None] * (1 - depth * np.clip(blobs, 0, 1)[..., None])
        paper = np.full((CROP_PX, CROP_PX, 3), WHITE, np.float64)
        if dot is not None:
            cv2.circle(paper, (CROP_PX // 2, CROP_PX // 2 + 17), 2, dot, -1)
        cells.append(paper * (1 - ink) + np.array(pen) * ink + rng.normal(0, 2.0, paper.shape))
    return np.clip(cells, 0, 255).astype(np.uint8)


def test_a_dry_pen_is_told_from_a_full_one() -> None:
    """Ink that comes and goes is uneven, full ink and pale but even ink are not; more so, the drier it is."""
    dry = [unevenness(written(depth)) for depth in (0.0, 0.4, 0.7, 0.95)]
    assert dry == sorted(dry)
    assert dry[0] < UNEVEN - 0.1
    assert dry[3] > UNEVEN


def test_strokes_become_whole() -> None:
    """Ink that was anything from full to nearly none is of one darkness then, nearly all of it."""
    dry = written(0.85)
    inked = np.stack([stroke(n) > 0.9 for n in NUMBERS])
    before, after = (images[inked].astype(float).mean(axis=1) for images in (dry, evened(dry)))
    assert np.ptp(np.percentile(before, [10, 90])) > 100
    assert np.ptp(np.percentile(after, [10, 90])) < 30


def test_bare_ground_and_other_colours_stay() -> None:
    """Where nothing is written nothing is put, nor on print in another colour than the pen's, nor far out."""
    images = written(0.85, dot=RED)
    after = evened(images)
    assert (after.astype(int) <= images.astype(int) + 1).all(), "ink is only ever added"
    bare = np.stack([stroke(n) < 0.01 for n in NUMBERS]).copy()
    bare[:, CROP_PX // 2 + 13 : CROP_PX // 2 + 22, CROP_PX // 2 - 5 : CROP_PX // 2 + 6] = False
    assert np.abs(after.astype(int) - images)[bare].max() <= 12
    reds = np.abs(images.astype(int) - RED).max(axis=3) < 12
    assert reds.any()
    assert np.abs(after.astype(int) - images)[reds].max() <= 12
    far = FROM_CENTRE.reshape(CROP_PX, CROP_PX) >= REACH
    assert np.array_equal(after[:, far], images[:, far])
    assert RADIUS * REACH < CROP_PX / 2


def test_a_full_pen_hardly_changes() -> None:
    """Even strokes have nothing to be filled but their edges."""
    images = written(0.0)
    inked = np.stack([stroke(n) > 0.98 for n in NUMBERS])
    assert np.abs(evened(images).astype(int) - images)[inked].mean() < 8


def test_a_coloured_pen_becomes_a_black_one() -> None:
    """As much of it, and nothing where it is not: a red pen's strokes come near what a black pen leaves of white."""
    red, orange = written(0.0, RED), written(0.0, (40, 120, 235))
    assert colourful(written(0.0)) < COLOURED < colourful(red) < colourful(orange)
    inked = np.stack([stroke(n) > 0.98 for n in NUMBERS])
    bare = np.stack([stroke(n) < 0.01 for n in NUMBERS])
    for images in (red, orange):
        after = blackened(images)
        assert np.abs(after[inked].astype(float) - LEFT * np.array(WHITE)).mean() < 15
        assert np.abs(after.astype(int) - images)[bare].max() <= 20
        assert np.abs(after.astype(int) - images)[bare].mean() < 1


def test_print_in_another_colour_than_the_pen_stays() -> None:
    """A blue dot is no ink of a red pen."""
    blue = (190, 90, 30)
    images = written(0.0, RED, dot=blue)
    dots = np.abs(images.astype(int) - blue).max(axis=3) < 12
    assert dots.any()
    assert np.abs(blackened(images).astype(int) - images)[dots].max() <= 12


def test_what_a_full_black_pen_wrote_is_not_written_anew() -> None:
    """Nor is an even dark one of another colour; a dry red one is made even and black."""
    assert rewritten(written(0.0)) is None
    assert rewritten(written(0.0, (110, 50, 20))) is None
    dry = rewritten(written(0.9, RED))
    assert dry is not None
    assert colourful(dry) < COLOURED
    assert unevenness(dry) < UNEVEN


def test_only_an_uneven_board_is_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a dry one is read as well as the full one then; a few cells are no board and are read at one look."""
    reader, looks = MarkReader(), []
    look = reader.look
    monkeypatch.setattr(reader, "look", lambda images: (looks.append(len(images)), look(images))[1])

    def read(images: np.ndarray) -> int:
        ids = tuple(f"R{k}" for k in range(len(images)))
        looks.clear()
        scores = reader.read(CellCrops(ids, images, np.full(len(ids), 20.0)))
        right = scores.number.argmax(axis=1) == [int(n) for n in NUMBERS[: len(images)]]
        return int(right.sum())

    full = read(written(0.0))
    assert looks == [16]
    assert read(written(0.9)) >= full - 1
    assert looks == [16, 16]
    read(written(0.9)[:6])
    assert looks == [6]
