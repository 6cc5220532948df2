"""Writes training cells to disk in shards, each from its own seed, so that any shard can be made again alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.strokes import Hand, Polyline, RecordedHand, parametric_hand, sample_writer
from ontour_cv.train.labels import label_of
from ontour_cv.train.lens import snap
from ontour_cv.train.patches import Shop, draw_patch, random_mark
from ontour_cv.train.style import board_style

SHARD = 8192
"""Cells in a shard."""

WILD = 0.4
"""Share of writers with wild habits."""

PER_BOARD = 16
"""Cells painted in one imaginary edition by one writer."""

Samples = dict[str, list[list[Polyline]]]


def pick_hand(recorded: list[Samples], rng: np.random.Generator, own: float = 0.3) -> Hand:
    """A hand: one of our own with probability ``own`` or when no recordings were given, else a recorded one."""
    if not recorded or rng.random() < own:
        return parametric_hand(rng)
    samples = recorded[int(rng.integers(len(recorded)))]
    return RecordedHand(samples, parametric_hand(rng), bend=float(rng.uniform(0.0, 0.06)))


def make_shard(
    seed: tuple[int, int], recorded: list[Samples], shop: Shop, count: int = SHARD, own: float = 0.3
) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """One shard: crops ``(count, 64, 64, 3)`` uint8 BGR and label rows ``(count, 4)`` int8; same seed, same shard."""
    rng = np.random.default_rng(seed)
    images: list[NDArray[np.uint8]] = []
    labels: list[NDArray[np.int8]] = []
    while len(images) < count:
        writer = sample_writer(rng, pick_hand(recorded, rng, own), wild=bool(rng.random() < WILD))
        style = board_style(rng)
        for _ in range(PER_BOARD):
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
