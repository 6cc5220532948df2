"""Pictures without a sheet of Rolling America, boards of other maps among them: each has to be refused.

Usage: python -m bench.sheets_refusal [--pictures 200] [--backgrounds DIR]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.photos import Studio, photos_in
from bench.rows import RESULTS, Row, RowWriter
from bench.sheets import SEED
from ontour_cv.maps.load import load_map
from ontour_cv.scorer.sheet_score import MAP
from ontour_cv.synth.decoys import make_decoy
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_model import SheetModel, sheet_model
from ontour_cv.vision.sheet_place import accepted, find_sheet

BOARDS = 4
"""Every so many pictures one is a board of another map."""

NOTHING = -999.0
"""Evidence where not even a guess grew."""


def main(arguments: list[str] | None = None) -> None:
    """Search as the command line asks."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    model = sheet_model(load_map(MAP))
    tables = photos_in(options.backgrounds) if options.backgrounds else ()
    writer = RowWriter(options.out)
    for k in range(options.pictures):
        key = f"{options.seed}-{k:05d}"
        if key not in writer:
            row = {"key": key} | measure(model, *picture(options.seed, k, tables))
            writer.append(row)
            print(row, file=sys.stderr, flush=True)


def picture(seed: int, k: int, tables: tuple[Path, ...]) -> tuple[NDArray[np.uint8], str]:
    """Picture ``k`` and what it shows."""
    if k % BOARDS == BOARDS - 1:
        map_id = ("usa", "europe-home")[(k // BOARDS) % 2]
        studio = Studio(seed, None, None, map_id)
        return studio.shoot(("ordinary", "hard")[(k // 2) % 2], k, 1600)[0], f"board, {map_id}"
    return make_decoy(np.random.default_rng([seed, k]), None, ("ordinary", "hard")[k % 2], 1600, tables)


def measure(model: SheetModel, image: NDArray[np.uint8], kind: str) -> Row:
    """What the search makes of a picture."""
    found = find_sheet(Photo(kind, image), model)
    evidence = NOTHING if found is None else max(NOTHING, round(found.log_odds, 1))
    return {"kind": kind, "sheet": int(found is not None and accepted(found)), "log_odds": evidence}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.sheets_refusal", description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--backgrounds", type=Path, help="folder of photos, themselves searched and laid under decoys")
    parser.add_argument("--out", type=Path, default=RESULTS / "sheets-refusal.jsonl")
    return parser


if __name__ == "__main__":
    main()
