"""Where photos to learn from come from: whose hands, whose tables, what seed; and where networks go."""

from __future__ import annotations

import argparse
from pathlib import Path

from ontour_cv.resources import models_dir
from ontour_cv.synth.recorded import load_recorded
from ontour_cv.train.hands import Hands


def add_sources(parser: argparse.ArgumentParser, seed: int) -> None:
    """Where photos to learn from come from, and where the networks go; ``seed`` is the usual one."""
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--strokes", type=Path, help="folder with recorded pen strokes")
    parser.add_argument("--backgrounds", type=Path, help="folder with photos of tables")
    parser.add_argument("--out", type=Path, default=models_dir(), help="folder of the networks")


def hands(folder: Path | None, split: str) -> Hands:
    """Recorded writers; how digits look matters little here, so none are traced from pictures."""
    return Hands(load_recorded(folder, split) if folder else [], [])


def pictures(folder: Path | None) -> tuple[Path, ...]:
    """Photos of tables anywhere under a folder."""
    if folder is None:
        return ()
    return tuple(sorted(p for p in folder.rglob("*") if p.suffix.lower() in {".jpg", ".jpeg", ".png"}))
