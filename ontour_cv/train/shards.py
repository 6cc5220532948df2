"""Writes training cells to disk in shards, each from its own seed, so that any shard can be made again alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.strokes import sample_writer
from ontour_cv.train.hands import PENS, Hands, with_pen
from ontour_cv.train.labels import label_of
from ontour_cv.train.lens import snap
from ontour_cv.train.patches import Shop, draw_patch, random_mark
from ontour_cv.train.style import board_style

SHARD = 8192
"""Cells in a shard."""

WILD = 0.4
"""Share of writers with wild habits."""

GROUP = 32
"""Cells of one board, side by side in a shard: one writer, one edition."""


def make_shard(
    seed: tuple[int, int], hands: Hands, shop: Shop, count: int = SHARD, own: float = 0.3, pens: float = PENS
) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """One shard: crops ``(count, 64, 64, 3)`` uint8 BGR and label rows ``(count, 4)`` int8; same seed, same shard.

    Every ``GROUP`` cells are by one writer on one imaginary edition.
    """
    rng = np.random.default_rng(seed)
    images: list[NDArray[np.uint8]] = []
    labels: list[NDArray[np.int8]] = []
    while len(images) < count:
        writer = with_pen(sample_writer(rng, hands.pick(rng, own), wild=bool(rng.random() < WILD)), pens, rng)
        style = board_style(rng)
        for _ in range(GROUP):
            mark = random_mark(rng)
            images.append(draw_patch(mark, writer, style, shop, rng, snap))
            labels.append(label_of(mark))
    return np.stack(images[:count]), np.stack(labels[:count])


def save_shard(path: Path, images: NDArray[np.uint8], labels: NDArray[np.int8]) -> None:
    """Writes ``path`` (images) and its label file; the images appear last and whole, for a reader that waits."""
    np.save(path.with_suffix(".labels.npy"), labels)
    part = path.with_suffix(".part.npy")
    np.save(part, images)
    part.rename(path)


def load_shard(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """A shard as whole boards: crops ``(B, GROUP, 64, 64, 3)``, left on disk, and labels ``(B, GROUP, 4)``."""
    images, labels = np.load(path, mmap_mode="c"), np.load(path.with_suffix(".labels.npy"))
    return images.reshape(-1, GROUP, *images.shape[1:]), labels.reshape(-1, GROUP, labels.shape[1])
