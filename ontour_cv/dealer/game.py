"""A game folded from its events. Nothing here changes: every event gives a new game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ontour_cv.dealer.bag import BagPosition
from ontour_cv.dealer.chance import chance_of
from ontour_cv.dealer.city import start_city
from ontour_cv.dealer.deal import start
from ontour_cv.dealer.events import Deal, Event, Redo, Undo
from ontour_cv.dealer.place import Place
from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import NEW_YORK, ROLLING_AMERICA, Variant


@dataclass(frozen=True, slots=True)
class Opening:
    """What is settled before the first roll.

    Attributes:
        template: the map.
        variant: the rules.
        players: their names, in the order in which they roll.
        seed: makes dice and cards reproducible; None leaves them to the operating system.
        created: when, as ISO 8601 in UTC.
    """

    template: MapTemplate
    variant: Variant
    players: tuple[str, ...]
    seed: str | None
    created: str

    @property
    def rules(self) -> str:
        """Key of the rules."""
        return self.variant.key


@dataclass(frozen=True, slots=True)
class Game:
    """A game after any number of events.

    Attributes:
        opening: what was settled first.
        deals: the rolls of the game as it stands, those taken back last.
        places: the place before each of ``deals``, and the one after all of them.
        done: how many of ``deals`` stand; the others can be shown again.
        dealt: rolls ever dealt, dropped ones too.
        events: events so far.
    """

    opening: Opening
    deals: tuple[Deal, ...]
    places: tuple[Place, ...]
    done: int
    dealt: int
    events: int

    @property
    def now(self) -> Place:
        """The place the game stands at."""
        return self.places[self.done]

    @property
    def latest(self) -> Deal | None:
        """The roll that lies on the table; None before the first."""
        return self.deals[self.done - 1] if self.done else None

    @property
    def undone(self) -> int:
        """How many rolls can be shown again."""
        return len(self.deals) - self.done

    @property
    def record(self) -> GameRecord:
        """What the dealer knows of the game, for referee and reader."""
        opening, now = self.opening, self.now
        opened = f"{opening.created} {opening.seed or ''}".rstrip()
        return GameRecord(
            opening.template.id, opening.rules, opening.players, now.rolls, now.over, opening.variant, opened
        )

    def problem(self, event: Event) -> str | None:
        """Why the event cannot happen now, or None when it can."""
        if isinstance(event, Deal):
            return self.now.problem(event)
        most, what = (self.done, "take back") if isinstance(event, Undo) else (self.undone, "show again")
        if not 1 <= event.steps <= most:
            return f"there {'is' if most == 1 else 'are'} {most or 'no'} {'roll' if most == 1 else 'rolls'} to {what}"
        return None

    def after(self, event: Event) -> Game:
        """The game after ``event``; ``ValueError`` says why it cannot happen now.

        A roll dealt after an undo drops what was taken back; only the log still knows it.
        """
        problem = self.problem(event)
        if problem:
            raise ValueError(problem)
        events = self.events + 1
        if isinstance(event, Undo):
            return replace(self, done=self.done - event.steps, events=events)
        if isinstance(event, Redo):
            return replace(self, done=self.done + event.steps, events=events)
        return replace(
            self,
            deals=(*self.deals[: self.done], event),
            places=(*self.places[: self.done + 1], self.now.after(event)),
            done=self.done + 1,
            dealt=self.dealt + 1,
            events=events,
        )

    def draw(self) -> Deal:
        """A fresh roll for the place the game stands at; ``ValueError`` when it is over."""
        return self.now.draw(chance_of(self.opening.seed, self.dealt))


def new_game(opening: Opening) -> Game:
    """The game before its first roll."""
    first: Place
    if opening.variant.game == ROLLING_AMERICA:
        first = BagPosition(opening.template)
    elif opening.variant.game == NEW_YORK:
        first = start_city(opening.template, opening.variant)
    else:
        first = start(opening.template, opening.variant)
    return Game(opening, (), (first,), 0, 0, 0)
