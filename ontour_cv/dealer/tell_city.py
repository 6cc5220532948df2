"""What a roll of New York means at the table, in words."""

from __future__ import annotations

from ontour_cv.dealer.city import CityPosition
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.maps.city import INSTRUMENTS, CityCard

FULL_TITLE = "A map is full"


def city_title(index: int) -> str:
    """What the ``index``-th roll is called, from 0."""
    return f"Turn {index + 1}"


def card_words(card: CityCard) -> str:
    """``Manhattan, Queens (drums)``; ``a ferry``."""
    return ", ".join(card_lines(card)) if not card.ferry else "a ferry"


def card_lines(card: CityCard) -> tuple[str, ...]:
    """A line per borough, the soloist behind the one it stands in; ``Ferry`` on a ferry card."""
    if card.ferry:
        return ("Ferry",)
    return tuple(
        f"{borough} ({INSTRUMENTS[card.soloist]})" if card.soloist_at(borough) else borough for borough in card.boroughs
    )


def city_advice(before: CityPosition, roll: Roll) -> tuple[str, ...]:
    """What to write for a roll, a sentence each."""
    if roll.phase is Phase.FULL:
        return ("The game is over for all; empty neighbourhoods are on nobody's route.",)
    due = ("Or draw a ferry instead.",) if before.ferry_due(roll) else ()
    if roll.double:
        return ("Doubles: write a star in any empty neighbourhood.", *due)
    low, high = (f"{number:02d}" for number in roll.numbers)
    return (
        f"Write {low} and {high}, each in a borough of a card of its own, with the soloist shown there.",
        *due,
        "No room for a number: X in any empty neighbourhood.",
    )
