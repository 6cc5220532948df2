"""The shipped map and its first edition, for every test of the renders; OpenCV on one thread."""

from __future__ import annotations

import cv2
import pytest

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.maps.model import MapTemplate

cv2.setNumThreads(1)


@pytest.fixture(scope="session")
def usa() -> MapTemplate:
    return load_map("usa")


@pytest.fixture(scope="session")
def first_edition() -> Edition:
    return load_editions("usa")[0]
