"""The referee: what a board breaks, and what it scores.

``RULESETS`` holds every way to play On Tour, by key; ``rules.rolling`` judges Rolling America. ``VARIANTS`` has all.
"""

from __future__ import annotations

from collections.abc import Mapping

from ontour_cv.rules.base import ON_TOUR, ROLLING_AMERICA, Problem, Ruleset, Score, Variant
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

ROLLING = Variant(key="rolling", title="as in the rules of Rolling America", game=ROLLING_AMERICA)

RULESETS: Mapping[str, Ruleset] = {variant.key: Classic(variant) for variant in (RULEBOOK, BGA)}
"""The ways to play On Tour."""

VARIANTS: Mapping[str, Variant] = {variant.key: variant for variant in (RULEBOOK, BGA, ROLLING)}
"""The ways to play any of the games; a map's ``rules`` is one of these keys."""


def variants_for(rules: str) -> tuple[str, ...]:
    """Keys of the variants that play the same game as the variant ``rules``; that one first, none when unknown."""
    if rules not in VARIANTS:
        return ()
    same = (key for key, variant in VARIANTS.items() if variant.game == VARIANTS[rules].game and key != rules)
    return (rules, *same)


__all__ = [
    "BGA",
    "ON_TOUR",
    "ROLLING",
    "ROLLING_AMERICA",
    "RULEBOOK",
    "RULESETS",
    "VARIANTS",
    "Problem",
    "Ruleset",
    "Score",
    "Variant",
    "variants_for",
]
