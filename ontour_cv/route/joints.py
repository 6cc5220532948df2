"""How the ends of two pieces of a route may be joined: the rule "levels never fall", seen from the ends alone.

A piece is a stretch of the route being built. Where its levels differ it has a direction: a low end, before which only
places of its first level or less may come, and a high end, after which only its last level or more. A piece of one
level is flat (it may still be walked either way), a piece of wild places only is free.

Inside a sweep, what stands at one frontier place is one integer, its **slot code**: ``UNTOUCHED``, ``DEAD`` (inside a
piece, or can no longer be used), or ``kind << KIND | rank << RANK | mate`` for the end of a piece, with ``mate`` the
slot of the piece's other end, or ``GONE`` when that end has left the frontier and is an end of the whole route.
"""

from __future__ import annotations

from ontour_cv.route.task import WILD

UNTOUCHED, DEAD = 0, 1
RANK, KIND = 8, 22
GONE = (1 << RANK) - 1
"""Mate of an end whose piece has its other end behind the frontier; slots are numbered below it."""
FREE, FLAT, LOW, HIGH = 1, 2, 3, 4
END = FREE << KIND
"""The least slot code that is the end of a piece."""
KEEP = -1
"""The far end of a piece keeps the kind and rank it has."""

Joint = tuple[int, int] | None


def bare_end(rank: int) -> int:
    """The end code (mate 0) of a piece that is one single place of that rank."""
    return END if rank == WILD else FLAT << KIND | rank << RANK


def join(one: int, two: int) -> Joint:
    """What the far ends of two pieces become when these ends are joined; None when the levels forbid it.

    Takes and returns end codes without mate (bits below ``RANK`` clear); ``KEEP`` for a far end that stays what it is.
    """
    kind, other = one >> KIND, two >> KIND
    if kind > other:
        turned = join(two, one)
        return None if turned is None else (turned[1], turned[0])
    mine, theirs = one & (1 << KIND) - 1, two & (1 << KIND) - 1
    if kind == FREE:
        if other in (FREE, FLAT):
            return two, two
        return two, KEEP
    if kind == FLAT:
        low, high = LOW << KIND, HIGH << KIND
        if other == FLAT:
            if mine == theirs:
                return one, two
            return (low | mine, high | theirs) if mine < theirs else (high | mine, low | theirs)
        if other == LOW:
            return (low | mine, KEEP) if mine <= theirs else None
        return (high | mine, KEEP) if mine >= theirs else None
    if kind == LOW and other == HIGH and theirs <= mine:
        return KEEP, KEEP
    return None
