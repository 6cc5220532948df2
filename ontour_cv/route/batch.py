"""Many states of a sweep at once, in arrays: see ``batch_moves``.

Slot codes are those of ``joints`` in 15 bits: ``kind << 12 | rank << 6 | mate``, with ``GONE`` as 63.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from ontour_cv.route import joints
from ontour_cv.route.frontier import State

Rows = NDArray[np.intp]
Codes = NDArray[np.int16]
Bits = NDArray[np.int64]

RANK, KIND = 6, 12
GONE = (1 << RANK) - 1
END = joints.FREE << KIND
WORD = 63
"""Link bits in one word of a batch."""
MOST_RANKS, MOST_SLOTS = 60, GONE
"""Levels and frontier places for which there is room in the codes, and in a span as bits."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """States with a label each, one per column; a state with several labels stands in several columns.

    Attributes:
        slots: ``(S, N)`` int16, the slot codes.
        labels: ``(N,)`` int64, as ``Labels`` makes them, without link bits.
        links: ``(M, N)`` int64, the link bits, ``WORD`` to a word, the first word the most important.
    """

    slots: Codes
    labels: Bits
    links: Bits

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: Rows) -> Batch:
        """Some of the columns, copied."""
        return Batch(self.slots.take(rows, axis=1), self.labels.take(rows), self.links.take(rows, axis=1))

    def part(self, first: int, count: int) -> Batch:
        """So many columns from one on, not copied."""
        columns = slice(first, first + count)
        return Batch(self.slots[:, columns], self.labels[columns], self.links[:, columns])


def joined(batches: Sequence[Batch]) -> Batch:
    """All columns of some batches, at least one."""
    return Batch(
        np.concatenate([one.slots for one in batches], axis=1),
        np.concatenate([one.labels for one in batches]),
        np.concatenate([one.links for one in batches], axis=1),
    )


def packed(states: Iterable[tuple[State, int]], link_bits: int) -> Batch:
    """States and labels (link bits lowest) as a batch."""
    pairs = list(states)
    codes = np.array([state for state, _ in pairs], dtype=np.int64).T
    mates = np.where(codes & joints.GONE == joints.GONE, GONE, codes & joints.GONE)
    slots = codes >> joints.KIND << KIND | (codes >> joints.RANK & GONE) << RANK | mates
    links = [split(label & (1 << link_bits) - 1, link_bits) for _, label in pairs]
    words = np.array(links, dtype=np.int64).reshape(len(pairs), -1)
    labels = np.array([label >> link_bits for _, label in pairs], dtype=np.int64)
    return Batch(slots.astype(np.int16), labels, np.ascontiguousarray(words.T))


def unpacked(batch: Batch, link_bits: int) -> Iterator[tuple[State, int]]:
    """The states and labels of a batch, as ``packed`` takes them."""
    codes = batch.slots.astype(np.int64)
    mates = np.where((codes >= END) & (codes & GONE == GONE), joints.GONE, codes & GONE)
    slots = codes >> KIND << joints.KIND | (codes >> RANK & GONE) << joints.RANK | mates
    for state, label, words in zip(slots.T.tolist(), batch.labels.tolist(), batch.links.T.tolist(), strict=True):
        yield tuple(state), label << link_bits | reduce(lambda bits, word: bits << WORD | word, words, 0)


def small(code: int) -> int:
    """An end code of ``joints`` (mate 0) in 15 bits."""
    return code >> joints.KIND << KIND | (code >> joints.RANK & GONE) << RANK


def split(bits: int, link_bits: int) -> list[int]:
    """Link bits as words."""
    words = -(-link_bits // WORD)
    return [bits >> WORD * (words - 1 - k) & (1 << WORD) - 1 for k in range(words)]
