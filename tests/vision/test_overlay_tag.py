"""What the program drew is known again, and no board to it; to everything else it is a picture like others."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from ontour_cv.errors import BadPhoto
from ontour_cv.vision.overlay_tag import is_overlay, tag_overlay
from ontour_cv.vision.photo import load_photo

PICTURE = np.random.default_rng(5).integers(0, 255, (90, 121, 3), np.uint8)
KINDS = (".jpg", ".png", ".webp")


def encoded(ending: str) -> bytes:
    return bytes(cv2.imencode(ending, PICTURE)[1].tobytes())


@pytest.mark.parametrize("ending", KINDS)
def test_an_overlay_is_refused_with_what_to_score_instead(ending: str) -> None:
    assert load_photo(encoded(ending)).bgr.shape == PICTURE.shape
    with pytest.raises(BadPhoto, match=r"anna-route is an overlay that ontour-cv drew") as refused:
        load_photo(tag_overlay(encoded(ending)), "anna-route")
    assert refused.value.remedy == "Score the photo itself."


@pytest.mark.parametrize("ending", KINDS)
def test_the_tag_changes_no_pixel_for_any_program(ending: str) -> None:
    bare, tagged = encoded(ending), tag_overlay(encoded(ending))
    assert is_overlay(tagged) and not is_overlay(bare)
    decoded = [cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for data in (bare, tagged)]
    assert np.array_equal(*decoded)
    shown = [np.asarray(Image.open(io.BytesIO(data)).convert("RGB")) for data in (bare, tagged)]
    assert np.array_equal(*shown)


def test_other_files_stay_as_they_are() -> None:
    assert tag_overlay(b"BM and so on") == b"BM and so on"
