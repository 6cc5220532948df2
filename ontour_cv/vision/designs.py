"""Editions that are looked for as one: printings of one design differ by less than a search can tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ontour_cv.geometry import Points
from ontour_cv.maps.edition import Edition

SAME_DESIGN = 0.3
"""Median distance (disc radii) up to which two editions are looked for as one: printings of one design differ by 0.1, a
board of another design by 0.4 and more."""


def alike(editions: Sequence[Edition]) -> list[list[Edition]]:
    """Editions of one map whose discs lie near each other, together; the largest groups first, then by map and name."""
    groups: list[list[Edition]] = []
    for edition in sorted(editions, key=lambda edition: (edition.map, edition.name)):
        for group in groups:
            if _near(edition, group[0]):
                group.append(edition)
                break
        else:
            groups.append([edition])
    return sorted(groups, key=lambda group: -len(group))


def _near(one: Edition, other: Edition) -> bool:
    if one.map != other.map or set(one.cells) != set(other.cells):
        return False
    steps = np.array([np.subtract(one.cells[region], other.cells[region]) for region in one.cells])
    return bool(np.median(np.hypot(*steps.T)) < SAME_DESIGN * one.radius)


def mean_board(group: Sequence[Edition]) -> Points:
    """Cell centres that all editions of a map are near to, in the order of the first edition's cells."""
    boards = np.array([[edition.cells[region] for region in group[0].cells] for edition in group], dtype=np.float64)
    return np.asarray(boards.mean(axis=0))


def mean_radius(group: Sequence[Edition]) -> float:
    """The disc radius of a group of editions, board widths."""
    return float(np.mean([edition.radius for edition in group]))
