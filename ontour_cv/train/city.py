"""``python -m ontour_cv.train.city``: the networks that read soloists, ferries and rows of New York, from renders.

Whole photos of played boards are rendered, found and laid flat by the reader's own code; three small networks learn
from most of them, and the others, by writers never trained on, set temperatures and give the card's figures. The
fourth, for written letters, follows (``train.city_letters``). Everything follows from the seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.resources import models_dir
from ontour_cv.train import city_letters
from ontour_cv.train.city_files import hands, pictures, write, write_card
from ontour_cv.train.city_nets import box_examples, logits_of, train_boxes, train_ink, train_lines
from ontour_cv.train.city_photos import CityShot, CityStudio
from ontour_cv.train.temperature import temperature
from ontour_cv.vision.city_flat import Box, CityLayout
from ontour_cv.vision.city_paths import Lines, cut_strips, trace_lines, without_folds, without_writing
from ontour_cv.vision.city_read import line_signs, weighed

FEW = 40
"""Lines without ink that are learnt from, of each photo, beside those that look like one."""


TICKS_SEEN = 0.99
"""Share of the ticked boxes that reading knows of when it looks for lines."""

MOST_DRAWN = 9
"""Probabilities of lines are set on boards with no more ferries than this. The network learns from fuller ones, too; on
them so many lines cross that others could be made of their pieces, which would make it doubt everything."""


def main(arguments: list[str] | None = None) -> None:
    """Render, train, calibrate, write models and card."""
    options = _options(arguments)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    folder: Path | None = options.strokes
    tables = pictures(options.backgrounds)
    studio = CityStudio(options.seed, hands(folder, "train"), tables)
    shots = _shots(studio, options.photos)
    _say(f"{len(shots)} photos")
    kept_studio = CityStudio(options.seed + 1, hands(folder, "valid"), tables)
    kept = _shots(kept_studio, options.kept)
    ink = train_ink(shots, options.steps, options.seed)
    _say("ink")
    boxes = train_boxes(shots, 3 * options.steps, options.seed)
    _say("boxes")
    strips = strips_of(ink, shots, studio.layout, options.most_cost, options.seed)
    lines = train_lines(strips.images, strips.drawn, 3 * options.steps, options.seed)
    nets: dict[str, nn.Module] = {"ink": ink, "boxes": boxes, "lines": lines}
    figures = measured(nets, kept, studio.layout, options.most_cost)
    write(nets, options.out)
    card = figures | {
        "most_cost": options.most_cost,
        "trained": f"python -m ontour_cv.train.city --photos {options.photos} --kept {options.kept} "
        f"--steps {options.steps} --seed {options.seed} --most-cost {options.most_cost}",
        "hands": "recorded" if folder else "own",
    }
    write_card(card, options.out)
    city_letters.extend(options)


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """Lines of several photos.

    Attributes:
        images: ``(N, 6, ALONG, ACROSS)`` float16.
        lines: the lines.
        drawn: ``(N,)``, whether each is a ferry.
        photo: ``(N,)``, the number of its photo.
        lost: how many ferries were given up before.
    """

    images: NDArray[np.float16]
    lines: Lines
    drawn: NDArray[np.bool_]
    photo: NDArray[np.int64]
    lost: int


def strips_of(
    ink: nn.Module, shots: Sequence[CityShot], layout: CityLayout, most_cost: float, seed: int, few: int = FEW
) -> Strips:
    """Strips along lines, those drawn and those that might be.

    Args:
        ink: the trained ink network.
        shots: photos cut up.
        layout: the board.
        most_cost: lines dearer than this are given up unseen.
        seed: which of the others are taken.
        few: how many lines not drawn are taken of a photo: the cheapest, and as many others.
    """
    rng = np.random.default_rng([seed, 4])
    parts: list[tuple[NDArray[np.float16], Lines, NDArray[np.bool_]]] = []
    lost = 0
    for shot in shots:
        with torch.no_grad():
            seen = torch.sigmoid(ink(torch.from_numpy(shot.ink.astype(np.float32)[None]))[0, 0]).numpy()
        seen = without_writing(without_folds(seen), layout, _marked(shot, layout, rng))
        lines = trace_lines(seen, layout)
        maybe = lines.costs <= most_cost
        lost += int((shot.drawn & ~maybe).sum())
        rows = np.flatnonzero(maybe)
        bare = rows[~shot.drawn[rows]]
        bare = bare[np.argsort(lines.costs[bare])]
        if len(bare) > 2 * few:
            bare = np.concatenate([bare[:few], rng.choice(bare[few:], few, replace=False)])
        rows = np.concatenate([rows[shot.drawn[rows]], bare])
        cut = cut_strips(seen, shot.dark.astype(np.float32), lines, layout)[rows]
        some = Lines(lines.paths[rows], lines.lengths[rows], lines.costs[rows])
        parts.append((cut.astype(np.float16), some, shot.drawn[rows]))
    every = [part[1] for part in parts]
    joined = Lines(*(np.concatenate([getattr(one, name) for one in every]) for name in ("paths", "lengths", "costs")))
    photo = np.repeat(np.arange(len(parts)), [len(part[2]) for part in parts])
    images, drawn = np.concatenate([part[0] for part in parts]), np.concatenate([part[2] for part in parts])
    return Strips(images, joined, drawn, photo, lost)


def _marked(shot: CityShot, layout: CityLayout, rng: np.random.Generator) -> list[Box]:
    """The ticked boxes as reading sees them: nearly all."""
    letters = list(INSTRUMENTS)
    ticked = zip(layout.boxes.values(), shot.ticked.tolist(), strict=True)
    return [block[letters[place - 1]] for block, place in ticked if place > 0 and rng.random() < TICKS_SEEN]


def measured(
    nets: dict[str, nn.Module], kept: Sequence[CityShot], layout: CityLayout, most_cost: float
) -> dict[str, Any]:
    """Calibration, and how often the networks are wrong, on photos not trained on."""
    images, marked = box_examples(kept)
    known = marked >= 0
    box_logits, marked = logits_of(nets["boxes"], images[known]), marked[known]
    plain = _open(kept)
    strips = strips_of(nets["ink"], plain, layout, most_cost, 0, len(layout.pairs))
    alone = logits_of(nets["lines"], strips.images)
    signs = np.concatenate([_signs(strips, alone, k, layout) for k in range(len(plain))])
    weights = regression(signs, strips.drawn)
    odds = weighed(signs, weights)
    return {
        "box_temperature": temperature(
            torch.from_numpy(box_logits), torch.from_numpy((marked == 1).astype(np.float64))
        ),
        "line_weights": weights,
        "figures": {
            "photos": len(kept),
            "boxes": len(marked),
            "boxes_wrong": int(((box_logits > 0) != (marked == 1)).sum()),
            "ferries": int(strips.drawn.sum()) + strips.lost,
            "ferries_given_up": strips.lost,
            "ferries_missed": int((strips.drawn & (odds <= 0)).sum()) + strips.lost,
            "ferries_invented": int((~strips.drawn & (odds > 0)).sum()),
        },
    }


def _signs(strips: Strips, alone: NDArray[np.float64], photo: int, layout: CityLayout) -> NDArray[np.float64]:
    rows = strips.photo == photo
    lines = Lines(strips.lines.paths[rows], strips.lines.lengths[rows], strips.lines.costs[rows])
    return line_signs(alone[rows], strips.images[rows].astype(np.float32), lines, layout)


def regression(signs: NDArray[np.float64], drawn: NDArray[np.bool_], pull: float = 0.3) -> list[float]:
    """Weights of ``city_read.weighed`` with the least log-loss, by Newton's method; ``pull`` is a ridge's strength."""
    weights = np.zeros(signs.shape[1])
    ridge = np.full(signs.shape[1], pull)
    ridge[:2] = 1e-6
    for _ in range(40):
        chances = 1 / (1 + np.exp(-np.clip(signs @ weights, -30, 30)))
        slope = signs.T @ (chances - drawn) + ridge * weights
        bend = (signs * (chances * (1 - chances))[:, None]).T @ signs + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        weights = weights - step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-9))
    return [round(float(weight), 4) for weight in weights]


def _open(shots: Sequence[CityShot]) -> list[CityShot]:
    """Those without too many ferries."""
    return [shot for shot in shots if shot.drawn.sum() <= MOST_DRAWN]


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
    parser.add_argument("--letter-photos", type=int, default=1080, help="photos for the network of written letters")
    parser.add_argument("--letter-steps", type=int, default=8000, help="its training steps")
    parser.add_argument("--seed", type=int, default=501)
    parser.add_argument("--most-cost", type=float, default=0.5, help="lines with less ink than this are given up")
    parser.add_argument("--strokes", type=Path, help="folder with recorded pen strokes")
    parser.add_argument("--backgrounds", type=Path, help="folder with photos of tables")
    parser.add_argument("--out", type=Path, default=models_dir())
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
