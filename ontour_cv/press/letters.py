"""The typeface of boards and cards: Aileron Regular (CC0), which Pillow carries within itself; bold is a wider pen.

Text with letters that Aileron's subset lacks is set in Bitstream Vera, which comes with reportlab.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from io import BytesIO
from pathlib import Path

from PIL import ImageFont

from ontour_cv.errors import BadTemplate

_EM = 1000


def typeface(text: str) -> str:
    """Name of the face ``text`` is set in: ``"Aileron"`` or ``"Vera"``."""
    return "Aileron" if text.isascii() else "Vera"


def printable(text: str) -> str:
    """The text in letters that its face has: a letter that it lacks becomes the one under its accents.

    Raises:
        BadTemplate: there is no such letter.
    """
    return text if text.isascii() else _in_vera(text)


@cache
def _in_vera(text: str) -> str:
    known = _vera_letters()
    words, missing = "", ""
    for letter in unicodedata.normalize("NFC", text):
        bare = [part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part)]
        if ord(letter) in known:
            words += letter
        elif all(ord(part) in known for part in bare):
            words += "".join(bare)
        elif letter not in missing:
            missing += letter
    if missing:
        message = f"{text!r} cannot be printed: the typefaces of boards and cards lack {' '.join(missing)}"
        raise BadTemplate(message, "Write it in Latin letters in the map's file.")
    return words


@cache
def _vera_letters() -> frozenset[int]:
    from reportlab.pdfbase.ttfonts import TTFont

    return frozenset(TTFont("Vera", BytesIO(face_bytes("Vera"))).face.charToGlyph)


@cache
def face_bytes(face: str) -> bytes:
    """The face as a TrueType file; ``ValueError`` when this Pillow brings none."""
    if face == "Vera":
        import reportlab

        return (Path(reportlab.__file__).parent / "fonts" / "Vera.ttf").read_bytes()
    font = ImageFont.load_default(_EM)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise ValueError("this Pillow was built without FreeType")
    return bytes(font.font_bytes)


@cache
def font_at(face: str, em: float) -> ImageFont.FreeTypeFont:
    """The face for Pillow, ``em`` pixels high."""
    return ImageFont.truetype(BytesIO(face_bytes(face)), em)


@cache
def em_size(face: str) -> float:
    """Size of the face in which a capital is 1 high."""
    _, top, _, bottom = font_at(face, _EM).getbbox("H", anchor="ls")
    return _EM / (bottom - top)


def text_width(text: str, size: float, weight: float = 0.0) -> float:
    """Width of a line whose capitals are ``size`` high, in the same unit."""
    text = printable(text)
    face = typeface(text)
    return float(font_at(face, _EM).getlength(text)) / _EM * em_size(face) * size + weight * size


def break_lines(text: str, size: float, width: float) -> list[str]:
    """The text in lines no wider than ``width``, broken at blanks; a single word may be wider."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def shorten(text: str, size: float, width: float, weight: float = 0.0) -> str:
    """The text, or as much of its beginning as is no wider than ``width`` with three dots behind it."""
    if text_width(text, size, weight) <= width:
        return text
    while text and text_width(f"{text}...", size, weight) > width:
        text = text[:-1].rstrip()
    return f"{text}..."


def fitted_lines(text: str, size: float, width: float, most: int) -> list[str]:
    """At most so many lines, none wider than ``width``: what has no room ends in three dots."""
    lines = break_lines(text, size, width)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [shorten(line, size, width) for line in lines]
