"""Where frames come from: a camera, a video file, or pictures in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import BadPhoto
from ontour_cv.vision.photo import load_photo

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp", ".tif", ".tiff"})
"""Endings of the files of a folder that count as frames."""

_WIDTH, _HEIGHT = 3840, 2160
"""Asked of a camera; it answers with the nearest it can do."""

LOOKS_PER_SECOND = 8
"""Frames of a video that are looked at; a look takes about a seventh of a second."""

FASTEST = 240.0
"""Frames a second a phone films at most; videos recorded by a browser may call themselves faster by far."""

MOST_BAD_READS = 30
"""So many frames in a row that do not come mean that a camera is gone."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a stream.

    Attributes:
        name: where it came from, for messages.
        bgr: ``(H, W, 3)`` uint8, blue-green-red.
    """

    name: str
    bgr: NDArray[np.uint8]


def is_device(source: str) -> bool:
    """True when ``source`` is the number of a camera and not the name of a file."""
    return source.isascii() and source.isdigit()


def open_frames(source: str) -> Iterator[Frame]:
    """The frames of a source, in order; a camera never ends, a file or folder does.

    Whatever is opened is closed when the iterator is closed or used up.

    Args:
        source: number of a camera, path of a video, or path of a folder whose pictures are taken by name.

    Raises:
        BadPhoto: there is no such camera, file or folder, it may not be used, or it holds no picture.
    """
    path = Path(source)
    if is_device(source) and not path.exists():
        return _captured(_open_camera(int(source)), "camera", endless=True)
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES and not p.name.startswith("."))
        if not files:
            raise BadPhoto(f"The folder {source} holds no pictures.", "Name a folder of JPEG or PNG frames.")
        return (Frame(str(file), load_photo(file).bgr) for file in files)
    return _captured(_open_video(path), source, endless=False)


def _open_camera(number: int) -> cv2.VideoCapture:
    capture = _quietly_opened(number)
    if not capture.isOpened():
        capture.release()
        raise BadPhoto(
            f"Camera {number} cannot be opened.",
            "Check that it is plugged in, that no other program uses it and that this one may; other numbers are other "
            "cameras. A video file or a folder of pictures works too.",
        )
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WIDTH)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _HEIGHT)
    return capture


def _open_video(path: Path) -> cv2.VideoCapture:
    if not path.exists():
        raise BadPhoto(
            f"{path} does not exist.", "Name a camera (0 is the first), a video file or a folder of pictures."
        )
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise BadPhoto(f"{path} cannot be read: {error.strerror}.", "Check the file's permissions.") from None
    capture = _quietly_opened(str(path)) if not empty else None
    if capture is None or not capture.isOpened():
        raise BadPhoto(f"{path} is no video that can be read.", "Save it as an MP4 or AVI file, or as single pictures.")
    return capture


def _quietly_opened(source: int | str) -> cv2.VideoCapture:
    """The capture, opened or not; OpenCV's own complaints are left out, ours are plainer."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(source)
    finally:
        cv2.utils.logging.setLogLevel(level)


def _captured(capture: cv2.VideoCapture, label: str, endless: bool) -> Iterator[Frame]:
    """Frames as they come; a camera may skip some, a file ends with the first that does not come."""
    count = bad = 0
    rate = min(capture.get(cv2.CAP_PROP_FPS), FASTEST)
    stride = 1 if endless else max(1, round(rate / LOOKS_PER_SECOND))
    try:
        while bad <= (MOST_BAD_READS if endless else 0):
            came, bgr = capture.read()
            if not came or bgr is None:
                bad += 1
                continue
            count, bad = count + 1, 0
            if (count - 1) % stride:
                continue
            yield Frame(f"{label}, frame {count}", np.asarray(bgr, dtype=np.uint8))
        if not count:
            raise BadPhoto(f"No picture comes from {label}.", "Check the camera's cover and permissions, or the file.")
    finally:
        capture.release()
