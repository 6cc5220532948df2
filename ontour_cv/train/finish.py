"""Checkpoints + whole boards of unseen writers -> the shipped model: fits temperatures, writes the card."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch

from ontour_cv.train.export import write_model
from ontour_cv.train.sets import load_sets
from ontour_cv.train.together import load_context, load_reader


def main() -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(description="Write the shipped model from the checkpoints of its members.")
    parser.add_argument("checkpoints", type=Path, nargs="+", help="of the members")
    parser.add_argument("--contexts", type=Path, nargs="*", default=(), help="networks of train.together")
    parser.add_argument("--sets", type=Path, required=True, help="folder of boards-valid-*.npz")
    parser.add_argument("--model", type=Path, default=Path("ontour_cv/models"))
    parser.add_argument("--how", default="", help="a sentence on how it was trained, for the card")
    args = parser.parse_args()
    finish(args.checkpoints, args.contexts, args.sets, args.model, args.how)


def finish(checkpoints: Sequence[Path], contexts: Sequence[Path], sets: Path, model: Path, how: str) -> None:
    """The whole step; see ``--help``."""
    torch.set_num_threads(1)
    images, labels = load_sets(sorted(sets.glob("boards-valid-*.npz")))
    readers, nets = [load_reader(path) for path in checkpoints], [load_context(path) for path in contexts]
    write_model(readers, nets, images, labels, model, how)


if __name__ == "__main__":
    main()
