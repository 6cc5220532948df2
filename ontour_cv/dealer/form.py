"""The lines of a log: an opening or an event to one line of JSON, and back. ``docs/log.md`` shows them all."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from ontour_cv.dealer.bag import FEWEST_COLOURS
from ontour_cv.dealer.city import CITY_CARDS, FULL
from ontour_cv.dealer.deal import cards_needed, spaces_needed
from ontour_cv.dealer.events import Deal, Event, Redo, Undo
from ontour_cv.dealer.game import Opening
from ontour_cv.dealer.players import players_problem, text_problem
from ontour_cv.dealer.record import Phase, Roll
from ontour_cv.errors import BadTemplate
from ontour_cv.maps.load import NAME, NoSuchMap, load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import NEW_YORK, ROLLING_AMERICA, Variant, is_shipped, variant_for, variant_of, variant_table

VERSION = 4
"""Version of the log's form. A program refuses logs of a later one, and writes the earliest one that will do: 4 for New
York; else 3 for rules of the user's own, which it stores; else 2 for Rolling America and 1 for On Tour."""

HEAD = "ontour-cv game"
"""The first field of every log; its value is the version."""

YEARS = range(1971, 3000)
"""Years of games: every system can tell their times in any zone."""

Table = dict[str, object]
T = TypeVar("T")


class NewerVersion(ValueError):
    """The log was written by a later program."""


class MapMissing(ValueError):
    """The game was played on a map that is not there, or whose folder was not named."""


def opening_line(opening: Opening) -> str:
    """The first line of a log, without its line break."""
    shipped = is_shipped(opening.rules)
    table: Table = {
        HEAD: _version(opening, shipped),
        "map": opening.template.id,
        "rules": opening.rules,
        **({} if shipped else {"variant": variant_table(opening.variant)}),
        "players": list(opening.players),
        "created": opening.created,
    }
    return _dumped(table | ({} if opening.seed is None else {"seed": opening.seed}))


def _version(opening: Opening, shipped: bool) -> int:
    if opening.variant.game == NEW_YORK:
        return 4
    if not shipped:
        return 3
    return 2 if opening.variant.game == ROLLING_AMERICA else 1


def event_line(event: Event, number: int, at: str) -> str:
    """The line of one event, without its line break.

    Args:
        event: what happened.
        number: which event of the game it is, from 1.
        at: when, as ISO 8601 in UTC.
    """
    if event == FULL:
        table: Table = {"event": Phase.FULL.value}
    elif isinstance(event, Deal):
        roll = event.roll
        table = {"event": roll.phase.value, "dice": list(roll.dice)}
        table |= {"colours": list(roll.colours)} if roll.phase is Phase.DICE else {"cards": list(roll.cards)}
        if event.rerolled:
            table["rerolled"] = [list(pair) for pair in event.rerolled]
    else:
        table = {"event": "undo" if isinstance(event, Undo) else "redo", "steps": event.steps}
    return _dumped({"n": number} | table | {"at": at})


def read_opening(line: str) -> Opening:
    """The opening in the first line of a log; ``ValueError`` says what is wrong, ``NewerVersion`` that it is later."""
    table = read_table(line)
    version = table.pop(HEAD, None)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ValueError(f"it does not begin with {{{json.dumps(HEAD)}: 1")
    if version > VERSION:
        raise NewerVersion(f"it is of version {version} and this program knows {VERSION}")
    rules, map_id = _text(table, "rules"), _text(table, "map")
    players = _list(table, "players", str, "a list of names")
    created = _moment(table, "created")
    seed = _text(table, "seed") if "seed" in table else None
    stored = _variant(table, rules) if version >= 3 and "variant" in table else None
    _nothing_left(table)
    return make_opening(map_id, stored or rules, tuple(players), seed, created)


def make_opening(
    map_id: str, rules: str | Variant | None, players: tuple[str, ...], seed: str | None, created: str
) -> Opening:
    """An opening that can be dealt; ``ValueError`` says why it cannot. Without ``rules`` the map's own are taken."""
    try:
        template = load_map(map_id)
        variant = rules if isinstance(rules, Variant) else variant_for(template.rules, rules)
        game = variant_for(template.rules, None).game
    except NoSuchMap as fault:
        raise MapMissing(fault.message) from fault
    except BadTemplate as fault:
        raise ValueError(f"{fault.message}; {fault.remedy}") from fault
    if variant.game != game:
        raise ValueError(f"the rules {variant.key!r} are of another game than the map {template.title}")
    problem = (
        _cards_problem(template, variant)
        or players_problem(players)
        or (None if seed is None else text_problem(seed, "the seed"))
    )
    if problem:
        raise ValueError(problem)
    return Opening(template, variant, players, seed, created)


def _cards_problem(template: MapTemplate, variant: Variant) -> str | None:
    if variant.game == ROLLING_AMERICA:
        have = len(template.areas)
        few = f"the map {template.title} has {have} colours; the dice of a round need {FEWEST_COLOURS} or more"
        return few if have < FEWEST_COLOURS else None
    city = variant.game == NEW_YORK
    needed = CITY_CARDS if city else cards_needed(variant)
    have = len(template.city.cards if city and template.city else template.cards)
    if have < needed:
        return f"the map {template.title} has {have} cards; a dealer needs {needed} or more"
    spaces, seeded = len({card.region for card in template.cards}), spaces_needed(variant)
    if spaces < seeded and not city:
        return f"the map {template.title} has cards of {spaces} spaces; the setup writes in {seeded}"
    return None


def _variant(table: Table, key: str) -> Variant:
    """The rules as the log stores them."""
    if not NAME.fullmatch(key):
        raise ValueError(f"'rules' is {json.dumps(key)[:40]}; expected small letters, digits and dashes")
    try:
        return variant_of(table.pop("variant"), key, "'variant'")
    except NoSuchMap as fault:
        raise MapMissing(fault.message) from fault
    except BadTemplate as fault:
        raise ValueError(fault.message) from fault


def read_event(line: str, number: int) -> tuple[Event, str]:
    """The event in a line that should be the ``number``-th, and when it was; ``ValueError`` says what is wrong."""
    table = read_table(line)
    found = table.pop("n", None)
    if found != number or isinstance(found, bool):
        raise ValueError(f"it is numbered {json.dumps(found)}, but {number} comes here")
    name = _text(table, "event")
    if name in ("undo", "redo"):
        steps = _take(table, "steps", lambda value: _is_whole(value), "a whole number")
        assert isinstance(steps, int)
        event: Event = Undo(steps) if name == "undo" else Redo(steps)
    elif name == Phase.FULL.value:
        event = FULL
    elif name in {phase.value for phase in Phase}:
        coloured = name == Phase.DICE.value
        colours = tuple(_list(table, "colours", str, "two colours")) if coloured else ()
        cards = () if coloured else tuple(_list(table, "cards", str, "a list of ids"))
        rerolled = tuple(_pair(pair) for pair in _list(table, "rerolled", list, "pairs")) if "rerolled" in table else ()
        event = Deal(Roll(Phase(name), cards, _pair(table.pop("dice", None)), colours), rerolled)
    else:
        raise ValueError(f"there is no event called {name!r}")
    at = _moment(table, "at") if "at" in table else ""
    _nothing_left(table)
    return event, at


def read_table(line: str) -> Table:
    """The JSON object in a line; ``ValueError`` when there is none."""
    try:
        value = json.loads(line, object_pairs_hook=_once)
        _dumped(value).encode()
    except RecursionError as fault:
        raise ValueError("it is not a JSON object") from fault
    except json.JSONDecodeError as fault:
        raise ValueError("it is not JSON") from fault
    except UnicodeEncodeError as fault:  # one that only an escape can write, and no message about it could show
        raise ValueError("it holds half a letter") from fault
    if not isinstance(value, dict):
        raise ValueError("it is not a JSON object")
    return value


def _once(pairs: list[tuple[str, object]]) -> Table:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a field stands twice")
    return dict(pairs)


def _dumped(table: Table) -> str:
    return json.dumps(table, ensure_ascii=False)


def _take(table: Table, key: str, right: Callable[[object], bool], expected: str) -> object:
    value = table.pop(key, None)
    if not right(value):
        raise ValueError(f"{key!r} is {json.dumps(value)[:40]}; expected {expected}")
    return value


def _text(table: Table, key: str) -> str:
    value = _take(table, key, lambda found: isinstance(found, str) and bool(found), "a text")
    return str(value)


def _moment(table: Table, key: str) -> str:
    """A time with its zone, written anew in UTC so that times sort as texts."""
    text = _text(table, key)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as fault:
        raise ValueError(f"{key!r} is {text[:40]!r}; expected a time like 2026-11-21T20:15:00Z") from fault
    if moment.tzinfo is None:
        raise ValueError(f"{key!r} is {text!r}; its time zone is missing, like the Z in 2026-11-21T20:15:00Z")
    if moment.year not in YEARS:
        raise ValueError(f"{key!r} is {text!r}; expected a year from {YEARS[0]} to {YEARS[-1]}")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _list(table: Table, key: str, kind: type[T], expected: str) -> list[T]:
    value = _take(table, key, lambda v: isinstance(v, list) and all(isinstance(x, kind) for x in v), expected)
    assert isinstance(value, list)
    return value


def _pair(value: object) -> tuple[int, int]:
    if not (isinstance(value, list) and len(value) == 2 and all(_is_whole(die) for die in value)):
        raise ValueError(f"dice are {json.dumps(value)[:40]}; expected two digits, like [3, 7]")
    return value[0], value[1]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _nothing_left(table: Table) -> None:
    if table:
        raise ValueError(f"nothing is known of the field {next(iter(table))!r}")
