"""``python -m ontour_cv.train.city_ferries_again``: the networks of ferry lines go on from photos as reading sees them.

Reading traces lines again where plain ones hide them (``vision.city_ferries``); ``train.city_ferries`` knows first
tracings alone, since nothing is there yet that could tell which lines are plain. The networks that lie in the folder
go on from fresh photos, each as it is traced at first and as it is in the end. With ``--member lines-free`` they go on
as another pair beside the first, from photos on half of which ferries are drawn in any manner a line can be told by
(``synth.city_lines.free_line_habits``); with ``--start lines-free`` that pair itself goes on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from ontour_cv.train.city_ferries import learn_boards, likely_of, measured
from ontour_cv.train.city_files import SEED, add_to_card, command, judge_path, path_of, write
from ontour_cv.train.city_lines import JudgeNet, LineNet, write_judge
from ontour_cv.train.city_photos import CityStudio
from ontour_cv.train.ferry_boards import FerryBoard, inked_boards
from ontour_cv.train.shipped import arrays_of, settle, take_body
from ontour_cv.train.sources import add_sources, hands, pictures
from ontour_cv.vision.city_flat import CityLayout
from ontour_cv.vision.city_paths import trace_lines
from ontour_cv.vision.city_read import CityReader

NAMES = ("more-photos", "more-rounds", "more-free", "start", "member", "seed")
"""Options that the networks follow from."""

FRESH, KEPT = 419, 420
"""What is added to the seed for photos to go on from, and for those to calibrate on: others than anywhere before."""

RATE = 7e-4
"""Highest rate of learning: less than half of the first time."""

SETTLED_ON, OF_EACH = 300, 8
"""Batch norms are settled on lines of so many boards, so many of each."""

MEMBERS = {"lines": "", "lines-free": "free_"}
"""The pairs that networks of lines can become, and how their words on the card begin."""

FREE = {"start": "lines", "member": "lines-free", "more_photos": 3000, "more_free": 0.5}
"""Options of the second pair. Going on from these photos in place of the first, the log-loss of lines as most draw them
was 8 % higher, that of others a fifth lower; the mean of both pairs has 8 % less of the former, too."""

DENSE = ("body.0", "head")
"""Layers of the network of strips that are no convolutions."""


def main(arguments: list[str] | None = None) -> None:
    """Train the networks that are there on."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.city_ferries_again", description=__doc__)
    add_options(parser)
    parser.add_argument("--start", choices=list(MEMBERS), default="lines", help="which pair goes on")
    parser.add_argument("--member", choices=list(MEMBERS), default="lines", help="what it becomes")
    parser.add_argument("--ferry-kept", type=int, default=300, help="photos to calibrate lines on")
    add_sources(parser, SEED)
    extend(parser.parse_args(arguments))


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be told of going on, for ``train.city`` too."""
    parser.add_argument(
        "--more-photos", type=int, default=3600, help="photos to go on from with ferries, 1.5 MB each in memory"
    )
    parser.add_argument("--more-rounds", type=int, default=10, help="rounds over their boards")
    parser.add_argument("--more-free", type=float, default=0.0, help="share of them with ferries in any manner")


def extend(options: argparse.Namespace) -> None:
    """See :func:`main`, whose options these are."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    tables = pictures(options.backgrounds)
    reader = CityReader(options.out, ("ink", "lines"))
    studio = CityStudio(options.seed + FRESH, hands(options.strokes, "train"), tables, free=options.more_free)
    fresh = list(boards_as_read(studio, reader, options.more_photos))
    unseen = CityStudio(options.seed + KEPT, hands(options.strokes, "valid"), tables)
    kept = [ways[-1] for ways in boards_as_read(unseen, reader, options.ferry_kept)]
    go_on(fresh, kept, studio.layout, options)


def go_on(
    fresh: Sequence[Sequence[FerryBoard]], kept: Sequence[FerryBoard], layout: CityLayout, options: argparse.Namespace
) -> None:
    """Trains the pair ``options.start`` on, calibrates it on the boards kept, and writes ``options.member``."""
    torch.manual_seed(options.seed + 4)
    rng = np.random.default_rng([options.seed, 5])
    net, judge = networks_in(options.out, options.start)
    some = [ways[0].planes(rng.permutation(len(ways[0].drawn))[:OF_EACH]) for ways in fresh[:SETTLED_ON]]
    settle(net, torch.from_numpy(np.concatenate(some)))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    hot = [[board for board in (likely_of(net, way) for way in ways) if len(board.drawn) > 1] for ways in fresh]
    learn_boards(net, judge, [ways for ways in hot if ways], layout, options.more_rounds, rng, RATE)
    net = net.to(memory_format=torch.contiguous_format).eval()
    write({options.member: net}, options.out)
    write_judge(judge.eval(), judge_path(options.out, options.member))
    told = measured(net, judge, kept, layout)
    told["ferries_trained_again"] = command("city_ferries_again", NAMES, options)
    add_to_card({MEMBERS[options.member] + name: value for name, value in told.items()}, options.out)


def networks_in(folder: Path, member: str = "lines") -> tuple[LineNet, JudgeNet]:
    """A pair that lies in a folder, of strips and of boards, ready to be trained on.

    Raises:
        ValueError: the files hold networks of another shape than these.
    """
    import onnx

    net, judge = LineNet(), JudgeNet()
    tensors, convolutions = arrays_of(onnx.load(path_of(member, folder)).graph)
    take_body(net, convolutions)
    net.load_state_dict({f"{n}.{kind}": tensors[f"{n}.{kind}"] for n in DENSE for kind in ("weight", "bias")}, False)
    with np.load(judge_path(folder, member)) as store:
        judge.layers.load_state_dict({n: torch.from_numpy(store[n].astype(np.float32)) for n in store.files})
    return net.eval(), judge.eval()


def boards_as_read(studio: CityStudio, reader: CityReader, count: int) -> Iterator[list[FerryBoard]]:
    """Of photos ``0 .. count - 1`` in which the board is found the lines as traced at first, then those read if others.

    Args:
        studio: where photos come from.
        reader: with the networks of ink and lines.
        count: how many.
    """
    for one in inked_boards(studio, reader, count):
        first = trace_lines(one.ink, one.layout)
        last, _ = reader.ferries(one.ink, one.dark, one.layout)
        ways = [one.labelled(first)]
        if (last.paths != first.paths).any():
            ways.append(one.labelled(last))
        if min(len(way.drawn) for way in ways) > 1:
            yield ways


if __name__ == "__main__":
    main()
