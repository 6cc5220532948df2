"""What is seen along a link: lines of ink by their colour, and nothing of the print."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from ontour_cv.vision.drawn_lines import FEATURES, PER_INK, PLANES, view_links
from ontour_cv.vision.drawn_strips import ACROSS, ALONG, WITHIN, LinkStrips

COUNT, DRAWN = 20, 5
MIDDLE = ACROSS // 2
RED = (30, 30, 190)
ANY, MARKS, PEN = range(3)
MEAN, WORST, GAP = 1, 5, 6


def corridors(ink: tuple[int, int, int] = RED, bulge: float = 0.0, alpha: float = 1.0) -> LinkStrips:
    """Twenty corridors on grounds of their own, white dots down each; the first five with a line three samples wide."""
    rng = np.random.default_rng(4)
    images = np.repeat(rng.integers(90, 200, (COUNT, 1, 1, 3)), ALONG, axis=1).repeat(ACROSS, axis=2).astype(np.float64)
    images[:, ::4, MIDDLE] = 250
    for row in range(ALONG):
        across = round(MIDDLE + bulge * np.sin(np.pi * row / (ALONG - 1)))
        line = images[:DRAWN, row, across - 1 : across + 2]
        line += alpha * (np.array(ink) - line)
    links = tuple((f"{k}a", f"{k}b") for k in range(COUNT))
    paper, marks = np.full((COUNT, 3), 240.0), np.array([0.1, 0.1, 0.1])
    return LinkStrips(links, images.astype(np.uint8), np.tile([4.0, 0.0], (COUNT, 1)), paper, marks)


def of_ink(features: NDArray[np.float32], ink: int, what: int) -> NDArray[np.float32]:
    return features[:, ink * PER_INK + what]


def test_a_line_is_seen_and_the_print_is_not() -> None:
    view = view_links(corridors())
    assert view.planes.shape == (COUNT, PLANES, ALONG, ACROSS)
    assert view.features.shape == (COUNT, FEATURES)
    assert view.planes[:DRAWN, PEN, WITHIN:-WITHIN, MIDDLE].min() > 0.7
    assert view.planes[DRAWN:, [ANY, MARKS, PEN]].max() < 0.1


def test_the_pen_is_found_by_what_most_lines_share_whatever_the_ink_of_the_marks() -> None:
    view = view_links(corridors())
    assert of_ink(view.features, PEN, MEAN)[:DRAWN].min() > 0.7
    assert of_ink(view.features, PEN, MEAN)[:DRAWN].min() > 2 * of_ink(view.features, MARKS, MEAN)[:DRAWN].max()
    black = view_links(corridors((24, 24, 24)))
    assert of_ink(black.features, MARKS, MEAN)[:DRAWN].min() > 0.7


@pytest.mark.parametrize("bulge", [-6.0, 3.0, 8.0])
def test_a_line_that_bulges_is_followed(bulge: float) -> None:
    """Up to nearly a disc radius off the straight way."""
    view = view_links(corridors(bulge=bulge))
    assert of_ink(view.features, PEN, WORST)[:DRAWN].min() > 0.5
    assert of_ink(view.features, PEN, GAP)[:DRAWN].max() == 0


def test_a_broken_line_has_a_gap_of_its_length() -> None:
    """Sixteen of 44 samples between discs four radii apart: eight tenths of a radius."""
    whole = corridors()
    images = whole.images.copy()
    images[0, 22:38] = images[0, 22, 0]
    view = view_links(replace(whole, images=images))
    assert of_ink(view.features, PEN, GAP)[0] == pytest.approx(0.8, abs=0.1)
    assert of_ink(view.features, PEN, WORST)[0] < 0.1


def test_pale_ink_covers_as_much_as_it_does() -> None:
    """Half wiped out on two links, plain on the others: alpha says which."""
    pale, plain = corridors(alpha=0.5).images, corridors().images
    images = np.concatenate([plain[: DRAWN - 2], pale[DRAWN - 2 :]])
    alpha = of_ink(view_links(replace(corridors(), images=images)).features, PEN, MEAN)
    assert alpha[: DRAWN - 2].min() > 0.7
    assert 0.25 < alpha[DRAWN - 2 : DRAWN].min() < 0.65


def test_exposure_drops_out() -> None:
    strips = corridors()
    dark = replace(strips, images=(strips.images // 2), paper=strips.paper / 2)
    one, other = view_links(strips), view_links(dark)
    assert one.planes == pytest.approx(other.planes, abs=0.06)
    assert one.features == pytest.approx(other.features, abs=0.06)


def test_a_border_of_the_art_along_a_link_is_no_line() -> None:
    """One side of a corridor darker than the other, even by much."""
    strips = corridors()
    images = strips.images.copy()
    images[-1, :, : MIDDLE + 2] = 40
    assert of_ink(view_links(replace(strips, images=images)).features, PEN, MEAN)[-1] < 0.1
