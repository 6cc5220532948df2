"""``python -m ontour_cv.train.discs``: the network that finds discs where an edition nobody measured has them.

Boards of made-up editions are photographed as for testing; round each disc a window is cut as ``vision.strays`` cuts
it, and the network learns where in a shifted window the disc's centre is: what is left of its outline, its label, and
that people write and draw rings about its middle.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.train.city_nets import block, paced, stepped
from ontour_cv.train.export import write_onnx
from ontour_cv.train.hands import Hands
from ontour_cv.train.sources import add_sources, hands, pictures
from ontour_cv.vision.disc_net import MODEL, SIDE, inputs, places
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.measure import measure
from ontour_cv.vision.photo import Photo, load_photo
from ontour_cv.vision.rings import STEP, cut_tiles
from ontour_cv.vision.strays import FARTHEST, ROOM

MAPS = (("usa", 0.7), ("europe-home", 0.3))
"""Maps whose boards are photographed, and how often."""

TIERS = {"ordinary": 0.25, "hard": 0.45, "wild": 0.3}
"""Tiers of the photos, and how often."""

CUT = 116
"""Side of what is kept round a disc, so that windows can be shifted and turned."""

NEIGHBOURS = 10
"""Nearest other discs that are kept with a disc."""

INSIDE = 0.3
"""A disc more of which than this share lies outside the picture is left out."""

SHIFT = 1.6
"""Windows are shifted by up to so much, disc radii; the network learns nothing of where discs usually are."""

BLURRED = 0.12
"""Spread of the wanted answer round the true place, disc radii."""

BATCH, UNSURE = 64, 0.6
"""Windows in a step, and the share of them with discs whose outline was not surely found where they are."""


@dataclass(frozen=True, slots=True, eq=False)
class Discs:
    """Discs of many photos.

    Attributes:
        cuts: ``(N, CUT, CUT, 3)`` uint8 BGR, the disc in the middle, its radius ``STEP`` pixels.
        others: ``(N, NEIGHBOURS, 2)`` where the nearest others are, disc radii from it.
        sure: ``(N,)`` whether its outline was surely found.
    """

    cuts: NDArray[np.uint8]
    others: NDArray[np.float32]
    sure: NDArray[np.bool_]


class DiscFinder(nn.Module):
    """Windows ``(N, 3, SIDE, SIDE)`` to logits of the disc's centre ``(N, 1, S, S)``, a place every two pixels.

    Dilated convolutions see 3.5 disc radii (Yu and Koltun 2016): the whole disc and where its neighbours begin.
    """

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        layers: list[nn.Module] = [nn.Conv2d(3, width, 4, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        for spread in (1, 2, 3, 2, 1):
            layers += block(width, width, (3, 3), spread=spread)
        self.layers = nn.Sequential(*layers, nn.Conv2d(width, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits."""
        out: torch.Tensor = self.layers(x)
        return out


def main(arguments: list[str] | None = None) -> None:
    """Train, calibrate and write the network."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.discs", description=__doc__)
    parser.add_argument("--photos", type=int, default=480, help="photos to learn from, 1.5 MB each in memory")
    parser.add_argument("--kept", type=int, default=120, help="photos to calibrate on, of writers held out")
    parser.add_argument("--steps", type=int, default=3000, help="training steps of 64 windows")
    add_sources(parser, 811)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    tables = pictures(options.backgrounds)
    learnt = gathered(options.seed, range(options.photos), hands(options.strokes, "train"), tables)
    kept = gathered(options.seed + 1, range(options.kept), hands(options.strokes, "valid"), tables)
    finder = train_discs(learnt, options.steps, options.seed)
    made = f"--photos {options.photos} --kept {options.kept} --steps {options.steps} --seed {options.seed}"
    save(finder, measured(finder, kept) | {"made_with": f"python -m ontour_cv.train.discs {made}"}, options.out)


def gathered(seed: int, which: Sequence[int], writers: Hands, tables: Sequence[Path]) -> Discs:
    """The discs of some photos."""
    return joined([discs_in(*photo_of(seed, k, writers, tables)) for k in which])


def joined(parts: Sequence[Discs]) -> Discs:
    """Several as one."""
    return Discs(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Discs)))


def photo_of(seed: int, k: int, writers: Hands, tables: Sequence[Path]) -> tuple[Photo, Truth]:
    """Photo ``k``, often of an edition nobody measured, and its truth."""
    rng = np.random.default_rng([seed, k])
    template = load_map(str(rng.choice([name for name, _ in MAPS], p=[share for _, share in MAPS])))
    editions = load_editions(template.id)
    edition = editions[int(rng.integers(len(editions)))]
    settings = Settings(str(rng.choice(list(TIERS), p=list(TIERS.values()))), jitter=0.7, backgrounds=tuple(tables))
    board = sample_board(template, rng)
    image, truth = render(template, edition, board, settings, rng, sample_writer(rng, writers.pick(rng, 0.15)))
    data = encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"]))
    return load_photo(data, f"training {k}"), truth


def discs_in(photo: Photo, truth: Truth) -> Discs:
    """The discs of a photo, cut out where they are, as ``vision.strays`` cuts windows out of it."""
    cells = [place for region, place in truth.cells.items() if truth.hazards[region].outside < INSIDE]
    centres = np.array([place.centre_photo for place in cells])
    axes = np.array([place.axes_photo for place in cells])
    found = measure(photo, find_discs(photo), centres, axes)
    cuts = cut_tiles(found.working, *found.in_view(centres, axes), CUT).reshape(-1, CUT, CUT, 3)
    steps = np.linalg.solve(axes[:, None], (centres[None] - centres[:, None])[..., None])[..., 0]
    near = np.argsort(np.hypot(steps[..., 0], steps[..., 1]), axis=1)[:, 1 : 1 + NEIGHBOURS]
    others = np.take_along_axis(steps, near[..., None], axis=1)
    return Discs(cuts, others.astype(np.float32), np.asarray(found.trust == 2))


def train_discs(learnt: Discs, steps: int, seed: int) -> DiscFinder:
    """The network."""
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 1])
    finder = DiscFinder().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    hidden, plain = np.flatnonzero(~learnt.sure), np.flatnonzero(learnt.sure)
    many = round(UNSURE * BATCH)
    losses = []
    for optimiser, pace in paced(finder, steps, 5e-3):
        rows = np.concatenate([rng.choice(hidden, many), rng.choice(plain, BATCH - many)])
        windows, wanted, allowed = shifted(learnt, rows, rng)
        loss = log_loss(finder(torch.from_numpy(inputs(windows)))[:, 0], wanted, allowed)
        stepped(loss, optimiser, pace)
        losses.append(float(loss.detach()))
        if len(losses) % 500 == 0:
            sys.stderr.write(f"discs: step {len(losses)}, loss {np.mean(losses[-500:]):.4f}\n")
    return finder.to(memory_format=torch.contiguous_format).eval()


def shifted(
    discs: Discs, rows: NDArray[np.intp], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_]]:
    """Windows shifted, turned and sized a little by chance, the answers wanted there, and the places allowed."""
    windows = np.empty((len(rows), SIDE, SIDE, 3), dtype=np.uint8)
    offsets = np.empty((len(rows), 2))
    others = np.empty((len(rows), NEIGHBOURS, 2))
    half = (SIDE - 1) / 2
    for n, k in enumerate(rows):
        reach, way = SHIFT * np.sqrt(rng.random()), rng.uniform(0, 2 * np.pi)
        turn = rng.normal(0, 0.08) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
        size, lean = np.exp(rng.normal(0, 0.05)), np.exp(rng.normal(0, 0.03))
        linear = size * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.diag([lean, 1])
        offsets[n] = reach * np.cos(way), reach * np.sin(way)
        # window pixel p shows the cut's pixel: middle + linear (p - half - STEP offset)
        matrix = np.column_stack([linear, (CUT - 1) / 2 - linear @ (half + STEP * offsets[n])])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        one = cv2.warpAffine(discs.cuts[k], matrix, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        windows[n] = one
        others[n] = discs.others[k] @ np.linalg.inv(linear).T + offsets[n]
    grain = rng.normal(0, 1, windows.shape) * rng.choice([0.0, 2.0, 5.0], (len(rows), 1, 1, 1))
    windows = np.clip(windows + grain, 0, 255).astype(np.uint8)
    return windows, answers(offsets), open_places(others)


def answers(offsets: NDArray[np.float64]) -> NDArray[np.float32]:
    """The answers wanted, ``(N, S, S)``, that sum up to one."""
    squares = ((places()[None] - offsets[:, None, None]) ** 2).sum(axis=-1)
    wanted = np.exp(-0.5 * squares / BLURRED**2)
    return np.asarray(wanted / wanted.sum(axis=(1, 2), keepdims=True), dtype=np.float32)


def open_places(others: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where a disc may be, ``(N, S, S)``: near enough to the middle, and not in another."""
    at = places()
    gaps = np.hypot(*(at[None, :, :, None] - others[:, None, None]).transpose(4, 0, 1, 2, 3)).min(axis=-1)
    return np.asarray((np.hypot(at[..., 0], at[..., 1]) < FARTHEST)[None] & (gaps > ROOM))


def log_loss(logits: torch.Tensor, wanted: NDArray[np.float32], allowed: NDArray[np.bool_]) -> torch.Tensor:
    """Mean cross entropy over the places allowed."""
    barred = torch.from_numpy(~allowed)
    spread = torch.log_softmax(logits.masked_fill(barred, -1e4).flatten(1), dim=1)
    return -(torch.from_numpy(wanted * allowed).flatten(1) * spread).sum(dim=1).mean()


def measured(finder: DiscFinder, kept: Discs) -> dict[str, Any]:
    """The temperature of the answers, and how often the best place is wrong, for discs whose outline is not sure."""
    rows = np.flatnonzero(~kept.sure)
    windows, wanted, allowed = shifted(kept, rows, np.random.default_rng(7))
    with torch.no_grad():
        parts = [finder(torch.from_numpy(inputs(windows[k : k + 256])))[:, 0] for k in range(0, len(windows), 256)]
    logits = torch.cat(parts)
    costs = {t: float(log_loss(logits / t, wanted, allowed)) for t in np.arange(0.7, 2.55, 0.05).round(2).tolist()}
    best = min(costs, key=lambda t: costs[t])
    flat = np.where(allowed, logits.numpy(), -np.inf).reshape(len(rows), -1).argmax(axis=1)
    true = wanted.reshape(len(rows), -1).argmax(axis=1)
    at = places().reshape(-1, 2)
    off = np.hypot(*(at[flat] - at[true]).T)
    wrong = {f"off_{limit}": round(float((off > limit).mean()), 4) for limit in (0.3, 0.5)}
    return {"temperature": best, "log_loss": round(costs[best], 4), "discs": len(rows)} | wrong


def save(finder: DiscFinder, card: dict[str, Any], folder: Path) -> None:
    """Writes the network as ONNX, opset 18, weights in half precision, and its card."""
    path = folder / f"{MODEL}.onnx"
    write_onnx(finder, path, (3, SIDE, SIDE), "windows")
    text = json.dumps(card | {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}, indent=1) + "\n"
    (folder / f"{MODEL}.json").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
