"""Writes docs/ask.svg, a question of ``ontour-cv score --ask`` as the README shows it: a fixture photo's, word by word.

Usage: python docs/make_ask.py
"""

from __future__ import annotations

import io
import sys
from base64 import b64encode
from html import escape
from pathlib import Path

import cv2
from rich.console import Console

from ontour_cv.cli.blocks import UPPER
from ontour_cv.cli.score_ask import ask, question_of
from ontour_cv.scorer.closeup import closeup
from ontour_cv.scorer.score import score_photo

PICTURE = Path(__file__).with_name("ask.svg")
PHOTO = Path(__file__).parents[1] / "tests" / "fixtures" / "photos" / "21-unknown-edition.heic"
NAME, REGION, REPLY = "your-board.heic", "NM", "a"
WIDE, HIGH, COLUMNS, ROOM = 10, 20, 62, 14
PAPER, INK = "#1b1f24", "#e6e6e6"


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(screen(), encoding="utf-8")


def screen() -> str:
    """The question, its picture, and what was typed, as SVG."""
    report = score_photo(PHOTO, "usa")
    console = Console(
        file=io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), force_terminal=True, color_system="truecolor",
        width=COLUMNS, record=True, highlight=False,
    )  # fmt: skip
    before, sys.stdin = sys.stdin, io.StringIO(f"{REPLY}\n")
    try:
        ask(report, question_of(report, REGION), console, lambda _: report)
    finally:
        sys.stdin = before
    lines = console.export_text().strip("\n").replace(str(PHOTO), NAME).splitlines()
    lines[-1] = f"{lines[-1].rstrip()} {REPLY}"
    crop = closeup(report.reading, REGION)
    assert crop is not None
    return _svg(lines, b64encode(cv2.imencode(".png", crop)[1].tobytes()).decode())


def _svg(lines: list[str], crop: str) -> str:
    """Lines of text; those of half blocks are one picture, which needs no font."""
    width, height = COLUMNS * WIDE + 2 * ROOM, len(lines) * HIGH + 2 * ROOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="16">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
    ]
    rows = [k for k, line in enumerate(lines) if line.startswith(UPPER)]
    parts.append(
        f'<image x="{ROOM}" y="{ROOM + rows[0] * HIGH}" width="{len(lines[rows[0]].rstrip()) * WIDE}" '
        f'height="{len(rows) * HIGH}" preserveAspectRatio="none" style="image-rendering:pixelated" '
        f'href="data:image/png;base64,{crop}"/>'
    )
    for k, line in enumerate(lines):
        if k not in rows and line.strip():
            start = len(line) - len(line.lstrip())
            words = line.strip()
            parts.append(
                f'<text x="{ROOM + start * WIDE}" y="{ROOM + k * HIGH + 15}" fill="{INK}" xml:space="preserve" '
                f'textLength="{len(words) * WIDE}">{escape(words)}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    main()
