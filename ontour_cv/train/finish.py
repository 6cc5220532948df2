"""Checkpoint + whole boards of unseen writers -> the shipped model: fits temperatures, writes the card."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch

from ontour_cv.train.export import write_model
from ontour_cv.train.fit import Reader
from ontour_cv.train.sets import load_sets


def main() -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(description="Write the shipped model from the checkpoints of its members.")
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--sets", type=Path, required=True, help="folder of boards-valid-*.npz")
    parser.add_argument("--model", type=Path, default=Path("ontour_cv/models"))
    parser.add_argument("--how", default="", help="a sentence on how it was trained, for the card")
    args = parser.parse_args()
    finish(args.checkpoints, args.sets, args.model, args.how)


def finish(checkpoints: Sequence[Path], sets: Path, model: Path, how: str) -> None:
    """The whole step; see ``--help``."""
    torch.set_num_threads(1)
    images, labels = load_sets(sorted(sets.glob("boards-valid-*.npz")))
    write_model([_loaded(path) for path in checkpoints], images, labels, model, how)


def _loaded(path: Path) -> Reader:
    reader = Reader()
    reader.load_state_dict(torch.load(path, weights_only=True))
    return reader.eval()


if __name__ == "__main__":
    main()
