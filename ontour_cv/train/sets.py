"""Whole boards of cells as users photograph them: what probabilities are calibrated on and training goes on with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.train.boards import LEAST_RADIUS_PX, SIZES
from ontour_cv.train.hands import Hands, with_pen
from ontour_cv.train.labels import label_of
from ontour_cv.train.lens import aimed
from ontour_cv.train.shards import load_shard
from ontour_cv.vision.cells import crop_cell

IMAGES, AROUND = "images", "around"
"""Names of the two crops of each cell in a file: ``vision.cells.CELL`` and ``vision.cells.AROUND``."""


class Sets:
    """Boards from several folders of ``boards-train-*.npz`` or shards, each folder drawn from equally often.

    Boards are as large as the smallest of all: of a larger one chance takes so many cells.
    """

    def __init__(self, folders: list[Path], crops: str = IMAGES, boards: int = 4) -> None:
        """Loads them all; shards stay on disk.

        Args:
            folders: the folders.
            crops: which crops of each cell, ``IMAGES`` or ``AROUND``; shards have the former only.
            boards: in a batch; four are as many cells as ``train.fit`` has of shards.

        Raises:
            ValueError: a folder without boards to train on.
            KeyError: boards without such crops.
        """
        self.folders, self.boards = folders, boards
        self.images: list[NDArray[np.uint8]] = []
        self.labels: list[NDArray[np.int8]] = []
        self.files: list[list[int]] = []
        for folder in folders:
            paths = train_files(folder)
            self.files.append([len(self.images) + k for k in range(len(paths))])
            for path in paths:
                images, labels = load_file(path, crops)
                self.images.append(images)
                self.labels.append(labels)
        self.group = min(images.shape[1] for images in self.images)

    def grow(self, count: int) -> None:
        """Nothing: all is there."""

    def batch(self, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """All cells of some boards, ``(boards * N, px, px, 3)``, and their labels ``(boards * N, 4)``."""
        images, labels = [], []
        for _ in range(self.boards):
            files = self.files[int(rng.integers(len(self.files)))]
            file = files[int(rng.integers(len(files)))]
            board, cells = int(rng.integers(len(self.images[file]))), self.images[file].shape[1]
            some = np.sort(rng.permutation(cells)[: self.group]) if cells > self.group else slice(None)
            images.append(self.images[file][board][some])
            labels.append(self.labels[file][board][some])
        return np.concatenate(images), np.concatenate(labels)

    def held_out(self) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """The cells of every ``boards-valid-*.npz`` in the folders, ``group`` of each board, one after another."""
        paths = [path for folder in self.folders for path in sorted(folder.glob("boards-valid-*.npz"))]
        if not paths:
            raise ValueError("no boards-valid-*.npz: make them with train.painter --boards --split valid")
        images, labels = load_sets(paths)
        few = slice(None), slice(self.group)
        return images[few].reshape(-1, *images.shape[2:]), labels[few].reshape(-1, labels.shape[2])


def train_files(folder: Path) -> list[Path]:
    """The files of boards and the shards in a folder that are trained on.

    Raises:
        ValueError: there are none.
    """
    paths = [*sorted(folder.glob("boards-train-*.npz")), *sorted(folder.glob("train-????.npy"))]
    if not paths:
        raise ValueError(f"{folder} has neither boards-train-*.npz nor shards: make them with train.painter --boards")
    return paths


def load_file(path: Path, crops: str = IMAGES) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """One of them: crops ``(B, N, px, px, 3)`` and labels ``(B, N, 4)``.

    Raises:
        KeyError: it has no such crops.
    """
    if path.suffix == ".npz":
        return load_sets([path], crops)
    if crops != IMAGES:
        raise KeyError(crops)
    return load_shard(path)


def load_sets(paths: list[Path], crops: str = IMAGES) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """Boards of cells from set files: crops ``(B, N, px, px, 3)`` and labels ``(B, N, 4)``.

    Args:
        paths: the files.
        crops: which, ``IMAGES`` or ``AROUND``; the latter only boards cut as reading cuts them have.
    """
    images, labels = [], []
    for path in paths:
        with np.load(path) as store:
            images.append(store[crops])
            labels.append(store["labels"])
    return np.concatenate(images), np.concatenate(labels)


def save_sets(path: Path, boards: Sequence[tuple[NDArray[np.generic], ...]]) -> None:
    """Writes boards to one ``.npz``; it appears under its name when it is whole.

    Args:
        path: where.
        boards: crops and labels of each, as :func:`make_board_set` makes them, and what is round the cells, as
            ``as_read.make_read_set`` does.
    """
    part = path.with_suffix(".part.npz")
    kinds = (IMAGES, "labels", AROUND)[: len(boards[0])]
    arrays: dict[str, Any] = {name: np.stack([board[k] for board in boards]) for k, name in enumerate(kinds)}
    np.savez(part, **arrays)
    part.rename(path)


def make_board_set(
    seed: tuple[int, int], hands: Hands, template: MapTemplate, editions: list[Edition],
    backgrounds: tuple[Path, ...] = (), own: float = 0.0, pens: float = 0.0,
) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:  # fmt: skip
    """The cells of one rendered photo: crops ``(N, 64, 64, 3)`` and labels ``(N, 4)``, in the map's order.

    A cell too small or too far outside to be read keeps its place with label -1 throughout.
    """
    rng = np.random.default_rng(seed)
    tier = str(rng.choice(["ordinary", "hard"]))
    settings = Settings(tier=tier, long_side=int(rng.choice(SIZES)), jitter=0.4, backgrounds=backgrounds)
    board = sample_board(template, rng)
    writer = with_pen(sample_writer(rng, hands.pick(rng, own)), pens, rng)
    photo, truth = render(template, editions[int(rng.integers(len(editions)))], board, settings, rng, writer)
    images, labels = [], []
    for region, place in truth.cells.items():
        hazard = truth.hazards[region]
        images.append(crop_cell(photo, aimed(np.asarray(place.centre_photo), place.axes_photo, rng)))
        good = hazard.radius_px >= LEAST_RADIUS_PX and hazard.outside <= 0.3
        labels.append(label_of(board.marks[region]) if good else np.full(4, -1, np.int8))
    return np.stack(images), np.stack(labels)
