"""The referee: what a board breaks, and what it scores.

``VARIANTS`` has every way to play any of the games, by key, from the files in ``templates/rules`` and the user's
folders. ``RULESETS`` judges boards by those of On Tour; ``rules.rolling`` judges Rolling America, ``rules.city`` New
York.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ontour_cv.rules.base import NEW_YORK, ON_TOUR, ROLLING_AMERICA, Problem, Ruleset, Score, Variant
from ontour_cv.rules.classic import Classic
from ontour_cv.rules.load import NoSuchRules, VariantFiles, differences, is_shipped, variant_of, variant_table

VARIANTS: Mapping[str, Variant] = VariantFiles()
"""The ways to play any of the games; a map's ``rules`` is one of these keys."""

JUDGES: Mapping[str, Callable[[Variant], Ruleset]] = {ON_TOUR: Classic}
"""The games whose boards score visits and circles, and who judges them."""


def ruleset(variant: Variant) -> Ruleset:
    """Who judges a board by this variant; ``KeyError`` for a game without routes."""
    return JUDGES[variant.game](variant)


class _Rulesets(Mapping[str, Ruleset]):
    def __getitem__(self, key: str) -> Ruleset:
        return ruleset(VARIANTS[key])

    def __iter__(self) -> Iterator[str]:
        return (key for key in VARIANTS if VARIANTS[key].game in JUDGES)

    def __len__(self) -> int:
        return sum(1 for _ in self)


RULESETS: Mapping[str, Ruleset] = _Rulesets()
"""The judges of boards that have a best route, by the key of their variant."""

RULEBOOK, BGA, ROLLING = VARIANTS["rulebook"], VARIANTS["bga"], VARIANTS["rolling"]


def variants_for(rules: str) -> tuple[str, ...]:
    """Keys of the variants that play the same game as the variant ``rules``; that one first, none when unknown."""
    if rules not in VARIANTS:
        return ()
    game = VARIANTS[rules].game
    return (rules, *(key for key, variant in VARIANTS.items() if variant.game == game and key != rules))


def variant_for(rules: str, key: str | None) -> Variant:
    """The variant ``key`` for a map that is played by ``rules``; those themselves when it is None.

    Raises:
        NoSuchRules: there is no such variant, or it is of another game.
        BadTemplate: its file is wrong.
    """
    printed = VARIANTS[rules]
    found = printed if key is None else VARIANTS.get(key)
    if found is None or found.game != printed.game:
        raise NoSuchRules(
            f"there are no rules called {key!r} for this map", f"Its rules: {', '.join(variants_for(rules))}."
        )
    return found


__all__ = [
    "BGA",
    "NEW_YORK",
    "ON_TOUR",
    "ROLLING",
    "ROLLING_AMERICA",
    "RULEBOOK",
    "RULESETS",
    "VARIANTS",
    "NoSuchRules",
    "Problem",
    "Ruleset",
    "Score",
    "Variant",
    "differences",
    "is_shipped",
    "ruleset",
    "variant_for",
    "variant_of",
    "variant_table",
    "variants_for",
]
