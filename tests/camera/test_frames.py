"""Frames of a video: how many of them are looked at."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from ontour_cv.camera.frames import LOOKS_PER_SECOND, _captured


class Film:
    """A capture of so many frames that calls itself so fast."""

    def __init__(self, frames: int, rate: float) -> None:
        self.left, self.rate = frames, rate

    def get(self, what: int) -> float:
        return self.rate if what == cv2.CAP_PROP_FPS else 0.0

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.left -= 1
        return (True, np.zeros((4, 4, 3), np.uint8)) if self.left >= 0 else (False, None)

    def release(self) -> None:
        """Nothing is held."""


@pytest.mark.parametrize(("rate", "looks"), [(0.0, 90), (30.0, 23), (240.0, 3), (1000.0, 3)])
def test_a_video_is_looked_at_a_few_times_a_second(rate: float, looks: int) -> None:
    """Ninety frames; one without a rate is looked at whole, and none is faster than a phone films."""
    frames = list(_captured(Film(90, rate), "film", endless=False))  # type: ignore[arg-type]
    assert len(frames) == looks
    assert rate == 0.0 or len(frames) >= 90 / 240 * LOOKS_PER_SECOND
