"""``python -m ontour_cv.train.drawn``: the network that tells a drawn link from a bare one, from renders to the model.

Boards with drawn tours (``synth.drawn``) are painted flat, dimmed, blurred and compressed like photos, and cut into
corridors by the reader's own cutter, aimed a little wrong on purpose. Most boards are learnt from; the others set the
temperature. Everything follows from the seed.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.editions import NAME
from ontour_cv.resources import models_dir
from ontour_cv.synth.drawn import draw_tour
from ontour_cv.synth.noise import Image
from ontour_cv.synth.notes import ghost_strokes, mark_strokes
from ontour_cv.synth.paint import paint_board
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.scene import Scene, sample_scene
from ontour_cv.synth.strokes import parametric_hand, sample_writer
from ontour_cv.train.export import halve
from ontour_cv.vision.drawn import MODEL, network_input, usual_corridor
from ontour_cv.vision.drawn_strips import ACROSS, ALONG, cut_corridors

JITTER = 0.3
"""Share of boards of an edition nobody measured."""

BATCH = 128


@dataclass(frozen=True, slots=True, eq=False)
class Corridors:
    """Labelled corridors of boards: ``images`` ``(B, N, ALONG, ACROSS, 3)``, ``lengths`` and ``drawn`` ``(B, N)``."""

    images: NDArray[np.uint8]
    lengths: NDArray[np.float64]
    drawn: NDArray[np.bool_]


class LinkNet(nn.Module):
    """Three convolutions and two layers: corridors ``(N, 7, ALONG, ACROSS)`` to logits ``(N, 1)``."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for before, after, size, step in ((7, 16, 5, 2), (16, 24, 3, 2), (24, 32, 3, 1)):
            layers += [nn.Conv2d(before, after, size, step, size // 2), nn.BatchNorm2d(after), nn.ReLU()]
        side = (ALONG // 8) * ((ACROSS + 7) // 8)
        layers += [nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * side, 48), nn.ReLU(), nn.Dropout(0.2)]
        layers.append(nn.Linear(48, 1))
        self.layers = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits of being drawn."""
        out: torch.Tensor = self.layers(x)
        return out


def paint_corridors(template: MapTemplate, editions: list[Edition], seed: int, boards: int) -> Corridors:
    """Corridors of ``boards`` painted boards; board ``k`` depends on ``seed`` and ``k`` alone."""
    links = template.edges()
    images, lengths, drawn = [], [], []
    for k in range(boards):
        rng = np.random.default_rng([seed, k])
        board = sample_board(template, rng)
        writer = sample_writer(rng, parametric_hand(rng))
        edition = editions[int(rng.integers(len(editions)))]
        scene = sample_scene(template, edition, rng, JITTER, int(rng.choice([760, 900, 1000])))
        tour = draw_tour(board, template, scene, writer, rng)
        strokes = tour.strokes + mark_strokes(board, scene, writer, rng)
        if rng.random() < 0.25:
            strokes = ghost_strokes(scene, writer, rng) + strokes
        flat = paint_board(scene, template, strokes, rng, int(rng.random() < 0.2))
        picture = _photographed(flat.bgr, rng)
        cut = cut_corridors(picture, *_aimed(scene, links, rng))
        images.append(cut[0])
        lengths.append(cut[1])
        steps = {frozenset(step) for step in zip(tour.places, tour.places[1:], strict=False)}
        drawn.append([frozenset(link) in steps for link in links])
    return Corridors(np.array(images), np.array(lengths), np.array(drawn))


def _photographed(bgr: Image, rng: np.random.Generator) -> Image:
    """What a photo does to a flat picture: blur, uneven light, a tint, haze, noise, JPEG."""
    soft = np.asarray(cv2.GaussianBlur(bgr, (0, 0), float(rng.uniform(0.3, 1.3))), dtype=np.float32)
    height, width = soft.shape[:2]
    light = 1 + rng.uniform(-0.25, 0.25) * np.linspace(-1, 1, width)[None, :, None]
    light = light + rng.uniform(-0.25, 0.25) * np.linspace(-1, 1, height)[:, None, None]
    lit = soft * light * rng.uniform(0.6, 1.15) * rng.uniform(0.9, 1.1, 3) + rng.uniform(0, 25)
    noisy = np.clip(lit + rng.normal(0, rng.uniform(1, 7), soft.shape), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def _aimed(
    scene: Scene, links: Sequence[tuple[str, str]], rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Where the links' ends and one disc radius lie in the painted picture, a little wrong, as registration is."""
    spread = float(rng.choice([0.02, 0.05, 0.09]))
    unit = scene.radius * scene.scale * float(rng.uniform(0.95, 1.05))
    places = {
        region: (np.array(centre) - scene.offset) * scene.scale - 0.5 + unit * rng.normal(0, spread, 2)
        for region, centre in scene.cells.items()
    }
    first, last = (np.array([places[link[end]] for link in links]) for end in (0, 1))
    return first, last, np.repeat(np.eye(2)[None] * unit, len(links), axis=0)


def train(corridors: Corridors, epochs: int, seed: int) -> LinkNet:
    """The fitted network; a third of the bare links of each board is enough."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    drawn = corridors.drawn.ravel()
    images = corridors.images.reshape(-1, *corridors.images.shape[2:])
    lengths = corridors.lengths.ravel()
    usual = _usual(corridors)
    net = LinkNet()
    pool = np.flatnonzero(drawn)
    bare = np.flatnonzero(~drawn)
    share = max(1, len(bare) // 3)
    steps = epochs * ((len(pool) + share) // BATCH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=max(steps, 1))
    for _ in range(epochs):
        order = rng.permutation(np.concatenate([pool, rng.choice(bare, share, replace=False)]))
        net.train()
        for start in range(0, len(order) - BATCH + 1, BATCH):
            rows = order[start : start + BATCH]
            crops = _varied(network_input(images[rows], lengths[rows], usual[rows]), rng)
            target = torch.from_numpy(drawn[rows].astype(np.float32))
            loss = functional.binary_cross_entropy_with_logits(net(torch.from_numpy(crops))[:, 0], target)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            pace.step()
    return net.eval()


def _usual(corridors: Corridors) -> NDArray[np.float32]:
    """What is usual on each corridor's board, ``(B * N, 3, ALONG, ACROSS)``."""
    boards = np.stack([usual_corridor(images) for images in corridors.images])
    return np.repeat(boards, corridors.lengths.shape[1], axis=0)


def _varied(crops: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Corridors seen from the other end, mirrored, or in other colours: all the same to a line."""
    if rng.random() < 0.5:
        crops = crops[:, :, ::-1]
    if rng.random() < 0.5:
        crops = crops[:, :, :, ::-1]
    if rng.random() < 0.5:
        order = rng.permutation(3)
        crops = crops[:, [*order, 3, *(order + 4)]]
    return np.ascontiguousarray(crops)


def calibrate(net: LinkNet, corridors: Corridors) -> tuple[float, float]:
    """The temperature with the least log-loss on these boards, and the share of links judged wrongly."""
    images = corridors.images.reshape(-1, *corridors.images.shape[2:])
    with torch.no_grad():
        crops = torch.from_numpy(network_input(images, corridors.lengths.ravel(), _usual(corridors)))
        logits = torch.cat([net(part)[:, 0] for part in torch.split(crops, 512)])
    target = torch.from_numpy(corridors.drawn.ravel().astype(np.float32))
    heats = np.exp(np.linspace(np.log(0.4), np.log(4.0), 60))
    losses = [float(functional.binary_cross_entropy_with_logits(logits / heat, target)) for heat in heats]
    wrong = float(((logits > 0) != (target > 0)).float().mean())
    return round(float(heats[int(np.argmin(losses))]), 3), wrong


def export(net: LinkNet, path: Path) -> None:
    """Writes the network as ONNX, opset 18, any batch size; weights in half precision."""
    import onnx

    sample = torch.zeros(2, 7, ALONG, ACROSS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the older exporter's graph is what cv2.dnn reads best
        torch.onnx.export(
            net, (sample,), str(path), input_names=["corridors"], output_names=["logits"], opset_version=18,
            dynamic_axes={name: {0: "links"} for name in ("corridors", "logits")}, dynamo=False,
        )  # fmt: skip
    model = onnx.load(path)
    halve(model.graph)
    onnx.save(model, path)


def main() -> None:
    """Paint, train, calibrate, write the model and its card."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.drawn", description=__doc__)
    parser.add_argument("--boards", type=int, default=350)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=201)
    parser.add_argument("--margin", type=float, default=3.0, help="log-odds the runner-up must lie behind")
    parser.add_argument("--most-cost", type=float, default=3.0, help="log-odds that may be otherwise than they look")
    parser.add_argument("--out", type=Path, default=models_dir())
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    template = load_map("usa")
    editions = [edition for edition in load_editions("usa") if edition.name != NAME]
    net = train(paint_corridors(template, editions, given.seed, given.boards), given.epochs, given.seed)
    kept = paint_corridors(template, editions, given.seed + 1, max(20, given.boards // 5))
    temperature, wrong = calibrate(net, kept)
    export(net, given.out / f"{MODEL}.onnx")
    card = {
        "temperature": temperature,
        "margin": given.margin,
        "most_cost": given.most_cost,
        "links_wrong": round(wrong, 5),
        "made_with": f"python -m ontour_cv.train.drawn --boards {given.boards} --epochs {given.epochs} "
        f"--seed {given.seed} --margin {given.margin} --most-cost {given.most_cost}",
    }
    (given.out / f"{MODEL}.json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps(card, indent=2) + "\n")


if __name__ == "__main__":
    main()
