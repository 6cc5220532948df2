"""Where dice and cards come from: the operating system, or a seed by a stated rule.

The rule is written out here and uses nothing of Python's own generators, so that a seed means the same game on every
platform and in every version. The ``k``-th roll of a game (0 for its first; rolls taken back count too) has a stream of
its own: for ``i = 0, 1, ...`` the eight 32-bit words, most significant byte first, of SHA-256 over the UTF-8 text
``"ontour-cv dealer 1|<seed>|<k>|<i>"``. A number below ``n`` is the next word modulo ``n``; words at or above the
largest multiple of ``n`` are passed over, so that no number is favoured.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from typing import Protocol

_WORDS = 2**32


class Chance(Protocol):
    """A source of fair numbers."""

    def below(self, n: int) -> int:
        """A number from 0 to ``n`` - 1, each equally likely."""
        ...


class Unforeseen:
    """The operating system's randomness (``secrets``): nobody can know what comes, and nothing of it comes again."""

    def below(self, n: int) -> int:
        """A number from 0 to ``n`` - 1."""
        return secrets.randbelow(n)


class Seeded:
    """One roll's stream of a seeded game.

    Args:
        seed: any text; a number is its digits.
        roll: which roll of the game.
    """

    def __init__(self, seed: str, roll: int) -> None:
        self._words = _stream(seed, roll)

    def below(self, n: int) -> int:
        """A number from 0 to ``n`` - 1; always the same for the same seed, roll and place in the stream."""
        fair = _WORDS - _WORDS % n
        return next(word for word in self._words if word < fair) % n


def chance_of(seed: str | None, roll: int) -> Chance:
    """The source for one roll: of the seed when there is one."""
    return Unforeseen() if seed is None else Seeded(seed, roll)


def _stream(seed: str, roll: int) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(f"ontour-cv dealer 1|{seed}|{roll}|{block}".encode()).digest()
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1
