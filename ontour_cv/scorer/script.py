"""A game's rolls as what every player had to write: the rules' side of reading with the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ontour_cv.dealer.record import GameRecord, Phase, Roll
from ontour_cv.maps.model import MapTemplate, card_region
from ontour_cv.rules import Variant
from ontour_cv.vision.script import Place, Script, Slips, Writing

FULL_AREA = -4.0
"""Log-weight of an X for a number whose cards' areas may be full by then; in played games one in fifty."""

UNFINISHED = 4
"""A board of a finished game with so many empty states may have been photographed before its end."""

CIRCLED, CIRCLED_STAR = 1.0, 2.0
"""Log-weight of writing into the very state of a card: players like circles, and stars go where they want."""


def script_of(record: GameRecord, template: MapTemplate, variant: Variant) -> Script:
    """Everything a board of this game should hold, and where each of it may stand.

    A star or a number with a card's area to itself may stand in any state of the area, circled exactly in the card's
    own state; the two numbers of a turn need different cards. Whether an area was full at the time is not followed up:
    an X is only told apart into possible by then and impossible.
    """
    scribe = _Scribe(template, variant)
    writings: list[Writing] = []
    filled = 0
    for turn, roll in enumerate(record.rolls):
        some = list(scribe.write(turn, roll, filled))
        writings += some
        filled += min(len(some), len(template.ids) - filled)
    return Script(tuple(writings), filled, early=UNFINISHED if record.over else 1)


class _Scribe:
    """Turns rolls into writings."""

    def __init__(self, template: MapTemplate, variant: Variant) -> None:
        self._ids = template.ids
        self._variant = variant
        self._area = {card.id: card.area for card in template.cards}
        self._members = {area: frozenset(r.id for r in template.regions if area in r.areas) for area in template.areas}

    def write(self, turn: int, roll: Roll, filled: int) -> Iterator[Writing]:
        """The writings of one roll; ``filled`` states had something in them before."""
        never = Slips().blocked
        if roll.phase is Phase.SETUP:
            for k, (card, number) in enumerate(zip(roll.cards, roll.numbers, strict=True)):
                yield Writing(number, (Place(card_region(card), True, 1 << k),), turn, never)
        elif roll.phase is Phase.LAST:
            circled = roll.double and self._variant.star_always_circled
            places = tuple(Place(cell, circled, 3) for cell in self._ids)
            numbers: tuple[int | None, ...] = (None,) if roll.double else roll.numbers
            for written in numbers:
                yield Writing(written, places, turn, never)
        elif roll.double or len({self._area[card] for card in roll.cards}) == 1:
            free = roll.double and self._variant.star_anywhere
            reach = frozenset(self._ids) if free else self._reach(roll.cards)
            yield Writing(None, self._star_places(roll.cards, reach), turn, self._skipped([reach], filled))
        else:
            pairs = [self._reach(pair) for pair in combinations(roll.cards, 2)]
            places = self._number_places(roll.cards)
            for number in roll.numbers:
                # The turn's other number may be what filled the last of their states.
                yield Writing(number, places, turn, self._skipped(pairs, filled + 1))

    def _reach(self, cards: Sequence[str]) -> frozenset[str]:
        return frozenset().union(*(self._members[self._area[card]] for card in cards))

    def _skipped(self, reaches: Sequence[frozenset[str]], filled: int) -> float:
        """Some two cards must have been full for an X; before that many marks stood anywhere, they were not."""
        return FULL_AREA if filled >= min(len(reach) for reach in reaches) else Slips().blocked

    def _star_places(self, cards: Sequence[str], reach: frozenset[str]) -> tuple[Place, ...]:
        always = self._variant.star_always_circled
        shown = {card_region(card) for card in cards}
        return tuple(
            Place(cell, always or cell in shown, weight=CIRCLED_STAR if cell in shown else 0.0)
            for cell in self._ids
            if cell in reach
        )

    def _number_places(self, cards: Sequence[str]) -> tuple[Place, ...]:
        places = []
        for cell in self._ids:
            for circled in (False, True):
                means = sum(
                    1 << k
                    for k, card in enumerate(cards)
                    if cell in self._members[self._area[card]] and (card_region(card) == cell) == circled
                )
                if means:
                    own = sum(1 << k for k, card in enumerate(cards) if not circled and card_region(card) == cell)
                    places.append(Place(cell, circled, means, CIRCLED if circled else 0.0, own))
        return tuple(places)
