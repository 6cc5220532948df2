"""Links that seem drawn or not -> the likeliest tour: the most probable simple path, and its lead over the next one.

Each link has log-odds of being drawn. The likeliest set of drawn links takes every link above 0 and no other; where
that is no simple path, something must be otherwise than it looks, and each such **flip** costs the link's log-odds.
Sets of flips are tried in order of their total cost, so the first that leaves a simple path is the most probable tour,
and the next one the runner-up: exact, and short, since few links are in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

Link = tuple[str, str]

TRIES = 4000
"""Sets of flips tried before the search gives up; a drawing with so much in doubt is not read."""


@dataclass(frozen=True, slots=True)
class LikelyPath:
    """The most probable path.

    Attributes:
        places: in order, from the end whose id comes first; empty for no path at all.
        cost: what had to be otherwise than it looks, log-odds; 0 when all links agree.
        margin: how much more the runner-up costs, log-odds.
    """

    places: tuple[str, ...]
    cost: float
    margin: float


def likely_path(links: Sequence[Link], log_odds: Sequence[float], within: float) -> LikelyPath | None:
    """The most probable path through ``links``.

    Args:
        links: region ids of each link's ends.
        log_odds: of each link being drawn, natural log units.
        within: a margin beyond this need not be known: it is given as this.

    Returns:
        None when the search gave up.
    """
    drawn = [odds > 0 for odds in log_odds]
    best: tuple[float, tuple[str, ...]] | None = None
    for tried, (cost, flips) in enumerate(_by_cost([abs(odds) for odds in log_odds])):
        if best is not None and cost - best[0] >= within:
            return LikelyPath(best[1], best[0], within)
        if tried >= TRIES:
            return None
        places = _path([link for k, link in enumerate(links) if drawn[k] != (k in flips)])
        if places is None:
            continue
        if best is not None:
            return LikelyPath(best[1], best[0], cost - best[0])
        best = cost, places
    return None if best is None else LikelyPath(best[1], best[0], within)


def _by_cost(costs: Sequence[float]) -> Iterator[tuple[float, frozenset[int]]]:
    """Every set of positions, cheapest first, with its cost; costs must not be negative."""
    order = sorted(range(len(costs)), key=lambda k: (costs[k], k))
    yield 0.0, frozenset()
    if not order:
        return
    # A set is extended by the next dearer position, or has its dearest one exchanged for that: each set comes up once.
    heap: list[tuple[float, tuple[int, ...]]] = [(costs[order[0]], (0,))]
    while heap:
        total, chosen = heappop(heap)
        yield total, frozenset(order[k] for k in chosen)
        dearest = chosen[-1]
        if dearest + 1 < len(order):
            more = costs[order[dearest + 1]]
            heappush(heap, (total + more, (*chosen, dearest + 1)))
            heappush(heap, (total - costs[order[dearest]] + more, (*chosen[:-1], dearest + 1)))


def _path(links: Sequence[Link]) -> tuple[str, ...] | None:
    """The places of the simple path these links make, none for no links; None when they make something else."""
    near: dict[str, list[str]] = {}
    for one, two in links:
        near.setdefault(one, []).append(two)
        near.setdefault(two, []).append(one)
    if not near:
        return ()
    ends = sorted(place for place, others in near.items() if len(others) == 1)
    if len(ends) != 2 or max(map(len, near.values())) > 2:
        return None
    walk = [ends[0]]
    while len(walk) == 1 or walk[-1] != ends[1]:
        walk.append(next(place for place in near[walk[-1]] if len(walk) < 2 or place != walk[-2]))
    return tuple(walk) if len(walk) == len(near) else None
