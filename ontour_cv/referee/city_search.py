"""The fewest slips over many ways to use the turns: branch and bound, best bound first, within a stated effort."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from ontour_cv.referee.city_case import CitySetting
from ontour_cv.referee.node import Node, refresh, root
from ontour_cv.referee.search import branches
from ontour_cv.referee.slots import slot_bound

PATIENCE = 12
"""Nodes to look at before the dearer second bound is asked for."""


class OutOfEffort(Exception):
    """The effort is used up; nothing is decided."""


@dataclass(slots=True)
class Effort:
    """Nodes that may still be looked at; a count and no time, so that a board gets the same answer everywhere."""

    left: int

    def spend(self) -> None:
        """One node; ``OutOfEffort`` when there are none left."""
        if self.left <= 0:
            raise OutOfEffort
        self.left -= 1


@dataclass(frozen=True, slots=True)
class Explanation:
    """A way to use the turns, and the seating that breaks nothing under it."""

    setting: CitySetting
    node: Node


def explain(settings: Iterable[CitySetting], most: int, effort: Effort) -> Explanation | None:
    """An explanation with the fewest slips, the settings' own among them; None when all take more than ``most``.

    Raises:
        OutOfEffort: before that was settled.
    """
    heap: list[tuple[int, int, CitySetting, Node]] = []
    count = 0
    for setting in settings:
        effort.spend()
        node = _first(setting, most)
        if node is not None:
            count -= 1
            heapq.heappush(heap, (node.bound, count, setting, node))
    looked = 0
    while heap:
        bound, order, setting, node = heapq.heappop(heap)
        effort.spend()
        looked += 1
        if looked > PATIENCE:
            better = max(bound, slot_bound(setting.problem, node, most))
            if better > bound:
                if better <= most:
                    heapq.heappush(heap, (better, order, setting, node))
                continue
        children = branches(setting.problem, node, most)
        if children is None:
            return Explanation(setting, node)
        for child in children:
            count -= 1
            heapq.heappush(heap, (max(bound, child.bound), count, setting, child))
    return None


def _first(setting: CitySetting, most: int) -> Node | None:
    """The root of a setting; its own slips are put where a node counts what was paid."""
    paid = frozenset(range(-setting.paid, 0))
    node = root(setting.problem, paid, most)
    if node is None:
        return None
    for task, cells in setting.keeps.items():
        node.keep[task] &= cells
    return node if not setting.keeps or refresh(setting.problem, node, setting.keeps, most) else None
