"""``python -m ontour_cv.train.city``: the networks that read soloists, ferries and rows of New York, from renders.

Whole photos of played boards are rendered, found and laid flat by the reader's own code, and a small network learns
from them to see ink. The one for marked boxes follows (``train.city_boxes``), those for ferry lines
(``train.city_ferries``, then ``train.city_ferries_again``), and the one for written letters (``train.city_letters``),
from photos of their own; others, by writers never trained on, set temperatures and give the card's figures. Everything
follows from the seed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import torch

from ontour_cv.train import city_boxes, city_ferries, city_ferries_again, city_letters
from ontour_cv.train.city_files import SEED, command, write, write_card
from ontour_cv.train.city_nets import train_ink
from ontour_cv.train.city_photos import CityShot, CityStudio
from ontour_cv.train.sources import add_sources, hands, pictures


def main(arguments: list[str] | None = None) -> None:
    """Render, train, calibrate, write models and card."""
    options = _options(arguments)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    _ink(options)
    city_boxes.extend(options)
    city_ferries.extend(options)
    city_ferries_again.extend(argparse.Namespace(**vars(options) | {"start": "lines", "member": "lines"}))
    more = city_ferries_again.FREE | {"seed": options.seed + 1}
    city_ferries_again.extend(argparse.Namespace(**vars(options) | more))
    city_letters.extend(options)


def _ink(options: argparse.Namespace) -> None:
    folder: Path | None = options.strokes
    studio = CityStudio(options.seed, hands(folder, "train"), pictures(options.backgrounds), free=options.free)
    shots = _shots(studio, options.photos)
    _say(f"{len(shots)} photos")
    write({"ink": train_ink(shots, options.steps, options.seed)}, options.out)
    card = {
        "most_cost": options.most_cost,
        "trained": command("city", ("photos", "free", "steps", "most-cost", "seed"), options),
        "hands": "recorded" if folder else "own",
    }
    write_card(card, options.out)


def _shots(studio: CityStudio, count: int) -> list[CityShot]:
    return [shot for shot in (studio.shoot(k) for k in range(count)) if shot is not None]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.city", description=__doc__)
    parser.add_argument("--photos", type=int, default=1500, help="photos to learn from, 7 MB each in memory")
    parser.add_argument("--kept", type=int, default=150, help="photos to calibrate the network of letters on")
    parser.add_argument(
        "--steps",
        type=int,
        default=2600,
        help="training steps of the ink network",
    )
    parser.add_argument("--free", type=float, default=0.35, help="share of them with ferries in any manner")
    city_boxes.add_options(parser)
    city_ferries.add_options(parser)
    city_ferries_again.add_options(parser)
    city_letters.add_options(parser)
    parser.add_argument("--most-cost", type=float, default=0.7, help="lines with less ink than this are given up")
    add_sources(parser, SEED)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
