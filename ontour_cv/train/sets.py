"""Whole boards of cells by unseen writers, as users photograph them: what probabilities are calibrated on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.train.boards import LEAST_RADIUS_PX, SIZES
from ontour_cv.train.hands import Hands
from ontour_cv.train.labels import label_of
from ontour_cv.train.lens import aimed
from ontour_cv.vision.cells import crop_cell


def save_sets(path: Path, boards: list[tuple[NDArray[np.uint8], NDArray[np.int8]]]) -> None:
    """Writes boards as made by :func:`make_board_set` to one ``.npz``; it appears under its name when it is whole."""
    part = path.with_suffix(".part.npz")
    np.savez(part, images=np.stack([b[0] for b in boards]), labels=np.stack([b[1] for b in boards]))
    part.rename(path)


def make_board_set(
    seed: tuple[int, int], hands: Hands, template: MapTemplate, editions: list[Edition],
    backgrounds: tuple[Path, ...] = (), own: float = 0.0,
) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:  # fmt: skip
    """The cells of one rendered photo: crops ``(N, 64, 64, 3)`` and labels ``(N, 4)``, in the map's order.

    A cell too small or too far outside to be read keeps its place with label -1 throughout.
    """
    rng = np.random.default_rng(seed)
    tier = str(rng.choice(["ordinary", "hard"]))
    settings = Settings(tier=tier, long_side=int(rng.choice(SIZES)), jitter=0.4, backgrounds=backgrounds)
    board = sample_board(template, rng)
    writer = sample_writer(rng, hands.pick(rng, own))
    photo, truth = render(template, editions[int(rng.integers(len(editions)))], board, settings, rng, writer)
    images, labels = [], []
    for region, place in truth.cells.items():
        hazard = truth.hazards[region]
        images.append(crop_cell(photo, aimed(np.asarray(place.centre_photo), place.axes_photo, rng)))
        good = hazard.radius_px >= LEAST_RADIUS_PX and hazard.outside <= 0.3
        labels.append(label_of(board.marks[region]) if good else np.full(4, -1, np.int8))
    return np.stack(images), np.stack(labels)
