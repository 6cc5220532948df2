"""Trains and exports the mark network in one command: ``python -m ontour_cv.train --strokes DIR --out runs/marks``.

Painting and fitting run side by side, one core each; then a network that hears all members learns from fresh boards,
and one of circles from those of them that are cut as reading cuts them. The one for boards whose circles are drawn with
another pen goes on from it, with boards half of which are such.
Interrupted, the same command goes on with the shards it finds; the checkpoint is written every 500 steps.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from ontour_cv.train import circles, finish, fit, together
from ontour_cv.train.shards import GROUP


def main() -> None:
    """Command line: see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.train", description="Train the mark network.")
    parser.add_argument("--out", type=Path, default=Path("runs/marks"), help="folder for shards and checkpoint")
    parser.add_argument("--model", type=Path, default=Path("ontour_cv/models"), help="folder the model is exported to")
    parser.add_argument("--strokes", type=Path, help="folder of recorded pen strokes; without it our own shapes only")
    parser.add_argument("--backgrounds", type=Path, help="folder of photos to lay boards on")
    parser.add_argument("--shards", type=int, default=90, help="training shards of 8,192 cells, about 100 MB each")
    parser.add_argument("--boards", type=int, default=150, help="boards of unseen writers, for the temperatures")
    parser.add_argument("--steps", type=int, default=30000, help="batches of 160 cells; about five a second")
    parser.add_argument("--members", type=int, default=2, help="networks trained one after the other, read as one")
    parser.add_argument("--fresh", type=int, default=3000, help="boards of each of two kinds for the context network")
    parser.add_argument("--context-steps", type=int, default=10000, help="batches of 24 boards")
    parser.add_argument("--circle-steps", type=int, default=12000, help="batches of 8 boards for the circles' network")
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, nargs="+", help="checkpoint to go on from: one for all members, or each")
    args = parser.parse_args()
    if args.start and len(args.start) not in (1, args.members):
        parser.error(f"--start names {len(args.start)} checkpoints for {args.members} members: one, or one for each")
    args.out.mkdir(parents=True, exist_ok=True)
    sources = [f"--{name}={value}" for name in ("strokes", "backgrounds") if (value := getattr(args, name))]
    painter = [sys.executable, "-m", "ontour_cv.train.painter", "--out", str(args.out), *sources]
    subprocess.run([*painter, "--split=valid", f"--seed={args.seed + 9000}", "--shards=1"], check=True)
    painting = subprocess.Popen([*painter, f"--seed={args.seed}", f"--shards={args.shards}"])
    checkpoints = [args.out / f"marks-{k}.pt" for k in range(args.members)]
    try:
        for k, checkpoint in enumerate(checkpoints):
            fit.fit(
                fit.options(
                    ["--shards", str(args.out), "--out", str(checkpoint), "--count", str(args.shards)]
                    + ["--steps", str(args.steps), "--lr", str(args.lr), "--seed", str(args.seed + k)]
                    + (["--start", str(args.start[k % len(args.start)])] if args.start else [])
                )
            )
    finally:
        painting.terminate()
    as_read = ["--as-read", "usa", "europe-home"]
    fresh = {"aimed": [], "as-read": as_read}
    for k, (name, words) in enumerate(fresh.items()):
        folder = ["--out", str(args.out / name), f"--seed={args.seed + 50 + k}", f"--boards={args.fresh}"]
        subprocess.run([*painter, *folder, *words], check=True)
    words = [f"--out={args.out}", f"--steps={args.context_steps}", f"--seed={args.seed}"]
    together.main([*map(str, checkpoints), *words, "--sets", *(str(args.out / name) for name in fresh)])
    subprocess.run([*painter, "--split=valid", f"--seed={args.seed + 30}", f"--boards={args.boards}"], check=True)
    how = f"{args.steps} steps of {fit.BOARDS} boards of {GROUP} cells from {args.shards} shards, seed {args.seed}"
    how += f"; a network that hears all, {args.context_steps} steps on {args.fresh} boards aimed at and as many as read"
    finish.finish(checkpoints, [args.out / "context-0.pt"], args.out, args.model, how)
    sets, pens = args.out / "as-read", args.out / "as-read-pens"
    kept = ["--split=valid", f"--boards={args.boards}", *as_read]
    subprocess.run([*painter, f"--out={sets}", f"--seed={args.seed + 31}", *kept], check=True)
    words = [f"--seed={args.seed}", f"--model={args.model}"]
    first = ["--steps", str(args.circle_steps), f"--checkpoint={args.out / 'circles.pt'}"]
    circles.main([f"--sets={sets}", *words, *first])
    folder = [f"--out={pens}", f"--seed={args.seed + 60}", f"--boards={args.fresh // 2}", "--rings=0.5"]
    subprocess.run([*painter, *folder, *as_read], check=True)
    more = [f"--seed={args.seed + 61}", "--rings=0.25"]
    subprocess.run([*painter, f"--out={pens}", *more, *kept], check=True)
    second = [f"--steps={args.circle_steps // 2}", "--lr=1e-3", f"--start={args.out / 'circles.pt'}"]
    circles.main([f"--sets={pens}", *words, *second, "--pens", f"--checkpoint={args.out / 'circles-pens.pt'}"])


if __name__ == "__main__":
    main()
