"""Weighs the networks of circles anew beside mark networks that changed: ``python -m ontour_cv.train.reweigh``.

What the mark networks say of a circle counts as much as it helps (``train.circles.weighed``); that changes with them.
Nothing else of the networks of circles does, and their files stay as they are.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from ontour_cv.resources import models_dir
from ontour_cv.train.circles import held_out, told_by_marks, weighed
from ontour_cv.train.sets import AROUND, IMAGES, load_sets
from ontour_cv.vision.circles import FAR, MODEL, VIEWS, CircleReader
from ontour_cv.vision.glyphs import MarkReader


def main(words: Sequence[str] | None = None) -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.reweigh", description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=VIEWS, default=MODEL, help="which of the networks")
    parser.add_argument("--sets", type=Path, nargs="+", required=True, help="folders of boards-valid-*.npz")
    parser.add_argument("--model", type=Path, default=models_dir(), help="folder of the mark networks and of the card")
    args = parser.parse_args(words)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    paths = [path for folder in args.sets for path in sorted(folder.glob("boards-valid-*.npz"))]
    if not paths:
        parser.error("no boards-valid-*.npz: make them with train.painter --boards 200 --split valid --as-read usa")
    path = args.model / f"{MODEL}.json"
    card = json.loads(path.read_text(encoding="utf-8"))
    card[args.part] |= reweighed(args.model, args.part, paths)
    path.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps(card[args.part], indent=1) + "\n")


def reweighed(folder: Path, part: str, paths: list[Path]) -> dict[str, object]:
    """The weights of one network and of the mark networks in ``folder``, and the figures behind them, for the card."""
    cells, labels = load_sets(paths)
    reader, marks = CircleReader(folder), MarkReader(folder, circles=False)
    seen, _ = load_sets(paths, AROUND if part == FAR else IMAGES)
    own = np.concatenate([reader.odds(each, part) for each in seen])
    others = np.concatenate([told_by_marks(marks, each) for each in cells])
    target = torch.from_numpy(labels[..., 3].astype(np.float64)).flatten()
    both = torch.from_numpy(np.stack([others, own]))
    weights = weighed(both, target)
    return {"marks": round(weights[0], 4), "own": round(weights[1], 4), "held_out": held_out(both, weights, target)}


if __name__ == "__main__":
    main()
