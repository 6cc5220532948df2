"""Checkpoint + whole boards of unseen writers -> the shipped model: fits temperatures, writes the card."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from ontour_cv.train.export import write_model
from ontour_cv.train.fit import Reader


def load_sets(paths: list[Path]) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """Boards of cells from set files: crops ``(B, N, 64, 64, 3)`` and labels ``(B, N, 4)``."""
    images, labels = [], []
    for path in paths:
        with np.load(path) as store:
            images.append(store["images"])
            labels.append(store["labels"])
    return np.concatenate(images), np.concatenate(labels)


def main() -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(description="Write the shipped model from a checkpoint.")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--sets", type=Path, required=True, help="folder of boards-valid-*.npz")
    parser.add_argument("--model", type=Path, default=Path("ontour_cv/models"))
    parser.add_argument("--how", default="", help="a sentence on how it was trained, for the card")
    args = parser.parse_args()
    finish(args.checkpoint, args.sets, args.model, args.how)


def finish(checkpoint: Path, sets: Path, model: Path, how: str) -> None:
    """The whole step; see ``--help``."""
    torch.set_num_threads(1)
    reader = Reader()
    reader.load_state_dict(torch.load(checkpoint, weights_only=True))
    reader.eval()
    images, labels = load_sets(sorted(sets.glob("boards-valid-*.npz")))
    write_model(reader.marks, reader.context, images, labels, model, how)


if __name__ == "__main__":
    main()
