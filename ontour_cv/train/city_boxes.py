"""``python -m ontour_cv.train.city_boxes``: the network that tells marked boxes from bare ones.

On half of the photos boxes are marked as most players may do it, on the others in any manner (``synth.box_marks``): a
network that knew eight manners saw nothing in a dash, a stroke that leaned the other way, or a line below the box. It
is added to those of ``train.city`` that lie in the same folder, and to their card.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.train.city_files import SEED, add_to_card, command, write
from ontour_cv.train.city_nets import block, logits_of, paced, stepped, tinted
from ontour_cv.train.city_photos import CityStudio, cut_rows
from ontour_cv.train.sources import add_sources, hands, pictures
from ontour_cv.vision.city_boxes import PLANES, box_planes, boxes_inside

ANYHOW = 0.55
"""Share of photos to learn from on which boxes are marked in any manner."""

MARKED, BARE = 48, 112
"""Boxes of either kind in a training step."""

USUAL = 5.0
"""How much boxes marked as most players may do it count for the temperature, against those marked in any manner. Where
marked and bare boxes part is found with both counting alike: what is missed there without a doubt is worst."""

NAMES = ("box-photos", "box-kept", "box-steps", "seed")
"""Options that the network follows from."""


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Boxes of several photos.

    Attributes:
        images: the network's input, ``(N, 12, P, P)`` float16.
        marked: ``(N,)`` 1 for a marked box, 0 for a bare one.
        beside: ``(N,)`` whether it stands beside a disc, and not in a row.
    """

    images: NDArray[np.float16]
    marked: NDArray[np.int64]
    beside: NDArray[np.bool_]

    @classmethod
    def together(cls, parts: Sequence[Boxes]) -> Boxes:
        """All of some."""
        fields = zip(*((part.images, part.marked, part.beside) for part in parts), strict=True)
        return cls(*(np.concatenate(field) for field in fields))


class BoxNet(nn.Module):
    """A box ``(N, 12, 24, 24)`` to the logit of being marked ``(N, 1)``."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = [*block(PLANES, 16, (3, 3)), nn.MaxPool2d(2), *block(16, 24, (3, 3))]
        layers += [*block(24, 24, (3, 3)), nn.MaxPool2d(2), *block(24, 32, (3, 3)), nn.MaxPool2d(2)]
        self.layers = nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.3), nn.Linear(32 * 9, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits."""
        out: torch.Tensor = self.layers(x)
        return out


def main(arguments: list[str] | None = None) -> None:
    """Train the network and add it to those that are there."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.city_boxes", description=__doc__)
    add_options(parser)
    add_sources(parser, SEED)
    extend(parser.parse_args(arguments))


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be told of boxes, for ``train.city`` too."""
    parser.add_argument("--box-photos", type=int, default=700, help="photos to learn boxes from, 3 MB each in memory")
    parser.add_argument("--box-kept", type=int, default=60, help="photos to calibrate on, and as many of any manner")
    parser.add_argument("--box-steps", type=int, default=12000, help="training steps over boxes")


def extend(options: argparse.Namespace) -> None:
    """See :func:`main`, whose options these are."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    tables, seed = pictures(options.backgrounds), options.seed
    learners, keepers = (hands(options.strokes, split) for split in ("train", "valid"))
    learnt = boxes_of(CityStudio(seed + 6, learners, tables, free_boxes=ANYHOW), options.box_photos)
    kept = [
        boxes_of(CityStudio(seed + 7 + k, keepers, tables, free_boxes=share), options.box_kept)
        for k, share in enumerate((0.0, 1.0))
    ]
    net = train_boxes(learnt, options.box_steps, seed)
    write({"boxes": net}, options.out)
    add_to_card(measured(net, *kept) | {"boxes_trained": command("city_boxes", NAMES, options)}, options.out)


def boxes_of(studio: CityStudio, count: int) -> Boxes:
    """The boxes of photos ``0 .. count - 1``, beside discs and in rows."""
    return Boxes.together([part for k in range(count) for part in _cut(studio, k)])


def _cut(studio: CityStudio, k: int) -> Iterator[Boxes]:
    found = studio.photograph(k)
    if found is None:
        return
    flat, board, _ = found
    letters = list(INSTRUMENTS)
    every = [box for block in flat.layout.boxes.values() for box in block.values()]
    there = boxes_inside(flat, every)
    marked = np.array([board.soloists.get(r) == letter for r, block in flat.layout.boxes.items() for letter in block])
    cut = box_planes(flat, every, [len(block) for block in flat.layout.boxes.values()])
    yield Boxes(cut[there].astype(np.float16), marked[there].astype(np.int64), np.ones(there.sum(), np.bool_))
    rows = cut_rows(flat)
    if rows is not None:
        crossed = [place < board.tracks.get(letter, 0) for letter in letters for place in range(rows.shape[1])]
        images = rows.reshape(-1, *rows.shape[2:])
        yield Boxes(images, np.array(crossed, dtype=np.int64), np.zeros(len(crossed), np.bool_))


def train_boxes(boxes: Boxes, steps: int, seed: int) -> BoxNet:
    """The network, from boxes beside discs and boxes of rows."""
    torch.manual_seed(seed + 1)
    rng = np.random.default_rng([seed, 2])
    hit, bare = np.flatnonzero(boxes.marked == 1), np.flatnonzero(boxes.marked == 0)
    net = BoxNet()
    for optimiser, pace in paced(net, steps, 4e-3):
        rows = np.concatenate([rng.choice(hit, MARKED), rng.choice(bare, BARE)])
        crops = tinted(boxes.images[rows].astype(np.float32), rng)
        logits = net(torch.from_numpy(np.ascontiguousarray(crops)))[:, 0]
        wanted = torch.from_numpy(boxes.marked[rows].astype(np.float32))
        stepped(functional.binary_cross_entropy_with_logits(logits, wanted), optimiser, pace)
    return net.eval()


def measured(net: nn.Module, usual: Boxes, anyhow: Boxes) -> dict[str, Any]:
    """Calibration on boxes beside discs, and how often the network is wrong, on photos not trained on."""
    sets: Sequence[tuple[str, Boxes]] = (("usual", usual), ("anyhow", anyhow))
    logits = [logits_of(net, boxes.images) for _, boxes in sets]
    beside = [boxes.beside for _, boxes in sets]
    told = [part[there] for part, there in zip(logits, beside, strict=True)]
    marked = [boxes.marked[boxes.beside] for _, boxes in sets]
    _, bias = calibrated(told, marked, (1.0, 1.0))
    heat, _ = calibrated([part - bias for part in told], marked, (USUAL, 1.0))
    figures = {
        name: {
            "boxes": len(boxes.marked),
            "marked": int(boxes.marked.sum()),
            "missed": int(((told < bias) & (boxes.marked == 1)).sum()),
            "imagined": int(((told > bias) & (boxes.marked == 0)).sum()),
        }
        for (name, boxes), told in zip(sets, logits, strict=True)
    }
    return {"box_temperature": heat, "box_bias": bias, "box_figures": figures}


def calibrated(
    logits: Sequence[NDArray[np.float64]], marked: Sequence[NDArray[np.int64]], weights: Sequence[float]
) -> tuple[float, float]:
    """Temperature, and what is taken from logits before, with the least log-loss (Platt 1999) on sets that count so."""
    x = torch.from_numpy(np.concatenate(logits))
    wanted = torch.from_numpy(np.concatenate(marked).astype(np.float64))
    weight = torch.from_numpy(np.concatenate([np.full(len(m), w) for m, w in zip(marked, weights, strict=True)]))
    line = torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([line], max_iter=100, line_search_fn="strong_wolfe")

    def cost() -> torch.Tensor:
        optimiser.zero_grad()
        loss = functional.binary_cross_entropy_with_logits(line[0] * x + line[1], wanted, weight)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimiser.step(cost)  # type: ignore[no-untyped-call]
    slope, shift = line.tolist()
    return round(1 / slope, 3), round(-shift / slope, 3)


if __name__ == "__main__":
    main()
