"""Pencil, pen and felt tip on paper, and what a rubber does; on a flat picture of the sheet."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from ontour_cv.synth.noise import Field, Image, smooth_field
from ontour_cv.synth.sheet_hand import PENCIL, SheetWriter
from ontour_cv.synth.sheet_ink import GHOST, RUB, Trace

_TILE = 512


def paint_traces(
    picture: Image, traces: Sequence[Trace], writer: SheetWriter, scale: float, shift: tuple[float, float],
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """Lay traces on a picture of the sheet, in place.

    Pencil catches on the paper's grain, so it is speckled and lets the print through; pens cover, felt tips soak in.

    Args:
        picture: ``(H, W, 3)`` uint8 BGR.
        traces: in the sheet's frame.
        writer: whose tool.
        scale: pixels per sheet width.
        shift: sheet point of the picture's top left corner.
        rng: chance.
    """
    texture = _grain(writer, scale, rng)
    press = np.float32(rng.uniform(0.05, 0.25))
    for trace in traces:
        points = (trace.points - np.array(shift)) * scale - 0.5
        thick = trace.width * scale
        pad = thick + 4 + (0.02 * scale if trace.kind == RUB else 0)
        low = np.maximum(np.floor(points.min(axis=0) - pad), 0).astype(int)
        high = np.minimum(np.ceil(points.max(axis=0) + pad + 1), picture.shape[1::-1]).astype(int)
        if np.any(high - low < 2):
            continue
        patch = picture[low[1] : high[1], low[0] : high[0]]
        alpha = _cover(points - low, thick, (int(high[0] - low[0]), int(high[1] - low[1])), float(press), rng)
        if trace.kind == RUB:
            _rub(patch, alpha, trace.dark, thick, rng)
            continue
        rows, columns = ((np.arange(n) + int(rng.integers(_TILE))) % _TILE for n in alpha.shape)
        grain = texture[np.ix_(rows, columns)]
        if trace.kind == GHOST:
            alpha = np.asarray(cv2.GaussianBlur(alpha, (0, 0), max(0.5, 0.25 * thick)))
        _lay(patch, writer.bgr, alpha * grain * np.float32(writer.dark * trace.dark))


def _lay(patch: Image, bgr: tuple[int, int, int], alpha: Field) -> None:
    """Ink over print: it covers, and what is dark below stays dark."""
    share = np.clip(alpha, 0, 1)[..., None]
    below = patch.astype(np.float32)
    ink = np.minimum(np.array(bgr, np.float32), below * 0.25 + np.array(bgr, np.float32) * 0.75)
    patch[:] = np.clip(below * (1 - share) + ink * share + 0.5, 0, 255).astype(np.uint8)


def _rub(patch: Image, path: Field, strength: float, thick: float, rng: np.random.Generator) -> None:
    """The rubber's path: graphite smeared to a veil, the print worn a little paler."""
    soft = np.asarray(cv2.GaussianBlur(path, (0, 0), max(0.8, 0.35 * thick)))
    soft *= np.clip(0.7 + 0.4 * smooth_field((soft.shape[0], soft.shape[1]), 4, rng), 0, 1)
    veil = np.float32(strength * rng.uniform(0.0, 0.16))
    pale = np.float32(strength * rng.uniform(0.0, 0.2))
    value = patch.astype(np.float32)
    value += (np.float32(250) - value) * (pale * soft)[..., None]
    value += (np.float32(110) - value) * (veil * soft)[..., None]
    patch[:] = np.clip(value + 0.5, 0, 255).astype(np.uint8)


def _cover(
    points: np.ndarray[tuple[int, ...], np.dtype[np.float64]], thick: float, size: tuple[int, int], press: float,
    rng: np.random.Generator,
) -> Field:  # fmt: skip
    """Antialiased coverage of a stroke whose width and pressure breathe, float32 0-1 of ``size`` (width, height)."""
    mask = np.zeros(size[::-1], np.uint8)
    fixed = np.round(points * 16).astype(np.int32)
    phase, turns = rng.uniform(0, 2 * np.pi), rng.uniform(2, 8)
    breath = np.sin(phase + np.linspace(0, turns, len(points)))
    levels = 255 * (1 - press * (0.5 + 0.5 * breath))
    widths = thick * (1 + 0.5 * press * breath)
    for k in range(len(fixed) - 1):
        wide = max(1, round(float(widths[k])))
        gain = min(1.0, float(widths[k]) / wide)
        cv2.line(mask, fixed[k].tolist(), fixed[k + 1].tolist(), round(levels[k] * gain), wide, cv2.LINE_AA, 4)
    return mask.astype(np.float32) / np.float32(255)


def _grain(writer: SheetWriter, scale: float, rng: np.random.Generator) -> Field:
    """How much of a stroke sticks to the paper, ``(512, 512)`` float32 0-1."""
    rough = smooth_field((_TILE, _TILE), 512 / max(1.3, float(rng.uniform(0.0005, 0.0011)) * scale), rng, octaves=2)
    if writer.tool == PENCIL:
        bite = float(rng.uniform(0.04, 0.26))
        return np.asarray(np.clip(1.0 - bite + bite * rough, 0.2, 1.0), dtype=np.float32)
    dry = float(rng.choice([0.0, rng.uniform(0.0, 0.25)], p=[0.6, 0.4]))
    return np.asarray(np.clip(1.0 - dry * np.maximum(rough, 0), 0.3, 1.0), dtype=np.float32)
