"""A hand that writes as evenly as a typeface: numbers as neat as the print they stand on."""

from __future__ import annotations

import numpy as np

from ontour_cv.synth.strokes import Hand, Polyline, normalised


def _arc(middle: tuple[float, float], radii: tuple[float, float], begin: float, end: float) -> Polyline:
    """Points of an ellipse between two angles, degrees from the right, growing downwards."""
    angles = np.radians(np.linspace(begin, end, 25))
    return np.column_stack([middle[0] + radii[0] * np.cos(angles), middle[1] + radii[1] * np.sin(angles)])


def _line(*points: tuple[float, float]) -> Polyline:
    return np.array(points, dtype=np.float64)


_SIX = [np.vstack([_arc((0.62, 0.66), (0.6, 0.66), 265, 180), _arc((0.31, 0.68), (0.3, 0.32), 180, -180)])]
_FIGURES: dict[str, list[Polyline]] = {
    "0": [_arc((0.3, 0.5), (0.3, 0.5), 0, 360)],
    "1": [_line((0.05, 0.2), (0.3, 0.0), (0.3, 1.0))],
    "2": [np.vstack([_arc((0.3, 0.29), (0.28, 0.29), 180, 395), _line((0.02, 1.0), (0.6, 1.0))])],
    "3": [np.vstack([_arc((0.29, 0.25), (0.25, 0.25), 200, 450), _arc((0.29, 0.74), (0.29, 0.26), 270, 520)])],
    "4": [_line((0.44, 1.0), (0.44, 0.0), (0.0, 0.7), (0.62, 0.7))],
    "5": [np.vstack([_line((0.54, 0.0), (0.1, 0.0), (0.06, 0.46)), _arc((0.28, 0.67), (0.3, 0.33), 230, 500)])],
    "6": _SIX,
    "7": [_line((0.0, 0.0), (0.58, 0.0), (0.2, 1.0))],
    "8": [_arc((0.3, 0.25), (0.24, 0.25), 90, 450), _arc((0.3, 0.75), (0.29, 0.26), -90, 270)],
    "9": [np.array([0.62, 1.0]) - stroke for stroke in _SIX],
}
"""Middle lines of plain upright figures, x to the right and y down."""


class Typeset:
    """Every digit the same each time; signs are somebody's.

    Args:
        spare: whose signs.
    """

    def __init__(self, spare: Hand) -> None:
        self._spare = spare

    def glyph(self, label: str, rng: np.random.Generator) -> list[Polyline]:
        """See ``synth.strokes.Hand.glyph``."""
        return normalised(_FIGURES[label], label) if label in _FIGURES else self._spare.glyph(label, rng)
