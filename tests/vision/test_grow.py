"""A panel beyond a fold: from the discs that are known to those beside them."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.geometry import Homography
from ontour_cv.vision.grow import LEAST_LOST, Grown, grow
from ontour_cv.vision.landmarks import Candidates
from ontour_cv.vision.measure import Measured
from ontour_cv.vision.refine import _bend_to

RADIUS, SCALE = 0.02, 1000.0
COLUMNS, ROWS = 10, 4
BOARD = np.array([(0.1 + 0.085 * x, 0.1 + 0.1 * y) for x in range(COLUMNS) for y in range(ROWS)])
FOLD = 0.5


def folded(steep: float) -> NDArray[np.float64]:
    """True places in the photo: beyond the fold the panel runs off, ``steep`` pixels a board width and more."""
    beyond = np.maximum(BOARD[:, 0] - FOLD, 0.0)
    return SCALE * BOARD + np.column_stack([-0.3 * steep * beyond, -steep * beyond])


class Sight:
    """Stand-in for the ring search: it sees a disc at its true place, if that lies in the window, and clutter."""

    def __init__(self, places: NDArray[np.float64], clutter: float = 0.0) -> None:
        at = np.linspace(-2.0, 2.0, 81)
        self.window = np.stack(np.meshgrid(at, at), axis=-1)
        self.places, self.clutter = places, clutter

    def __call__(
        self, _: object, centres: NDArray[np.float64], axes: NDArray[np.float64], __: object
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Answers like ``rings.look_far``."""
        answers = []
        for centre, axis in zip(centres, axes, strict=True):
            local = np.linalg.solve(axis, (self.places - centre).T).T
            gaps = np.hypot(*(self.window[:, :, None] - local).transpose(3, 0, 1, 2)).min(axis=-1)
            answers.append(np.maximum(0.7 * np.exp(-((gaps / 0.2) ** 2)), self.clutter))
        return np.array(answers, dtype=np.float32), self.window


class Known:
    """What stands in for :class:`Measured`: all places in the photo are places in the picture searched."""

    def __init__(self, found: NDArray[np.bool_]) -> None:
        self.trust = np.where(found, 2, 0)
        self.spread = np.where(found, 0.05, 9.0)
        self.working = self.view = None

    def in_view(self, centres: object, axes: object) -> tuple[object, object]:
        """As they are."""
        return centres, axes

    def __replace__(self, **changes: object) -> Known:
        other = Known(self.trust > 0)
        other.__dict__.update({**self.__dict__, **changes})
        return other


@pytest.fixture(autouse=True)
def plain_replace(monkeypatch: pytest.MonkeyPatch) -> None:
    """``dataclasses.replace`` for the stand-in too."""
    import dataclasses

    def changed(one: object, **changes: object) -> object:
        return one.__replace__(**changes) if isinstance(one, Known) else dataclasses.replace(one, **changes)  # type: ignore[type-var]

    monkeypatch.setattr("ontour_cv.vision.grow.replace", changed)


def outlines(places: NDArray[np.float64], radii: float = RADIUS * SCALE) -> Candidates:
    """Outlines of discs there."""
    count = len(places)
    shapes = np.tile([1.0, 0.0, 1.0], (count, 1))
    return Candidates(places, np.full(count, radii), np.ones(count), shapes, None)  # type: ignore[arg-type]


def grown(
    monkeypatch: pytest.MonkeyPatch,
    places: NDArray[np.float64],
    found: NDArray[np.bool_],
    candidates: Candidates | None = None,
    **sight: float,
) -> Grown:
    """The board after growing from the discs ``found``; with ``candidates`` by these alone."""
    seen = places if candidates is None else places + 1e6
    monkeypatch.setattr("ontour_cv.vision.grow.look_far", Sight(seen, **sight))

    def bend_to(at: NDArray[np.float64], what: Measured, which: NDArray[np.bool_]) -> object:
        return _bend_to(BOARD, at, what, which, RADIUS)

    measured = cast(Measured, Known(found))
    warp, alone = cast(tuple, bend_to(places, measured, found))  # type: ignore[type-arg]
    assert isinstance(warp.flat, Homography)
    known = Grown(measured, places, found, warp, alone)
    nothing = outlines(np.empty((0, 2)))
    return grow(BOARD, known, candidates or nothing, (1100, 700), bend_to)  # type: ignore[arg-type]


def test_a_folded_panel_is_found_disc_by_disc(monkeypatch: pytest.MonkeyPatch) -> None:
    places, found = folded(90.0), BOARD[:, 0] < FOLD + 0.02
    result = grown(monkeypatch, places, found)
    assert result.found.all()
    off = np.hypot(*(result.warp.apply(BOARD) - places).T) / (RADIUS * SCALE)
    assert off.max() < 0.3
    assert (np.asarray(result.measured.trust)[~found] == 1).all(), "found so, a disc is believed only half"


def test_without_growing_its_far_end_is_lost() -> None:
    places, found = folded(90.0), BOARD[:, 0] < FOLD + 0.02
    warp, _ = cast(tuple, _bend_to(BOARD, places, cast(Measured, Known(found)), found, RADIUS))  # type: ignore[type-arg]
    assert (np.hypot(*(warp.apply(BOARD) - places).T) / (RADIUS * SCALE)).max() > 1.5


def test_a_few_missing_discs_are_no_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    found = np.ones(len(BOARD), dtype=bool)
    found[: LEAST_LOST - 1] = False
    assert np.array_equal(grown(monkeypatch, folded(0.0), found).found, found)


def test_where_everything_answers_alike_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = BOARD[:, 0] < FOLD + 0.02
    away = folded(0.0) + np.where(found[:, None], 0.0, 5000.0)
    assert np.array_equal(grown(monkeypatch, away, found, clutter=0.6).found, found)


def test_discs_outside_the_picture_are_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    places = folded(0.0) + np.array([SCALE * 0.5, 0.0])
    found = places[:, 0] < 1000
    result = grown(monkeypatch, places, found)
    assert not result.found[places[:, 0] > 1100].any()


def curled() -> NDArray[np.float64]:
    """True places on a sheet that rises from its right edge on, ever more steeply."""
    return SCALE * BOARD + np.column_stack([np.zeros(len(BOARD)), 260.0 * (1.0 - BOARD[:, 0]) ** 2])


def test_a_curled_sheet_is_followed_from_outline_to_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rings are not seen, since the sheet slopes; printed letters, much smaller, are passed over."""
    places, found = curled(), BOARD[:, 0] > 0.35
    seen = outlines(places)
    letters = outlines(places + np.array([0.0, 8.0]), 0.5 * RADIUS * SCALE)
    both = Candidates(
        np.concatenate([seen.centres_photo, letters.centres_photo]),
        np.concatenate([seen.radii_px, letters.radii_px]),
        np.concatenate([seen.quality, letters.quality]),
        np.concatenate([seen.shapes, letters.shapes]),
        seen.working,
    )
    result = grown(monkeypatch, places, found, both)
    assert result.found.all()
    assert np.hypot(*(result.places - places).T).max() < 0.1


def test_of_two_outlines_none_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of them is the disc nobody knows; nor is one taken on a board that is not bent as a whole."""
    places, found = curled(), BOARD[:, 0] > 0.35
    twice = outlines(np.concatenate([places, places + np.array([0.0, 0.8 * RADIUS * SCALE])]))
    assert not grown(monkeypatch, places, found, twice).found[~found].any()
    flat, lost = SCALE * BOARD, BOARD[:, 0] < 0.2
    beside = np.where(lost[:, None], flat + np.array([0.0, 1.5 * RADIUS * SCALE]), flat)
    assert not grown(monkeypatch, flat, ~lost, outlines(beside)).found[lost].any()
