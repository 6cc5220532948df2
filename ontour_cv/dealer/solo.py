"""Scores of games played alone: a small file beside the games, a JSON object a line, oldest first."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from ontour_cv.errors import BadLog, NotSaved
from ontour_cv.resources import user_data_dir


@dataclass(frozen=True, slots=True)
class SoloScore:
    """The score of one game.

    Attributes:
        map: id of the map.
        game: the game's name; a game kept again replaces its older score.
        at: when it was kept, as ISO 8601 in UTC.
        total: Xs, blanks and mistakes; fewer are better.
        powers: powers used; of equal totals the one with fewer is better.
    """

    map: str
    game: str
    at: str
    total: int
    powers: int


def solo_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The file of the scores, in the user's folder (``resources.user_data_dir``)."""
    return user_data_dir(environ, platform) / "solo.jsonl"


def keep_score(path: Path, score: SoloScore) -> None:
    """Add a score to the file; ``NotSaved`` when it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(score), ensure_ascii=False) + "\n")
    except OSError as fault:
        raise NotSaved(f"{path} could not be written: {fault.strerror}", "Check the folder, then try again.") from fault


def read_scores(path: Path) -> tuple[SoloScore, ...]:
    """The scores in the file, the latest of each game, oldest first; ``BadLog`` names a line that is none."""
    if not path.exists():
        return ()
    found: dict[tuple[str, str], SoloScore] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            table = json.loads(line)
            score = SoloScore(**table)
            if any(not isinstance(table[f.name], int if f.type == "int" else str) for f in fields(SoloScore)):
                raise ValueError(line)
        except (ValueError, TypeError) as fault:
            raise BadLog(f"{path}, line {number}, is no score", "Mend or remove the line.") from fault
        found.pop((score.map, score.game), None)
        found[score.map, score.game] = score
    return tuple(found.values())


def best_score(scores: Sequence[SoloScore], map_id: str) -> SoloScore | None:
    """The best score on a map, the older one of equals; None without any."""
    return min((s for s in scores if s.map == map_id), key=lambda s: (s.total, s.powers), default=None)
