"""``ontour-cv score --game``: the game's log on the command line, whose board is whose, and what the log says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.board import Mark
from ontour_cv.cli.console import counted, percent
from ontour_cv.dealer.players import folded
from ontour_cv.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.game import ByLog, Possible
    from ontour_cv.scorer.hindsight import Exchange
    from ontour_cv.scorer.ranking import Standing
    from ontour_cv.scorer.report import Outcome, Report
    from ontour_cv.scorer.sheet_report import SheetReport, SheetStanding

GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="The game's log, a file or a name from games: reads with it, and checks the boards against it.",
    ),
]
PlayerOption = Annotated[
    list[str] | None,
    typer.Option(
        "--player",
        metavar="NAME",
        help="Whose board it is, in the order of the photos (repeatable). Default: the player a file is named after.",
    ),
]


@dataclass(frozen=True, slots=True)
class Table:
    """The game the boards come from.

    Attributes:
        map_id: id of the map, or ``"auto"``.
        record: what was rolled; None when no game was named.
        owners: whose board each photo shows, None where nobody said.
        log: the game's file; None when no game was named.
    """

    map_id: str
    record: GameRecord | None
    owners: tuple[str | None, ...]
    log: Path | None = None

    def of(self, photos: Sequence[Path], players: Sequence[str]) -> Table:
        """The same with whose board each photo shows, as :func:`name_players` says; nobody's without a game.

        Raises:
            UsageError: a player without a game, or names that do not go with game and photos.
        """
        if self.record is not None:
            return replace(self, owners=name_players(photos, players, self.record))
        if players:
            raise UsageError("--player needs the game that was played", "Name its log with --game.")
        return replace(self, owners=(None,) * len(photos))

    def named(self, outcomes: Sequence[Outcome | SheetReport | CityReport]) -> list[Outcome | SheetReport | CityReport]:
        """The same outcomes, each board of the game with its player."""
        return [_owned(outcome, owner) for outcome, owner in zip(outcomes, self.owners, strict=True)]


def _owned(outcome: Outcome | SheetReport | CityReport, owner: str | None) -> Outcome | SheetReport | CityReport:
    from ontour_cv.scorer.report import Failure, Report
    from ontour_cv.scorer.sheet_report import SheetReport

    if isinstance(outcome, Failure):
        return outcome
    if isinstance(outcome, SheetReport):
        return replace(outcome, player=owner)
    if outcome.log is None:
        return outcome
    if isinstance(outcome, Report):
        return replace(outcome, log=replace(outcome.log, player=owner))
    return replace(outcome, log=replace(outcome.log, player=owner))


def open_table(game: str | None, map_id: str) -> Table:
    """The game named on the command line, whose boards are not told yet (:meth:`Table.of`).

    Raises:
        BadLog: there is no such game, its log is damaged, or it was played on another map than was asked for.
    """
    if game is None:
        return Table(map_id, None, ())
    from ontour_cv.dealer.log import load_game
    from ontour_cv.dealer.shelf import find_game, games_dir

    log = find_game(game, games_dir())
    record = load_game(log).record
    if map_id != "auto":
        record.check_map(map_id)
    return Table(record.map_id, record, (), log)


def name_players(photos: Sequence[Path], names: Sequence[str], record: GameRecord) -> tuple[str | None, ...]:
    """Whose board each photo shows: as told, else the one player whose name stands in the file's name, else None.

    Raises:
        UsageError: a name that did not play, or that is given twice, or more or fewer names than photos; without
            names, two photos that are named after one player.
    """
    if not names:
        return _from_files(photos, record)
    if len(names) != len(photos):
        raise UsageError(
            f"--player names {counted(len(names), 'player')} for {counted(len(photos), 'photo')}",
            "Name one --player for each photo, in their order.",
        )
    known = {folded(player): player for player in record.players}
    for number, name in enumerate(names):
        if folded(name) not in known:
            raise UsageError(f"{name!r} did not play in this game", f"Its players are: {', '.join(record.players)}.")
        if folded(name) in [folded(other) for other in names[:number]]:
            raise UsageError(f"--player {name} is given twice", "Name each player once.")
    return tuple(known[folded(name)] for name in names)


def _from_files(photos: Sequence[Path], record: GameRecord) -> tuple[str | None, ...]:
    """Nobody's are several boards of one picture: its name is not of one of them. ``UsageError`` as above."""
    from ontour_cv.scorer.pictures import numbered

    owners = [_from_file(photo, record) for photo in photos]
    first: dict[str, Path] = {}
    for photo, player in zip(photos, owners, strict=True):
        other = photo if player is None else first.setdefault(player, photo)
        if numbered(other)[0] != numbered(photo)[0]:
            raise UsageError(
                f"{other.name} and {photo.name} are both named after {player}",
                "Leave one of them out, say whose each is with --player, or score both as one with --same-board.",
            )
    return tuple(player if owners.count(player) == 1 else None for player in owners)


def _from_file(photo: Path, record: GameRecord) -> str | None:
    words = f" {_words(photo.stem)} "
    found = [player for player in record.players if f" {_words(player)} " in words]
    return found[0] if len(found) == 1 else None


def _words(text: str) -> str:
    """Its words in small letters, one blank between them, signs left out."""
    return " ".join(re.findall(r"[^\W_]+", folded(text)))


def player_of(report: Report | SheetReport | CityReport) -> str | None:
    """Whose board or sheet it is; None where nobody said, or without a game."""
    from ontour_cv.scorer.sheet_report import SheetReport

    if isinstance(report, SheetReport):
        return report.player
    return report.log.player if report.log else None


def column_of(standings: Sequence[Standing[Report] | Standing[CityReport] | SheetStanding]) -> str:
    """Heading of those who are ranked: players once one is known, else photos."""
    return "Player" if any(player_of(standing.report) for standing in standings) else "Photo"


def title(report: Report | SheetReport | CityReport) -> str:
    """The player's name with the photo, or the photo alone."""
    player = player_of(report)
    return f"{player} ({report.photo})" if player else report.photo


def log_lines(report: Report) -> Iterator[tuple[str, str]]:
    """What the log says about a board: pairs of a heading (may be empty) and a sentence."""
    log = report.log
    if log is None:
        return
    if log.verdict is None:
        yield "Not of this game:", "what is written does not go with its rolls. Read without the log."
        return
    if not log.verdict.complete:
        yield "By the log:", f"it takes {log.verdict.at_least} slips or more to explain this board."
        return
    yield from _slips(report, log)
    for possible in log.possible:
        yield "Look at", _possible(possible)
    seen, all_rolls = log.verdict.rolls, len(log.record.rolls)
    if seen < all_rolls:
        yield "", f"The board shows the first {seen} of the game's {all_rolls} rolls."
    if log.without is not None:
        gone = ", ".join(region for region in report.cells if region in log.verdict.faulty)
        yield f"Without {gone}:", f"{counted(log.without.total, 'point')}; as written {report.score.total}."
    if log.could_have is not None:
        yield "Could have had:", _could_have(log.could_have)


def _sign(mark: Mark) -> str:
    from ontour_cv.cli.marks import say

    return say(mark)


def _could_have(exchange: Exchange) -> str:
    marks = " and ".join(f"{_sign(mark)} in {region}" for region, mark in exchange.marks.items())
    return f"{exchange.score.total} points, with {marks}: two marks, each in the other's place."


def _slips(report: Report, log: ByLog) -> Iterator[tuple[str, str]]:
    verdict = log.verdict
    if verdict is None:
        return
    if verdict.legal:
        yield "By the log:", "no slip."
    for slip, sure in zip(verdict.slips, log.sure, strict=True):
        doubtful = [region for region in slip.regions if report.cells[region].doubtful]
        some = f" Some {report.template.space_plural} are in doubt; look again."
        asked = f" Is {' and '.join(doubtful)} read rightly?" if doubtful else some
        yield ("Slip:", slip.text) if sure else ("A slip?", slip.text + asked)
    for others in verdict.others:
        yield "Or else:", " ".join(slip.text for slip in others)


def _possible(possible: Possible) -> str:
    text = " ".join(slip.text for slip in possible.slips)
    return f"{possible.region}: if it holds {_sign(possible.mark)} ({percent(possible.probability)}), {text}"
