"""What a roll means at the table, in numbers and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ontour_cv.dealer.city import FULL, CityPosition
from ontour_cv.dealer.deal import Position
from ontour_cv.dealer.events import Deal
from ontour_cv.dealer.game import Game
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.dealer.tell_city import FULL_TITLE, card_words, city_advice, city_title
from ontour_cv.dealer.tell_dice import dice_advice, dice_title
from ontour_cv.maps.model import MapTemplate, card_region
from ontour_cv.rules import Variant


@dataclass(frozen=True, slots=True)
class Told:
    """One roll, told.

    Attributes:
        deal: the roll.
        number: which turn it is, from 1; in the setup which of its rolls.
        roller: who rolled.
        areas: the areas on the cards, in the cards' order.
        star: True when a star is written instead of numbers.
        circled: states where the star is circled; empty when it is not a star turn or never circled.
        shuffled: True when the discards were shuffled for it.
        left_before: empty spaces before it; in Rolling America rolls, in New York rolls at the least.
        left: the same after it.
        title: ``Turn 7``.
        advice: what to write, one sentence each.
    """

    deal: Deal
    number: int
    roller: str
    areas: tuple[str, ...]
    star: bool
    circled: tuple[str, ...]
    shuffled: bool
    left_before: int
    left: int
    title: str
    advice: tuple[str, ...]


def tell(game: Game, index: int) -> Told:
    """The ``index``-th roll of the game as it stands, from 0."""
    deal, before, after = game.deals[index], game.places[index], game.places[index + 1]
    if isinstance(before, CityPosition):
        return _tell_city(game, index, before)
    if not isinstance(before, Position):
        return _tell_dice(game, index)
    roll, setup = deal.roll, before.variant.setup_rolls
    star = before.star(roll)
    return Told(
        deal=deal,
        number=index + 1 if roll.phase is Phase.SETUP else index + 1 - setup,
        roller=roller(game, index),
        areas=before.areas(roll),
        star=star,
        circled=before.regions(roll) if star and not before.variant.star_always_circled else (),
        shuffled=before.deck.shuffles(len(roll.cards)),
        left_before=before.left,
        left=after.left,
        title=_title(roll, index, setup),
        advice=_advice(roll, star, before.areas(roll), before.left, before.variant, before.template),
    )


def _tell_dice(game: Game, index: int) -> Told:
    deal = game.deals[index]
    return Told(
        deal=deal,
        number=index + 1,
        roller=roller(game, index),
        areas=(),
        star=False,
        circled=(),
        shuffled=False,
        left_before=game.places[index].left,
        left=game.places[index + 1].left,
        title=dice_title(index),
        advice=dice_advice(deal.roll, index),
    )


def _tell_city(game: Game, index: int, before: CityPosition) -> Told:
    deal = game.deals[index]
    full = deal.roll.phase is Phase.FULL
    return Told(
        deal=deal,
        number=index + (0 if full else 1),
        roller=roller(game, index),
        areas=tuple(map(card_words, before.open_cards(deal.roll))),
        star=deal.roll.double and not full,
        circled=(),
        shuffled=before.deck.shuffles(len(deal.roll.cards)),
        left_before=before.left,
        left=game.places[index + 1].left,
        title=FULL_TITLE if full else city_title(index),
        advice=city_advice(before, deal.roll),
    )


def latest(game: Game) -> Told | None:
    """The roll on the table; None before the first."""
    return tell(game, game.done - 1) if game.done else None


def roller(game: Game, index: int) -> str:
    """Who rolls the ``index``-th roll: the players take turns from the first roll of the setup on."""
    players = game.opening.players
    return players[index % len(players)]


def can_be_full(game: Game) -> bool:
    """True when somebody's map of New York can be full by now, which the table has to say."""
    return isinstance(game.now, CityPosition) and game.now.problem(FULL) is None


def next_title(game: Game) -> str:
    """What the next roll is called; ``Game over`` when there is none."""
    now = game.now
    if now.over:
        return "Game over"
    if isinstance(now, CityPosition):
        return city_title(len(now.rolls))
    if not isinstance(now, Position):
        return dice_title(len(now.rolls))
    return _title(Roll(now.phase, (), (0, 0)), len(now.rolls), now.variant.setup_rolls)


def _title(roll: Roll, index: int, setup: int) -> str:
    if roll.phase is Phase.SETUP:
        return f"Setup {index + 1} of {setup}"
    return f"Turn {index + 1 - setup}" + (" · last turn" if roll.phase is Phase.LAST else "")


def _advice(
    roll: Roll, star: bool, areas: tuple[str, ...], left: int, variant: Variant, template: MapTemplate
) -> tuple[str, ...]:
    low, high = (f"{number:02d}" for number in roll.numbers)
    if roll.phase is Phase.SETUP:
        first, second = (f"{region} ({template.region(region).name})" for region in map(card_region, roll.cards))
        return (f"Write {low} in {first} and {high} in {second}.", "Circle both.")
    if roll.phase is Phase.LAST:
        return _last(roll, left, variant, template)
    if star:
        return _star(roll, areas, variant, template.space)
    place = f"any empty {template.space}" if variant.x_anywhere else "a region of the cards"
    return (
        f"Write {low} and {high}, each in the region of a card of its own.",
        f"Circle a number written in its card's {template.space}.",
        f"No room for a number: X in {place}.",
    )


def _star(roll: Roll, areas: tuple[str, ...], variant: Variant, space: str) -> tuple[str, ...]:
    why = "Doubles" if roll.double else "Three cards of one region"
    circle = (
        "Circle it"
        if variant.star_always_circled
        else f"Circle it on {_either(tuple(dict.fromkeys(map(card_region, roll.cards))))}"
    )
    if roll.double and variant.star_anywhere:
        return (f"{why}: write a star in any empty {space}.", f"{circle}.")
    return (
        f"{why}: write a star in {_either(tuple(dict.fromkeys(areas)))}.",
        f"{circle}.",
        f"No empty {space} there: X in any empty {space}.",
    )


def _last(roll: Roll, left: int, variant: Variant, template: MapTemplate) -> tuple[str, ...]:
    low, high = (f"{number:02d}" for number in roll.numbers)
    circle = "Circle it." if variant.star_always_circled else "No circle."
    if roll.double and left > 1:
        return (f"Doubles: write a star in either empty {template.space}.", circle, "Then one more last turn.")
    if roll.double:
        return (f"Doubles: write a star in the last empty {template.space}.", circle)
    if left > 1:
        return (
            f"Write {low} and {high} in the two empty {template.space_plural}, as you like.",
            "No cards, no circles.",
        )
    return (f"Write {low} or {high} in the last empty {template.space}.", "No cards, no circles.")


def _either(words: Sequence[str]) -> str:
    """``North, South or East``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
