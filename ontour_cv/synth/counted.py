"""What a player counted and wrote into the three score boxes of a board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.synth.furniture import BOX_HEIGHT, box_centres
from ontour_cv.synth.ink import Stroke, cell_strokes
from ontour_cv.synth.scene import Scene
from ontour_cv.synth.strokes import Writer

WRITING = 0.65
"""Size of the numbers in the boxes, the disc radius they would fill, in box heights."""

WRITES = 0.7
"""Share of players who, having drawn a tour, go on to the boxes; not all of them write anything there."""

FILLED = 2
"""``Scene.furniture`` of boards whose boxes are filled in."""

WAYS = {"right": 0.58, "miscounted": 0.08, "wrong": 0.08, "total": 0.08, "nothing": 0.18}
"""How often players write what there is to count, miss some, add up wrongly, write the total alone, or nothing."""

Counted = tuple[int | None, int | None, int | None]
"""What a player wrote into the boxes: visited places, visited circles, total; None for an empty box."""


def written_sums(
    board: BoardState, toured: Sequence[str] | None, scene: Scene, asked: bool, rng: np.random.Generator
) -> Counted | None:
    """What stands in the boxes; None where there are none, or nobody came to write.

    Args:
        board: the marks.
        toured: the tour drawn on it, which is what is counted then; None or empty for none.
        scene: the board; the boxes of some are filled in, whatever they say.
        asked: the boxes are what the photo is taken for.
        rng: chance.
    """
    visits = (len(toured), sum(board.marks[region].circled for region in toured)) if toured else None
    boxes = bool(scene.furniture or scene.sums)
    if asked or (visits is not None and boxes and rng.random() < WRITES):
        return odd_sums(rng, visits)
    if visits is not None or scene.furniture < FILLED:
        return None
    states, circles = some_sums(rng)
    return states, circles, states + circles


def some_sums(rng: np.random.Generator) -> tuple[int, int]:
    """Places and circles as on a played board."""
    return int(rng.integers(8, 32)), int(rng.integers(1, 13))


def odd_sums(rng: np.random.Generator, visits: tuple[int, int] | None = None) -> Counted:
    """What players leave in the boxes (``WAYS``); ``visits``: places and circles there are to count, None for any."""
    states, circles = some_sums(rng) if visits is None else visits
    way = str(rng.choice(list(WAYS), p=list(WAYS.values())))
    if way == "miscounted":
        states, circles = max(0, states + int(rng.integers(-2, 3))), max(0, circles + int(rng.integers(-1, 2)))
    total = states + circles
    if way == "wrong":
        total = max(0, total + int(rng.choice([-10, -2, -1, 1, 2, 10])))
    return {"total": (None, None, total), "nothing": (None, None, None)}.get(way, (states, circles, total))


def box_strokes(scene: Scene, counted: Counted | None, writer: Writer, rng: np.random.Generator) -> list[Stroke]:
    """The player's own sums in the score boxes; nothing of None."""
    strokes: list[Stroke] = []
    heights = [box[3] for box in scene.sums] or [BOX_HEIGHT] * 3
    for value, centre, height in zip(counted or (None,) * 3, box_centres(scene), heights, strict=True):
        if value is not None:
            strokes += cell_strokes(Mark(Kind.NUMBER, value), centre, WRITING * height, writer, rng)
    return strokes
