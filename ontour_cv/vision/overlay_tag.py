"""The tag in every overlay that the program writes: a drawn route is no board, and scoring it would make one of it."""

from __future__ import annotations

import struct
import zlib

TAG = b"Overlay drawn by ontour-cv"
"""Stands uncompressed in the file: as a comment in a JPEG, a text in a PNG, a part of its own in a WebP."""

_PNG_START = 8 + 25
"""Bytes of a PNG's signature and first chunk."""


def tag_overlay(data: bytes) -> bytes:
    """An encoded JPEG, PNG or WebP picture with the tag in it; its pixels stay as they are. Other kinds stay, too."""
    if data.startswith(b"\xff\xd8"):
        first = 4 + int.from_bytes(data[4:6], "big")  # where the JFIF header ends: it has to come first
        return data[:first] + b"\xff\xfe" + struct.pack(">H", 2 + len(TAG)) + TAG + data[first:]
    if data.startswith(b"\x89PNG"):
        text = b"tEXtSoftware\0" + TAG
        chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
        return data[:_PNG_START] + chunk + data[_PNG_START:]
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        body = data[8:] + b"ocvO" + struct.pack("<I", len(TAG)) + TAG + b"\0" * (len(TAG) % 2)
        return b"RIFF" + struct.pack("<I", len(body)) + body
    return data


def is_overlay(data: bytes) -> bool:
    """Whether a file's bytes are an overlay that the program wrote."""
    return TAG in data
