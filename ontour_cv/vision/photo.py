"""File or bytes -> :class:`Photo`: every format a phone makes, upright, and a plain refusal of everything else."""

from __future__ import annotations

import io
import stat
import struct
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import BadPhoto
from ontour_cv.vision.overlay_tag import is_overlay

if TYPE_CHECKING:
    from PIL import Image

MAX_PIXELS_JPEG = 150_000_000
"""Larger JPEGs are refused by their header. Up to here they are decoded at half size or less, so memory stays small."""

MAX_PIXELS_OTHER = 64_000_000
"""The same for formats that must be decoded whole (PNG, WebP, HEIC): 64 MP take 256 MB on the way."""

FULL_PIXELS = 26_000_000
"""Pictures above this are reduced by whole factors: a disc is then still more than 50 px wide."""

MIN_SIDE_PX = 64
"""Below this a disc would be under two pixels wide."""

MAX_BYTES = 300_000_000
"""No photo is larger than this; a film or a disk image is."""

_USE_JPEG = "Save it as a JPEG or PNG picture and try again."
_AGAIN = "Copy or download the photo again; part of it is missing."

_SOF = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE = frozenset(range(0xD0, 0xD9)) | {0x01}


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture, upright by its EXIF orientation.

    Attributes:
        name: where it came from, for messages.
        bgr: ``(H, W, 3)`` uint8, blue-green-red, at full resolution.
    """

    name: str
    bgr: NDArray[np.uint8]


def load_photo(source: str | Path | bytes, name: str | None = None) -> Photo:
    """The picture in a file or in ``bytes``: upright, 8-bit colour, transparency laid on white.

    Args:
        source: path of a file, or the file's bytes.
        name: what to call it in messages; by default the path as given.

    Raises:
        BadPhoto: missing, unreadable, empty, truncated, too large or too small, not a picture at all, or an overlay
            that the program drew.
    """
    label = name if name is not None else ("photo" if isinstance(source, bytes) else str(source))
    data = source if isinstance(source, bytes) else _read(Path(source), label)
    if not data:
        raise BadPhoto(f"{label} is empty (zero bytes).", _AGAIN)
    if is_overlay(data):
        raise BadPhoto(f"{label} is an overlay that ontour-cv drew.", "Score the photo itself.")
    bgr = _decode_jpeg(data, label) if data[:2] == b"\xff\xd8" else _decode_other(data, label)
    if min(bgr.shape[:2]) < MIN_SIDE_PX:
        size = f"{bgr.shape[1]} x {bgr.shape[0]}"
        raise BadPhoto(f"{label} is only {size} pixels.", "Take a photo of the whole board at 1000 pixels or more.")
    return Photo(label, bgr)


def _read(path: Path, label: str) -> bytes:
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise BadPhoto(f"{label} is a folder, not a picture.", "Name the photos themselves.")
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode)):
            raise BadPhoto(f"{label} is a device, not a picture.", "Name the photos themselves.")
        data = b""
        if found.st_size <= MAX_BYTES:
            with path.open("rb") as file:  # a pipe tells no size, and may never end
                data = file.read((found.st_size or MAX_BYTES) + 1)
        if max(found.st_size, len(data)) > MAX_BYTES:
            raise BadPhoto(f"{label} is too large for a photo.", _USE_JPEG)
        return data
    except FileNotFoundError:
        raise BadPhoto(f"{label} does not exist.", "Check the file's name and folder.") from None
    except PermissionError:
        raise BadPhoto(f"{label} may not be read.", "Change the file's permissions and try again.") from None
    except (OSError, ValueError) as error:
        raise BadPhoto(f"{label} cannot be read: {error}.", "Check the file's name and folder.") from None


@dataclass(frozen=True, slots=True)
class _JpegHeader:
    """What the markers before the picture data say."""

    width: int
    height: int
    components: int
    bits: int
    data_start: int


def _jpeg_header(data: bytes) -> _JpegHeader | None:
    """Size and kind of a JPEG from its markers; None when the file ends before the picture data.

    Stray bytes between segments are passed over, as decoders do.
    """
    at, frame = 2, None
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            at = data.find(b"\xff", at)
            if at < 0:
                return None
            continue
        marker = data[at + 1]
        if marker == 0xFF or marker in _BARE:
            at += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if marker in _SOF and at + 10 <= len(data):
            bits, height, width, components = struct.unpack_from(">BHHB", data, at + 4)
            frame = (width, height, components, bits)
        at += 2 + length
        if marker == 0xDA:
            return _JpegHeader(*frame, data_start=at) if frame else None
    return None


def _decode_jpeg(data: bytes, label: str) -> NDArray[np.uint8]:
    """Fast way for JPEG: OpenCV, which also turns the picture upright.

    OpenCV fills what is missing from a truncated file with grey and says nothing, so the end-of-image marker is
    looked for first. It comes after the picture data starts, since thumbnails lie before; phones append films and gain
    maps after it. Looked for from the end, a photo without those is not searched through.
    """
    header = _jpeg_header(data)
    if header is None or data.rfind(b"\xff\xd9", header.data_start) < 0:
        raise BadPhoto(f"{label} is damaged: the JPEG ends too early.", _AGAIN)
    pixels = header.width * header.height
    if pixels > MAX_PIXELS_JPEG:
        raise _too_large(label, header.width, header.height)
    if header.components not in (1, 3) or header.bits != 8:
        return _decode_other(data, label)
    mode = cv2.IMREAD_COLOR
    if pixels > 4 * FULL_PIXELS:
        mode = cv2.IMREAD_REDUCED_COLOR_4
    elif pixels > FULL_PIXELS:
        mode = cv2.IMREAD_REDUCED_COLOR_2
    try:
        bgr = cv2.imdecode(np.frombuffer(data, np.uint8), mode)
    except cv2.error:
        bgr = None
    if bgr is None:
        raise BadPhoto(f"{label} is damaged: the JPEG cannot be decoded.", _AGAIN)
    return np.asarray(bgr, dtype=np.uint8)


def _decode_other(data: bytes, label: str) -> NDArray[np.uint8]:
    """Everything but plain JPEG, by Pillow."""
    from PIL import Image, UnidentifiedImageError

    if data[4:8] == b"ftyp":
        _register_heif(label)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(data)) as image:
                width, height = image.size
                if width * height > MAX_PIXELS_OTHER:
                    raise _too_large(label, width, height)
                image.load()
                return _to_bgr(image)
        except BadPhoto:
            raise
        except Image.DecompressionBombError:
            raise BadPhoto(f"{label} has too many pixels.", "Save it at 8000 x 6000 pixels or less.") from None
        except UnidentifiedImageError:
            raise BadPhoto(f"{label} is not a picture of a known kind.", _USE_JPEG) from None
        except Exception as error:  # damaged files make decoders raise almost anything
            raise BadPhoto(f"{label} is damaged: {_plain(error)}.", _AGAIN) from None


def _register_heif(label: str) -> None:
    try:
        from pillow_heif import register_heif_opener
    except ImportError:
        raise BadPhoto(f"{label} is a HEIC picture, and pillow-heif is not installed.", _USE_JPEG) from None
    register_heif_opener()


def _to_bgr(image: Image.Image) -> NDArray[np.uint8]:
    """Any Pillow picture as upright 8-bit blue-green-red, transparent parts white."""
    from PIL import Image, ImageOps

    if image.width * image.height > FULL_PIXELS and image.mode in {"L", "RGB", "RGBA", "CMYK"}:
        image = image.reduce(2)
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith(("I", "F")):
        image = Image.fromarray(_to_8_bit(np.asarray(image)))
    if image.mode in {"LA", "PA", "RGBA", "La", "RGBa"} or "transparency" in image.info:
        rgba = image.convert("RGBA")
        white = Image.new("RGBA", rgba.size, (255, 255, 255, 255))
        image = Image.alpha_composite(white, rgba)
    rgb = np.asarray(image.convert("RGB"))
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _to_8_bit(values: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Grey values of 16 or 32 bits as 0-255; integers by their nominal range, floats by their own, with 0 in it."""
    grey = values.astype(np.float32)
    low, top = 0.0, float(grey.max(initial=0.0))
    if np.issubdtype(values.dtype, np.floating):
        real = grey[np.isfinite(grey)]
        low, top = min(0.0, float(real.min(initial=0.0))), float(real.max(initial=0.0))
        grey = np.nan_to_num(grey, nan=low, posinf=top, neginf=low)
        top = top if top > low else low + 1.0
    else:
        top = 255.0 if top <= 255 else 65535.0 if top <= 65535 else top
    return np.asarray(np.clip((grey - low) * (255.0 / (top - low)), 0, 255).round(), dtype=np.uint8)


def _too_large(label: str, width: int, height: int) -> BadPhoto:
    megapixels = round(width * height / 1e6)
    return BadPhoto(
        f"{label} is too large: {width} x {height} pixels ({megapixels} megapixels).",
        "Save it at 8000 x 6000 pixels or less, or crop it to the board.",
    )


def _plain(error: Exception) -> str:
    """One short line for an error of a decoder."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:120].rstrip(".")
