"""All lines of a board at once: a line made of pieces of others is none, and one pen drew them all.

Between any two neighbourhoods some way with ink can be found, where the lines of others cross or touch. Who wonders
whether a line is there looks what of its way the surer lines explain, and what is left; and what the lines look like
that are plain to see. So each line is judged again beside the mean of what the network saw on lines that seem drawn,
and the mean of those that seem not; then lines on each other's way tell each other what they are, twice (messages along
a graph's edges as in Gilmer et al. 2017, "Neural message passing for quantum chemistry"), and each weighs anew how much
of it the others explain. Of some thirty lines these are small matrix products; numpy runs them in a millisecond or two.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_flat import CityLayout
from ontour_cv.vision.city_paths import ACROSS, ALONG, INK_PX, START, STEPS, Lines, sample
from ontour_cv.vision.drawn_board import MESSAGES, MOST_LOGIT, everywhere, in_company, layers_in

Array = NDArray[np.float32]

ROUNDS = 2
"""How often lines tell each other what they are."""

LAYERS = ("enter", *(f"{name}{k}" for k in range(ROUNDS) for name in ("tell", "hear", "judge")))
"""Layers of the network: what a line is, then what lines tell each other, what they make of it, what follows."""

LEAST = -5.5
"""Log-odds below which a line by itself is none, and of no weight for others. Of 3,000 drawn ones none lay below."""

ENDS, OVERLAP_PX = 1.3, 5
"""Where lines may meet at their discs, disc radii; and how wide a line is for another to lie on it, ink map pixels."""

GAP_INK, RAGGED, MOST_GAP = 0.35, 1.6, 4.0
"""Ink below which a line is interrupted; how near to the discs' centres that means nothing; and the longest gap that is
told from longer ones, disc radii."""

PARTS = 8
"""Pieces of a line that others may lie on."""

SHARED = 0.08
"""Share of a line that another has to lie on for the two to speak of it."""

BETWEEN, OWN, EXPLAINED = 7, 4, 4
"""Columns of what is said of two lines, of each by itself, and of how much of it others explain."""

CERTAIN = 0.98
"""How much of a piece a sure line on it explains."""


@dataclass(frozen=True, slots=True, eq=False)
class Tangle:
    """How a board's ``N`` lines lie on each other.

    Attributes:
        ends: ``(N, 2)`` numbers of the discs each joins.
        own: ``(N, OWN)`` share without ink, longest gap, length, whether a printed link joins the two.
        free: ``(N, PARTS)`` weight of each piece, 1 in sum: none where lines may meet at their discs.
        pairs: ``(P, 2)`` rows of two lines of which one lies on the other: who hears, who tells. Each both ways round.
        covered: ``(P, PARTS)`` how much of each piece of the first lies on the second.
        between: ``(P, BETWEEN)`` what else is said of the two.
    """

    ends: NDArray[np.int64]
    own: Array
    free: Array
    pairs: NDArray[np.int64]
    covered: Array
    between: Array


def tangle(lines: Lines, strips: Array, rows: NDArray[np.intp], layout: CityLayout) -> Tangle:
    """How lines lie on each other.

    Args:
        lines: of one board.
        strips: of theirs, from ``city_paths.cut_strips``.
        rows: ``(N,)`` which of ``layout.pairs`` each joins.
        layout: the board.
    """
    places = {region: k for k, region in enumerate(sorted(layout.discs))}
    ends = np.array([[places[a], places[b]] for a, b in (layout.pairs[row] for row in rows)], np.int64).reshape(-1, 2)
    covered, free = _covered(lines, layout)
    free = free / np.maximum(free.sum(axis=1, keepdims=True), 1e-6)
    share = (covered * free[:, None]).sum(axis=2)
    first, second = np.nonzero((share > SHARED) | (share.T > SHARED))
    there = covered[first, second]
    length = np.minimum(lines.lengths, 25) / 8 - 1
    same = (ends[first][:, :, None] == ends[second][:, None]).any(axis=2).sum(axis=1)
    mine, theirs = share[first, second], share[second, first]
    highest, lowest = (there.max(axis=1), there.min(axis=1)) if len(there) else (mine, mine)
    between = [mine, theirs, np.maximum(mine - theirs, 0), same, highest, lowest, length[second]]
    linked = np.array(layout.linked, dtype=np.float64)[rows]
    own = [2 * lines.costs, np.minimum(gaps(strips, lines), MOST_GAP) / 2, length, linked]
    return Tangle(
        ends=ends,
        own=np.stack(own, axis=1).astype(np.float32),
        free=free.astype(np.float32),
        pairs=np.column_stack([first, second]).astype(np.int64),
        covered=there.astype(np.float32),
        between=np.stack(between, axis=1).astype(np.float32),
    )


def gaps(strips: Array, lines: Lines) -> NDArray[np.float64]:
    """The longest piece without ink of each line, away from its discs, ``(N,)`` disc radii."""
    middle = ACROSS // 2
    inked = strips[:, 0, :, middle - 2 : middle + 3].max(axis=2) > GAP_INK
    spacing = np.maximum(lines.lengths - 2 * START, 0.1) / (ALONG - 1)
    out = np.zeros(len(strips))
    for k, line in enumerate(inked):
        edge = min(int(np.ceil((RAGGED - START) / spacing[k])), ALONG // 2 - 2)
        run = longest = 0
        for there in line[edge : ALONG - edge]:
            run = 0 if there else run + 1
            longest = max(longest, run)
        out[k] = longest * spacing[k]
    return out


def _covered(lines: Lines, layout: CityLayout) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How much of each piece of each line lies on each other one, ``(N, N, PARTS)``; how free pieces are."""
    paths = lines.paths
    count = len(paths)
    shape = tuple(int(np.ceil(v / layout.radius * INK_PX)) + 1 for v in (layout.aspect, 1.0))
    away = np.linalg.norm(paths[:, :, None] - paths[:, None, [0, -1]], axis=3).min(axis=2) / layout.radius
    free = (away > ENDS).astype(np.float64)
    room = np.maximum(free.reshape(count, PARTS, STEPS // PARTS).sum(axis=2), 1e-6)
    covered = np.zeros((count, count, PARTS))
    own = np.zeros(shape, np.float32)
    for k in range(count):
        own[:] = 0
        spots = np.round((paths[k] / layout.radius * INK_PX - 0.5) * 16).astype(np.int32)
        cv2.polylines(own, [spots], False, 1.0, OVERLAP_PX, cv2.LINE_8, 4)
        met = sample(own, paths, layout.radius) * free
        covered[:, k] = met.reshape(count, PARTS, STEPS // PARTS).sum(axis=2) / room
    covered[np.arange(count), np.arange(count)] = 0
    return covered, free.reshape(count, PARTS, STEPS // PARTS).mean(axis=2)


class LineJudge:
    """The trained network (``train.city_ferries``), for reading.

    Args:
        path: ``.npz`` with the parameters, ``enter.weight``, ``enter.bias`` and so on.

    Raises:
        OSError, ValueError, KeyError: the file is missing or not such a network.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as store:
            self._layers = layers_in(store, LAYERS)

    def think_over(self, seen: Array, knot: Tangle) -> Array:
        """Corrected logits ``(N,)``.

        Args:
            seen: ``(N, 1 + F)`` what the network of strips gave: first thoughts, and what it saw.
            knot: how the lines lie on each other.
        """
        first, hidden = seen[:, 0], seen[:, 1:]
        hearer, teller = knot.pairs.T
        logits, own = first, np.clip(first, -MOST_LOGIT, MOST_LOGIT)[:, None] / 4
        x = _rectified(self._through("enter", lines_features(first, hidden, knot)))
        for k in range(ROUNDS):
            p = _chance(logits)[:, None]
            said = np.concatenate([x[teller], x[hearer], knot.between, p[teller]], axis=1)
            told = _rectified(self._through(f"tell{k}", said))
            heard = np.zeros((len(x), told.shape[1]), dtype=np.float32)
            np.add.at(heard, hearer, told)
            known = np.concatenate([x, MESSAGES * heard, explained(p[:, 0], knot), p, own], axis=1)
            x = x + _rectified(self._through(f"hear{k}", known))
            logits = logits + self._through(f"judge{k}", x)[:, 0]
        return logits

    def _through(self, name: str, x: Array) -> Array:
        weight, bias = self._layers[name]
        return np.asarray(x @ weight.T + bias, dtype=np.float32)


def lines_features(first: Array, hidden: Array, knot: Tangle) -> Array:
    """What a line is judged by when all are looked at, ``(N, 3 * F + 6 + EXPLAINED + OWN)`` float32.

    Args:
        first: ``(N,)`` the first thoughts.
        hidden: ``(N, F)`` what is seen of each line by itself.
        knot: how the lines lie on each other.
    """
    p, _, company = in_company(hidden, first, knot.ends)
    return np.concatenate([*company, everywhere(p, 8), explained(p, knot), knot.own], axis=1).astype(np.float32)


def explained(p: Array, knot: Tangle) -> Array:
    """How much of each line the others explain, ``(N, EXPLAINED)`` float32: mean, least, most, variance of its pieces.

    Args:
        p: ``(N,)`` probability of each line.
        knot: how the lines lie on each other.
    """
    hearer, teller = knot.pairs.T
    left = np.zeros((len(p), PARTS), dtype=np.float32)
    np.add.at(left, hearer, np.log1p(-CERTAIN * knot.covered * p[teller][:, None]))
    of_parts = 1 - np.exp(left)
    there = knot.free > 0
    spread = np.where(there, of_parts, 0)
    return np.stack(
        [
            (of_parts * knot.free).sum(axis=1),
            np.where(there, of_parts, 1).min(axis=1),
            of_parts.max(axis=1),
            spread.var(axis=1, ddof=1),
        ],
        axis=1,
    ).astype(np.float32)


def _chance(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), dtype=np.float32)


def _rectified(x: Array) -> Array:
    return np.maximum(x, np.float32(0))
