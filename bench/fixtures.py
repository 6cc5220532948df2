"""Renders tests/fixtures/photos: photos of boards in many conditions with their truth, and pictures without a board.

Usage: python -m bench.fixtures [--only NAME ...]

Every photo is the first of its own series of chances that meets its wish (:data:`WISHES`): nothing is chosen by how
well it is read. Only our own pen shapes and tables are used.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.fixtures_page import readme
from bench.wishes import DECOYS, WISHES, Wish
from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import RULESETS
from ontour_cv.synth.decoys import make_decoy
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import play_game
from ontour_cv.synth.shot import TIERS, sample_shot
from ontour_cv.synth.strokes import parametric_hand, sample_writer
from ontour_cv.synth.truth import Truth

PHOTOS = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "photos"

SEED = 1119
"""Of everything here."""

MOST_BYTES = 290_000
"""Larger files are compressed harder."""


def main(arguments: list[str] | None = None) -> None:
    """Render them all, or those asked for, and the README."""
    parser = argparse.ArgumentParser(prog="python -m bench.fixtures", description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", help="names of the photos to make again")
    parser.add_argument("--out", type=Path, default=PHOTOS)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for number, wish in enumerate(WISHES, 1):
        if options.only is None or wish.name in options.only:
            print(make_photo(number, wish, options.out), file=sys.stderr, flush=True)
    for number, (kind, tier) in enumerate(DECOYS, 1):
        if options.only is None or kind in options.only:
            image, _ = make_decoy(np.random.default_rng([SEED, 2, number]), kind, tier, 1080)
            (options.out / f"no-board-{kind}.jpg").write_bytes(fitted_jpeg(image))
    truths = [json.loads(p.read_text(encoding="utf-8")) for p in sorted(options.out.glob("*.json"))]
    (options.out / "README.md").write_text(readme(truths, DECOYS), encoding="utf-8")


def make_photo(number: int, wish: Wish, folder: Path) -> str:
    """Render one photo and write it with its truth; the name of the file."""
    image, truth = first_that_fits(number, wish)
    stem = f"{number:02d}-{wish.name}"
    name = f"{stem}.{wish.format}"
    (folder / name).write_bytes(encoded(image, wish))
    template = load_map(truth.map)
    use = "tuned" if number % 2 else "measured"
    (folder / f"{stem}.json").write_text(described(name, wish, use, truth, template), encoding="utf-8")
    return name


def first_that_fits(number: int, wish: Wish) -> tuple[NDArray[np.uint8], Truth]:
    """The first photo of the series that meets the wish; the cheap conditions are looked at before rendering."""
    template, editions = load_map("usa"), [one for one in load_editions("usa") if one.name != "own"]
    for attempt in range(2000):
        chance = (SEED, 1, number, attempt)
        if not wish.shot(sample_shot(wish.tier, np.random.default_rng(chance), wish.long_side)):
            continue
        rng = np.random.default_rng((*chance, 1))
        board = board_for(wish, template, rng)
        writer = sample_writer(rng, parametric_hand(rng, held_out=number % 2 == 0))
        settings = Settings(wish.tier, wish.long_side, wish.jitter, wish.notes)
        edition = editions[number % len(editions)]
        image, truth = render(template, edition, board, settings, np.random.default_rng(chance), writer)
        radius_px = float(np.median([hazard.radius_px for hazard in truth.hazards.values()]))
        if wish.photo(truth) and radius_px >= TIERS[wish.tier].least_radius_px:
            return image, truth
    raise SystemExit(f"no photo meets the wish {wish.name}")


def board_for(wish: Wish, template: MapTemplate, rng: np.random.Generator) -> BoardState:
    """A board with what the wish asks for."""
    if wish.turns == 0:
        return BoardState({region: Mark(Kind.EMPTY) for region in template.ids})
    while True:
        board = play_game(template, rng, wish.turns).board
        if len(board.of_kind(Kind.STAR)) >= wish.stars and len(board.of_kind(Kind.BLOCKED)) >= wish.blocked:
            return board


def described(name: str, wish: Wish, use: str, truth: Truth, template: MapTemplate) -> str:
    """The truth as JSON, one line for each part."""
    score = RULESETS[template.rules].score(template, truth.board)
    parts: dict[str, Any] = {
        "file": name,
        "condition": wish.words,
        "use": use,
        "board": str(truth.board),
        "score": {"total": score.total, "visited": score.visited, "circles": score.circles},
        "truth": truth.to_json(),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(part, separators=(',', ':'))}" for key, part in parts.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def encoded(image: NDArray[np.uint8], wish: Wish) -> bytes:
    """The picture in the format of the wish; sideways with an EXIF note when it asks for that."""
    if wish.format == "jpg" and not wish.exif:
        return fitted_jpeg(image)
    from PIL import Image

    rgb = np.ascontiguousarray(image[:, :, ::-1])
    if wish.exif:  # orientation 6: turn a quarter clockwise to see it upright
        rgb = np.ascontiguousarray(np.rot90(rgb))
    picture, out = Image.fromarray(rgb), io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6 if wish.exif else 1
    if wish.format == "heic":
        from pillow_heif import register_heif_opener

        register_heif_opener()
        picture.save(out, "HEIF", quality=60)
    elif wish.format == "jpg":
        picture.save(out, "JPEG", quality=70, exif=exif)
    elif wish.format == "webp":
        picture.save(out, "WEBP", quality=80, method=6)
    else:
        picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def fitted_jpeg(image: NDArray[np.uint8]) -> bytes:
    """The picture as JPEG, at the best quality that keeps the file small."""
    for quality in range(92, 60, -4):
        data = encode(image, quality, True)
        if len(data) <= MOST_BYTES:
            break
    return data


if __name__ == "__main__":
    main()
