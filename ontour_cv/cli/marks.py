"""Marks in words, as tables and questions have them."""

from __future__ import annotations

from ontour_cv.board import Kind, Mark


def say(mark: Mark) -> str:
    """A mark in a word: ``31``, ``31 circled``, ``star``, ``X``, ``empty``, ``unread``."""
    words = {Kind.EMPTY: "empty", Kind.STAR: "star", Kind.BLOCKED: "X", Kind.UNREAD: "unread"}
    word = words.get(mark.kind) or f"{mark.number:02d}"
    return word + (" circled" if mark.circled else "")
