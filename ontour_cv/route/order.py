"""In which order to take up the places of a graph so that few stand on the frontier at any time.

The frontier after some places are taken up: those of them that still have a neighbour to come. The work of the sweep in
``frontier.py`` grows exponentially with it, so the order matters most of all. Beam search over orders; the price of
an order is the sum of 4 ** (frontier size).
"""

from __future__ import annotations

from functools import lru_cache

BEAM = 48
"""Partial orders kept per step: on the USA map 48 finds the same order as 200."""


@lru_cache(maxsize=256)
def sweep_order(neighbours: tuple[tuple[int, ...], ...], part: int) -> tuple[int, ...]:
    """The places of ``part`` (bits; a connected part of the graph), in a good order. Remembered per graph."""
    near = [sum(1 << other for other in others) & part for others in neighbours]
    beam: list[tuple[int, int, int, tuple[int, ...]]] = [(0, 0, 0, ())]  # price, taken, frontier, order
    for _ in range(part.bit_count()):
        options: dict[int, tuple[int, int, int, tuple[int, ...]]] = {}
        for price, taken, frontier, order in beam:
            for place in _bits(_beside(near, taken, frontier) if taken else part):
                now = taken | 1 << place
                rim = sum(1 << p for p in _bits((frontier & near[place]) | 1 << place) if near[p] & ~now)
                rim |= frontier & ~near[place]
                cost = price + 4 ** rim.bit_count()
                if now not in options or cost < options[now][0]:
                    options[now] = (cost, now, rim, (*order, place))
        beam = sorted(options.values())[:BEAM]
    return beam[0][3]


def parts(neighbours: tuple[tuple[int, ...], ...]) -> list[int]:
    """The connected parts of the graph, as bits, in order of their first place."""
    found: list[int] = []
    left = (1 << len(neighbours)) - 1
    while left:
        part = todo = left & -left
        while todo:
            place = todo.bit_length() - 1
            todo &= ~(1 << place)
            fresh = sum(1 << other for other in neighbours[place]) & ~part
            part |= fresh
            todo |= fresh
        found.append(part)
        left &= ~part
    return found


def _beside(near: list[int], taken: int, frontier: int) -> int:
    """Places not taken that neighbour the frontier, as bits."""
    out = 0
    for place in _bits(frontier):
        out |= near[place]
    return out & ~taken


def _bits(mask: int) -> list[int]:
    """Positions of the bits set."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out
