"""Pictures without a readable board of any map: each has to be refused. One row a picture; a stopped run goes on.

Usage: python -m bench.refusal [--pictures 1000] [--backgrounds DIR]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.accuracy import SEED
from bench.auto import every_print
from bench.photos import Studio
from bench.rows import RESULTS, Row, RowWriter
from ontour_cv.errors import BoardNotFound
from ontour_cv.synth.decoys import DECOYS, make_decoy
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register
from ontour_cv.vision.written import vouching

SIZES = (1080, 1600, 2048)
"""Longer sides of the pictures."""

TIERS = ("ordinary", "hard", "wild")
"""How the decoys are photographed, in turn."""


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, None, options.backgrounds)
    writer, reader = RowWriter(options.out), MarkReader()
    for k in range(options.start, options.pictures if options.stop is None else options.stop):
        key = f"refusal-{options.seed}-{k:05d}"
        if key not in writer:
            row = measure_one(studio, reader, k, key)
            writer.append(row)
            if row["accepted"] or k % 50 == 0:
                print(f"{key}: {row['kind']}, {'ACCEPTED' if row['accepted'] else 'refused'}, {row['ms']} ms",
                      file=sys.stderr, flush=True)  # fmt: skip


def measure_one(studio: Studio, reader: MarkReader, k: int, key: str) -> Row:
    """One picture, and whether a board was seen in it."""
    image, kind = picture(studio, k)
    photo = Photo(key, image)
    began = time.perf_counter()
    accepted, odds = False, None
    try:
        discs = find_discs(photo)
        placement = register(photo, discs, every_print(), vouch=vouching(photo, discs, reader))
        accepted, odds = True, round(placement.log_odds, 1)
    except BoardNotFound:
        pass
    spent = time.perf_counter() - began
    return {"key": key, "kind": kind, "size": [image.shape[1], image.shape[0]], "accepted": int(accepted),
            "log_odds": odds, "ms": round(1000 * spent, 1)}  # fmt: skip


def picture(studio: Studio, k: int) -> tuple[NDArray[np.uint8], str]:
    """Picture ``k``, ``(H, W, 3)`` uint8 BGR, and its kind.

    Kinds take turns: every decoy there is, the right board seen in a mirror, and cuts from the photos of tables.
    """
    rng = studio.rng("refusal", k)
    kinds = [*DECOYS, "mirror", *(["photo"] * 4 if studio.tables else [])]
    kind = kinds[k % len(kinds)]
    side = int(rng.choice(SIZES))
    if kind == "photo":
        return cut_photo(studio.tables[int(rng.integers(len(studio.tables)))], side, rng), kind
    tier = TIERS[k // len(kinds) % len(TIERS)]
    if kind == "mirror":
        image, _ = studio.shoot(tier, k, side)
        return np.ascontiguousarray(image[:, ::-1]), kind
    return make_decoy(rng, kind, tier, side, studio.tables)[0], kind


def cut_photo(path: Path, side: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A random part of a photo, turned and scaled at random; longer side ``side`` pixels."""
    whole = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if whole is None:
        raise SystemExit(f"{path} is no picture")
    whole = np.rot90(whole, int(rng.integers(4)))
    share = float(rng.uniform(0.35, 1.0))
    height, width = (max(64, round(share * n)) for n in whole.shape[:2])
    y, x = (int(rng.integers(0, n - m + 1)) for n, m in zip(whole.shape, (height, width), strict=False))
    part = whole[y : y + height, x : x + width]
    zoom = side / max(part.shape[:2])
    kind = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(np.ascontiguousarray(part), None, fx=zoom, fy=zoom, interpolation=kind), np.uint8)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.refusal", description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--stop", type=int)
    parser.add_argument("--backgrounds", type=Path, help="folder of photos without a board")
    parser.add_argument("--out", type=Path, default=RESULTS / "refusal.jsonl")
    return parser


if __name__ == "__main__":
    main()
