"""What training leaves behind for New York: the networks' files and their card."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torch import nn

from ontour_cv.train.export import write_onnx
from ontour_cv.vision.city_boxes import BOX_PX, PLANES
from ontour_cv.vision.city_letters import SPOT_PX
from ontour_cv.vision.city_paths import ACROSS, ALONG
from ontour_cv.vision.city_read import JUDGES, MODEL, PARTS

SEED = 501
"""What New York's networks are trained with unless another seed is given."""


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


def command(module: str, names: Sequence[str], options: argparse.Namespace) -> str:
    """The command that trained networks, for the card: a module of ``train``, and its options that matter."""
    words = [f"--{name} {getattr(options, name.replace('-', '_'))}" for name in names]
    return " ".join([f"python -m ontour_cv.train.{module}", *words])


def write(nets: dict[str, nn.Module], folder: Path) -> None:
    """Writes networks as ONNX, opset 18, weights in half precision; others that lie there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = {
        "ink": (6, 64, 64), "boxes": (PLANES, BOX_PX, BOX_PX), "letters": (6, SPOT_PX, SPOT_PX),
        **dict.fromkeys(JUDGES, (6, ALONG, ACROSS)),
    }  # fmt: skip
    for part, net in nets.items():
        write_onnx(net, path_of(part, folder), samples[part], "input", free=(0, 2, 3) if part == "ink" else (0,))


def path_of(part: str, folder: Path) -> Path:
    """The file of one of the networks."""
    return folder / f"{MODEL}-{part}.onnx"


def paths(folder: Path) -> list[Path]:
    """The models' files, in the order of ``PARTS``, and the judges of lines."""
    return [*(path_of(part, folder) for part in PARTS), *(judge_path(folder, part) for part in JUDGES)]


def judge_path(folder: Path, part: str = "lines") -> Path:
    """The file of the network that looks at all lines of a board, beside the one that sees them one by one."""
    return folder / JUDGES[part]
