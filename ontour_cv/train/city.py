"""``python -m ontour_cv.train.city``: the networks that read soloists, ferries and rows of New York, from renders.

Whole photos of played boards are rendered, found and laid flat by the reader's own code; two small networks learn
from most of them, and the others, by writers never trained on, set a temperature and give the card's figures. Those for
ferry lines follow (``train.city_ferries``, then ``train.city_ferries_again``), and the one for written letters
(``train.city_letters``), from photos of their own. Everything follows from the seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn

from ontour_cv.train import city_ferries, city_ferries_again, city_letters
from ontour_cv.train.city_files import SEED, write, write_card
from ontour_cv.train.city_nets import box_examples, logits_of, train_boxes, train_ink
from ontour_cv.train.city_photos import CityShot, CityStudio
from ontour_cv.train.sources import add_sources, hands, pictures
from ontour_cv.train.temperature import temperature


def main(arguments: list[str] | None = None) -> None:
    """Render, train, calibrate, write models and card."""
    options = _options(arguments)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    _ink_and_boxes(options)
    city_ferries.extend(options)
    city_ferries_again.extend(argparse.Namespace(**vars(options) | {"member": "lines"}))
    more = city_ferries_again.FREE | {"seed": options.seed + 1}
    city_ferries_again.extend(argparse.Namespace(**vars(options) | more))
    city_letters.extend(options)


def _ink_and_boxes(options: argparse.Namespace) -> None:
    folder: Path | None = options.strokes
    tables = pictures(options.backgrounds)
    shots = _shots(CityStudio(options.seed, hands(folder, "train"), tables), options.photos)
    _say(f"{len(shots)} photos")
    kept = _shots(CityStudio(options.seed + 1, hands(folder, "valid"), tables), options.kept)
    ink = train_ink(shots, options.steps, options.seed)
    _say("ink")
    boxes = train_boxes(shots, 3 * options.steps, options.seed)
    _say("boxes")
    nets: dict[str, nn.Module] = {"ink": ink, "boxes": boxes}
    write(nets, options.out)
    card = measured(boxes, kept) | {
        "most_cost": options.most_cost,
        "trained": f"python -m ontour_cv.train.city --photos {options.photos} --kept {options.kept} "
        f"--steps {options.steps} --seed {options.seed} --most-cost {options.most_cost}",
        "hands": "recorded" if folder else "own",
    }
    write_card(card, options.out)


def measured(boxes: nn.Module, kept: Sequence[CityShot]) -> dict[str, Any]:
    """Calibration, and how often the network of boxes is wrong, on photos not trained on."""
    images, marked = box_examples(kept)
    known = marked >= 0
    logits, there = logits_of(boxes, images[known]), marked[known] == 1
    return {
        "box_temperature": temperature(torch.from_numpy(logits), torch.from_numpy(there.astype(np.float64))),
        "figures": {"photos": len(kept), "boxes": len(there), "boxes_wrong": int(((logits > 0) != there).sum())},
    }


def _shots(studio: CityStudio, count: int) -> list[CityShot]:
    return [shot for shot in (studio.shoot(k) for k in range(count)) if shot is not None]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.city", description=__doc__)
    parser.add_argument("--photos", type=int, default=1500, help="photos to learn from, 7 MB each in memory")
    parser.add_argument("--kept", type=int, default=150, help="photos to calibrate on")
    parser.add_argument(
        "--steps",
        type=int,
        default=2600,
        help="training steps of the ink network; the others take three times as many",
    )
    city_ferries.add_options(parser)
    city_ferries_again.add_options(parser)
    city_letters.add_options(parser)
    parser.add_argument("--most-cost", type=float, default=0.7, help="lines with less ink than this are given up")
    add_sources(parser, SEED)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
