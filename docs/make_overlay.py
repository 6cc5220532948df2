"""Writes docs/overlay.jpg, a fixture photo with its best route drawn on it as the README shows it.

Usage: python docs/make_overlay.py
"""

from __future__ import annotations

from pathlib import Path

import cv2

from ontour_cv.scorer.drawing import overlay_of
from ontour_cv.scorer.score import score_photo
from ontour_cv.vision.overlay_tag import tag_overlay

PICTURE = Path(__file__).with_name("overlay.jpg")
PHOTO = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "photos" / "10-lamp.jpg"
WIDTH = 1400


def main() -> None:
    """Score the photo, draw, and make the picture smaller."""
    overlay = overlay_of(score_photo(PHOTO))
    height = round(overlay.shape[0] * WIDTH / overlay.shape[1])
    small = cv2.resize(overlay, (WIDTH, height), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 88])
    PICTURE.write_bytes(tag_overlay(data.tobytes()))


if __name__ == "__main__":
    main()
