"""What a photo costs: the whole process beside a floor program, warm milliseconds per stage, memory.

Usage: python -m bench.speed [--photos 20] [--rounds 15] [--core 0]

Everything runs on one core, with one thread, and with Python's compiled files at hand as after an installation,
whatever ``PYTHONDONTWRITEBYTECODE`` says here. The figures are written to bench/results/speed.json, the page to
docs/speed.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import ontour_cv
from bench.photos import Studio
from bench.rows import RESULTS
from bench.speed_page import PAGE, page
from ontour_cv.resources import models_dir
from ontour_cv.scorer.score import score_photo
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.shot import sample_shot
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.cells import crop_matrix

LONG_SIDE, PIXELS = 4000, 12_000_000
"""A phone's usual photo, 4000 x 3000."""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks, and write the page."""
    options = _parser().parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {options.core})  # children inherit it
    os.environ.update(ONE_THREAD)
    cv2.setNumThreads(1)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder, "compiled"))
        photos = take_photos(Path(folder), options.photos, options.seed)
        warm = measure_warm(photos)
        whole = measure_whole(photos[0], Path(folder), options.rounds)
    result = {"machine": machine(), "photos": len(photos), "pixels": [LONG_SIDE, PIXELS // LONG_SIDE],
              "warm": warm, "whole": whole}  # fmt: skip
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if options.out == RESULTS / "speed.json":
        PAGE.write_text(page(result), encoding="utf-8")
    print(page(result))


def take_photos(folder: Path, count: int, seed: int) -> list[Path]:
    """Rendered 12-megapixel JPEGs of the ordinary tier, as files."""
    studio = Studio(seed)
    template, edition = studio.template, studio.editions[0]
    paths: list[Path] = []
    k = 0
    while len(paths) < count:
        shape = sample_shot("ordinary", studio.rng("speed", k), LONG_SIDE).pose.size  # as render will draw it
        if shape[0] * shape[1] == PIXELS:
            board = sample_board(template, studio.rng("speed-board", k))
            writer = sample_writer(studio.rng("speed-hand", k))
            settings = Settings("ordinary", LONG_SIDE)
            image, _ = render(template, edition, board, settings, studio.rng("speed", k), writer)
            paths.append(folder / f"photo-{k:03d}.jpg")
            paths[-1].write_bytes(encode(image, 92, True))
        k += 1
    return paths


def measure_warm(photos: list[Path]) -> list[dict[str, float]]:
    """Milliseconds per stage for each photo, in a process that has read one already."""
    score_photo(photos[0])
    laps = []
    for path in photos:
        began, busy = time.perf_counter(), time.process_time()
        report = score_photo(path)
        lap = {stage: round(ms, 2) for stage, ms in report.timings_ms.items()}
        lap["wall"] = round(1000 * (time.perf_counter() - began), 2)
        lap["cpu"] = round(1000 * (time.process_time() - busy), 2)
        laps.append(lap)
    return laps


def measure_whole(photo: Path, folder: Path, rounds: int) -> dict[str, list[dict[str, float]]]:
    """Wall seconds, processor seconds and peak memory of whole processes, ours and the floor's by turns."""
    report = score_photo(photo)
    places = [crop_matrix(place).tolist() for place in report.reading.placement.cells.values()]
    (folder / "places.json").write_text(json.dumps(places), encoding="utf-8")
    floor = [sys.executable, str(Path(__file__).with_name("floor.py")), str(photo), str(folder / "places.json"),
             str(models_dir() / "marks.onnx")]  # fmt: skip
    ours = [sys.executable, "-m", "ontour_cv", "score", str(photo), "--json"]
    runs: dict[str, list[dict[str, float]]] = {"floor": [], "ours": []}
    for turn in range(rounds + 1):
        for name, command in (("floor", floor), ("ours", ours)):
            spent = run(command)
            if turn:  # the first turn compiles, and fills the disk cache
                runs[name].append(spent)
    return runs


def run(command: list[str]) -> dict[str, float]:
    """What one process cost: ``wall`` and ``cpu`` in seconds, ``peak_mb``."""
    scales = [sys.executable, "-S", str(Path(__file__).with_name("weigh.py"))]
    done = subprocess.run([*scales, *command], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    cost: dict[str, float] = json.loads(done.stdout)
    if cost.pop("exit"):
        raise SystemExit(f"{' '.join(command)} failed")
    return cost


def machine() -> dict[str, Any]:
    """What it ran on, as far as figures depend on it."""
    model = ""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text(encoding="utf-8").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    return {"processor": model or platform.machine(), "python": platform.python_version(), "opencv": cv2.__version__,
            "numpy": np.__version__, "ontour_cv": ontour_cv.__version__}  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=20, help="photos for the warm figures")
    parser.add_argument("--rounds", type=int, default=15, help="pairs of whole processes")
    parser.add_argument("--core", type=int, default=0, help="which core to run on")
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--out", type=Path, default=RESULTS / "speed.json")
    return parser


if __name__ == "__main__":
    main()
