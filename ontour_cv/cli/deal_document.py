"""A game as JSON, for ``ontour-cv deal ... --json``; docs/log.md lists the fields."""

from __future__ import annotations

from pathlib import Path

from ontour_cv.dealer.log import Log
from ontour_cv.dealer.record import Phase
from ontour_cv.dealer.tell import Told, next_title, roller, tell
from ontour_cv.dealer.tell_dice import round_of
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.model import card_region
from ontour_cv.rules import NEW_YORK


def game_document(path: Path, log: Log, history: bool) -> dict[str, object]:
    """The game and its latest roll; with ``history`` all the rolls that stand."""
    game = log.game
    now, opening = game.now, game.opening
    document: dict[str, object] = {
        "game": str(path),
        "map": opening.template.id,
        "rules": opening.rules,
        "players": list(opening.players),
        "seed": opening.seed,
        "created": opening.created,
        "changed": log.changed,
        "events": game.events,
        "over": now.over,
        f"{now.unit}_left": now.left,
        "next": None if now.over else {"title": next_title(game), "roller": roller(game, game.done)},
        "undo": game.done,
        "redo": game.undone,
        "cut_off_bytes": log.torn,
        "latest": _roll(tell(game, game.done - 1), log) if game.done else None,
    }
    return document | ({"history": [_roll(tell(game, i), log) for i in range(game.done)]} if history else {})


def _dice(told: Told) -> dict[str, object]:
    roll = told.deal.roll
    return {
        "title": told.title,
        "phase": roll.phase.value,
        "number": told.number,
        "round": round_of(told.number - 1),
        "roller": told.roller,
        "dice": [{"colour": colour, "number": number} for colour, number in zip(roll.colours, roll.dice, strict=True)],
        "rolls_after": told.left,
        "advice": list(told.advice),
    }


def _city(told: Told, log: Log) -> dict[str, object]:
    roll, city = told.deal.roll, log.game.opening.template.city
    assert city is not None
    cards = [city.card(card) for card in roll.cards]
    full = roll.phase is Phase.FULL
    return {
        "title": told.title,
        "phase": roll.phase.value,
        "number": told.number,
        "roller": told.roller,
        "dice": [] if full else list(roll.dice),
        "star": told.star,
        "numbers": [] if told.star or full else [f"{number:02d}" for number in roll.numbers],
        "cards": [
            {
                "id": card.id,
                "ferry": card.ferry,
                "boroughs": list(card.boroughs),
                "soloist": INSTRUMENTS.get(card.soloist),
                "soloist_in": card.soloist_in or None,
            }
            for card in cards
        ],
        "ferry_may_be_drawn": city.ferry_due(tuple(cards)),
        "shuffled": told.shuffled,
        "rolls_after_at_least": told.left,
        "advice": list(told.advice),
    }


def _roll(told: Told, log: Log) -> dict[str, object]:
    roll, template = told.deal.roll, log.game.opening.template
    if roll.phase is Phase.DICE:
        return _dice(told)
    if log.game.opening.variant.game == NEW_YORK:
        return _city(told, log)
    return {
        "title": told.title,
        "phase": roll.phase.value,
        "number": told.number,
        "roller": told.roller,
        "dice": list(roll.dice),
        "rerolled": [list(pair) for pair in told.deal.rerolled],
        "star": told.star,
        "numbers": [] if told.star else [f"{number:02d}" for number in roll.numbers],
        "cards": [
            {"region": card_region(card), "name": template.region(card_region(card)).name, "area": area}
            for card, area in zip(roll.cards, told.areas, strict=True)
        ],
        "star_circled_on": list(told.circled),
        "shuffled": told.shuffled,
        "spaces_before": told.left_before,
        "spaces_after": told.left,
        "advice": list(told.advice),
    }
