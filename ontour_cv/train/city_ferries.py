"""``python -m ontour_cv.train.city_ferries``: the networks that tell ferry lines from ways that only look like one.

Boards are photographed, found and laid flat, and lines traced in what the ink network of ``train.city`` sees, which is
there already. First the network of strips learns from single lines, then both together from whole boards
(``train.city_lines``). They are added to the networks that lie in the same folder, and to their card.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from ontour_cv.train.city_files import SEED, add_to_card, command, judge_path, write
from ontour_cv.train.city_lines import JudgeNet, Knot, LineNet, write_judge
from ontour_cv.train.city_nets import paced, stepped
from ontour_cv.train.city_photos import CityStudio
from ontour_cv.train.ferry_boards import FINE, FerryBoard, boards_of
from ontour_cv.train.half import autocast
from ontour_cv.train.sources import add_sources, hands, pictures
from ontour_cv.train.temperature import temperature
from ontour_cv.vision.city_flat import CityLayout
from ontour_cv.vision.city_lines import LEAST, tangle
from ontour_cv.vision.city_read import CityReader

BATCH, DRAWN = 160, 48
"""Strips in a step while lines are learnt one by one, and how many of them are drawn ones."""

TOGETHER = 6
"""Boards in a step, when whole boards are learnt from."""

FEW = 40
"""Of each photo so many lines not drawn that look most like one are learnt from one by one, and as many others."""

ALONE = 0.3
"""Weight of what the network of strips thinks by itself, while whole boards are learnt from."""

NAMES = ("ferry-photos", "ferry-kept", "ferry-steps", "ferry-rounds", "seed")
"""Options that the networks follow from."""

MOST_DRAWN = 9
"""The temperature is set on boards with no more ferries than this. The networks learn from fuller ones, too; on them so
many lines cross that others could be made of their pieces, which would make it doubt everything."""


def main(arguments: list[str] | None = None) -> None:
    """Train the networks and add them to those that are there."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.city_ferries", description=__doc__)
    add_options(parser)
    add_sources(parser, SEED)
    extend(parser.parse_args(arguments))


def add_options(parser: argparse.ArgumentParser) -> None:
    """What can be told of ferries, for ``train.city`` too."""
    parser.add_argument(
        "--ferry-photos", type=int, default=2000, help="photos to learn lines from, 1 MB each in memory"
    )
    parser.add_argument("--ferry-kept", type=int, default=300, help="photos to calibrate lines on")
    parser.add_argument("--ferry-steps", type=int, default=5000, help="training steps over single lines")
    parser.add_argument("--ferry-rounds", type=int, default=18, help="rounds over whole boards")


def extend(options: argparse.Namespace) -> None:
    """See :func:`main`, whose options these are."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    tables = pictures(options.backgrounds)
    reader = CityReader(options.out, ("ink",))
    studio = CityStudio(options.seed + 4, hands(options.strokes, "train"), tables)
    learnt = list(boards_of(studio, reader, options.ferry_photos))
    kept = list(
        boards_of(CityStudio(options.seed + 5, hands(options.strokes, "valid"), tables), reader, options.ferry_kept)
    )
    net, judge = train_ferries(learnt, studio.layout, options.ferry_steps, options.ferry_rounds, options.seed)
    write({"lines": net}, options.out)
    write_judge(judge, judge_path(options.out))
    figures = measured(net, judge, kept, studio.layout)
    add_to_card(figures | {"ferries_trained": command("city_ferries", NAMES, options)}, options.out)


def train_ferries(
    boards: Sequence[FerryBoard], layout: CityLayout, steps: int, rounds: int, seed: int
) -> tuple[LineNet, JudgeNet]:
    """Both networks."""
    torch.manual_seed(seed + 2)
    rng = np.random.default_rng([seed, 3])
    net, judge = LineNet().to(memory_format=torch.channels_last), JudgeNet()  # type: ignore[call-overload]
    learn_lines(net, boards, steps, rng)
    hot = [likely_of(net, board) for board in boards]
    learn_boards(net, judge, [[board] for board in hot if len(board.drawn) > 1], layout, rounds, rng)
    return net.to(memory_format=torch.contiguous_format).eval(), judge.eval()


def learn_lines(net: LineNet, boards: Sequence[FerryBoard], steps: int, rng: np.random.Generator) -> None:
    """The network of strips alone, from lines of all boards in any order."""
    drawn, bare = [], []
    for board in boards:
        drawn.append(board.strips[board.drawn])
        rows = np.flatnonzero(~board.drawn)
        rows = rows[np.argsort(board.lines.costs[rows])]
        if len(rows) > 2 * FEW:
            rows = np.concatenate([rows[:FEW], rng.choice(rows[FEW:], FEW, replace=False)])
        bare.append(board.strips[rows])
    hits, others = np.concatenate(drawn), np.concatenate(bare)
    target = (torch.arange(BATCH) < DRAWN).float()
    losses = []
    for optimiser, pace in paced(net, steps, 4e-3):
        picked = [hits[rng.integers(0, len(hits), DRAWN)], others[rng.integers(0, len(others), BATCH - DRAWN)]]
        seen = _seen(net, np.concatenate(picked).astype(np.float32) / np.float32(FINE), rng)
        loss = functional.binary_cross_entropy_with_logits(seen[:, 0], target)
        stepped(loss, optimiser, pace)
        losses.append(float(loss.detach()))
        if len(losses) % 1000 == 0:
            sys.stderr.write(f"lines: step {len(losses)}, loss {np.mean(losses[-1000:]):.4f}\n")


def learn_boards(
    net: LineNet,
    judge: JudgeNet,
    boards: Sequence[Sequence[FerryBoard]],
    layout: CityLayout,
    rounds: int,
    rng: np.random.Generator,
    rate: float = 1.5e-3,
) -> None:
    """Both networks together, from whole boards, each traced in one way or several that take turns by chance."""
    knots = [[_knot(board, layout) for board in ways] for ways in boards]
    both = torch.nn.ModuleList([net, judge])
    size = min(TOGETHER, len(boards))
    every = paced(both, rounds * (len(boards) // size), rate)
    for _ in range(rounds):
        order = rng.permutation(len(boards))
        losses = []
        for start in range(0, len(order) - size + 1, size):
            optimiser, pace = next(every)
            ways = [(k, int(rng.integers(len(boards[k]))) if len(boards[k]) > 1 else 0) for k in order[start:][:size]]
            picked = [boards[k][way] for k, way in ways]
            seen = _seen(net, np.concatenate([board.planes() for board in picked]), rng)
            parts = zip(torch.split(seen, [len(board.drawn) for board in picked]), ways, strict=True)
            logits = torch.cat([judge(part, knots[k][way]) for part, (k, way) in parts])
            target = torch.from_numpy(np.concatenate([board.drawn for board in picked]).astype(np.float32))
            loss = functional.binary_cross_entropy_with_logits(logits, target, reduction="sum")
            alone = functional.binary_cross_entropy_with_logits(seen[:, 0], target, reduction="sum")
            stepped((loss + ALONE * alone) / (8 * size), optimiser, pace)
            losses.append(float(loss.detach()) / size)
        sys.stderr.write(f"boards: log-loss of a board {np.mean(losses):.3f}\n")


def _seen(net: LineNet, strips: NDArray[np.float32], rng: np.random.Generator) -> torch.Tensor:
    """What the network makes of strips, some from the other end and some from the other side, in half precision."""
    for axis in (2, 3):
        turned = rng.random(len(strips)) < 0.5
        strips[turned] = np.flip(strips[turned], axis)
        strips[turned, 3] *= -1
    crops = torch.from_numpy(strips).contiguous(memory_format=torch.channels_last)
    with autocast():
        seen: torch.Tensor = net(crops)
    return seen.float()


def _knot(board: FerryBoard, layout: CityLayout) -> Knot:
    return Knot.of(tangle(board.lines, board.planes(), board.rows, layout))


def seen_of(net: LineNet, board: FerryBoard) -> torch.Tensor:
    """What the network of strips makes of a board's lines."""
    with torch.no_grad():
        seen: torch.Tensor = net.eval()(torch.from_numpy(board.planes()))
    return seen


def likely_of(net: LineNet, board: FerryBoard) -> FerryBoard:
    """The lines of a board that are not surely none."""
    return board.some(np.flatnonzero(seen_of(net, board)[:, 0].numpy() > LEAST))


def measured(net: LineNet, judge: JudgeNet, kept: Sequence[FerryBoard], layout: CityLayout) -> dict[str, Any]:
    """Calibration (Guo et al. 2017), and how often the networks are wrong, on photos not trained on."""
    logits, drawn, lost = [], [], 0
    for whole in kept:
        if whole.drawn.sum() + whole.lost > MOST_DRAWN:
            continue
        board = likely_of(net, whole)
        lost += board.lost
        if len(board.drawn):
            with torch.no_grad():
                logits.append(judge(seen_of(net, board), _knot(board, layout)).numpy())
            drawn.append(board.drawn)
    found, there = np.concatenate(logits), np.concatenate(drawn)
    heat = temperature(torch.from_numpy(found).double(), torch.from_numpy(there).double())
    return {
        "line_temperature": heat,
        "line_figures": {
            "photos": len(drawn),
            "ferries": int(there.sum()) + lost,
            "given_up": lost,
            "missed": int((there & (found <= 0)).sum()) + lost,
            "invented": int((~there & (found > 0)).sum()),
            "log_loss": round(float(np.logaddexp(0, -np.where(there, found, -found) / heat).sum()), 1),
        },
    }


if __name__ == "__main__":
    main()
