"""The network that looks for discs: where its answers lie, and what does not matter to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ontour_cv.errors import BadTemplate
from ontour_cv.vision.disc_net import SIDE, DiscNet, disc_net, inputs, places
from ontour_cv.vision.rings import STEP


def window(x: float, y: float, ring: bool = False) -> np.ndarray:
    """A pale disc on darker ground, its centre ``x, y`` radii from the middle; with a number, and a ring, in black."""
    import cv2

    picture = np.full((SIDE * 8, SIDE * 8, 3), (120, 150, 110), dtype=np.uint8)
    at = (round((x * STEP + SIDE / 2) * 8), round((y * STEP + SIDE / 2) * 8))
    cv2.circle(picture, at, round(8 * STEP), (235, 240, 240), -1)
    cv2.putText(picture, "47", (at[0] - 50, at[1] + 30), cv2.FONT_HERSHEY_SIMPLEX, 2.4, (30, 20, 20), 12)
    if ring:
        cv2.ellipse(picture, at, (round(8.4 * STEP), round(7.2 * STEP)), 20, 0, 360, (30, 20, 20), 16)
    return np.asarray(cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def test_places_lie_evenly_round_the_middle() -> None:
    at = places()
    assert at == pytest.approx(-at[::-1, ::-1])
    assert np.diff(at[0, :, 0]) == pytest.approx(2 / STEP)


def test_light_and_contrast_do_not_matter() -> None:
    plain = window(0.3, 0.1)
    dim = np.round(plain * 0.5 + 20).astype(np.uint8)
    assert inputs(dim[None]) == pytest.approx(inputs(plain[None]), abs=0.06)


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (0.8, -0.3), (-0.5, 0.9)])
def test_a_disc_is_found_where_it_is(x: float, y: float, ring: bool) -> None:
    """Up to a disc's radius away, and with a ring drawn over its rim."""
    (answer,) = disc_net().log_likelihood(window(x, y, ring)[None])
    near = np.hypot(places()[..., 0], places()[..., 1]) < 1.6
    best = places()[np.unravel_index(np.where(near, answer, -np.inf).argmax(), answer.shape)]
    assert best == pytest.approx([x, y], abs=0.25)


def test_a_damaged_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "discs.json").write_text("{}")
    with pytest.raises(BadTemplate, match="cannot be loaded"):
        DiscNet(tmp_path)
