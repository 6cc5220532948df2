"""The referee: what a board breaks, and what it scores. ``RULESETS`` holds every way to play, by key."""

from __future__ import annotations

from collections.abc import Mapping

from ontour_cv.rules.base import Problem, Ruleset, Score, Variant
from ontour_cv.rules.classic import Classic

RULEBOOK = Variant(key="rulebook", title="as in the rulebook")
BGA = Variant(
    key="bga",
    title="as on Board Game Arena",
    seeds_by_roll=False,
    star_always_circled=True,
    x_anywhere=False,
    tie_by_circles=True,
)

RULESETS: Mapping[str, Ruleset] = {variant.key: Classic(variant) for variant in (RULEBOOK, BGA)}

__all__ = ["BGA", "RULEBOOK", "RULESETS", "Problem", "Ruleset", "Score", "Variant"]
