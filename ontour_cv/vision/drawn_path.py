"""Links that seem drawn or not -> the likeliest tour: the most probable simple path, and how it stands to all others.

Each link has log-odds of being drawn. The likeliest set of drawn links takes every link above 0 and no other; where
that is no simple path, something must be otherwise than it looks, and each such **flip** costs the link's log-odds.
What is wrong names the links of which one must be flipped (of three lines that meet in a place, one of the three), so
the sets of flips are searched by branching on those, cheapest first (best-first branch and bound; each solution's rest
is split as in Murty 1968, "An algorithm for ranking all the assignments"): exact, and short, since few links are in
doubt. Paths come up in the order of their cost, so those that could matter together against the first are few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from math import exp, inf, log

Link = tuple[str, str]

Price = Callable[[tuple[str, ...]], float]
"""What a path costs besides its links: how unlikely such a path is, log-odds."""

TRIES = 4000
"""Sets of flips tried before the search gives up; a drawing with so much in doubt is not read."""

BEYOND = 4.0
"""Log-odds behind the margin asked for from which a path counts for nothing: it takes fifty such to matter."""


@dataclass(frozen=True, slots=True)
class LikelyPath:
    """The most probable path.

    Attributes:
        places: in order, from the end whose id comes first; empty for no path at all.
        cost: what had to be otherwise than it looks, log-odds; 0 when all links agree.
        margin: log-odds of this path against all others together.
    """

    places: tuple[str, ...]
    cost: float
    margin: float


def likely_path(
    links: Sequence[Link], log_odds: Sequence[float], within: float, price: Price | None = None, least: int = 0,
    most: float | None = None,
) -> LikelyPath | None:  # fmt: skip
    """The most probable path through ``links``.

    Args:
        links: region ids of each link's ends.
        log_odds: of each link being drawn, natural log units.
        within: of a margin below this only that is found out, and an upper bound.
        price: what else a path costs, or none, log-odds, not below 0; None for nothing.
        least: shorter paths than this are none, other than no path at all.
        most: a margin beyond this need not be known: it is given as this. ``within`` when None.

    Returns:
        None when the search gave up.
    """
    most = within if most is None else most
    best: tuple[float, tuple[str, ...]] | None = None
    others = 0.0
    for tried, (cost, places) in enumerate(_by_cost(links, log_odds, price)):
        if best is not None and (cost - best[0] >= most + BEYOND or _lead(others) < within):
            break
        if tried >= TRIES:
            return None
        if places is None or 0 < len(places) < least:
            continue
        if best is None:
            best = cost, places
        else:
            others += exp(best[0] - cost)
    return None if best is None else LikelyPath(best[1], best[0], min(most, _lead(others)))


def _lead(others: float) -> float:
    return -log(others) if others else inf


def _by_cost(
    links: Sequence[Link], log_odds: Sequence[float], price: Price | None
) -> Iterator[tuple[float, tuple[str, ...] | None]]:
    """Sets of flips, cheapest first: the cost, and the path that they leave, None where they leave none or not yet.

    Every set that leaves a path comes up, and comes up once.
    """
    seems = frozenset(k for k, odds in enumerate(log_odds) if odds > 0)
    costs = [abs(odds) for odds in log_odds]
    number = count()
    # Cost, a number against ties, the links flipped, those settled one way or the other, and a path paid for in full.
    Entry = tuple[float, int, frozenset[int], frozenset[int], tuple[str, ...] | None]
    heap: list[Entry] = [(0.0, next(number), frozenset(), frozenset(), None)]
    while heap:
        cost, _, flips, settled, paid = heappop(heap)
        if paid is not None:
            yield cost, paid
            continue
        drawn = seems ^ flips
        places, wrong, alone = _judged(links, drawn)
        more = price(places) if price and places is not None else 0.0
        if more > 0:
            heappush(heap, (cost + more, next(number), flips, settled, places))
            places = None
        yield cost, places
        passed = set(settled)
        for k in sorted(wrong - settled, key=lambda k: (costs[k], k)):
            passed.add(k)
            heappush(heap, (cost + costs[k], next(number), flips | {k}, frozenset(passed), None))
        rest = drawn - alone
        if alone and not rest & settled:
            more = sum(costs[k] for k in sorted(rest))
            heappush(heap, (cost + more, next(number), flips ^ rest, frozenset(range(len(links))), None))


def _judged(
    links: Sequence[Link], drawn: frozenset[int]
) -> tuple[tuple[str, ...] | None, frozenset[int], frozenset[int]]:
    """The simple path these links make, () for no links, None when they make something else; and where to look on.

    The second set holds links of which at least one has to be otherwise in any other path; the third is the exception:
    a piece that may stay as it is when all other drawn links go.
    """
    near: dict[str, list[int]] = {}
    for k in sorted(drawn):
        for place in links[k]:
            near.setdefault(place, []).append(k)
    for meeting in near.values():
        if len(meeting) > 2:
            return None, frozenset(meeting), frozenset()
    every = frozenset(range(len(links)))
    pieces = _pieces(links, near)
    if not pieces:
        return (), every, frozenset()
    for places, piece in pieces:
        if len(places) == len(piece):  # a ring
            return None, piece, frozenset()
    if len(pieces) == 1:
        return pieces[0][0], every, frozenset()
    places, piece = min(pieces, key=lambda found: len(found[0]))
    ends = set(places)
    return None, frozenset(k for k in every if not ends.isdisjoint(links[k])), piece


def _pieces(links: Sequence[Link], near: dict[str, list[int]]) -> list[tuple[tuple[str, ...], frozenset[int]]]:
    """The lines and rings of a drawing in which no three links meet: places in order, and links."""
    left = set(near)
    found = []
    # Lines are walked from the end whose id comes first; what is left then are rings.
    for start in [place for place in sorted(near) if len(near[place]) == 1] + sorted(near):
        if start not in left:
            continue
        walk, used, here = [start], set[int](), start
        while True:
            onward = next((k for k in near[here] if k not in used), None)
            if onward is None:
                break
            used.add(onward)
            here = links[onward][1] if links[onward][0] == here else links[onward][0]
            if here == start:
                break
            walk.append(here)
        left -= set(walk)
        found.append((tuple(walk), frozenset(used)))
    return found
