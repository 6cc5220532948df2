"""When to press the shutter: found, near enough, whole, sharp, still, and every cell clear of glare in some frame.

Pure functions over a frozen state, one step a frame; no camera is needed to test them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from ontour_cv.camera.look import Look


class Wait(Enum):
    """What is waited for; the order is that in which a player has to deal with it."""

    BOARD = "no board yet"
    WHOLE = "the whole board must be in the picture"
    NEARER = "closer"
    STILL = "hold still"
    SHARP = "too blurred"
    GLARE = "glare"
    NOTHING = "got it"


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Bounds of a good frame.

    Attributes:
        least_radius_px: discs smaller than this cannot be read.
        most_width: edge width in disc radii above which a frame is blurred; sharp ones have about 0.11.
        most_move: how far discs may move from one frame to the next, in disc radii.
        frames: good frames in a row that are enough.
        patience: good frames after which glare is put up with.
        what: what is too small when the camera is too far away.
    """

    least_radius_px: float = 8.0
    most_width: float = 0.22
    most_move: float = 0.25
    frames: int = 3
    patience: int = 25
    what: str = "discs"


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    """What the frames so far add up to.

    Attributes:
        last: the look at the frame before; None when it showed no board.
        wait: what is waited for.
        detail: the rest of the message.
        row: good frames in a row.
        good: good frames in all.
        clear: ids of cells clear of glare in a good frame.
        kept: numbers of the good frames and their looks, the sharpest that are needed.
    """

    last: Look | None = None
    wait: Wait = Wait.BOARD
    detail: str = ""
    row: int = 0
    good: int = 0
    clear: frozenset[str] = frozenset()
    kept: tuple[tuple[int, Look], ...] = ()

    @property
    def done(self) -> bool:
        """True when there is nothing left to wait for."""
        return self.wait is Wait.NOTHING

    @property
    def message(self) -> str:
        """What to tell whoever holds the camera."""
        return self.wait.value + self.detail


def step(gate: Gate, number: int, look: Look | None, settings: GateSettings | None = None) -> Gate:
    """The state after one more frame.

    Args:
        gate: the state before.
        number: number of the frame.
        look: what it shows.
        settings: bounds of a good frame.
    """
    cfg = settings or GateSettings()
    fault = _fault(gate.last, look, cfg)
    if fault is not None or look is None:
        wait, detail = fault or (Wait.BOARD, "")
        return replace(gate, last=look, wait=wait, detail=detail, row=0)
    kept = keep_best((*gate.kept, (number, look)))
    clear = gate.clear | (set(look.ids) - set(look.glare))
    state = replace(gate, last=look, row=gate.row + 1, good=gate.good + 1, clear=frozenset(clear), kept=kept, detail="")
    hidden = [region for region in look.ids if region not in clear]
    if state.row < cfg.frames:
        return replace(state, wait=Wait.STILL)
    if hidden and state.good < cfg.patience:
        return replace(state, wait=Wait.GLARE, detail=f" over {listed(hidden)}: move the camera a little")
    return replace(state, wait=Wait.NOTHING)


def _fault(last: Look | None, look: Look | None, cfg: GateSettings) -> tuple[Wait, str] | None:
    """What is wrong with a frame, and the rest of the message; None when nothing is."""
    if look is None:
        return Wait.BOARD, ""
    if look.outside:
        return Wait.WHOLE, f": {listed(look.outside)} {'is' if len(look.outside) == 1 else 'are'} cut off"
    if look.radius_px < cfg.least_radius_px:
        return Wait.NEARER, f": {cfg.what} are only {look.radius_px:.0f} px"
    if movement(last, look) > cfg.most_move:
        return Wait.STILL, ""
    if look.width > cfg.most_width:
        return Wait.SHARP, ""
    return None


def movement(last: Look | None, look: Look) -> float:
    """How far the discs moved since the frame before, median, in disc radii; infinite without one of the same map."""
    if last is None or last.ids != look.ids:
        return float("inf")
    return float(np.median(np.linalg.norm(look.centres - last.centres, axis=1)) / look.radius_px)


MOST_KEPT = 3
"""Frames that are read in full, each about a second."""


def keep_best(frames: Sequence[tuple[int, Look]]) -> tuple[tuple[int, Look], ...]:
    """The sharpest frame, then those that add most cells clear of glare (sharper ones first), at most three."""
    left = sorted(frames, key=lambda frame: (frame[1].width, frame[0]))
    kept: list[tuple[int, Look]] = []
    clear: set[str] = set()
    while left and len(kept) < MOST_KEPT:
        gains = [len(set(look.ids) - set(look.glare) - clear) for _, look in left]
        pick = 0 if not kept else int(np.argmax(gains))
        if kept and not gains[pick]:
            break
        number, look = left.pop(pick)
        kept.append((number, look))
        clear |= set(look.ids) - set(look.glare)
    return tuple(kept)


def listed(regions: Sequence[str]) -> str:
    """Ids for a message, at most four of them."""
    return ", ".join(regions[:4]) + (f" and {len(regions) - 4} more" if len(regions) > 4 else "")
