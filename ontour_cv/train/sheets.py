"""Trains the sheet network in one command: paints shards in a second process, fits, and writes the model.

``python -m ontour_cv.train.sheets --strokes DIR --backgrounds DIR --out RUN`` does everything; ``--only paint``,
``--only fit`` and ``--only finish`` do parts of it, and shards that are there are kept.

A network that reads already goes on from its own crops: with ``--as-read --start RUN/shipped-1.pt --rate 6e-4`` photos
are painted that the shipped reader lays and looks at, and learnt from; ``--stay 0.5`` ships the mean of before and
after (``train.sheet_shipped`` writes the checkpoint to start with).

One network looks at whole cells, another closely at what is written: ``--name close-1 --looks close --start
RUN/shipped-close-1.pt`` trains a member of the second, and where the run holds none, the first is shipped for both.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import cv2

from ontour_cv.maps.load import load_map
from ontour_cv.train.hands import Hands
from ontour_cv.train.sheet_as_read import make_read_shard
from ontour_cv.train.sheet_hands import ODD_CROSSES, Menders, SheetHands
from ontour_cv.train.sheet_pool import LOOKS
from ontour_cv.train.sheet_shards import Shard, make_flat_shard, make_photo_shard
from ontour_cv.vision.sheet_cells import cell_masks
from ontour_cv.vision.sheet_glyphs import SheetNetwork
from ontour_cv.vision.sheet_model import sheet_model

MAP = "rolling-america"

SHARD = 4096
"""Crops in a shard."""


def main(words: list[str] | None = None) -> None:
    """Command line: see ``--help``."""
    args = _parser().parse_args(words)
    args.out.mkdir(parents=True, exist_ok=True)
    if args.only == "paint":
        paint(args)
        return
    painter = None
    if args.only is None:
        told = sys.argv[1:] if words is None else words
        painter = subprocess.Popen([sys.executable, "-m", "ontour_cv.train.sheets", *told, "--only", "paint"])
    try:
        if args.only in (None, "fit"):
            from ontour_cv.train.sheet_fit import Plan, fit

            counts = {"flat": args.flat, "photo": args.photo}
            masks = cell_masks(sheet_model(load_map(MAP)))
            plan = Plan(
                args.out,
                args.out / f"{args.name}.pt",
                counts,
                args.steps,
                args.rate,
                args.seed,
                args.start,
                args.minutes,
                args.stay,
                args.device,
                args.looks,
            )
            fit(plan, masks)
    finally:
        if painter is not None:
            painter.wait()
    if args.only in (None, "finish"):
        from ontour_cv.train.sheet_finish import finish

        finish(args.out, args.model, cell_masks(sheet_model(load_map(MAP))), args.how)


def paint(args: argparse.Namespace) -> None:
    """The shards: those for validation first, then both kinds in turn."""
    cv2.setNumThreads(1)
    template = load_map(MAP)
    model = sheet_model(template)
    photos = tuple(sorted(args.backgrounds.rglob("*.jpg"))) if args.backgrounds else ()
    reader = SheetNetwork(model, args.model) if args.as_read else None
    hands = {split: SheetHands(Hands.load(args.strokes, split)) for split in ("valid", "train")}
    wanted = [("valid", "flat", 0), *(("valid", "photo", k) for k in range(args.valid))]
    for k in range(max(args.flat, args.photo)):
        wanted += [("train", kind, k) for kind, count in (("photo", args.photo), ("flat", args.flat)) if k < count]
    for split, kind, k in wanted:
        path = args.out / f"{kind}-{split}-{k:03d}.npz"
        if path.exists() or (args.kind and kind != args.kind):
            continue
        seed, own = (args.seed, k, ("valid", "train").index(split)), 0.15 if split == "train" else 0.0
        shard: Shard
        if kind == "flat":
            shard = make_flat_shard(seed, hands[split], template, model, SHARD, own)
        elif reader is not None:
            writers = Menders(args.mend, ODD_CROSSES, args.faint) if split == "train" else Menders(0.0)
            shard = make_read_shard(seed, hands[split], reader, SHARD, own, photos, writers=writers)
        else:
            shard = make_photo_shard(seed, hands[split], model, SHARD, own, photos)
        shard.save(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train.sheets", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of shards, checkpoint and log")
    parser.add_argument("--strokes", type=Path, help="folder of recorded pen strokes; without it our own shapes only")
    parser.add_argument("--backgrounds", type=Path, help="folder of photos to lay sheets on")
    parser.add_argument("--model", type=Path, default=Path("ontour_cv/models"))
    parser.add_argument("--flat", type=int, default=24, help="shards painted flat")
    parser.add_argument("--photo", type=int, default=24, help="shards cut from rendered photos")
    parser.add_argument("--valid", type=int, default=2, help="such shards of writers kept for temperatures")
    parser.add_argument("--steps", type=int, default=7000)
    parser.add_argument("--minutes", type=float, help="end after that time at the latest")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="sheet", help="of the checkpoint: sheet... or close...: members")
    parser.add_argument("--start", type=Path, help="checkpoint to go on from")
    parser.add_argument("--stay", type=float, default=0.0, help="share of the start's weights that stays in the end")
    parser.add_argument("--how", default="", help="a sentence on how it was trained, for the card")
    parser.add_argument("--device", default="cpu", help="what the network learns on: cpu or cuda")
    parser.add_argument("--looks", choices=LOOKS, default="all", help="crops the network learns from")
    parser.add_argument("--only", choices=("paint", "fit", "finish"))
    parser.add_argument(
        "--as-read", action="store_true", help="cut photos where the reader with --model finds the cells"
    )
    parser.add_argument("--mend", type=float, default=0.0, help="share of as-read sheets by writers who mend a lot")
    parser.add_argument("--faint", type=float, default=0.0, help="share of as-read sheets in pencil hardly pressed on")
    parser.add_argument("--kind", choices=("flat", "photo"), help="paint only these")
    return parser


if __name__ == "__main__":
    main()
