"""Where labels go: beside their discs, off every other disc, each other and the route."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontour_cv.render.discs import Disc

DIRECTIONS = 16
RINGS = (1.5, 1.9, 2.5)
"""Distances from the disc's centre to the label's near edge that are tried, in disc radii."""

UNRINGED = 0.32
"""How much nearer, in disc radii, a label may come to a disc without a ring."""

KEEP_CLEAR = 1.35
"""No label may come nearer to a disc than this, in disc radii, if that can be helped."""

ROUNDS = 3
"""Sweeps of improvement; the third hardly changes anything on a full board."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A label that wants a place beside the disc of ``region``.

    Attributes:
        region: id of the region.
        width: pixels.
        height: pixels.
        ringed: True when a ring is drawn round the disc, so that the label has to keep off.
    """

    region: str
    width: float
    height: float
    ringed: bool


def place_labels(
    wishes: Sequence[Wish],
    discs: Mapping[str, Disc],
    curve: NDArray[np.float64],
    size: tuple[int, int],
    angle_deg: float,
) -> list[tuple[float, float]]:
    """Centres for all labels, picture pixels, in the order of ``wishes``.

    Each label in turn takes the cheapest of a few places round its disc, given where the others are; repeated.

    Args:
        wishes: the labels, turned with the board.
        discs: every disc.
        curve: ``(N, 2)`` points of the route, better not covered.
        size: width and height of the picture.
        angle_deg: how the board leans, clockwise.
    """
    if not wishes:
        return []
    turn = np.deg2rad(angle_deg)
    upright = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    centres = np.array([disc.centre for disc in discs.values()]) @ upright
    radii = np.array([disc.radius_px for disc in discs.values()])
    route = curve[::3] @ upright
    index = {region: i for i, region in enumerate(discs)}
    choices, fixed_costs = [], []
    for wish in wishes:
        own = index[wish.region]
        spots = _spots(centres[own], radii[own], wish)
        half = np.array([wish.width, wish.height]) / 2
        cost = _disc_cost(spots, half, centres, radii, own, wish.ringed) + _route_cost(spots, half, route, radii[own])
        cost += _edge_cost(spots @ upright.T, half, size) + _taste(len(spots))
        choices.append(spots)
        fixed_costs.append(cost)
    halves = np.array([[wish.width, wish.height] for wish in wishes]) / 2
    chosen = np.array([spots[np.argmin(cost)] for spots, cost in zip(choices, fixed_costs, strict=True)])
    for _ in range(ROUNDS):
        for i, (spots, cost) in enumerate(zip(choices, fixed_costs, strict=True)):
            others = np.arange(len(wishes)) != i
            chosen[i] = spots[np.argmin(cost + _overlap_cost(spots, halves[i], chosen[others], halves[others]))]
    return [(float(x), float(y)) for x, y in chosen @ upright.T]


def _spots(centre: NDArray[np.float64], radius: float, wish: Wish) -> NDArray[np.float64]:
    """Candidate centres ``(K, 2)``, nearest ring first, starting right of the disc and going round."""
    angles = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    way = np.column_stack([np.cos(angles), np.sin(angles)])
    half = np.array([wish.width, wish.height]) / 2 * np.abs(way)
    nearer = 0.0 if wish.ringed else UNRINGED
    return np.asarray(centre + np.vstack([way * ((ring - nearer) * radius + half) for ring in RINGS]))


def _disc_cost(
    spots: NDArray[np.float64],
    half: NDArray[np.float64],
    centres: NDArray[np.float64],
    radii: NDArray[np.float64],
    own: int,
    ringed: bool,
) -> NDArray[np.float64]:
    """How deep the label reaches into the clear space round discs: nothing may hide what is written."""
    gap = np.maximum(np.abs(spots[:, None] - centres[None]) - half, 0.0)
    away = np.linalg.norm(gap, axis=2) / radii
    if not ringed:
        away[:, own] += UNRINGED
    return np.asarray((40.0 * np.maximum(KEEP_CLEAR - away, 0.0) + 60.0 * (away < 1.1)).sum(axis=1))


def _route_cost(
    spots: NDArray[np.float64], half: NDArray[np.float64], route: NDArray[np.float64], radius: float
) -> NDArray[np.float64]:
    inside = (np.abs(spots[:, None] - route[None]) < half + 0.15 * radius).all(axis=2)
    return np.asarray(1.6 * inside.sum(axis=1), dtype=np.float64)


def _edge_cost(spots: NDArray[np.float64], half: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    reach = float(np.linalg.norm(half))
    beyond = np.maximum(reach - spots, 0.0) + np.maximum(spots + reach - np.array(size), 0.0)
    return np.asarray(beyond.sum(axis=1))


def _taste(count: int) -> NDArray[np.float64]:
    """Near is better than far; below or above reads better than beside."""
    ring = np.arange(count) // DIRECTIONS
    angle = 2 * np.pi * (np.arange(count) % DIRECTIONS) / DIRECTIONS
    return np.asarray(3.0 * ring + 1.0 * np.abs(np.cos(angle)) + 0.4 * (np.sin(angle) < -0.1))


def _overlap_cost(
    spots: NDArray[np.float64], half: NDArray[np.float64], others: NDArray[np.float64], halves: NDArray[np.float64]
) -> NDArray[np.float64]:
    shared = np.maximum(half + halves[None] + 3.0 - np.abs(spots[:, None] - others[None]), 0.0)
    area = shared[..., 0] * shared[..., 1] / (4 * half[0] * half[1])
    return np.asarray((60.0 * area + 4.0 * (area > 0)).sum(axis=1))
