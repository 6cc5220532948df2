"""The abbreviations printed on blank discs, read with Tesseract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import MissingTool
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import CellPlace

Image8 = NDArray[np.uint8]

SIDE = 160
"""Side of the picture of one label, pixels; letters come out about 45 pixels high."""

HALF_RADII = 0.8
"""Half that side in disc radii: the label without the ring."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPTIONS = "-c load_system_dawg=0 -c load_freq_dawg=0"

_INSTALL = (
    "Install it and try again: 'apt install tesseract-ocr' on Debian or Ubuntu, 'brew install tesseract' on a Mac, "
    "or see the page of the Tesseract project for Windows."
)


def require_tesseract() -> None:
    """``MissingTool`` with what to install when Tesseract cannot be run."""
    try:
        import pytesseract
    except ImportError:
        raise MissingTool("pytesseract is not installed.", "Run 'pip install pytesseract'.") from None
    try:
        pytesseract.get_tesseract_version()
    except (pytesseract.TesseractNotFoundError, OSError, SystemExit):
        raise MissingTool("Tesseract, which reads the printed abbreviations, is not installed.", _INSTALL) from None


def read_label(photo: Photo, place: CellPlace, labels: Collection[str], expected: str) -> str | None:
    """The one of ``labels`` that is printed at ``place``, or None when none can be read.

    Several views of the label are tried until one reads as ``expected``. Another label must be read twice, and more
    often than any third: letters this few and bold are misread now and then.
    """
    import pytesseract

    others: Counter[str] = Counter()
    options = f"-c tessedit_char_whitelist={_characters(labels)} {_OPTIONS}"
    for picture in _views(_straightened(photo, place)):
        for mode in ("7", "6"):
            try:
                text = str(pytesseract.image_to_string(picture, config=f"--psm {mode} {options}").strip())
            except pytesseract.TesseractError:
                continue
            if text == expected:
                return text
            others[text] += text in labels
    ranked = others.most_common(2)
    clear = bool(ranked) and ranked[0][1] >= 2 and (len(ranked) == 1 or ranked[0][1] > ranked[1][1])
    return ranked[0][0] if clear else None


def _characters(labels: Collection[str]) -> str:
    """What labels are made of: capitals, and the figures and small letters that this map's own have, as in 19e."""
    own = {letter for label in labels for letter in label if letter.isalnum()}
    return _LETTERS + "".join(sorted(own - set(_LETTERS)))


def _straightened(photo: Photo, place: CellPlace) -> Image8:
    """The inside of a disc seen straight from above, the board's top up: ``(SIDE, SIDE)`` smallest channel."""
    linear = place.axes_photo * (2 * HALF_RADII / SIDE)
    middle = np.full(2, (SIDE - 1) / 2)
    matrix = np.column_stack([linear, np.array(place.centre_photo) - linear @ middle])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(photo.bgr, matrix, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(patch.min(axis=2), (0, 0), 1.5), dtype=np.uint8)


def _views(grey: Image8) -> Iterator[Image8]:
    """Black letters on white at two sizes, and thinner ones.

    A top hat lifts strokes from the art that shines through a translucent disc; letters may be lighter or darker.
    """
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (SIDE // 4 + 1, SIDE // 4 + 1))
    y, x = np.abs(np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2)
    middle = (x < 0.49 * SIDE) & (y < 0.28 * SIDE)
    hats = [cv2.morphologyEx(grey, mode, kernel) for mode in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT)]
    hat = max(hats, key=lambda one: float(np.percentile(one[middle], 90)))
    ink = 255 - np.clip(hat / max(float(np.percentile(hat[middle], 95)), 1.0) * 255, 0, 255).astype(np.uint8)
    ink[~middle] = 255
    thin = cv2.dilate(ink, np.ones((5, 5), np.uint8))
    for picture, scale in ((ink, 0.6), (ink, 1.0), (thin, 0.6), (thin, 1.0)):
        sized = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        yield np.asarray(cv2.copyMakeBorder(sized, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255,)), dtype=np.uint8)
