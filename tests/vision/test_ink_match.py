"""match_heaps: a board is laid by what is written in its discs: the right design, at a slant, too; or none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from sheets import Sheet, pose, project, shoot

from ontour_cv.geometry import Homography
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions
from ontour_cv.vision import ink_match
from ontour_cv.vision.designs import alike, mean_board
from ontour_cv.vision.heaps import leaning
from ontour_cv.vision.ink_match import INK_LOG_ODDS, LEANING, Written, match_heaps
from ontour_cv.vision.landmarks import Candidates, find_discs
from ontour_cv.vision.photo import Photo

cv2.setNumThreads(1)

USA = next(edition for edition in load_editions("usa") if edition.name == "2019")
EUROPE = load_editions("europe-home")[0]
PAPER = (250, 250, 250)
SIZE = (1280, 960)


def written_on(edition: Edition, tilt: float, marks: bool = True) -> tuple[Candidates, np.ndarray, Sheet]:
    """Outlines in a photo of a white sheet with numbers and no discs, and the sheet's homography."""
    sheet = Sheet(edition.cells, edition.radius, art=False, disc=PAPER, ring=PAPER, marks=marks)
    matrix = pose(sheet, SIZE, tilt, 75, 160)
    photo, _, _ = shoot(sheet, matrix, SIZE, 4)
    return find_discs(Photo("test", photo)), matrix, sheet


def off(found: Written, matrix: np.ndarray, sheet: Sheet) -> float:
    """Median distance of the discs laid from the true ones, pixels."""
    board = mean_board(found.group)
    places = Homography(found.match.homography, "board", "photo").apply(board)
    return float(np.median(np.hypot(*(places - project(matrix, board * sheet.width)).T)))


@pytest.mark.parametrize("edition", [USA, EUROPE], ids=["usa", "europe"])
def test_of_two_designs_the_one_written_on_is_laid(edition: Edition) -> None:
    outlines, matrix, sheet = written_on(edition, 15)
    found = match_heaps(outlines, alike([USA, EUROPE]), SIZE)
    assert found is not None
    assert found.group[0].map == edition.map
    assert found.match.log_odds >= INK_LOG_ODDS
    assert off(found, matrix, sheet) < 8  # discs have a radius of some 20


def test_a_board_at_a_slant_is_found_though_no_ellipse_tells_it() -> None:
    outlines, matrix, sheet = written_on(USA, 42)
    found = match_heaps(replace(outlines, shapes=np.full_like(outlines.shapes, np.nan)), alike([USA]), SIZE)
    assert found is not None
    assert off(found, matrix, sheet) < 8


@pytest.mark.parametrize(("bar", "slanted"), [(INK_LOG_ODDS, False), (1e9, True)])
def test_the_likeliest_are_tried_at_a_slant_when_none_is_believed(
    bar: float, slanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    outlines, _, _ = written_on(USA, 15)
    tried: list[Candidates] = []

    def watched(heaps: Candidates) -> Iterator[Candidates]:
        for slant in leaning(heaps):
            tried.append(slant)
            yield slant

    monkeypatch.setattr(ink_match, "INK_LOG_ODDS", bar)
    monkeypatch.setattr(ink_match, "leaning", watched)
    assert (match_heaps(outlines, alike([USA]), SIZE) is None) == slanted
    assert bool(tried) == slanted
    assert len(tried) % 4 == 0
    assert len(tried) <= 4 * LEANING


def test_a_sheet_nobody_wrote_on_is_no_board() -> None:
    outlines, _, _ = written_on(USA, 15, marks=False)
    assert match_heaps(outlines, alike([USA, EUROPE]), SIZE) is None
