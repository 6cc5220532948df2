"""``python -m ontour_cv.synth``: write rendered photos with their truth, for training, benchmarks and looking at."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.synth.decoys import make_decoy
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.recorded import RecordedHand, load_recorded
from ontour_cv.synth.shot import TIERS
from ontour_cv.synth.strokes import Writer, parametric_hand, sample_writer


def main(arguments: list[str] | None = None) -> None:
    """Render as the command line asks; picture ``k`` depends on ``--seed`` and ``k`` alone."""
    options = _parser().parse_args(arguments)
    cv2.setNumThreads(1)
    options.output.mkdir(parents=True, exist_ok=True)
    template, editions = load_map(options.map), load_editions(options.map)
    chosen = [e for e in editions if options.edition in (None, e.name)]
    if not chosen:
        raise SystemExit(f"no edition {options.edition!r} of {options.map}; there are {[e.name for e in editions]}")
    recorded = load_recorded(options.strokes, options.split) if options.strokes else []
    photos = tuple(sorted(options.backgrounds.rglob("*.jp*g"))) if options.backgrounds else ()
    settings = Settings(options.tier, options.size, options.jitter, None, photos)
    for k in range(options.start, options.start + options.count):
        rng = np.random.default_rng([options.seed, k])
        stem = options.output / f"{options.tier}-{options.seed}-{k:05d}"
        if options.decoys:
            image, kind = make_decoy(rng, None, options.tier, options.size, photos)
            stem.with_name(f"{stem.name}-{kind}.jpg").write_bytes(encode(image, 92, True))
            continue
        board = sample_board(template, rng)
        writer = _writer(recorded, options.held_out, rng)
        image, truth = render(template, chosen[int(rng.integers(len(chosen)))], board, settings, rng, writer)
        stem.with_suffix(".jpg").write_bytes(
            encode(image, int(truth.scene["quality"]), bool(truth.scene["subsampled"]))
        )
        stem.with_suffix(".json").write_text(json.dumps(truth.to_json(), indent=1) + "\n", encoding="utf-8")


def _writer(
    recorded: list[dict[str, list[list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]]]]],
    held_out: bool,
    rng: np.random.Generator,
) -> Writer:
    """One of our own hands, or three times out of four a recorded one where there are any."""
    own = parametric_hand(rng, held_out)
    if recorded and rng.random() < 0.75:
        return sample_writer(rng, RecordedHand(recorded[int(rng.integers(len(recorded)))], own))
    return sample_writer(rng, own)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ontour_cv.synth", description=__doc__)
    parser.add_argument("--count", type=int, default=1, help="how many photos")
    parser.add_argument("--start", type=int, default=0, help="number of the first one")
    parser.add_argument("--tier", choices=sorted(TIERS), default="ordinary")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True, help="folder to write JPEG and JSON files to")
    parser.add_argument("--map", default="usa")
    parser.add_argument("--edition", help="name of one edition; any of the map's if left out")
    parser.add_argument("--jitter", type=float, default=0.3, help="probability of an edition nobody measured")
    parser.add_argument("--size", type=int, help="longer side in pixels; the tier's choice if left out")
    parser.add_argument("--strokes", type=Path, help="folder with recorded pen strokes")
    parser.add_argument("--split", choices=("train", "valid", "test"), default="train", help="which recorded writers")
    parser.add_argument("--held-out", action="store_true", help="shapes of our own that training never sees")
    parser.add_argument("--backgrounds", type=Path, help="folder with photos of tables")
    parser.add_argument("--decoys", action="store_true", help="pictures without a board instead")
    return parser


if __name__ == "__main__":
    main()
