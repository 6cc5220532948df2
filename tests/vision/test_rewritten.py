"""Dry and coloured pens are known for what they are; a full black pen makes strokes whole and leaves the rest alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from circled import BLACK, RADIUS, WHITE, Colour

from ontour_cv.vision.cells import CROP_PX, CellCrops
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.pen import FROM_CENTRE
from ontour_cv.vision.rewritten import (
    ASIDE,
    COLOURED,
    REACH,
    SMALL,
    UNEVEN,
    USUAL,
    Ink,
    blackened,
    centred,
    colourful,
    evened,
    rewritten,
    unevenness,
    where_written,
)
from ontour_cv.vision.rewritten import BLACK as LEFT

NUMBERS = [f"{n:02d}" for n in (13, 31, 24, 42, 56, 65, 70, 7, 89, 98, 16, 61, 37, 73, 28, 82)]
RED = (60, 50, 210)

HEIGHT = 1.2
"""Of a number of usual size, disc radii."""


def stroke(number: str, size: float = 1.0, aside: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """How much of each pixel a number covers, 0-1; ``aside`` of the middle in disc radii."""
    canvas = np.zeros((400, 800), np.uint8)
    cv2.putText(canvas, number, (100, 300), cv2.FONT_HERSHEY_SIMPLEX, 5.0, 255, 24, cv2.LINE_AA)
    canvas = canvas[np.ix_(canvas.any(axis=1), canvas.any(axis=0))]
    scale = size * HEIGHT * 4 * RADIUS / canvas.shape[0]
    matrix = np.array([[scale, 0.0, 0.0], [0.0, scale, 0.0]])
    matrix[:, 2] = 2 * CROP_PX + 4 * RADIUS * np.array(aside) - scale * np.array(canvas.shape[::-1]) / 2
    mask = cv2.warpAffine(canvas, matrix, (4 * CROP_PX, 4 * CROP_PX), flags=cv2.INTER_AREA)
    return np.asarray(cv2.resize(mask, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)) / 255


def written(
    depth: float,
    pen: Colour = BLACK,
    dot: Colour | None = None,
    size: float = 1.0,
    aside: tuple[float, float] = (0.0, 0.0),
) -> np.ndarray:
    """A board of white discs; the pen leaves between all and ``1 - depth`` of its ink, in blobs of a few pixels."""
    rng = np.random.default_rng(5)
    cells = []
    for number in NUMBERS:
        blobs = cv2.resize(rng.random((16, 16)).astype(np.float32), (CROP_PX, CROP_PX), interpolation=cv2.INTER_CUBIC)
        ink = stroke(number, size, aside)[..., None] * (1 - depth * np.clip(blobs, 0, 1)[..., None])
        paper = np.full((CROP_PX, CROP_PX, 3), WHITE, np.float64)
        if dot is not None:
            cv2.circle(paper, (CROP_PX // 2, CROP_PX // 2 + 17), 2, dot, -1)
        cells.append(paper * (1 - ink) + np.array(pen) * ink + rng.normal(0, 2.0, paper.shape))
    return np.clip(cells, 0, 255).astype(np.uint8)


def test_a_dry_pen_is_told_from_a_full_one() -> None:
    """Ink that comes and goes is uneven, full ink and pale but even ink are not; more so, the drier it is."""
    dry = [unevenness(Ink.of(written(depth))) for depth in (0.0, 0.4, 0.7, 0.95)]
    assert dry == sorted(dry)
    assert dry[0] < UNEVEN - 0.1
    assert dry[3] > UNEVEN


def test_strokes_become_whole() -> None:
    """Ink that was anything from full to nearly none is of one darkness then, nearly all of it."""
    dry = written(0.85)
    inked = np.stack([stroke(n) > 0.9 for n in NUMBERS])
    before, after = (images[inked].astype(float).mean(axis=1) for images in (dry, evened(Ink.of(dry))))
    assert np.ptp(np.percentile(before, [10, 90])) > 100
    assert np.ptp(np.percentile(after, [10, 90])) < 30


def test_bare_ground_and_other_colours_stay() -> None:
    """Where nothing is written nothing is put, nor on print in another colour than the pen's, nor far out."""
    images = written(0.85, dot=RED)
    after = evened(Ink.of(images))
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
    assert np.abs(evened(Ink.of(images)).astype(int) - images)[inked].mean() < 8


def test_a_coloured_pen_becomes_a_black_one() -> None:
    """As much of it, and nothing where it is not: a red pen's strokes come near what a black pen leaves of white."""
    red, orange = written(0.0, RED), written(0.0, (40, 120, 235))
    assert colourful(Ink.of(written(0.0))) < COLOURED < colourful(Ink.of(red)) < colourful(Ink.of(orange))
    inked = np.stack([stroke(n) > 0.98 for n in NUMBERS])
    bare = np.stack([stroke(n) < 0.01 for n in NUMBERS])
    for images in (red, orange):
        after = blackened(Ink.of(images))
        assert np.abs(after[inked].astype(float) - LEFT * np.array(WHITE)).mean() < 15
        assert np.abs(after.astype(int) - images)[bare].max() <= 20
        assert np.abs(after.astype(int) - images)[bare].mean() < 1


def test_print_in_another_colour_than_the_pen_stays() -> None:
    """A blue dot is no ink of a red pen."""
    blue = (190, 90, 30)
    images = written(0.0, RED, dot=blue)
    dots = np.abs(images.astype(int) - blue).max(axis=3) < 12
    assert dots.any()
    assert np.abs(blackened(Ink.of(images)).astype(int) - images)[dots].max() <= 12


def test_what_a_full_black_pen_wrote_is_not_written_anew() -> None:
    """Nor is an even dark one of another colour; a dry red one is made even and black."""
    assert rewritten(Ink.of(written(0.0))) is None
    assert rewritten(Ink.of(written(0.0, (110, 50, 20)))) is None
    dry = rewritten(Ink.of(written(0.9, RED)))
    assert dry is not None
    assert colourful(Ink.of(dry)) < COLOURED
    assert unevenness(Ink.of(dry)) < UNEVEN


@pytest.mark.parametrize("aside", [(0.25, 0.0), (-0.2, 0.15)])
def test_writing_beside_the_middle_is_moved_there(aside: tuple[float, float]) -> None:
    """It stands nearer to the middle then, and never beyond; what leaves the disc is not seen. Empty cells stay."""
    images = written(0.0, size=0.85, aside=aside)
    images[3] = WHITE
    middles, _ = where_written(Ink.of(images))
    found = np.median(np.delete(middles, 3, axis=0), axis=0)
    along = found @ aside / np.dot(aside, aside)
    assert 0.3 < along < 1.1
    assert np.linalg.norm(found - along * np.array(aside)) < 0.1
    assert not middles[3].any()
    assert np.array_equal(centred(images, middles, USUAL)[3], images[3])
    moved = rewritten(Ink.of(images))
    assert moved is not None
    left = np.median(where_written(Ink.of(moved))[0], axis=0) @ aside / np.dot(aside, aside)
    assert -0.2 < left < 0.8 * along


def test_writing_in_the_middle_stays() -> None:
    """A number's ink is not spread evenly, but nearly."""
    middles, height = where_written(Ink.of(written(0.0)))
    assert np.abs(np.median(middles, axis=0)).max() < 0.05
    assert np.median(np.hypot(*middles.T)) < ASIDE
    assert height > SMALL


def test_small_writing_is_enlarged() -> None:
    """To the usual height, or by as much as is allowed; large writing is left as large as it is."""
    usual, small = (Ink.of(written(0.0, size=size)) for size in (1.0, 0.7))
    assert where_written(usual)[1] > SMALL > where_written(small)[1]
    middles, height = where_written(small)
    grown = where_written(Ink.of(centred(small.images, middles, height)))[1]
    assert 1.15 * height < grown < 1.1 * USUAL
    middles, height = where_written(usual)
    assert abs(where_written(Ink.of(centred(usual.images, middles, height)))[1] - max(height, USUAL)) < 0.1


def test_an_empty_board_is_not_written_anew() -> None:
    """Bare discs hold no ink, whatever the noise."""
    rng = np.random.default_rng(1)
    bare = np.clip(np.array(WHITE) + rng.normal(0, 2, (12, CROP_PX, CROP_PX, 3)), 0, 255).astype(np.uint8)
    middles, height = where_written(Ink.of(bare))
    assert not middles.any()
    assert height == USUAL


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
