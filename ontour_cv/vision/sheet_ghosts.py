"""What a rubber left: a digit far paler than everything else the same hand wrote counts for nothing.

A cell by itself cannot tell the ghost of an erased digit from a faint pencil; beside the sheet's other digits it can.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.cells import CROP_PX

GHOSTS = 0.002
"""Share of what looks like a digit or an X that was erased and replaced by nothing."""

PALE, SPREAD = -1.7, 0.45
"""Darkness of ghosts, log of the sheet's median: mean and standard deviation (normal)."""

TAIL = 0.13
"""Darkness of what was written, log of the median: scale of a Laplace distribution. Of 4,678 marks on 109 rendered
sheets by writers kept for validation one in a thousand is paler than 0.45 medians, one than 0.4; six of seven ghosts
with nothing in their place are paler than 0.26."""

ALIKE = 0.15
"""Width of the kernel by which others as pale speak for a second pencil (log of darkness)."""

LIKELY, FEWEST = 0.9, 8
"""The median is that of cells that so probably hold something; with fewer of them nothing is compared."""

EDGE, DARKEST, LEAST_ROOM = 10, 20, 60
"""Outer pixels of a close look that are left out; the darkness is the least of so many darkest pixels inside the cell,
or in all of the look where the cell leaves less room in it than that."""

_PAPER, _SOFT, _BLACK, _SUREST = 17, 4.0, 4.0, 1 - 1e-6


def written_still(
    kinds: NDArray[np.float64], close: NDArray[np.uint8], masks: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """Probabilities of the kinds of each cell, with what a rubber left taken for blank.

    Args:
        kinds: ``(N, 3)`` blank, number and X, each cell by itself.
        close: ``(N, CROP_PX, CROP_PX, 3)`` close looks at what is written.
        masks: ``(N, CROP_PX, CROP_PX)`` what of these lies inside the cell, 255.

    Returns:
        ``(N, 3)``, rows adding up to what they did.
    """
    there = kinds[:, 1:].sum(axis=1)
    if (there > LIKELY).sum() < FEWEST:
        return kinds
    pale = np.log(darkness(close, masks))
    pale -= np.median(pale[there > LIKELY])
    ghost = there * ghosts(pale, there)
    out = kinds.copy()
    out[:, 1:] *= (1 - ghost / np.maximum(there, 1e-12))[:, None]
    out[:, 0] += ghost
    return out


def ghosts(pale: NDArray[np.float64], there: NDArray[np.float64]) -> NDArray[np.float64]:
    """How probable it is that what stands in each cell, ``(N,)``, was erased (Bayes' rule).

    Args:
        pale: ``(N,)`` logs of darkness, 0 for the sheet's median.
        there: ``(N,)`` how probably something stands there.

    One other cell as pale may be a second ghost; more of them are another pencil.
    """
    erased = np.exp(-0.5 * ((pale - PALE) / SPREAD) ** 2) / (SPREAD * np.sqrt(2 * np.pi))
    written = np.exp(-np.abs(pale) / TAIL) / (2 * TAIL)
    alike = there * np.exp(-0.5 * ((pale[:, None] - pale) / ALIKE) ** 2) / (ALIKE * np.sqrt(2 * np.pi))
    np.fill_diagonal(alike, 0.0)
    written += (alike.sum(axis=1) - alike.max(axis=1)) / max(float(there.sum()), 1.0)
    odds = GHOSTS / (1 - GHOSTS) * erased / written
    return np.asarray(np.where(pale < 0, np.minimum(odds / (1 + odds), _SUREST), 0.0))


def darkness(close: NDArray[np.uint8], masks: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How much darker than its paper the ink in each close look is, ``(N,)``, log colours, above 0."""
    inner = slice(EDGE, CROP_PX - EDGE)
    out = []
    for image, mask in zip(close, masks, strict=True):
        seen = np.log(np.maximum(image.astype(np.float32), _BLACK)).mean(axis=2)
        paper = cv2.morphologyEx(seen, cv2.MORPH_CLOSE, np.ones((_PAPER, _PAPER), np.uint8))
        ink = (cv2.GaussianBlur(paper, (0, 0), _SOFT) - seen)[inner, inner]
        inside = cv2.erode(mask, np.ones((5, 5), np.uint8))[inner, inner] > 127
        part = np.sort(ink[inside] if inside.sum() > LEAST_ROOM else ink.ravel())
        out.append(max(float(part[-DARKEST]), 1e-3))
    return np.array(out)
