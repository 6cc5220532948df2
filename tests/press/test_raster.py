"""A drawing as pixels: lines and fills are as large as they are said to be, at any angle and any size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontour_cv.press.drawing import Circle, Drawing, Pen, Shape
from ontour_cv.press.raster import paint

BLACK = (0, 0, 0)


def darkness(drawing: Drawing, px_per_mm: float) -> float:
    """Covered area in square millimetres."""
    return float((255.0 - paint(drawing, px_per_mm)[..., 0]).sum() / 255 / px_per_mm**2)


@settings(max_examples=60, deadline=None)
@given(st.floats(0.15, 1.5), st.floats(0, np.pi), st.sampled_from([6.0, 15.0, 30.0]))
def test_a_line_covers_its_length_times_its_width(width: float, angle: float, px_per_mm: float) -> None:
    along = 8 * np.array([np.cos(angle), np.sin(angle)])
    ends = (tuple(10 - along), tuple(10 + along))
    area = darkness(Drawing(20, 20, (Shape((ends,), None, Pen(BLACK, width), False),)), px_per_mm)
    assert area == pytest.approx(16 * width + np.pi * width**2 / 4, rel=0.06, abs=0.1)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.3, 8), st.sampled_from([6.0, 15.0]))
def test_a_circle_covers_its_area(radius: float, px_per_mm: float) -> None:
    area = darkness(Drawing(20, 20, (Circle((10.0, 10.0), radius, BLACK, None),)), px_per_mm)
    assert np.sqrt(area / np.pi) == pytest.approx(radius, abs=0.1 / px_per_mm * 2 + 0.01 * radius)


def test_a_ring_is_as_wide_as_its_pen() -> None:
    ring = Drawing(20, 20, (Circle((10.0, 10.0), 6.0, None, Pen(BLACK, 0.3)),))
    assert darkness(ring, 15) / (12 * np.pi) == pytest.approx(0.3, rel=0.05)


def test_what_lies_outside_is_lost_and_nothing_else() -> None:
    line = Shape((((-5.0, 5.0), (25.0, 5.0)),), None, Pen(BLACK, 1.0), False)
    far = Shape((((-5.0, -5.0), (-9.0, -9.0)),), BLACK, Pen(BLACK, 1.0), False)
    assert darkness(Drawing(20, 10, (line, far)), 10) == pytest.approx(20, rel=0.02)
