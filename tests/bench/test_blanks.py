"""Published boards written on by the program: the straightened blank fits its edition, the page its figures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from bench.blanks import PAGE, page, straightened
from bench.photos import Studio
from bench.rows import RESULTS, read_rows
from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.synth.photograph import Settings, render, render_blank
from ontour_cv.synth.play import sample_board


def test_a_blank_board_is_straightened_onto_its_edition(tmp_path: Path) -> None:
    """Photographed askew and straightened, its discs lie where the edition says; what is written then is the truth."""
    studio = Studio(1)
    edition = studio.editions[0]
    empty = BoardState({region: Mark(Kind.EMPTY) for region in studio.template.ids})
    settings = Settings(tier="ordinary", long_side=1800, jitter=0.0, notes=0.0)
    image, truth = render(studio.template, edition, empty, settings, np.random.default_rng(5))
    cv2.imwrite(str(tmp_path / "blank.png"), image)
    blank = straightened(studio, edition.name, str(tmp_path / "blank.png"))
    scale = blank.picture.shape[1] / (1 + blank.margins[0] + blank.margins[2])
    radius = edition.radius * scale
    for region, (x, y) in edition.cells.items():
        at = np.round((np.array([x, y]) + blank.margins[:2]) * scale - 0.5).astype(int)
        flat = np.array(truth.cells[region].centre_photo)
        wanted = cv2.getRectSubPix(image, (3, 3), (float(flat[0]), float(flat[1]))).mean(axis=(0, 1))
        half = max(1, round(0.1 * radius))
        got = blank.picture[at[1] - half : at[1] + half + 1, at[0] - half : at[0] + half + 1].mean(axis=(0, 1))
        assert np.abs(got - wanted).max() < 60, region
    board = sample_board(studio.template, np.random.default_rng(6))
    _, again = render_blank(studio.template, blank, board, Settings("ordinary", 1200), np.random.default_rng(7))
    assert again.edition == edition.name
    assert again.board == board


def test_the_page_says_what_was_measured() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(read_rows(RESULTS / "blanks.jsonl"))
