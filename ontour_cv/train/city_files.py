"""What training leaves behind for New York: the networks' files and their card; and whose hands and tables it takes."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ontour_cv.resources import models_dir
from ontour_cv.synth.strokes import load_recorded
from ontour_cv.train.export import halve
from ontour_cv.train.hands import Hands
from ontour_cv.vision.city_boxes import BOX_PX
from ontour_cv.vision.city_letters import SPOT_PX
from ontour_cv.vision.city_paths import ACROSS, ALONG
from ontour_cv.vision.city_read import JUDGE, MODEL, PARTS


def write_card(card: dict[str, Any], folder: Path) -> None:
    """Writes the card of the networks in a folder, which says what each file must be; tells it, too."""
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths(folder) if path.exists()}
    text = json.dumps(card | {"sha256": sums}, indent=1) + "\n"
    (folder / f"{MODEL}.json").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


def add_to_card(more: dict[str, Any], folder: Path) -> None:
    """Adds to the card that lies there, for networks that were added."""
    card = json.loads((folder / f"{MODEL}.json").read_text(encoding="utf-8"))
    write_card(card | more, folder)


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Where photos to learn from come from, and where the networks go."""
    parser.add_argument("--seed", type=int, default=501)
    parser.add_argument("--strokes", type=Path, help="folder with recorded pen strokes")
    parser.add_argument("--backgrounds", type=Path, help="folder with photos of tables")
    parser.add_argument("--out", type=Path, default=models_dir(), help="folder of New York's networks")


def write(nets: dict[str, nn.Module], folder: Path) -> None:
    """Writes networks as ONNX, opset 18, weights in half precision; others that lie there stay."""
    import onnx

    folder.mkdir(parents=True, exist_ok=True)
    samples = {
        "ink": (6, 64, 64), "boxes": (9, BOX_PX, BOX_PX), "lines": (6, ALONG, ACROSS), "letters": (6, SPOT_PX, SPOT_PX),
    }  # fmt: skip
    for part, net in nets.items():
        path = path_of(part, folder)
        axes = {0: "n", 2: "h", 3: "w"} if part == "ink" else {0: "n"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the older exporter's graph is what cv2.dnn reads best
            torch.onnx.export(
                net.eval(), (torch.zeros(2, *samples[part]),), str(path), input_names=["input"],
                output_names=["logits"], opset_version=18, dynamic_axes={"input": axes, "logits": axes}, dynamo=False,
            )  # fmt: skip
        model = onnx.load(path)
        halve(model.graph)
        onnx.save(model, path)


def path_of(part: str, folder: Path) -> Path:
    """The file of one of the networks."""
    return folder / f"{MODEL}-{part}.onnx"


def paths(folder: Path) -> list[Path]:
    """The models' files, in the order of ``PARTS``, and the judge of lines."""
    return [*(path_of(part, folder) for part in PARTS), judge_path(folder)]


def judge_path(folder: Path) -> Path:
    """The file of the network that looks at all lines of a board."""
    return folder / JUDGE


def hands(folder: Path | None, split: str) -> Hands:
    """Recorded writers; how digits look matters little here, so none are traced from pictures."""
    return Hands(load_recorded(folder, split) if folder else [], [])


def pictures(folder: Path | None) -> tuple[Path, ...]:
    """Photos of tables anywhere under a folder."""
    if folder is None:
        return ()
    return tuple(sorted(p for p in folder.rglob("*") if p.suffix.lower() in {".jpg", ".jpeg", ".png"}))
