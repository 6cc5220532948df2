"""A plausible player: keeps a rising line across the map in mind and puts each number where it fits that line."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.model import MapTemplate


@dataclass(frozen=True, slots=True)
class Player:
    """Tastes of one player.

    Attributes:
        plan: region id -> the number (0-99) the player would like to see there.
        neighbours: region id -> ids next to it.
        whim: region id -> a fixed dislike, so that no two players agree.
        neighbour_weight: how much the fit with numbers already written next door counts.
        circle_worth: how many points of misfit a circle is worth.
    """

    plan: Mapping[str, float]
    neighbours: Mapping[str, tuple[str, ...]]
    whim: Mapping[str, float]
    neighbour_weight: float
    circle_worth: float

    @classmethod
    def sample(cls, template: MapTemplate, rng: np.random.Generator) -> Player:
        """A player whose plan rises along a bent axis of the map: west to east, a loop, or whatever."""
        layout = np.array([region.layout for region in template.regions])
        centred = (layout - layout.mean(axis=0)) / (np.ptp(layout, axis=0) + 1e-9)
        angle = rng.uniform(0, 2 * np.pi)
        along = centred @ np.array([np.cos(angle), np.sin(angle)])
        across = centred @ np.array([-np.sin(angle), np.cos(angle)])
        bent = along + rng.uniform(-0.9, 0.9) * np.abs(across - rng.uniform(-0.4, 0.4))
        rank = np.argsort(np.argsort(bent + rng.normal(0, 0.03, len(bent))))
        plan = 99.0 * rank / max(1, len(rank) - 1)
        clumsiness = rng.uniform(1, 14)
        return cls(
            plan=dict(zip(template.ids, plan.tolist(), strict=True)),
            neighbours={region.id: region.neighbours for region in template.regions},
            whim=dict(zip(template.ids, rng.uniform(0, clumsiness, len(rank)).tolist(), strict=True)),
            neighbour_weight=float(rng.uniform(0, 1.5)),
            circle_worth=float(rng.uniform(0, 12)),
        )

    def cost(self, region: str, number: int, circled: bool, marks: Mapping[str, Mark]) -> float:
        """How little the player likes ``number`` in ``region``; lower is better."""
        cost = abs(number - self.plan[region]) + self.whim[region]
        if circled:
            cost -= self.circle_worth
        steps = [abs(number - v) for v in (marks[n].number for n in self.neighbours[region]) if v is not None]
        if steps:
            cost += self.neighbour_weight * min(min(steps), 30)
        return cost

    def star_place(self, places: Sequence[str], exact: Collection[str], marks: Mapping[str, Mark]) -> str:
        """Where a star helps most: between written neighbours, on a card's own state if that earns a circle."""

        def worth(region: str) -> tuple[float, str]:
            written = sum(marks[n].kind is Kind.NUMBER for n in self.neighbours[region])
            return (4.0 * written + self.circle_worth * (region in exact) - self.whim[region], region)

        return max(places, key=worth)

    def blocked_place(self, places: Sequence[str], marks: Mapping[str, Mark]) -> str:
        """Where an X hurts least: a corner with few ways on."""
        return min(places, key=lambda region: (2.0 * len(self.neighbours[region]) + self.whim[region], region))
