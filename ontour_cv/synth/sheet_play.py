"""What stands on a sheet that is photographed: games stopped anywhere, with the slips people make."""

from __future__ import annotations

import random

import numpy as np

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.model import MapTemplate
from ontour_cv.sheet import POWERS, ROUNDS, SIDES, Boxes, Sheet
from ontour_cv.synth.play_rolling import play_rolling

_STOPPED = (0.04, 0.06, 0.1, 0.15, 0.2, 0.2, 0.25)
"""Chances that an unfinished game was stopped after round 1 to 7."""

_ROWS = {"rounds": "round", "change": "color", "guard": "guard", "dupe": "dupe"}


def sample_sheet(template: MapTemplate, rng: np.random.Generator) -> tuple[Sheet, frozenset[str]]:
    """A sheet and the boxes crossed off on it, by the template's names.

    Most are finished games. A fifth has slips that no rule allows (a digit off, a circle more, an X for a blank), so
    that nothing can be learnt from the rules; a miscounted number of Xs is no rarity.
    """
    rounds = ROUNDS if rng.random() < 0.75 else int(rng.choice(np.arange(1, ROUNDS), p=_STOPPED))
    played = play_rolling(template, random.Random(int(rng.integers(2**31))), rounds).sheet
    marks = dict(played.marks)
    if rng.random() < 0.2:
        for state in rng.choice(list(marks), int(rng.integers(1, 7)), replace=False):
            marks[str(state)] = _slip(marks[str(state)], rng)
    used = played.boxes.said()
    rows = {name: used[name] for name in _ROWS}
    if rounds < ROUNDS and rng.random() < 0.3:  # the round is crossed off when it ends
        rows["rounds"] -= 1
    if rng.random() < 0.1:
        name = str(rng.choice(["change", "guard", "dupe"]))
        rows[name] = int(rng.integers(0, POWERS + 1))
    count = used.get("x")
    if count is not None and rng.random() < 0.12:
        count = None if rng.random() < 0.5 else max(0, count + int(rng.choice([-2, -1, 1, 2])))
    if count is not None and rng.random() < 0.1:  # any number may stand there
        count = int(rng.integers(0, 51))
    crossed = frozenset(name for row, n in rows.items() for name in _which(_ROWS[row], n, row, rng))
    return Sheet(BoardState(marks), Boxes(**rows, x=count)), crossed


def _slip(mark: Mark, rng: np.random.Generator) -> Mark:
    """Something else in a cell."""
    if mark.number is not None and rng.random() < 0.35:
        return Mark(Kind.NUMBER, mark.number, not mark.circled)
    if rng.random() < 0.3:
        return Mark(Kind.BLOCKED if rng.random() < 0.6 else Kind.EMPTY)
    return Mark(Kind.NUMBER, int(rng.integers(1, SIDES + 1)), bool(rng.random() < 0.2))


def _which(stem: str, count: int, row: str, rng: np.random.Generator) -> list[str]:
    """Which boxes of a row: rounds from the first on, powers mostly so."""
    if row == "rounds" or rng.random() < 0.85:
        return [f"{stem}{k + 1}" for k in range(count)]
    return [f"{stem}{k + 1}" for k in rng.choice(POWERS, count, replace=False)]
