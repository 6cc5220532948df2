"""Checkpoint + whole boards -> the shipped model: trains the context network, fits temperatures, writes the card."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from ontour_cv.train.context import fit_context, look
from ontour_cv.train.export import write_model
from ontour_cv.train.network import MarkNet


def load_sets(paths: list[Path]) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """Boards of cells from set files: crops ``(B, N, 64, 64, 3)`` and labels ``(B, N, 4)``."""
    images, labels = [], []
    for path in paths:
        with np.load(path) as store:
            images.append(store["images"])
            labels.append(store["labels"])
    return np.concatenate(images), np.concatenate(labels)


def seen_boards(
    net: MarkNet, paths: list[Path], looks: int, seed: int = 1
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What the mark network sees of boards: features ``(B, N, F)``, logits ``(B, N, 26)``, labels ``(B, N, 4)``.

    Each board is seen ``looks`` times, the later times moved by up to a pixel.
    """
    rng = np.random.default_rng(seed)
    parts: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = []
    for path in paths:
        images, marks = load_sets([path])
        boards, cells = marks.shape[:2]
        flat = images.reshape(-1, *images.shape[2:])
        for k in range(looks):
            moves = rng.integers(-1, 2, (len(flat), 2)) * min(k, 1)
            moved = np.stack([np.roll(i, tuple(m), (0, 1)) for i, m in zip(flat, moves, strict=True)])
            hidden, logits = look(net, moved)
            target = torch.from_numpy(marks.astype(np.int64))
            parts.append((hidden.view(boards, cells, -1), logits.view(boards, cells, -1), target))
    features, logits, labels = (torch.cat([part[k] for part in parts]) for k in range(3))
    return features, logits, labels


def main() -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(description="Train the context network and write the shipped model.")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--sets", type=Path, required=True, help="folder of boards-train-*.npz, boards-valid-*.npz")
    parser.add_argument("--model", type=Path, default=Path("ontour_cv/models"))
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--looks", type=int, default=2)
    parser.add_argument("--how", default="", help="a sentence on how it was trained, for the card")
    finish(parser.parse_args())


def finish(args: argparse.Namespace) -> None:
    """The whole step; see ``--help``."""
    torch.set_num_threads(1)
    net = MarkNet()
    net.load_state_dict(torch.load(args.checkpoint, weights_only=True))
    features, logits, known = seen_boards(net, sorted(args.sets.glob("boards-train-*.npz")), args.looks)
    context = fit_context(features, logits, known, epochs=args.epochs)
    images, labels = load_sets(sorted(args.sets.glob("boards-valid-*.npz")))
    write_model(net, context, images, labels, args.model, args.how)


if __name__ == "__main__":
    main()
