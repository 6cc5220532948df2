"""Letters of soloists written beside the numbers, and what they and the ticked boxes say together.

A network (``train.city_letters``) looks at each disc with what is round it, as the photo and as the print show it. It
cannot tell a letter from a stray mark every time, and most players tick boxes; whether somebody writes letters is
learnt from the board as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_boxes import cut_boxes
from ontour_cv.vision.city_flat import Box, FlatBoard
from ontour_cv.vision.glyphs import log_softmax
from ontour_cv.vision.habits import with_habits

SPOT_PX = 96
"""Side of what the network sees, pixels: small letters are nine high."""

SPOT_RADII = 2.2
"""Half of it, disc radii: letters stand up to 1.7 radii from the disc's centre."""

CLASSES = ("", "s", "m", "d", "g")
"""What the network tells apart: no letter, or which."""

WRITERS = 0.15
"""Share of players who write letters, believed before a board is looked at."""

BOTH = 0.05
"""Share of soloists told both ways by players who write letters."""

ODD = 1e-3
"""How often a box and a letter say different things, against what chance would make of each by itself."""

TOGETHER = 1.0
"""As ``habits.TOGETHER``. Letters are shown once, not in several sizes: on photos of writers kept for validation both
together misled no more than one alone, and a sixth fewer letters are in doubt than without the others' votes."""

SURE, SHIFTS = 0.99, ((0, 3), (0, -3), (3, 0), (-3, 0))
"""What is less sure is looked at again, moved by so many pixels, and all looks count as one: on 60 photos of writers
kept for validation 88 of 1,309 letters are wrong in place of 100, the log-loss is an eighth less. Closer and wider
looks beside them bring nothing more, nor does looking again at every disc. Some 90 ms where letters are written."""

_LEAST = 1e-9
"""No network is surer than this: of what is impossible no board could be weighed."""

Chances = Mapping[str, float]


def cut_spots(flat: FlatBoard, regions: Sequence[str]) -> NDArray[np.float32]:
    """Discs with what is round them, ``(N, 6, SPOT_PX, SPOT_PX)`` float32 log colours of photo and print."""
    radius = flat.layout.radius
    boxes: list[Box] = []
    for region in regions:
        x, y = flat.layout.discs[region]
        boxes.append((x - radius, y - radius, x + radius, y + radius))
    return cut_boxes(flat, boxes, size=SPOT_PX, margin=SPOT_RADII)


def looked_again(
    spots: NDArray[np.float32], told: NDArray[np.float64], heat: float,
    network: Callable[[NDArray[np.float32]], NDArray[np.float64]],
) -> NDArray[np.float64]:  # fmt: skip
    """What the network tells of each disc, ``(N, 5 + F)``, where it is not ``SURE`` as the mean over five looks.

    Args:
        spots: ``(N, 6, SPOT_PX, SPOT_PX)`` from :func:`cut_spots`.
        told: ``(N, 5 + F)`` what it told of them at the first look.
        heat: the logits' temperature.
        network: from spots to what it tells.
    """
    unsure = np.exp(log_softmax(told[:, : len(CLASSES)] / heat)).max(axis=1) < SURE
    if not unsure.any():
        return told
    looks = [told[unsure], *(network(np.roll(spots[unsure], shift, (2, 3))) for shift in SHIFTS)]
    mean = told.copy()
    mean[unsure] = np.mean(looks, axis=0)
    return mean


def chances_of(told: NDArray[np.float64], heat: float) -> list[dict[str, float]]:
    """The probability of each of ``CLASSES`` beside each disc of a board.

    Which letter it is, where it is one, the board's other letters help to say (``vision.habits``): one hand wrote them.

    Args:
        told: ``(N, 5 + F)`` what the network tells of each disc: logits, and what it saw.
        heat: the logits' temperature.
    """
    logs = log_softmax(told[:, : len(CLASSES)] / heat)
    letter = np.clip(1 - np.exp(logs[:, 0]), _LEAST, 1 - _LEAST)
    which = with_habits(log_softmax(logs[:, 1:]), letter, told[:, len(CLASSES) :], TOGETHER)
    rows = np.column_stack([1 - letter, letter[:, None] * np.exp(which)])
    return [dict(zip(CLASSES, map(float, row), strict=True)) for row in rows]


def together(boxes: Mapping[str, Chances], letters: Mapping[str, Chances]) -> dict[str, dict[str, float]]:
    """What ticked boxes and written letters say of each region: probabilities of ``""``, each letter, and ``"?"``.

    Args:
        boxes: region -> ``""``, letters and ``"?"`` (several boxes), from ``city_read.one_of``.
        letters: region -> probability of each of ``CLASSES``.

    A player ticks boxes, or writes letters and ticks few boxes. The two explanations of the whole board are weighed
    against each other (Bayes' rule), and each region is what the two make of it on average.
    """
    regions = [region for region in boxes if region in letters]
    ticking = {region: _ticked(boxes[region], letters[region]) for region in regions}
    writing = {region: _written(boxes[region], letters[region]) for region in regions}
    odds = float(np.log(WRITERS / (1 - WRITERS)))
    odds += sum(np.log(sum(writing[r].values())) - np.log(sum(ticking[r].values())) for r in regions)
    share = 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
    found = {region: dict(chances) for region, chances in boxes.items()}
    for region in regions:
        one, other = _normal(ticking[region]), _normal(writing[region])
        found[region] = {key: (1 - share) * one.get(key, 0.0) + share * other.get(key, 0.0) for key in (*one, "?")}
    return found


def _ticked(box: Chances, letter: Chances) -> dict[str, float]:
    """How probable what is seen is with each soloist, when no letters are written: every one seen is a mistake."""
    bare = letter[""]
    return {key: chance * bare for key, chance in box.items()}


def _written(box: Chances, letter: Chances) -> dict[str, float]:
    """The same when letters are: a box may be ticked as well, hardly ever another one."""
    weights = {"": box[""] * letter[""], "?": 0.0}
    for one in CLASSES[1:]:
        weights[one] = letter[one] * ((1 - BOTH) * box[""] + BOTH * box.get(one, 0.0))
        weights["?"] += ODD * letter[one] * (sum(box.values()) - box[""] - box.get(one, 0.0))
    weights["?"] += ODD * letter[""] * (1 - box[""])
    return weights


def _normal(weights: Chances) -> dict[str, float]:
    total = max(sum(weights.values()), 1e-300)
    return {key: weight / total for key, weight in weights.items()}
