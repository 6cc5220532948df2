"""CellCrops -> :class:`GlyphScores`: what the mark network thinks of each cell, as log-probabilities."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontour_cv.resources import models_dir
from ontour_cv.vision.cells import CROP_PX, CellCrops
from ontour_cv.vision.circles import A_BOARD, CircleReader
from ontour_cv.vision.context import ContextNet
from ontour_cv.vision.farther import SURER as FROM_AFAR
from ontour_cv.vision.farther import farther
from ontour_cv.vision.overlooked import enlarged, overlooked, writes_large
from ontour_cv.vision.rewritten import AS_SURE, Ink, rewritten
from ontour_cv.vision.shipped import card_of, loading, network, seen
from ontour_cv.vision.upright import SURER, turn_of, turned

KINDS = ("empty", "number", "star", "x")
"""Order of the columns of ``GlyphScores.kind``."""

HEADS = (("kind", 4), ("tens", 10), ("ones", 10), ("circled", 2))
"""A member's outputs side by side: name and number of classes, 26 in all."""

TOLD_AGAIN = ("kind", "tens", "ones")
"""Heads that are heard of a second look at what was rewritten: enlarged, it shows no rings, and evened none plainer."""

_AGAIN = np.flatnonzero(np.repeat([name in TOLD_AGAIN for name, _ in HEADS], [size for _, size in HEADS]))
"""Their columns among the 26."""

MODEL = "marks"
"""Name of the shipped model: ``models/marks.onnx``, ``marks-context.npz`` and their card ``marks.json``."""


@dataclass(frozen=True, slots=True, eq=False)
class GlyphScores:
    """Calibrated log-probabilities, one row per cell.

    Attributes:
        ids: region ids.
        kind: ``(N, 4)`` float64, log-probability of each of ``KINDS``.
        number: ``(N, 100)`` float64, log-probability of each number given that the cell holds one.
        circled: ``(N, 2)`` float64, log-probability of (not circled, circled).
        places: ``(N, 2)`` as ``CellCrops.places``.
    """

    ids: tuple[str, ...]
    kind: NDArray[np.float64]
    number: NDArray[np.float64]
    circled: NDArray[np.float64]
    places: NDArray[np.float64] | None = None


def standardised(images: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops ``(N, H, W, 3)`` uint8 BGR as the network's input, ``(N, 3, H, W)`` float32.

    Each crop is brought to mean 0 and standard deviation 1 over all its pixels and colours, which takes exposure and
    contrast out of the question; a flat crop (standard deviation under 8 grey levels) is not blown up into noise.
    """
    x = images.astype(np.float32)
    mean = x.mean(axis=(1, 2, 3), keepdims=True)
    spread = np.maximum(x.std(axis=(1, 2, 3), keepdims=True), 8.0)
    return np.ascontiguousarray(((x - mean) / spread).transpose(0, 3, 1, 2))


def log_heads(logits: NDArray[np.float64], temperature: Mapping[str, float]) -> NDArray[np.float64]:
    """Log-probabilities of each head side by side, ``(N, 26)``, from raw outputs ``(N, 26)``.

    Each head's logits are divided by its temperature (Guo et al. 2017, "On calibration of modern neural networks"),
    fitted on writers and boards that training never saw.
    """
    parts, start = [], 0
    for name, size in HEADS:
        parts.append(log_softmax(logits[:, start : start + size] / temperature.get(name, 1.0)))
        start += size
    return np.concatenate(parts, axis=1)


def pooled(parts: Sequence[NDArray[np.float64]], tells: Sequence[Collection[str]]) -> NDArray[np.float64]:
    """The mean of several log-probabilities ``(N, 26)``, head by head, of those that tell of it.

    Args:
        parts: from :func:`log_heads`.
        tells: names of the heads each is asked about.
    """
    out, start = np.empty_like(parts[0]), 0
    for name, size in HEADS:
        columns = slice(start, start + size)
        heard = [part[:, columns] for part, names in zip(parts, tells, strict=True) if name in names]
        out[:, columns] = np.mean(heard, axis=0)
        start += size
    return out


def scores_from_logits(
    ids: tuple[str, ...],
    logits: NDArray[np.float64],
    temperature: Mapping[str, float],
    lapse: Mapping[str, float] | None = None,
) -> GlyphScores:
    """Log-probabilities from raw outputs ``(N, 26)``; tens and ones are taken as independent given the picture.

    Args:
        ids: region ids.
        logits: raw outputs.
        temperature: see :func:`log_heads`.
        lapse: share of a head's cells that show anything whatever it thinks (ink nobody sees, slips of the pen). A
            temperature alone has to soften all answers to allow for those few.
    """
    logs = log_heads(logits, temperature)
    ends = np.cumsum([size for _, size in HEADS])
    parts = dict(zip((name for name, _ in HEADS), np.split(logs, ends[:-1], axis=1), strict=True))
    for name, share in (lapse or {}).items():
        parts[name] = np.log((1.0 - share) * np.exp(parts[name]) + share / parts[name].shape[1])
    number = (parts["tens"][:, :, None] + parts["ones"][:, None, :]).reshape(len(ids), 100)
    return GlyphScores(ids, parts["kind"], number, parts["circled"])


def log_softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-probabilities along the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), dtype=np.float64)


def _seems(kind: str, logs: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which cells seem to be of a kind, ``(N,)``, by log-probabilities ``(N, 26)``."""
    return np.asarray(logs[:, : len(KINDS)].argmax(axis=1) == KINDS.index(kind))


def certainty(scores: GlyphScores) -> NDArray[np.float64]:
    """Probability of the likeliest mark of each cell by itself, ``(N,)``."""
    is_number = scores.kind.argmax(axis=1) == KINDS.index("number")
    number = np.where(is_number, scores.number.max(axis=1), 0.0)
    return np.asarray(np.exp(scores.kind.max(axis=1) + number))


class MarkReader:
    """The mark networks, run by cv2.dnn, and the context networks after them; loaded once, for any number of boards.

    The model has members, trained apart from each other: where one has learnt a hand badly the other often has not.
    Context networks hear one of them or all, and are asked about some heads or all (see ``train.export``); each is
    calibrated by itself, their log-probabilities are averaged (Hinton 2002, "product of experts", with equal weights
    summing to one) and calibrated once more. Of circles a network of their own is heard, too (``vision.circles``).

    Args:
        folder: where the models lie (see ``MODEL``); the shipped ones when None. Without a network of circles there the
            shipped one is asked.
        circles: whether the network of circles is asked; training weighs it against what is said without.

    Raises:
        BadTemplate: the model or its card is missing or damaged.
    """

    def __init__(self, folder: Path | None = None, circles: bool = True) -> None:
        folder = folder or models_dir()
        own = (folder / "circles.json").exists()
        self._circles = CircleReader(folder if own else models_dir()) if circles else None
        with loading(folder):
            self.card = card_of(folder, MODEL)
            self._net = network(folder, MODEL)
            self._members: list[dict[str, float]] = [dict(m["temperature"]) for m in self.card["members"]]
            self._temperatures: list[dict[str, float]] = [dict(c["temperature"]) for c in self.card["contexts"]]
            self._heard: list[list[int]] = [list(c["hears"]) for c in self.card["contexts"]]
            self._tells: list[list[str]] = [list(c["tells"]) for c in self.card["contexts"]]
            path = folder / f"{MODEL}-context.npz"
            self._contexts = [ContextNet(path, f"{k}.") for k in range(len(self._temperatures))]

    @property
    def name(self) -> str:
        """Which networks read, in short: the beginnings of their files' hashes."""
        cards = [self.card, *([self._circles.card] if self._circles else [])]
        return "-".join(str(sha)[:8] for card in cards for sha in card["sha256"].values())

    def read(self, crops: CellCrops) -> GlyphScores:
        """What stands in each cell of one board, as calibrated log-probabilities."""
        ink = Ink.of(crops.images) if len(crops.ids) >= A_BOARD else None
        logs = self._one_look(crops.images) if ink is None else self._together(crops, ink)
        scores = self._scores(crops.ids, logs, "together")
        known = None if ink is None else (ink.ground, ink.pen)
        circled = self._circles.beside(scores.circled, crops, known) if self._circles else scores.circled
        return replace(scores, circled=circled, places=crops.places)

    def _together(self, crops: CellCrops, ink: Ink) -> NDArray[np.float64]:
        """What all context networks say of a board, ``(N, 26)``; at more looks where it is written out of the usual."""
        logs = self._looks(crops, ink)
        turn = turn_of(ink)
        if turn:
            level = turned(crops.images, turn)
            around = None if crops.around is None else turned(crops.around, turn)
            again = self._looks(replace(crops, images=level, around=around), Ink.of(level))
            if self._gained(crops.ids, logs, again) > SURER:
                logs[:, _AGAIN] = again[:, _AGAIN]
        return logs

    def _looks(self, crops: CellCrops, ink: Ink) -> NDArray[np.float64]:
        """The same of the cells as they are, level or not."""
        logs = self._one_look(crops.images)
        return self._enlarged(crops, ink, self._from_afar(crops, ink, self._rewritten(crops, ink, logs)))

    def _gained(self, ids: tuple[str, ...], logs: NDArray[np.float64], again: NDArray[np.float64]) -> float:
        """How much surer a second look is than the first, log-probability of a cell's mark on the average."""
        sure, then = (certainty(self._scores(ids, seen, "together")) for seen in (logs, again))
        return float(np.log(then / sure).mean())

    def _rewritten(self, crops: CellCrops, ink: Ink, logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same where strokes or pen are poor, or numbers small or not in the middle (``vision.rewritten``)."""
        full = rewritten(ink)
        if full is None:
            return logs
        return self._heard_too(crops.ids, logs, self._one_look(full))

    def _from_afar(self, crops: CellCrops, ink: Ink, logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same where numbers are larger than the discs (``vision.farther``)."""
        small = None if crops.around is None else farther(crops.around, ink)
        if small is None:
            return logs
        return self._heard_too(crops.ids, logs, self._one_look(small), FROM_AFAR)

    def _heard_too(
        self, ids: tuple[str, ...], logs: NDArray[np.float64], again: NDArray[np.float64], alone: float = np.inf
    ) -> NDArray[np.float64]:
        """What a second look says beside the first if it is about as sure, and alone if it is surer by ``alone``."""
        gained = self._gained(ids, logs, again)
        if gained < AS_SURE:
            return logs
        both = pooled([logs, again], [dict(HEADS), TOLD_AGAIN])
        if gained > alone:
            both[:, _AGAIN] = again[:, _AGAIN]
        return both

    def _enlarged(self, crops: CellCrops, ink: Ink, logs: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same where what is written is as small and neat as print, and taken for it (``vision.overlooked``)."""
        empty = _seems("empty", logs)
        large = enlarged(crops.images, empty)
        if large is None:
            return logs
        again = self._one_look(large)
        sure = certainty(self._scores(crops.ids, again, "together"))
        number = _seems("number", logs)
        shown, share = overlooked(empty, number, _seems("empty", again), sure)
        if not share or (share < 1.0 and writes_large(ink, number)):
            return logs
        cells = np.ix_(shown, _AGAIN)
        both = pooled([logs, again], [dict(HEADS), TOLD_AGAIN]) if share == 1.0 else logs.copy()
        with np.errstate(divide="ignore"):
            both[cells] = np.logaddexp(np.log(1.0 - share) + logs[cells], np.log(share) + again[cells])
        return both

    def _one_look(self, images: NDArray[np.uint8]) -> NDArray[np.float64]:
        """What all context networks say of a board's crops, ``(N, 26)``."""
        logits, hidden = self.look(images)
        contexts = zip(self._contexts, self._heard, self._temperatures, strict=True)
        parts = [log_heads(net.correct(hidden[heard], logits[heard]), heat) for net, heard, heat in contexts]
        asked = [k for k, one in enumerate(self.card["contexts"]) if len(images) >= one["cells"]]
        return pooled([parts[k] for k in asked], [self._tells[k] for k in asked])

    def read_alone(self, images: NDArray[np.uint8]) -> GlyphScores:
        """What stands in each of some crops, ``(N, CROP_PX, CROP_PX, 3)``, none knowing of the others; no ids."""
        members = zip(self.look(images)[0], self._members, strict=True)
        parts = [log_heads(part, heat) for part, heat in members]
        return self._scores(("",) * len(images), np.mean(parts, axis=0), "alone")

    def _scores(self, ids: tuple[str, ...], logs: NDArray[np.float64], how: str) -> GlyphScores:
        """Log-probabilities ``(N, 26)`` as one reading, calibrated as the card says for ``how``."""
        final = self.card[how]
        return scores_from_logits(ids, logs, final["temperature"], final["lapse"])

    def look(self, images: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """Each member's logits ``(M, N, 26)`` and hidden layer ``(M, N, F)``, each cell seen by itself.

        Args:
            images: crops, ``(N, CROP_PX, CROP_PX, 3)`` uint8 BGR.
        """
        if images.shape[1:] != (CROP_PX, CROP_PX, 3):
            raise ValueError(f"crops must be (N, {CROP_PX}, {CROP_PX}, 3), not {images.shape}")
        logits, hidden = seen(self._net, standardised(images), ["logits", "hidden"])
        shape = (len(images), len(self._members), -1)
        return (
            np.asarray(logits, dtype=np.float64).reshape(shape).transpose(1, 0, 2),
            np.asarray(hidden, dtype=np.float32).reshape(shape).transpose(1, 0, 2),
        )
