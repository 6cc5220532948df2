"""``python -m ontour_cv.train.city_letters``: the network that reads letters of soloists written beside the numbers.

On every second photo the soloists are written, on the others boxes are ticked. Letters are few and hands are many, so
half of what is learnt from are letters painted on photographed discs without one, in the ink of their number. The
network is added to those of ``train.city`` that lie in the same folder, and to their card.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ontour_cv.synth.city_letters import letter_place, sample_letters, written_letter
from ontour_cv.synth.ink import coverage
from ontour_cv.train.city_files import SEED, add_to_card, command, write
from ontour_cv.train.city_nets import block, logits_of, paced, stepped, tinted
from ontour_cv.train.city_photos import CityStudio
from ontour_cv.train.half import autocast
from ontour_cv.train.sources import add_sources, hands, pictures
from ontour_cv.train.temperature import temperature
from ontour_cv.vision.city_boxes import boxes_inside
from ontour_cv.vision.city_letters import CLASSES, SPOT_PX, SPOT_RADII, cut_spots

BATCH, WRITTEN = 96, 0.4
"""Discs in a training step, and the share of them with a letter."""

MOST_SHIFT = 4
"""How far training moves what the network sees, pixels."""

LIGHT = 0.1
"""How far training brightens or darkens photo and print, log units (standard deviation)."""

PAINTED = 0.5
"""Share of the letters in a training step that are painted on what was photographed without one."""

INKED = 0.5
"""What is darker than the print by so much (log colour) inside a disc is the number's ink."""


SEEN = 64
"""Width of the last hidden layer."""

TICKED = 3
"""On every so manieth photo to learn from boxes are ticked; on the others letters are written."""

NAMES = ("letter-photos", "letter-steps", "kept", "seed")
"""Options that the network follows from."""

CAUTION = 1.15
"""How much higher the temperature is set than the photos kept ask for: everybody writes letters otherwise. It was 1.25
when no letter was bent."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Discs of several photos.

    Attributes:
        images: what the network sees, ``(N, 6, SPOT_PX, SPOT_PX)`` float16.
        classes: ``(N,)`` places in ``CLASSES``.
        blocks: ``(N, 4, 4)`` left, top, right, bottom of the printed boxes round the disc's centre, disc radii.
    """

    images: NDArray[np.float16]
    classes: NDArray[np.int64]
    blocks: NDArray[np.float64]


class LetterNet(nn.Module):
    """A disc and what is round it, ``(N, 6, SPOT_PX, SPOT_PX)``, to ``(N, 5 + SEEN)``.

    The logits of ``CLASSES``, and the last hidden layer: by it the letters of a board are compared (``vision.habits``).
    """

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = [*block(6, 16, (5, 5), (2, 2)), *block(16, 32, (3, 3)), nn.MaxPool2d(2)]
        layers += [*block(32, 40, (3, 3)), *block(40, 40, (3, 3)), nn.MaxPool2d(2), *block(40, 56, (3, 3))]
        layers += [nn.MaxPool2d(3), nn.Flatten(), nn.Dropout(0.3), nn.Linear(56 * 16, SEEN), nn.ReLU()]
        self.body, self.drop = nn.Sequential(*layers), nn.Dropout(0.2)
        self.head = nn.Linear(SEEN, len(CLASSES))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """See the class."""
        seen: torch.Tensor = self.body(x)
        return torch.cat([self.head(self.drop(seen)), seen], dim=1)


def main(arguments: list[str] | None = None) -> None:
    """Train the network and add it to those that are there."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.city_letters", description=__doc__)
    add_options(parser)
    parser.add_argument("--kept", type=int, default=120, help="photos to calibrate on")
    add_sources(parser, SEED)
    extend(parser.parse_args(arguments))


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be told of letters, for ``train.city`` too."""
    parser.add_argument(
        "--letter-photos", type=int, default=1080, help="photos to learn letters from, 5 MB each in memory"
    )
    parser.add_argument("--letter-steps", type=int, default=20000, help="training steps over letters")


def extend(options: argparse.Namespace) -> None:
    """See :func:`main`, whose options these are."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    tables = pictures(options.backgrounds)
    learnt = spots_of(
        CityStudio(options.seed + 2, hands(options.strokes, "train"), tables), options.letter_photos, TICKED
    )
    kept = spots_of(CityStudio(options.seed + 3, hands(options.strokes, "valid"), tables), options.kept)
    net = train_letters(learnt, options.letter_steps, options.seed)
    write({"letters": net}, options.out)
    add_to_card(
        measured(net, kept.images, kept.classes) | {"letters_trained": command("city_letters", NAMES, options)},
        options.out,
    )


def spots_of(studio: CityStudio, count: int, ticked: int = 2) -> Spots:
    """Discs of photos ``0 .. count - 1`` as the network sees them, and the number of the class of each.

    On every ``ticked``-th photo boxes are ticked. A letter in a printed box is the box's, and no letter here.
    """
    room = np.empty((count * len(studio.layout.boxes), 6, SPOT_PX, SPOT_PX), dtype=np.float16)  # 7 GB of 1,500 photos
    filled, classes, blocks = 0, [], []
    for k in range(count):
        letters = (k + 1) % ticked != 0
        found = studio.photograph(k, letters)
        if found is None:
            continue
        flat, board, _ = found
        regions = tuple(flat.layout.boxes)
        every = [box for block_ in flat.layout.boxes.values() for box in block_.values()]
        inside = boxes_inside(flat, every).reshape(len(regions), -1).all(axis=1)
        told = board.soloists if letters else {}
        some = cut_spots(flat, regions)[inside]
        room[filled : filled + len(some)] = some
        filled += len(some)
        classes.append(np.array([CLASSES.index(told.get(region, "")) for region in regions])[inside])
        middles = np.array([flat.layout.discs[region] for region in regions])
        away = np.array(every).reshape(len(regions), -1, 4) - np.tile(middles, 2)[:, None]
        blocks.append(away[inside] / flat.layout.radius)
    return Spots(room[:filled], np.concatenate(classes).astype(np.int64), np.concatenate(blocks))


def train_letters(spots: Spots, steps: int, seed: int) -> LetterNet:
    """The network."""
    torch.manual_seed(seed + 3)
    rng = np.random.default_rng([seed, 5])
    written, bare = np.flatnonzero(spots.classes > 0), np.flatnonzero(spots.classes == 0)
    net = LetterNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    for optimiser, pace in paced(net, steps, 3e-3):
        some = round(WRITTEN * BATCH)
        painted = round(PAINTED * some)
        rows = np.concatenate([rng.choice(bare, BATCH - some + painted), rng.choice(written, some - painted)])
        crops, classes = spots.images[rows].astype(np.float32), spots.classes[rows]
        for k in range(painted):
            classes[k] = paint_letter(crops[k], spots.blocks[rows[k]], rng)
        crops = tinted(crops, rng)
        for crop in crops:
            crop[:] = np.roll(crop, rng.integers(-MOST_SHIFT, MOST_SHIFT + 1, 2), (1, 2))
            crop[:] += np.float32(rng.normal(0, LIGHT))
        x = torch.from_numpy(np.ascontiguousarray(crops)).contiguous(memory_format=torch.channels_last)
        with autocast():
            logits = net(x)[:, : len(CLASSES)].float()
        stepped(functional.cross_entropy(logits, torch.from_numpy(classes)), optimiser, pace)
    plain: LetterNet = net.to(memory_format=torch.contiguous_format).eval()
    return plain


def paint_letter(crop: NDArray[np.float32], block: NDArray[np.float64], rng: np.random.Generator) -> int:
    """Writes a letter into ``crop``, ``(6, SPOT_PX, SPOT_PX)``, in the ink of the disc's number; its class.

    0, and nothing is written, where nothing stands in the disc.
    """
    steps = (np.arange(SPOT_PX) + 0.5) / SPOT_PX * 2 - 1
    inside = np.hypot(*np.meshgrid(steps, steps)) * SPOT_RADII < 0.9
    ink = inside & ((crop[:3] - crop[3:]).mean(axis=0) < -INKED)
    if ink.sum() < SPOT_PX / 2:
        return 0
    colour = np.quantile(crop[:3, ink], 0.3, axis=1)
    habits = sample_letters(rng, wild=True)
    boxes = {str(k): (float(a), float(b), float(c), float(d)) for k, (a, b, c, d) in enumerate(block)}
    at = letter_place(np.zeros(2), boxes, habits, 1.0, rng)
    number = int(rng.integers(1, len(CLASSES)))
    scale, middle = SPOT_PX / (2 * SPOT_RADII), (SPOT_PX - 1) / 2
    matrix = np.array([[scale, 0.0, middle], [0.0, scale, middle]])
    strokes = written_letter(CLASSES[number], at, 1.0, (float(rng.uniform(0.08, 0.22)), (0, 0, 0)), habits, rng)
    cover = coverage(strokes, matrix, (SPOT_PX, SPOT_PX))
    soft = np.asarray(cv2.GaussianBlur(cover, (0, 0), rng.uniform(0.3, 1.3)), dtype=np.float32)
    seen = np.exp(crop[:3]) * (1 - soft) + np.exp(colour)[:, None, None] * soft
    crop[:3] = np.log(np.maximum(seen, 1e-4))
    return number


def measured(net: LetterNet, images: NDArray[np.float16], classes: NDArray[np.int64]) -> dict[str, Any]:
    """The temperature with the least log-loss (Guo et al. 2017), made cautious, and how often the network is wrong."""
    logits = logits_of(net, images)[:, : len(CLASSES)]
    best = logits.argmax(axis=1)
    return {
        "letter_temperature": round(CAUTION * temperature(torch.from_numpy(logits), torch.from_numpy(classes)), 4),
        "letter_figures": {
            "discs": len(classes),
            "letters": int((classes > 0).sum()),
            "imagined": int(((classes == 0) & (best > 0)).sum()),
            "missed": int(((classes > 0) & (best == 0)).sum()),
            "mistaken": int(((classes > 0) & (best > 0) & (best != classes)).sum()),
        },
    }


if __name__ == "__main__":
    main()
