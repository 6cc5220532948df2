"""How slips are told: one sentence each, with the turn as it is counted at the table."""

from __future__ import annotations

from collections.abc import Sequence

from ontour_cv.board import Kind, Mark
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.maps.model import MapTemplate, card_region
from ontour_cv.rules.count import reverse


def turn_name(rolls: Sequence[Roll], index: int) -> str:
    """``Turn 7``, counted after the setup; ``Setup 2``."""
    if rolls[index].phase is Phase.SETUP:
        return f"Setup {index + 1}"
    return f"Turn {index + 1 - sum(roll.phase is Phase.SETUP for roll in rolls)}"


def content(number: int | None) -> str:
    """``41`` or ``the star``."""
    return "the star" if number is None else f"{number:02d}"


def cards_shown(template: MapTemplate, roll: Roll) -> str:
    """``North (MN), Central (SD) and East (VA)``."""
    return listed([f"{template.card(card).area} ({card_region(card)})" for card in roll.cards])


def shown(roll: Roll) -> list[str]:
    """The regions on the roll's cards."""
    return list(dict.fromkeys(map(card_region, roll.cards)))


def listed(words: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def wrong_region(template: MapTemplate, rolls: Sequence[Roll], index: int, number: int | None, region: str) -> str:
    """A number or star where no card lets it stand."""
    roll, head = rolls[index], f"{turn_name(rolls, index)}, {content(number)}:"
    if roll.phase is Phase.SETUP:
        card = roll.cards[roll.numbers.index(number)] if number in roll.numbers else roll.cards[0]
        return f"{head} it stands in {region}, but its card was {card_region(card)}."
    areas = listed(template.region(region).areas or ("no area",))
    return f"{head} {region} is in {areas}, but the cards showed {cards_shown(template, roll)}."


def wrong_circle(rolls: Sequence[Roll], index: int, number: int | None, region: str, circled: bool) -> str:
    """A circle too many, or one that is missing."""
    roll, head = rolls[index], f"{turn_name(rolls, index)}, {content(number)}:"
    if not circled:
        why = "the setup is circled" if roll.phase is Phase.SETUP else f"it was written with the card {region}"
        if region not in shown(roll):
            why = "a star is always circled"
        return f"{head} the circle is missing in {region}; {why}."
    if roll.phase is Phase.LAST:
        return f"{head} {region} is circled, but the last turn has no cards and so no circles."
    if region in shown(roll):
        return f"{head} {region} is circled, but it was not written with the card {region}."
    return f"{head} {region} is circled, but the cards were {listed(shown(roll))}."


def wrong_content(rolls: Sequence[Roll], index: int, number: int | None, region: str, mark: Mark) -> str:
    """Something else than what was rolled."""
    head = f"{turn_name(rolls, index)}:"
    due = "a star was due" if number is None else f"{number:02d} was rolled"
    if mark.number is None:
        return f"{head} {due}, but {region} has {'a star' if mark.kind is Kind.STAR else 'an X'}."
    turned = ", the digits exchanged" if number is not None and mark.number == reverse(number) else ""
    return f"{head} {due}, but {region} says {mark.number:02d}{turned}."


def needless(rolls: Sequence[Roll], index: int, number: int | None, region: str, place: tuple[str, str] | None) -> str:
    """An X that the rules do not allow; ``place``: a region that was left, and the card that opened it."""
    head = f"{turn_name(rolls, index)}, {content(number)}: {region} has an X"
    if rolls[index].phase is not Phase.TURN:
        what = "setup" if rolls[index].phase is Phase.SETUP else "last turn"
        return f"{head}, but the {what} always has a place."
    if place is None:
        return f"{head}, but there was a legal place."
    return f"{head}, but there was a legal place, for example {place[0]} with the card {place[1]}."


def forgotten(rolls: Sequence[Roll], index: int, number: int | None) -> str:
    """Something that was not written."""
    return f"{turn_name(rolls, index)}: {content(number)} was not written anywhere."


def extra(region: str, mark: Mark) -> str:
    """Something that no roll asked for."""
    if mark.kind is Kind.STAR:
        what = "a star"
    elif mark.kind is Kind.BLOCKED:
        what = "an X"
    else:
        what = f"{mark.number:02d}" if mark.number is not None else "something"
    return f"{region} has {what} that no roll accounts for."


def same_card(
    template: MapTemplate, rolls: Sequence[Roll], index: int, regions: Sequence[str], card: str | None
) -> str:
    """Both numbers of a turn with one card."""
    area = template.card(card).area if card else ""
    numbers = listed([f"{number:02d}" for number in rolls[index].numbers])
    with_card = f"{area} ({card_region(card)})" if card else "the same card"
    return (
        f"{turn_name(rolls, index)}: {numbers} in {listed(regions)} can only have been written with {with_card}, "
        "but each needs a card of its own."
    )


def exchanged(rolls: Sequence[Roll], index: int) -> str:
    """The setup's low number on the second card and its high one on the first."""
    roll = rolls[index]
    low, high = (f"{number:02d}" for number in roll.numbers)
    first, second = map(card_region, roll.cards)
    return f"{turn_name(rolls, index)}: {low} belongs in {first} and {high} in {second}, not the other way round."


def idle_circle(region: str) -> str:
    """A circle round nothing."""
    return f"{region}: there is a circle round nothing."


def crossed_circle(rolls: Sequence[Roll], index: int, region: str) -> str:
    """A circle round an X."""
    return f"{turn_name(rolls, index)}: the X in {region} is circled, but an X never is."
