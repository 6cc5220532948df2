"""What outlines say about the size of a print's discs."""

from __future__ import annotations

import numpy as np
import pytest

from ontour_cv.vision.measure import LEAST_OUTLINES, common_size


@pytest.mark.parametrize("size", [0.75, 1.0, 1.35])
def test_outlines_that_agree_are_the_discs(size: float) -> None:
    """Discs of another edition are a quarter smaller or a third larger."""
    sizes = size * np.exp(np.random.default_rng(0).normal(0, 0.02, 30))
    assert common_size(sizes) == pytest.approx(size, rel=0.02)


def test_outlines_of_printed_labels_are_no_discs() -> None:
    """Coloured abbreviations on white discs are all half a disc wide; cells cut to them hold no mark whole."""
    assert common_size(np.full(30, 0.52)) == 1.0


def test_few_or_unlike_outlines_say_nothing() -> None:
    """Stray shapes do not change how cells are cut."""
    assert common_size(np.full(LEAST_OUTLINES - 1, 0.8)) == 1.0
    assert common_size(np.linspace(0.7, 1.4, 30)) == 1.0
