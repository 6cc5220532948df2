"""A card, a cloth or a coin on a fixture's board: what stands below is never read with confidence."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.prior import prior_of
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.photo import Photo, load_photo
from ontour_cv.vision.read import Reading, read_board

PHOTO = Path(__file__).parents[1] / "fixtures" / "photos" / "01-plain.jpg"
Picture = NDArray[np.uint8]
Lay = Callable[[Picture, NDArray[np.float64], float], None]


@cache
def reader() -> MarkReader:
    return MarkReader()


def read(picture: Picture) -> Reading:
    prior = prior_of(RULESETS[load_map("usa").rules])
    return read_board(Photo("board", picture), load_editions("usa"), reader(), prior)


@cache
def bare() -> Reading:
    return read(load_photo(PHOTO).bgr)


def rectangle(
    picture: Picture, at: NDArray[np.float64], sides: tuple[float, float], colour: tuple[int, int, int]
) -> None:
    angle = np.deg2rad(20)
    along = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) * np.array(sides)[:, None]
    corners = [at + a * along[0] + b * along[1] for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
    cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], colour, cv2.LINE_AA)


def card(picture: Picture, at: NDArray[np.float64], radius: float) -> None:
    """White, with a round picture of about a disc's size where a disc lies."""
    rectangle(picture, at, (5.2 * radius, 7.6 * radius), (240, 244, 246))
    cv2.circle(picture, np.round(at).astype(int).tolist(), round(0.9 * radius), (60, 60, 200), -1, cv2.LINE_AA)


def back_of_a_card(picture: Picture, at: NDArray[np.float64], radius: float) -> None:
    rectangle(picture, at, (5.2 * radius, 7.6 * radius), (150, 90, 60))


def cloth(picture: Picture, at: NDArray[np.float64], radius: float) -> None:
    rectangle(picture, at, (6.0 * radius, 5.0 * radius), (225, 238, 242))


def coin(picture: Picture, at: NDArray[np.float64], radius: float) -> None:
    middle = np.round(at).astype(int).tolist()
    for share, colour in ((1.3, (90, 160, 190)), (1.0, (75, 140, 170)), (0.95, (90, 160, 190))):
        cv2.circle(picture, middle, round(share * radius), colour, -1, cv2.LINE_AA)


@pytest.mark.parametrize("lay", [card, back_of_a_card, cloth, coin])
@pytest.mark.parametrize("state", ["WI", "VA"])
def test_what_something_lies_on_is_in_doubt_and_the_rest_is_read(lay: Lay, state: str) -> None:
    places = bare().placement.cells
    centres = {cell: np.array(place.centre_photo) for cell, place in places.items()}
    radius = float(np.median([np.sqrt(abs(np.linalg.det(place.axes_photo))) for place in places.values()]))
    picture = load_photo(PHOTO).bgr.copy()
    before = picture.copy()
    lay(picture, centres[state], radius)
    covered = {}
    for cell, at in centres.items():
        disc = np.zeros(picture.shape[:2], np.uint8)
        cv2.circle(disc, np.round(at).astype(int).tolist(), round(0.75 * radius), 1, -1)
        covered[cell] = float((picture != before).any(axis=2)[disc == 1].mean())
    found = read(picture).decoded
    assert {cell for cell, share in covered.items() if share > 0.8} <= set(found.uncertain)
    for cell, share in covered.items():
        if share == 0.0 and cell not in found.uncertain:
            assert found.cells[cell].mark == bare().decoded.cells[cell].mark
