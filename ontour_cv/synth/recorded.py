"""Hands recorded by a tablet: a data folder given by the user, never shipped."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth import misrecorded
from ontour_cv.synth.strokes import LABELS, Hand, Polyline, normalised

MOST_STROKES = {"0": 2, "1": 3, "2": 1, "3": 1, "4": 3, "5": 2, "6": 1, "7": 3, "8": 2, "9": 2}
"""Strokes a digit is written in at most; recordings with more have gaps."""

GAPS = 0.12
"""Share of 2s, 3s and 6s in several pieces from which on a writer's tablet is not trusted."""

LEAST_LENGTH = 700.0
"""Path length below which a recording is a dot (its longer side is 1000)."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedHand:
    """A hand that repeats recorded pen strokes (a data folder given by the user; never shipped).

    Attributes:
        samples: label -> that writer's samples, each a list of strokes; a missing label falls back to ``spare``.
        spare: a hand for what this writer never wrote.
        bend: how strongly each glyph is bent out of shape (standard deviation, glyph heights), for training: a few
            dozen samples a writer become many.
    """

    samples: dict[str, list[list[Polyline]]]
    spare: Hand
    bend: float = 0.0

    def glyph(self, label: str, rng: np.random.Generator) -> list[Polyline]:
        """See :meth:`Hand.glyph`."""
        pool = self.samples.get(label)
        if not pool:
            return self.spare.glyph(label, rng)
        strokes = pool[int(rng.integers(len(pool)))]
        if not self.bend:
            return strokes
        waves = rng.normal(0, self.bend, (4, 2))
        phase = rng.uniform(0, 2 * np.pi, 4)
        turn = rng.normal(0, 1.2 * self.bend)
        return [_waved(s, waves, phase, turn) for s in strokes]


def _waved(points: Polyline, waves: NDArray[np.float64], phase: NDArray[np.float64], turn: float) -> Polyline:
    """Points of a glyph under a smooth distortion (the stroke form of elastic distortion, Simard et al. 2003)."""
    x, y = points[:, 0], points[:, 1]
    inner = np.stack([3 * x, 3 * y, 5 * (x + y), 5 * (x - y)], axis=1)
    turned = points + turn * np.stack([-y, x], axis=1)
    return np.asarray(turned + np.sin(inner + phase) @ waves, dtype=np.float64)


def load_recorded(folder: Path, split: str = "train") -> list[dict[str, list[list[Polyline]]]]:
    """Recorded writers of one split from ``digits.npz`` and ``symbols.npz`` in a folder.

    Writers are split by id, the same in both files: ``id % 10`` of 8 is ``"valid"``, of 9 is ``"test"``, the rest
    ``"train"``; writers of a split never show in another. Samples of quality 2 (broken) are left out, and digits in
    more pieces than anybody writes them (``MOST_STROKES``): some tablets lost parts of strokes, and what is left of a
    6 is an honest C. Writers whose tablet did so often (a 2, 3 or 6 in several pieces more than ``GAPS`` of the time)
    are left out altogether, and so are dots and what ``misrecorded`` lists.

    Returns:
        one dictionary per writer with at least six different digits: label (see ``LABELS``) -> samples.
    """
    wanted = {"train": range(8), "valid": (8,), "test": (9,)}[split]
    names = {"asterisk": "*", "star5": "*", "star6": "*", "X": "x", "circle": "o"}
    writers: dict[int, dict[str, list[list[Polyline]]]] = {}
    pieces: dict[int, list[bool]] = {}
    for file, bad in (("digits.npz", misrecorded.DIGITS), ("symbols.npz", misrecorded.SYMBOLS)):
        with np.load(folder / file) as store:
            data = {key: store[key] for key in store.files}
        for i in np.flatnonzero((data["quality"] < 2) & np.isin(data["writer"] % 10, list(wanted))):
            label = str(data["label"][i])
            label = names.get(label, label)
            if label not in LABELS or int(i) in bad:
                continue
            spans = range(data["sample_start"][i], data["sample_start"][i + 1])
            raw = [data["pts"][data["stroke_start"][j] : data["stroke_start"][j + 1]].astype(np.float64) for j in spans]
            strokes = [_cleaned(s, float(data["native"][i])) for s in raw if len(s)]
            writer = int(data["writer"][i])
            if label in ("2", "3", "6"):
                pieces.setdefault(writer, []).append(len(strokes) > 1)
            few = data["label"][i] == "asterisk" and len(strokes) < 3  # two crossed strokes read as an X
            if strokes and not few and len(strokes) <= MOST_STROKES.get(label, 99) and _length(strokes) > LEAST_LENGTH:
                writers.setdefault(writer, {}).setdefault(label, []).append(normalised(strokes, label))
    broken = {writer for writer, several in pieces.items() if sum(several) > GAPS * len(several)}
    kept = [w for writer, w in sorted(writers.items()) if writer not in broken]
    return [w for w in kept if sum(d in w for d in "0123456789") >= 6]


def _length(strokes: list[Polyline]) -> float:
    """Length of the pen's path in the recording's units (the longer side of a sample is 1000)."""
    return float(sum(np.linalg.norm(np.diff(s, axis=0), axis=1).sum() for s in strokes))


def _cleaned(stroke: Polyline, native: float) -> Polyline:
    """Thinned to steps of at least 1.5 % of the glyph; coarse recordings are smoothed (native size under 40 units)."""
    keep = [0]
    for k in range(1, len(stroke)):
        if np.abs(stroke[k] - stroke[keep[-1]]).sum() >= 15:
            keep.append(k)
    thin = stroke[keep]
    if 1.0 < native < 40 and len(thin) > 4:
        inner = (thin[:-2] + 2 * thin[1:-1] + thin[2:]) / 4
        thin = np.vstack([thin[:1], inner, thin[-1:]])
    return thin
