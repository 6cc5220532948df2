"""Writing a game's log: nothing is shown before it is on the disk, and nothing that is on the disk is ever changed."""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from ontour_cv.dealer.events import Event
from ontour_cv.dealer.form import event_line, opening_line
from ontour_cv.dealer.game import Game, Opening
from ontour_cv.dealer.lock import flush_to_disk, locked
from ontour_cv.dealer.log import LARGEST, Log, good_part, parse_log, read_log
from ontour_cv.errors import BadLog, NotSaved, UsageError
from ontour_cv.resources import program

Clock = Callable[[], str]
BINARY = getattr(os, "O_BINARY", 0)


def utc_now() -> str:
    """The time, as logs have it: ``2026-11-21T20:15:00Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def create_game(path: Path, opening: Opening) -> Log:
    """A new game in the file ``path``, which is there as a whole or not at all.

    Raises:
        UsageError: something of that name is there already.
        NotSaved: it could not be written.
    """
    taken = f"Go on with it ({program()} deal --resume {shlex.quote(str(path))}), or name another file."
    _write_new(path, (opening_line(opening) + "\n").encode(), taken)
    return read_log(path)


def advance(path: Path, choose: Callable[[Game], Event], clock: Clock = utc_now) -> Log:
    """Append one event to a game, and return the log with it, once it is on the disk.

    Args:
        path: the game's log. It is held while this works, so of two processes one waits for the other.
        choose: gets the game as the file has it now and says what happens; may raise instead.
        clock: the time.

    Raises:
        BadLog: the log is missing or damaged.
        NotSaved: the event could not be written; the file holds the game as it was.
        UsageError: the event cannot happen now.
    """
    with _held(path) as descriptor:
        log = parse_log(_content(descriptor), path)
        event = choose(log.game)
        problem = log.game.problem(event)
        if problem:
            raise UsageError(f"{path.name}: {problem}", "ontour-cv deal show tells where the game stands.")
        line = event_line(event, log.game.events + 1, clock())
        data = ("\n" * log.open_line + line + "\n").encode()
        try:
            append(descriptor, data, log.good)
        except OSError as fault:
            raise _not_saved(path, fault) from fault
        return parse_log(_content(descriptor), path)


def rescue(path: Path, target: Path) -> Log:
    """The good part of a damaged log, copied into the new file ``target``; the damaged one stays as it is.

    Raises:
        BadLog: not even the first line is good, or the log cannot be read.
        UsageError: ``target`` is there already.
        NotSaved: it could not be written.
    """
    try:
        content = path.read_bytes()
    except OSError as fault:
        raise BadLog(f"{path} cannot be read: {fault.strerror}", "ontour-cv games lists the games.") from fault
    _write_new(target, good_part(content, path), "Name another file with --out.")
    return read_log(target)


@contextlib.contextmanager
def _held(path: Path) -> Iterator[int]:
    """The open file, which no other process writes meanwhile."""
    with contextlib.ExitStack() as stack:
        try:
            descriptor = os.open(path, os.O_RDWR | BINARY)
            stack.callback(os.close, descriptor)
            stack.enter_context(locked(descriptor))
        except FileNotFoundError as fault:
            raise BadLog(f"there is no game {path}", "ontour-cv games lists the games.") from fault
        except OSError as fault:
            raise _not_saved(path, fault) from fault
        yield descriptor


def _content(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    content = b""
    while len(content) <= LARGEST and (part := os.read(descriptor, 1 << 20)):
        content += part
    return content


def append(descriptor: int, data: bytes, end: int) -> None:
    """Write ``data`` at the byte ``end``, in place of whatever a cut-off write left there, and on the disk.

    The file is open for writing and held (``lock.locked``). ``OSError`` when that fails; the file then ends at ``end``.
    """
    try:
        os.ftruncate(descriptor, end)
        os.lseek(descriptor, end, os.SEEK_SET)
        _write(descriptor, data)
        flush_to_disk(descriptor)
    except OSError:
        # If even this fails, the rest is a last line without its line break, and reading leaves that out.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, end)
            flush_to_disk(descriptor)
        raise


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _write_new(path: Path, data: bytes, taken: str) -> None:
    """Write a file that is there with all its content or not at all, and never in place of another.

    ``taken`` is the remedy when the name is.
    """
    if path.exists():
        raise UsageError(f"{path} is there already", taken)
    if path.parent.exists() and not path.parent.is_dir():
        raise UsageError(f"{path.parent} is not a folder", "Name a file in a folder.")
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, 0o644)
        try:
            _write(descriptor, data)
            flush_to_disk(descriptor)
        finally:
            os.close(descriptor)
        _put(draft, path)
    except FileExistsError as fault:
        raise UsageError(f"{path} is there already", taken) from fault
    except OSError as fault:
        raise _not_saved(path, fault) from fault
    finally:
        with contextlib.suppress(OSError):  # a draft left behind harms nobody
            draft.unlink(missing_ok=True)


def _put(draft: Path, path: Path) -> None:
    """Give the finished draft its name; ``FileExistsError`` when the name was taken meanwhile."""
    if os.name == "nt":
        draft.rename(path)  # which refuses to replace there
        return
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # file systems of memory sticks have no hard links
        draft.rename(path)
    flush_folder(path.parent)


def flush_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk, too.

    Windows has no such call and needs none; nor have some file systems (shares, FUSE), which then write in their order.
    """
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as fault:
        if fault.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _not_saved(path: Path, fault: OSError) -> NotSaved:
    full = fault.errno in (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else fault.errno == errno.ENOSPC
    why = "the disk is full" if full else f"{fault.strerror or fault}"
    remedy = "Free some space, then go on." if full else "Check the folder and its permissions, then go on."
    return NotSaved(f"{path} could not be written: {why}. Nothing was dealt; what was shown before is saved", remedy)
