"""The badge and the three score boxes at a board's lower left."""

from __future__ import annotations

import cv2
import numpy as np

from ontour_cv.synth.noise import Image
from ontour_cv.synth.prints import paint_text
from ontour_cv.synth.scene import Scene

BOXES = ("VISITED STATES", "VISITED CIRCLES", "TOTAL SCORE")
"""What the boxes are called."""

BOX_HEIGHT = 0.017
"""Of a score box, board widths, on the two boards seen."""


def box_centres(scene: Scene) -> list[tuple[float, float]]:
    """Board points of the middle of each score box; where nobody measured them, as on the boards seen."""
    if scene.sums:
        return [(x, y) for x, y, _, _ in scene.sums]
    low = scene.aspect - 0.075
    return [(0.315, low - 0.032), (0.315, low - 0.008), (0.315, low + 0.021)]


def paint_furniture(picture: Image, scene: Scene, rng: np.random.Generator) -> None:
    """Badge, labels and boxes, in the palette's accent, in place."""
    if scene.furniture == 0:
        return
    colour = scene.palette.accent
    scale = scene.scale

    def to_px(x: float, y: float) -> tuple[int, int]:
        return round((x - scene.offset[0]) * scale), round((y - scene.offset[1]) * scale)

    y0 = scene.aspect - 0.085
    thick = max(1, round(0.0028 * scale))
    cv2.circle(picture, to_px(0.11, y0), round(0.058 * scale), colour, thick, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.ellipse(picture, to_px(0.11, y0), (round(0.056 * scale),) * 2, 0, 180, 360, colour, -1, cv2.LINE_AA)
    t = np.linspace(0, 1, 30)
    wave = [to_px(0.04 + 0.36 * v, y0 + 0.012 * np.sin(5.5 * v) + 0.008) for v in t]
    cv2.polylines(picture, [np.array(wave, np.int32)], False, colour, thick, cv2.LINE_AA)
    paint_text(picture, "on the road", to_px(0.11, y0 + 0.03), 0.012 * scale, scene, colour, float(rng.normal(0, 0.08)))
    for text, (x, y) in zip(BOXES, box_centres(scene), strict=True):
        paint_text(picture, text, to_px(x - 0.075, y), 0.0095 * scale, scene, colour, -0.03)
        cv2.rectangle(picture, to_px(x - 0.016, y - 0.0085), to_px(x + 0.016, y + 0.0085), colour, -1, cv2.LINE_AA)
