"""Names at the table."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 40
"""Letters in a name or a seed, so that screens hold them."""

MOST = 99
"""Everybody uses the same flips, so any number can play; this many fill a hall."""


def players_problem(players: tuple[str, ...]) -> str | None:
    """Why these cannot be the players of a game, or None when they can."""
    if not 1 <= len(players) <= MOST:
        return f"{len(players)} players; expected 1 to {MOST}"
    for name in players:
        problem = text_problem(name, "a player's name")
        if problem:
            return problem
    twice = next((name for name in players if [folded(other) for other in players].count(folded(name)) > 1), None)
    return None if twice is None else f"two players are called {twice!r}; photos are scored by name"


def folded(name: str) -> str:
    """In small letters, each with its accent as one sign: some keyboards and a Mac's file names have them apart."""
    return unicodedata.normalize("NFC", name.casefold())


def text_problem(text: str, what: str) -> str | None:
    """Why ``text`` cannot stand on a screen and in a log as ``what``, or None when it can."""
    if not text.strip() or text != text.strip():
        return f"{what} is {text!r}; expected letters, without blanks around them"
    if len(text) > LONGEST:
        return f"{what} has {len(text)} letters; expected {LONGEST} at most"
    # Cc, Cf, Cs, Co: control and direction marks would disturb the screen, lone surrogates cannot be written.
    if any(unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} for letter in text):
        return f"{what} is {text!a}; expected letters that can be shown"
    return None


def players_of(words: str) -> tuple[str, ...]:
    """The players that ``words`` ask for: ``4`` gives Player 1 to Player 4, ``Anna, Ben`` those two.

    ``ValueError`` says why these cannot be players.
    """
    words = words.strip()
    if re.fullmatch(r"[+-]?[0-9]+", words):
        count = int(words[:6])
        if not 1 <= count <= MOST:
            raise ValueError(f"{words[:20]} players; expected 1 to {MOST}")
        players = tuple(f"Player {number}" for number in range(1, count + 1))
    else:
        players = tuple(" ".join(name.split()) for name in words.split(",") if name.strip())
    problem = players_problem(players)
    if problem:
        raise ValueError(problem)
    return players
