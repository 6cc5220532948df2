"""Writes docs/europe.jpg, the printed board of the Europe home edition as the README shows it.

Usage: python docs/make_board.py
"""

from __future__ import annotations

from pathlib import Path

import cv2

from ontour_cv.maps.load import load_map
from ontour_cv.press.board import BoardLook, draw_board
from ontour_cv.press.design import load_design
from ontour_cv.press.raster import paint

PICTURE = Path(__file__).with_name("europe.jpg")
WIDTH = 1000


def main() -> None:
    """Write the picture: painted three times as large, then made small."""
    template = load_map("europe-home")
    board = paint(draw_board(template, load_design(template), BoardLook(), 376.0), 3 * WIDTH / 376)
    small = cv2.resize(board, (WIDTH, round(WIDTH * 0.7)), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(PICTURE), small, [cv2.IMWRITE_JPEG_QUALITY, 88])


if __name__ == "__main__":
    main()
