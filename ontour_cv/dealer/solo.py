"""Scores of games played alone: a small file beside the games, a JSON object a line, oldest first."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

from ontour_cv.dealer.form import read_table
from ontour_cv.dealer.lock import locked
from ontour_cv.dealer.store import BINARY, append, flush_folder
from ontour_cv.errors import BadLog, NotSaved
from ontour_cv.resources import user_data_dir


@dataclass(frozen=True, slots=True)
class SoloScore:
    """The score of one game.

    Attributes:
        map: id of the map.
        game: the game's name.
        at: when it was kept, as ISO 8601 in UTC.
        total: Xs, blanks and mistakes; fewer are better.
        powers: powers used; of equal totals the one with fewer is better.
        id: tells the game from others of its name (``GameRecord.id``); a game kept again replaces its older score.
            Empty where the first versions of this program kept it: there the name told games apart.
    """

    map: str
    game: str
    at: str
    total: int
    powers: int
    id: str = ""


def solo_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The file of the scores, in the user's folder (``resources.user_data_dir``)."""
    return user_data_dir(environ, platform) / "solo.jsonl"


def keep_score(path: Path, score: SoloScore) -> bool:
    """Add a score to the file, and return once it is on the disk.

    The file is held meanwhile, so of two processes one waits for the other. True when a last line that an earlier write
    left cut off had to go; a whole one without its line break gets that. ``NotSaved`` when the score cannot be written:
    the file holds what it held.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = not path.exists()
        with contextlib.ExitStack() as stack:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o644)
            stack.callback(os.close, descriptor)
            stack.enter_context(locked(descriptor))
            content = path.read_bytes()
            tail = content.split(b"\n")[-1]
            torn = _torn(tail)
            line = json.dumps(asdict(score), ensure_ascii=False) + "\n"
            data = ("\n" * bool(tail and not torn) + line).encode()
            append(descriptor, data, len(content) - len(tail) * torn)
        if new:
            flush_folder(path.parent)
    except OSError as fault:
        why = fault.strerror or fault
        raise NotSaved(f"{path} could not be written: {why}", "Check the folder, then try again.") from fault
    return torn


def read_scores(path: Path) -> tuple[SoloScore, ...]:
    """The scores in the file, the latest of each game, oldest first; none without a file.

    A last line that a write left cut off (power, ``kill -9``) is left out. ``BadLog`` names any other that is none, or
    says why the file cannot be read.
    """
    try:
        *lines, tail = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    except OSError as fault:
        raise BadLog(f"{path} cannot be read: {fault.strerror}", "Check the file.") from fault
    if tail and not _torn(tail):
        lines.append(tail)
    found: dict[tuple[str, ...], SoloScore] = {}
    for number, line in enumerate(lines, start=1):
        try:
            score = _score(line)
        except (ValueError, TypeError) as fault:
            raise BadLog(f"{path}, line {number}, is no score", "Mend or remove the line.") from fault
        key = (score.map, score.id or score.game, "" if score.id else "by name")
        found.pop(key, None)
        found[key] = score
    return tuple(found.values())


def _torn(tail: bytes) -> bool:
    """True for the beginning of a line whose writing was cut off; a file system may leave zeros after it."""
    if not tail.lstrip(b"\0").startswith(b"{"):
        return bool(tail) and not tail.strip(b"\0")
    try:
        _score(tail)
    except (ValueError, TypeError):
        return True
    return False


def _score(line: bytes) -> SoloScore:
    """The score in a line; ``ValueError`` or ``TypeError`` when it is none."""
    score = SoloScore(**cast(dict[str, Any], read_table(line.decode("utf-8"))))
    if any(not isinstance(getattr(score, f.name), int if f.type == "int" else str) for f in fields(SoloScore)):
        raise ValueError("a field is of another kind")
    return score


def best_score(scores: Sequence[SoloScore], map_id: str) -> SoloScore | None:
    """The best score on a map, the older one of equals; None without any."""
    return min((s for s in scores if s.map == map_id), key=lambda s: (s.total, s.powers), default=None)
