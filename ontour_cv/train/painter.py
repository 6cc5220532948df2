"""Paints the training set: of every five shards two are cut from rendered photos and three painted cell by cell."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.train.as_read import Stock, make_read_set
from ontour_cv.train.boards import make_board_shard
from ontour_cv.train.hands import PENS, Habits, Hands
from ontour_cv.train.patches import Shop
from ontour_cv.train.sets import make_board_set, save_sets
from ontour_cv.train.shards import make_shard, save_shard


def main() -> None:
    """Command line: see ``--help``."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description="Paint the training set in shards; shards already there are kept.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--shards", type=int, default=90)
    parser.add_argument("--boards", type=int, help="whole boards instead of shards, a hundred to a file")
    parser.add_argument("--as-read", nargs="+", metavar="MAP", help="boards of these maps in turn, cut as reading does")
    parser.add_argument("--split", choices=("train", "valid", "test"), default="train")
    parser.add_argument("--strokes", type=Path, help="folder of recorded pen strokes; without it our own shapes only")
    parser.add_argument("--pens", type=float, default=PENS, help="share of boards written with a pen of any kind")
    parser.add_argument("--rings", type=float, default=0.0, help="share of as-read boards with a pen for circles")
    parser.add_argument("--odd", type=float, default=0.0, help="share of as-read boards with marks made otherwise")
    parser.add_argument("--large", type=float, default=0.0, help="share of as-read boards written over the rings")
    parser.add_argument("--lit", type=float, default=0.0, help="share of as-read boards circled with a highlighter")
    parser.add_argument("--mended", type=float, default=0.0, help="share of as-read boards with numbers struck out")
    parser.add_argument("--second", type=float, default=0.0, help="share of as-read boards written with two pens")
    parser.add_argument("--traced", type=float, default=0.0, help="share of as-read boards whose rings cover print")
    parser.add_argument("--keen", type=float, default=0.0, help="share of as-read boards on which most is circled")
    parser.add_argument("--fine", type=float, default=0.0, help="share of as-read boards written with a fine pen")
    parser.add_argument("--strange", type=float, default=0.0, help="share of as-read boards no edition tells of")
    parser.add_argument("--tight", type=float, default=0.0, help="share of as-read boards with borders close by discs")
    parser.add_argument("--backgrounds", type=Path, help="folder of photos to lay boards on")
    args = parser.parse_args()
    if args.as_read and not args.boards:
        parser.error("--as-read needs --boards: how many")
    args.out.mkdir(parents=True, exist_ok=True)
    hands = Hands.load(args.strokes, args.split)
    photos = tuple(sorted(args.backgrounds.rglob("*.jpg"))) if args.backgrounds else ()
    own = 0.15 if args.split == "train" else 0.0
    (paint_boards if args.boards else paint_shards)(args, hands, photos, own)


def paint_boards(args: argparse.Namespace, hands: Hands, photos: tuple[Path, ...], own: float) -> None:
    """Whole boards, a hundred to a file."""
    template, editions = load_map("usa"), list(load_editions("usa"))
    stocks = [Stock.of(map_id) for map_id in args.as_read or ()]
    cells = len(template.regions)
    names = ("pens", "rings", "odd", "large", "lit", "mended", "second", "traced", "keen", "fine")
    habits = Habits(own, **{name: getattr(args, name) for name in names})
    for start in range(args.first, args.first + args.boards, 100):
        path = args.out / f"boards-{args.split}-{start:05d}.npz"
        if path.exists():
            continue
        boards = [
            make_read_set(
                (args.seed, k), hands, stocks[k % len(stocks)], cells, photos, habits, args.strange, args.tight
            )
            if stocks
            else make_board_set((args.seed, k), hands, template, editions, photos, own, args.pens)
            for k in range(start, min(start + 100, args.first + args.boards))
        ]
        save_sets(path, boards)


def paint_shards(args: argparse.Namespace, hands: Hands, photos: tuple[Path, ...], own: float) -> None:
    """Shards of cells."""
    template, editions = load_map("usa"), list(load_editions("usa"))
    for k in range(args.first, args.first + args.shards):
        path = args.out / f"{args.split}-{k:04d}.npy"
        if path.exists():
            continue
        if k % 5 < 2:
            shard = make_board_shard(
                (args.seed, k), hands, template, editions, backgrounds=photos, own=own, pens=args.pens
            )
        else:
            shop = Shop.open(np.random.default_rng((args.seed, k, 1)))
            shard = make_shard((args.seed, k), hands, shop, own=own, pens=args.pens)
        save_shard(path, *shard)


if __name__ == "__main__":
    main()
