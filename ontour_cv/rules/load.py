"""Variants of the rules from TOML files: strictly read, extended one from another, and told in words.

A file ``rules/<key>.toml`` beside the maps holds ``key``, ``title``, and either ``game`` (all other fields then have
the defaults of ``Variant``) or ``extends``, the key of the variant it changes; then the fields that differ. The
project's own variants come first and cannot be replaced, so that a log that names one means the same everywhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ontour_cv import resources
from ontour_cv.errors import BadTemplate
from ontour_cv.maps.fields import Fields
from ontour_cv.maps.load import NAME, parse_file
from ontour_cv.rules.base import NEW_YORK, ON_TOUR, ROLLING_AMERICA, Variant

MOST_SETUP_ROLLS = 10
"""No deck is known to last for more."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field that variants of a game may set.

    Attributes:
        yes: what it means for people when it is true; of a number, with ``{}`` for it.
        no: what it means when it is false; empty for a number.
    """

    yes: str
    no: str = ""


_SHUFFLE = Field(
    "too few cards for a roll are shuffled with the discards", "the deck is drawn to its end, then shuffled"
)

GAMES: Mapping[str, Mapping[str, Field]] = {
    ON_TOUR: {
        "star_always_circled": Field("every star is circled", "a star is circled only on the very space of a card"),
        "star_anywhere": Field(
            "the star of doubles goes into any empty space", "the star of doubles goes into a region of the cards"
        ),
        "x_anywhere": Field("an X goes into any empty space", "an X goes into a region of the cards"),
        "x_last_resort": Field(
            "an X only when no choice of cards and spaces lets both numbers be written",
            "an X also for a number whose last place the other number of the turn took",
        ),
        "tie_by_circles": Field("of equal totals more circles win", "equal totals share the win"),
        "shuffle_early": _SHUFFLE,
        "setup_rolls": Field("rolls in the setup: {}"),
    },
    ROLLING_AMERICA: {},
    NEW_YORK: {"shuffle_early": _SHUFFLE},
}
"""The games there are, and the fields in which their variants may differ."""


class NoSuchRules(BadTemplate, KeyError):
    """No variant has that key. Mostly an option's slip, so it ends a command as wrong usage does."""

    exit_code = 2

    def __str__(self) -> str:
        return self.message


class VariantFiles(Mapping[str, Variant]):
    """Every variant there is, by key, read when it is asked for.

    Looking one up raises ``NoSuchRules`` (a ``KeyError``, too) when there is none, ``BadTemplate`` when its file is
    wrong.
    """

    def __getitem__(self, key: str) -> Variant:
        path = _paths().get(key)
        if path is None:
            raise NoSuchRules(f"there are no rules called {key!r}", f"Rules there are: {', '.join(self)}.")
        return _read(path, ())

    def __iter__(self) -> Iterator[str]:
        return iter(_paths())

    def __len__(self) -> int:
        return len(_paths())


def is_shipped(key: str) -> bool:
    """True for the project's own variants, which mean the same wherever this version runs."""
    return key in _in_folder(resources.rules_dir())


def variant_table(variant: Variant) -> dict[str, object]:
    """All that makes a variant what it is, its key left out: plain data for a log, or to be shown."""
    settings = {name: getattr(variant, name) for name in GAMES[variant.game]}
    return {"title": variant.title, "game": variant.game} | settings


def variant_of(table: object, key: str, where: str) -> Variant:
    """The variant in a table as :func:`variant_table` makes it; ``BadTemplate`` says what is wrong with it."""
    found = Fields(table, where)
    title = found.text("title")
    return _changed(Variant(key, title, _game(found)), found)


def differences(variant: Variant) -> tuple[str, ...]:
    """In which points ``variant`` differs from the printed rules of its game, in words."""
    words, other = [], Variant("", "", variant.game)
    for name, field in GAMES[variant.game].items():
        value = getattr(variant, name)
        if value != getattr(other, name):
            words.append(field.yes.format(value) if value is not False else field.no)
    return tuple(words)


def _paths() -> dict[str, Path]:
    """Where each variant lies: the project's own, sorted, then the user's; of two of the user's the first found."""
    own = _in_folder(resources.rules_dir())
    found = dict(own)
    for folder in resources.extra_rules_dirs():
        for key, path in _in_folder(folder).items():
            if key in own:
                remedy = f"Give it a name of its own, and extends = {key!r} if it changes those rules."
                raise BadTemplate(f"{path}: {key!r} is the name of rules that ontour-cv brings along", remedy)
            found.setdefault(key, path)
    return found


def _in_folder(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.toml")) if NAME.fullmatch(path.stem)}


def _read(path: Path, below: tuple[str, ...]) -> Variant:
    """The variant in a file; ``below`` are the keys of those that extend it."""
    found = Fields(parse_file(path, tomllib.loads, tomllib.TOMLDecodeError), path.name)
    key, title = found.text("key"), found.text("title")
    if key != path.stem:
        raise found.wrong(f"'key' is {key!r}; expected {path.stem!r}, as the file is called")
    if found.has("extends") == found.has("game"):
        raise found.wrong("expected either 'game' or 'extends', and not both")
    if found.has("game"):
        return _changed(Variant(key, title, _game(found)), found)
    base = found.text("extends")
    above = _paths().get(base)
    if above is None:
        raise found.wrong(
            f"'extends' is {base!r}, and there are no rules of that name; there are {', '.join(_paths())}"
        )
    if base in (*below, key):
        raise found.wrong(f"{' extends '.join((*below, key, base))}: that never ends")
    return _changed(replace(_read(above, (*below, key)), key=key, title=title), found)


def _game(found: Fields) -> str:
    game = found.text("game")
    if game not in GAMES:
        raise found.wrong(f"'game' is {game!r}; expected {' or '.join(map(repr, GAMES))}")
    return game


def _changed(variant: Variant, found: Fields) -> Variant:
    """The variant with the fields that are left in ``found``."""
    kinds = {field.name: type(field.default) for field in fields(Variant)}
    changes: dict[str, Any] = {}
    for name in found.rest():
        if name in GAMES[variant.game]:
            changes[name] = found.flag(name) if kinds[name] is bool else found.integer(name)
    elsewhere = [name for name in found.rest() if any(name in known for known in GAMES.values())]
    if elsewhere:
        raise found.wrong(f"{elsewhere[0]!r} means nothing in the game {variant.game!r}")
    found.done()
    if changes.get("setup_rolls", 0) > MOST_SETUP_ROLLS:
        raise found.wrong(f"'setup_rolls' is {changes['setup_rolls']}; expected {MOST_SETUP_ROLLS} or fewer")
    return replace(variant, **changes)
