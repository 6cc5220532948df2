"""All best routes as paths through a diagram, counted and listed in order.

The sweep leaves a diagram: nodes are states, arcs are choices that keep a route among the best. Each path from the
start to the goal is one best route, and no two paths are the same route, since each choice takes a different set of
links. The paths are listed best links first without spelling all of them out: every node keeps its own list of best
paths, made longer only when a node after it asks (lazy k-best, Huang and Chiang 2005, algorithm 3).
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush


class Node:
    """A state with the choices that lead to it.

    Attributes:
        score: the bound that all paths to it share, links aside.
        count: how many paths lead to it; a start has 1 and no arc.
        before: the arcs: node and the bits of the links chosen.
    """

    __slots__ = ("_candidates", "_ranked", "before", "count", "score")

    def __init__(self, score: int, count: int = 0) -> None:
        """A node without arcs: a start when ``count`` is 1."""
        self.score = score
        self.count = count
        self.before: list[tuple[Node, int]] = []
        self._ranked: list[int] = []
        self._candidates: list[tuple[int, int, int]] | None = None

    def links(self, position: int) -> int | None:
        """The links of the path at that position (0 first) in the stated order, as bits; None past the last."""
        if not self.before:
            return 0 if position == 0 and self.count else None
        if self._candidates is None:
            self._candidates = []
            for arc in range(len(self.before)):
                self._offer(arc, 0)
            heapify(self._candidates)
        while len(self._ranked) <= position and self._candidates:
            least, arc, taken = heappop(self._candidates)
            self._ranked.append(-least)
            self._offer(arc, taken + 1)
        return self._ranked[position] if position < len(self._ranked) else None

    def _offer(self, arc: int, position: int) -> None:
        node, chosen = self.before[arc]
        bits = node.links(position)
        if bits is not None and self._candidates is not None:
            heappush(self._candidates, (-(bits + chosen), arc, position))
