"""A board that another program printed from the PDF is found where it lies, by its own calibration."""

from __future__ import annotations

import numpy as np
import pytest

from bench.printed import rasterised
from ontour_cv.maps.load import load_map
from ontour_cv.press.design import load_design
from ontour_cv.scorer.score import AUTO, read_photo
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import make_print
from ontour_cv.vision.photo import Photo


@pytest.mark.parametrize(("map_id", "lineart"), [("europe-home", False), ("usa", True)])
def test_a_rasterised_pdf_is_located_and_read(map_id: str, lineart: bool) -> None:
    sheet = rasterised(map_id, lineart)
    rng = np.random.default_rng([3, len(map_id)])
    board = sample_board(sheet.template, rng)
    image, truth = render_print(sheet, board, Settings("ordinary", 1600), rng)
    reading = read_photo(Photo("printed", image), AUTO)
    assert reading.placement.edition.map == map_id
    assert reading.placement.edition.name == "own"
    for region, place in truth.cells.items():
        off = np.array(reading.placement.cells[region].centre_photo) - place.centre_photo
        assert np.linalg.norm(np.linalg.solve(place.axes_photo, off)) < 0.25, region
    wrong = [r for r, cell in reading.decoded.cells.items() if cell.mark != board.marks[r] and not cell.doubtful]
    assert wrong == []


def test_the_raster_backend_draws_what_the_pdf_draws() -> None:
    """Two independent programs make nearly the same picture of one drawing."""
    paper = rasterised("usa", False).picture
    template = load_map("usa")
    own = make_print(template, load_design(template), width_px=paper.shape[1]).picture
    height = min(own.shape[0], paper.shape[0])
    step = np.abs(own[:height].astype(int) - paper[:height])
    assert step.mean() < 6
    assert abs(own.shape[0] - paper.shape[0]) <= 2
