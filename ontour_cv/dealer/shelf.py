"""Where games are kept: one folder, a file a game."""

from __future__ import annotations

import os
import shlex
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ontour_cv.dealer.form import YEARS
from ontour_cv.dealer.game import Opening
from ontour_cv.dealer.log import Log, MapNotFound, read_log
from ontour_cv.errors import BadLog, UsageError
from ontour_cv.resources import program, user_data_dir

SUFFIX = ".jsonl"
VARIABLE = "ONTOUR_CV_GAMES"
"""Environment variable that names the folder."""

_UNKNOWN = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the folder.

    Attributes:
        path: the file.
        changed: when the game was last played, as ISO 8601 in UTC; of a damaged one when its file was changed.
        log: the game; None when it cannot be read.
        problem: why it cannot be read; empty when it can.
        lacks_map: True when it cannot be read for want of its map only.
    """

    path: Path
    changed: str
    log: Log | None
    problem: str
    lacks_map: bool = False

    @property
    def name(self) -> str:
        """What the game is called on the command line."""
        return self.path.stem


def games_dir(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder of games: ``ONTOUR_CV_GAMES``, or ``games`` in the user's folder (``resources.user_data_dir``)."""
    if environ.get(VARIABLE):
        return Path(environ[VARIABLE])
    return user_data_dir(environ, platform) / "games"


def check_folder(folder: Path) -> None:
    """``UsageError`` when ``folder`` is something else; it may be missing."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", f"Name one for the games, with --dir or {VARIABLE}.")


def list_games(folder: Path) -> tuple[Entry, ...]:
    """Every game in ``folder``, those played last first; none when there is no such folder."""
    check_folder(folder)
    try:
        paths = sorted(path for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith("."))
    except OSError as fault:
        raise BadLog(f"{folder} cannot be read: {fault.strerror}", "Name another folder with --dir.") from fault
    return tuple(sorted(map(_entry, paths), key=lambda entry: (entry.changed, entry.name), reverse=True))


def find_game(name: str, folder: Path) -> Path:
    """The file of the game called ``name`` in ``folder``, or the file of that name anywhere; ``BadLog`` if none is."""
    for path in (folder / f"{name}{SUFFIX}", folder / name, Path(name), Path(f"{name}{SUFFIX}")):
        if path.is_file():
            return path
    check_folder(folder)
    raise BadLog(f"there is no game {name!r} in {folder}", f"{program()} games{_option(folder)} lists the games.")


def unfinished_game(folder: Path) -> Path:
    """The game in ``folder`` that was played last and is not over; ``UsageError`` when none that can be read is."""
    entries = list_games(folder)
    for entry in entries:
        if entry.log and not entry.log.game.now.over:
            return entry.path
    for entry in entries:
        if entry.lacks_map:
            raise UsageError(f"no unfinished game in {folder} can be read", entry.problem)
    raise UsageError(f"there is no unfinished game in {folder}", f"{program()} deal{_option(folder)} starts one.")


def free_path(folder: Path, opening: Opening) -> Path:
    """A file name for a new game that nothing has yet: ``2026-11-21-2015-usa.jsonl``, local time."""
    when = datetime.fromisoformat(opening.created).astimezone()
    name = f"{when:%Y-%m-%d-%H%M}-{opening.template.id}"
    number = 1
    while (path := folder / f"{name}{f'-{number}' if number > 1 else ''}{SUFFIX}").exists():
        number += 1
    return path


def _option(folder: Path) -> str:
    """What names the folder on the command line; nothing for the usual one."""
    return "" if folder == games_dir() else f" --dir {shlex.quote(str(folder))}"


def _entry(path: Path) -> Entry:
    if _is_pipe(path):
        return Entry(path, _file_time(path), None, f"{path} cannot be read: it is no file")
    try:
        log = read_log(path)
    except MapNotFound as error:
        return Entry(path, _file_time(path), None, f"{error.message}. {error.remedy}", lacks_map=True)
    except BadLog as error:
        return Entry(path, _file_time(path), None, error.message)
    return Entry(path, log.changed, log, "")


def _is_pipe(path: Path) -> bool:
    """True for a pipe, a device and the like, which would be waited for."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _file_time(path: Path) -> str:
    """When a file was changed; 1970 where that is not known or beyond what calendars and logs have."""
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):  # gone since the folder was listed, a link to nothing, a broken clock
        changed = _UNKNOWN
    return (changed if changed.year in YEARS else _UNKNOWN).strftime("%Y-%m-%dT%H:%M:%SZ")
