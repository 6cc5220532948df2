"""In which order to take up the places of a graph so that few stand on the frontier at any time.

The frontier after some places are taken up: those of them that still have a neighbour to come. The work of the sweep in
``frontier.py`` grows exponentially with it, so the order matters most of all. Beam search over orders; the price of
an order is the sum of 4 ** (frontier size).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

BEAM = 48
"""Partial orders kept per step: on the USA map 48 finds the same order as 200."""

_Partial = tuple[int, int, int, tuple[int, ...]]
"""The beginning of an order: price, places taken (bits), frontier (bits), the places in order (each as its bit)."""


@lru_cache(maxsize=256)
def sweep_order(neighbours: tuple[tuple[int, ...], ...], part: int) -> tuple[int, ...]:
    """The places of ``part`` (bits; a connected part of the graph), in a good order. Remembered per graph."""
    near = {1 << place: sum(1 << other for other in others) & part for place, others in enumerate(neighbours)}
    beam: list[_Partial] = [(0, 0, 0, ())]
    for _ in range(part.bit_count()):
        options: dict[int, _Partial] = {}
        for partial in beam:
            _extend(partial, near, part, options)
        beam = sorted(options.values())[:BEAM]
    return tuple(bit.bit_length() - 1 for bit in beam[0][3])


def _extend(partial: _Partial, near: dict[int, int], part: int, options: dict[int, _Partial]) -> None:
    """Note in ``options``, by places taken, the cheapest order with one place more that is beside the frontier."""
    price, taken, frontier, order = partial
    beside = 0 if taken else part
    for bit in _bits(frontier):
        beside |= near[bit]
    for bit in _bits(beside & ~taken):
        now = taken | bit
        rim = frontier | bit
        for met in _bits(near[bit] & frontier | bit):
            if not near[met] & ~now:
                rim ^= met
        cost = price + 4 ** rim.bit_count()
        if now not in options or cost < options[now][0]:
            options[now] = (cost, now, rim, (*order, bit))


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


def _bits(mask: int) -> Iterator[int]:
    """The bits that are set, each alone, lowest first."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low
