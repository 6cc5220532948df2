"""Training cells cut from whole rendered photos: fewer than patches, but with a whole photo's light and lens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.train.hands import PENS, Hands, with_pen
from ontour_cv.train.labels import label_of
from ontour_cv.train.lens import aimed
from ontour_cv.train.shards import GROUP, SHARD
from ontour_cv.vision.cells import crop_cell

SIZES = (800, 900, 1080, 1080, 1280, 1600)
"""Longer sides of the photos, pixels: cells are cut at 20 pixels a radius, so larger photos add little."""

WILD = 0.35
"""Share of writers with wild habits."""

AIMS = 2
"""Crops cut from each disc, aimed differently."""

LEAST_RADIUS_PX = 7.0
"""Discs smaller than this in the photo are left out: nobody could read them."""


def make_board_shard(
    seed: tuple[int, int], hands: Hands, template: MapTemplate, editions: list[Edition], count: int = SHARD,
    backgrounds: tuple[Path, ...] = (), own: float = 0.25, pens: float = PENS,
) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:  # fmt: skip
    """One shard of crops and label rows from rendered photos of all tiers; see ``train.shards.make_shard``."""
    rng = np.random.default_rng(seed)
    images: list[NDArray[np.uint8]] = []
    labels: list[NDArray[np.int8]] = []
    while len(images) < count:
        tier = str(rng.choice(["ordinary", "hard", "wild"], p=[0.35, 0.42, 0.23]))
        settings = Settings(tier=tier, long_side=int(rng.choice(SIZES)), jitter=0.4, backgrounds=backgrounds)
        board = sample_board(template, rng)
        writer = with_pen(sample_writer(rng, hands.pick(rng, own), wild=bool(rng.random() < WILD)), pens, rng)
        photo, truth = render(template, editions[int(rng.integers(len(editions)))], board, settings, rng, writer)
        good = [r for r, h in truth.hazards.items() if h.radius_px >= LEAST_RADIUS_PX and h.outside <= 0.3]
        if not good:
            continue
        for _ in range(AIMS):
            for region in rng.permutation(good * (1 + GROUP // len(good)))[:GROUP]:
                place = truth.cells[str(region)]
                images.append(crop_cell(photo, aimed(np.asarray(place.centre_photo), place.axes_photo, rng)))
                labels.append(label_of(board.marks[str(region)]))
    return np.stack(images[:count]), np.stack(labels[:count])
