"""SheetCrops -> :class:`SheetScores`: what the sheet network thinks of each cell and box, as log-probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.resources import models_dir
from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.glyphs import log_softmax, standardised
from ontour_cv.vision.habits import with_habits
from ontour_cv.vision.sheet_cells import cell_masks, close_windows, window_masks
from ontour_cv.vision.sheet_ghosts import written_still
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.shipped import card_of, loading, network

SHEET_KINDS = ("blank", "number", "x")
"""Order of the columns of ``SheetScores.kind``."""

_NUMBER = SHEET_KINDS.index("number")

SHEET_HEADS = (("kind", 3), ("digit", 6), ("circled", 2), ("crossed", 2), ("tens", 11), ("ones", 11))
"""The network's outputs side by side: name and number of classes; tens and ones end with "nothing written"."""

BOX_GROUPS = {
    "rounds": tuple(f"round{k}" for k in range(1, 9)),
    "change": tuple(f"color{k}" for k in range(1, 4)),
    "guard": tuple(f"guard{k}" for k in range(1, 4)),
    "dupe": tuple(f"dupe{k}" for k in range(1, 4)),
}
"""Token of the notation -> its boxes on the sheet, in print order."""

SHEET_MODEL = "sheet"
"""Name of the shipped model: ``models/sheet.onnx`` and its card ``sheet.json``."""

CLOSE_MODEL = "sheet-close"
"""Name of the network for close looks, ``models/sheet-close.onnx``; the one card speaks of both. It answers alike."""


ASTRAY = 0.06
"""Share of the crops that show something else, where too few printed lines are in their place: enough to raise a doubt;
of such cells 4 in 10 lay off by a fifth of a cell or more (20 sheets of each tier in writers kept for choosing)."""

ZOOMS = (1.0, 0.92, 1.08)
"""Every crop is looked at in these sizes and the logits are averaged: an eighth fewer errors than by one look."""

CLOSE_SHARE = {"kind": 0.2, "digit": 0.5, "circled": 0.3}
"""How much the close look at a cell's writing counts beside those at the whole cell: a fifth fewer wrong digits on
sheets of writers kept for choosing."""

CLASSES = sum(size for _, size in SHEET_HEADS)
"""Logits of all heads; behind them the network tells where the writing is: x, y and the log of half its longer side, in
half sides of the crop."""

FEATURES_FROM, FEATURES = CLASSES + 3, 72
"""Column from which on the network tells what it saw (``vision.habits``), and columns of that for each member."""

SEEN = slice(FEATURES_FROM, None)
"""These columns."""

Closer = Callable[[NDArray[np.float64]], NDArray[np.uint8]]
"""Windows ``(N, 3)`` of the first ``N`` crops (``sheet_cells.WHOLE``) to these parts of the cells, cut afresh."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetScores:
    """Calibrated log-probabilities, a row per cell and box in the model's order.

    Each of ``kind`` (``SHEET_KINDS``), ``digit`` (1-6, given a number), ``circled`` (no, yes), ``crossed`` (no, yes),
    ``tens`` and ``ones`` (0-9, nothing) is ``(P, classes)`` float64; only rows it makes sense for mean anything.
    """

    kind: NDArray[np.float64]
    digit: NDArray[np.float64]
    circled: NDArray[np.float64]
    crossed: NDArray[np.float64]
    tens: NDArray[np.float64]
    ones: NDArray[np.float64]


def sheet_input(images: NDArray[np.uint8], masks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops ``(N, H, W, 3)`` and masks ``(N, H, W)`` as the network's input, ``(N, 4, H, W)`` float32.

    Colours are standardised as for boards (``vision.glyphs``); the mask is 1 inside the cell and -1 outside.
    """
    mask = masks[:, None].astype(np.float32) / 127.5 - 1.0
    return np.ascontiguousarray(np.concatenate([standardised(images), mask], axis=1))


def zoomed(images: NDArray[np.uint8], zoom: float) -> NDArray[np.uint8]:
    """Crops ``(N, H, W, 3)`` enlarged about their middle, to the same size."""
    if zoom == 1.0:
        return images
    side = images.shape[1]
    matrix = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), 0, zoom)
    return np.stack([cv2.warpAffine(i, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE) for i in images])


def sheet_scores(logits: NDArray[np.float64], temperature: dict[str, float], lapse: dict[str, float]) -> SheetScores:
    """Log-probabilities from logits ``(N, 35)``; temperature and lapse as in ``vision.glyphs``."""
    parts, start = {}, 0
    for name, size in SHEET_HEADS:
        logs = log_softmax(logits[:, start : start + size] / temperature.get(name, 1.0))
        share = lapse.get(name, 0.0)
        parts[name] = np.log((1.0 - share) * np.exp(logs) + share / size) if share else logs
        start += size
    return SheetScores(**parts)


def unsure(scores: SheetScores, rows: NDArray[np.bool_]) -> SheetScores:
    """The scores with every answer possible in ``rows (P,)``: the crop may not show the cell that was asked for."""
    parts = {}
    for name, size in SHEET_HEADS:
        logs = getattr(scores, name)
        mixed = np.log((1.0 - ASTRAY) * np.exp(logs) + ASTRAY / size)
        parts[name] = np.where(rows[:, None], mixed, logs)
    return SheetScores(**parts)


def with_close(whole: NDArray[np.float64], close: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logits ``(P, 35)`` of whole crops, joined by those of close looks ``(N, 35)`` at the first ``N`` of them."""
    out, start = whole.copy(), 0
    for name, size in SHEET_HEADS:
        share, part = CLOSE_SHARE.get(name, 0.0), slice(start, start + size)
        out[: len(close), part] = (1.0 - share) * whole[: len(close), part] + share * close[:, part]
        start += size
    return out


class SheetNetwork:
    """The sheet network, run by cv2.dnn; loaded once, for any number of sheets of a model.

    Args:
        model: the sheet.
        folder: where the network lies (see ``SHEET_MODEL``); the shipped one when None.

    Raises:
        BadTemplate: the network or its card is missing or damaged.
    """

    def __init__(self, model: SheetModel, folder: Path | None = None) -> None:
        folder = folder or models_dir()
        with loading(folder, "sheet network"):
            self.card = card_of(folder, SHEET_MODEL)
            self._net, self._closely = network(folder, SHEET_MODEL), network(folder, CLOSE_MODEL)
            self._heat, self._lapse = dict(self.card["temperature"]), dict(self.card["lapse"])
        self.model = model
        self._masks = cell_masks(model)

    def read(self, images: NDArray[np.uint8], closer: Closer | None = None) -> SheetScores:
        """What stands in each cell and box, from crops ``(P, CROP_PX, CROP_PX, 3)`` in the model's order.

        Args:
            images: the crops.
            closer: cuts what is written out anew, larger; without it there is no close look.
        """
        if images.shape != (len(self._masks), CROP_PX, CROP_PX, 3):
            raise ValueError(f"crops must be ({len(self._masks)}, {CROP_PX}, {CROP_PX}, 3), not {images.shape}")
        looks = [_run(self._net, zoomed(images, zoom), self._masks) for zoom in ZOOMS]
        answers = np.mean(looks, axis=0)
        cells = slice(0, self.model.cells)
        if closer is None:
            return self._compared(sheet_scores(answers[:, :CLASSES], self._heat, self._lapse), answers[cells, SEEN])
        windows = _windows(looks[0][cells])
        masks, cut = window_masks(self._masks[cells], windows), closer(windows)
        close = _run(self._closely, cut, masks)
        logits = with_close(answers[:, :CLASSES], close[:, :CLASSES])
        scores = sheet_scores(logits, self._heat, self._lapse)
        scores = self._compared(scores, np.hstack([answers[cells, SEEN], close[:, SEEN]]))
        kind = scores.kind.copy()
        kind[cells] = np.log(written_still(np.exp(kind[cells]), cut, masks))
        return replace(scores, kind=kind)

    def _compared(self, scores: SheetScores, seen: NDArray[np.float64]) -> SheetScores:
        """The scores when the sheet's digits have had their say on one another; ``seen``: ``(cells, F)`` features."""
        digit, cells = scores.digit.copy(), slice(0, self.model.cells)
        digit[cells] = with_habits(digit[cells], np.exp(scores.kind[cells, _NUMBER]), seen)
        return replace(scores, digit=digit)

    def windows(self, images: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Where :meth:`read` looks closely, ``(cells, 3)``, in crops ``(P, CROP_PX, CROP_PX, 3)``."""
        cells = slice(0, self.model.cells)
        return _windows(_run(self._net, images[cells], self._masks[cells]))


def _run(net: cv2.dnn.Net, images: NDArray[np.uint8], masks: NDArray[np.uint8]) -> NDArray[np.float64]:
    """What a network answers, ``(N, FEATURES_FROM + FEATURES * members)``."""
    net.setInput(sheet_input(images, masks))
    return np.asarray(net.forward("logits"), np.float64)


def _windows(answers: NDArray[np.float64]) -> NDArray[np.float64]:
    return close_windows(spots_of(answers))


def spots_of(answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the writing is in each crop, ``(N, 3)``: x, y and half its longer side, in half sides of the crop."""
    place, size = answers[:, CLASSES : CLASSES + 2], answers[:, CLASSES + 2 : FEATURES_FROM]
    return np.concatenate([place, np.exp(np.clip(size, -5.0, 2.0))], axis=1)
