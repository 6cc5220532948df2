"""The fewest states to blame when several pairs of neighbours clash: a smallest vertex cover, exactly."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def fewest_to_blame(pairs: Iterable[tuple[str, str]]) -> frozenset[str]:
    """A smallest set of states that has one of every pair; of several the same one every time.

    Branching on the state with the most clashes: it is to blame, or all its partners are. The part of a pair whose
    other end clashes with nobody else is never needed. Such graphs are parts of a map, so they fall apart quickly.
    """
    links: dict[str, set[str]] = {}
    for a, b in pairs:
        links.setdefault(a, set()).add(b)
        links.setdefault(b, set()).add(a)
    found: set[str] = set()
    for part in _parts(links):
        found |= _cover({state: links[state] & part for state in part}, len(part)) or set()
    return frozenset(found)


def _parts(links: dict[str, set[str]]) -> list[set[str]]:
    """The states that hang together, as sets."""
    parts, seen = [], set[str]()
    for start in sorted(links):
        part, waiting = set[str](), [start]
        while waiting:
            state = waiting.pop()
            if state not in seen:
                seen.add(state)
                part.add(state)
                waiting += links[state]
        if part:
            parts.append(part)
    return parts


def _cover(links: dict[str, set[str]], most: int) -> set[str] | None:
    """A smallest cover of at most ``most`` states, or None."""
    links = {state: others for state, others in links.items() if others}
    if most <= 0:
        return None if links or most < 0 else set()
    if not links:
        return set()
    leaf = min((state for state, others in links.items() if len(others) == 1), default=None)
    if leaf is not None:
        (only,) = links[leaf]
        rest = _cover(_without(links, {only}), most - 1)
        return None if rest is None else {only} | rest
    busiest = max(sorted(links), key=lambda state: len(links[state]))
    if sum(map(len, links.values())) > 2 * most * len(links[busiest]):
        return None
    best: set[str] | None = None
    for blamed in ({busiest}, set(links[busiest])):
        rest = _cover(_without(links, blamed), (most if best is None else len(best) - 1) - len(blamed))
        if rest is not None:
            best = blamed | rest
    return best


def _without(links: dict[str, set[str]], gone: Collection[str]) -> dict[str, set[str]]:
    return {state: others - set(gone) for state, others in links.items() if state not in gone}
