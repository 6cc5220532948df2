"""Shards in memory while they are being painted, and batches of them: what is read badly comes more often."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontour_cv.train.sheet_shards import Shard

BATCH = 160
"""Crops in a batch."""

KINDS = ("flat", "photo")
"""Kinds of shards: painted flat, and cut from rendered photos."""

PHOTOS = 0.8
"""Share of a batch that is cut from photos."""

LEAST, HARDEST = 0.2, 0.8
"""Such a row's chance goes with the loss it had last plus the first; a loss above the second counts as that: many of
these nobody can read."""

LOOKS = ("all", "whole", "close")
"""Which crops a network learns from: all, or only whole cells and boxes, or only close looks; flat shards have none."""

Rows = tuple[str, int, NDArray[np.intp]]
"""Kind and number of a shard, and rows of it."""


class Pool:
    """Shards of both kinds in memory, as they come."""

    def __init__(self, folder: Path, counts: Mapping[str, int], looks: str = "all") -> None:
        """Shards of ``folder``, so many of each kind as there will be; of their crops such ``looks`` (``LOOKS``)."""
        self._folder, self._looks = folder, looks
        self._counts = {kind: count for kind, count in counts.items() if kind != "flat" or looks != "close"}
        self._shards: dict[str, list[Shard]] = {kind: [] for kind in KINDS}
        self._chances: dict[tuple[str, int], NDArray[np.float64]] = {}

    def grow(self, share: float) -> None:
        """Loads shards until that share of each kind is there, waiting for those still being painted."""
        for kind, count in self._counts.items():
            while len(self._shards[kind]) < max(1, math.ceil(share * count)) and count:
                path = self._folder / f"{kind}-train-{len(self._shards[kind]):03d}.npz"
                while not path.exists():
                    time.sleep(0.5)
                self._shards[kind].append(looks_of(Shard.load(path), self._looks))

    def batch(self, rng: np.random.Generator, level: bool = True) -> tuple[Shard, list[Rows]]:
        """A batch of both kinds, and where its rows come from; unless ``level``, badly read ones come more often."""
        photos = round((PHOTOS if self._shards["flat"] else 1.0) * BATCH) if self._shards["photo"] else 0
        parts, origin = [], []
        for kind, count in (("photo", photos), ("flat", BATCH - photos)):
            held = self._shards[kind]
            if not count:
                continue
            for which, many in zip(*np.unique(rng.integers(0, len(held), count), return_counts=True), strict=True):
                shard, rows = held[which], rng.integers(0, len(held[which].places), many)
                if not level:
                    sums = self._losses(kind, int(which)).cumsum()
                    rows = np.minimum(np.searchsorted(sums, rng.random(many) * sums[-1]), len(sums) - 1)
                parts.append(shard.rows(rows))
                origin.append((kind, int(which), rows))
        return Shard.joined(parts), origin

    def note(self, origin: Sequence[Rows], losses: NDArray[np.float64]) -> None:
        """How badly the rows of a batch were read, ``(BATCH,)``."""
        start = 0
        for kind, which, rows in origin:
            some = losses[start : start + len(rows)]
            self._losses(kind, which)[rows] = LEAST + np.minimum(some, HARDEST)
            start += len(rows)

    def _losses(self, kind: str, which: int) -> NDArray[np.float64]:
        """What chance the rows of a shard have, ``(N,)``."""
        count = len(self._shards[kind][which].places)
        return self._chances.setdefault((kind, which), np.full(count, LEAST + 0.25 * HARDEST))


def looks_of(shard: Shard, looks: str) -> Shard:
    """The crops of a shard that are such ``looks``."""
    return shard if looks == "all" else shard.rows(np.flatnonzero(shard.whole == (looks == "whole")))
