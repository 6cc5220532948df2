"""Renders the fixture photos of New York and their page; own print, own pen shapes, own tables.

Usage: python -m bench.cities_fixtures
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from bench.cities import NEW_YORK, played_board
from bench.photos import Studio
from ontour_cv.rules.city import city_score
from ontour_cv.synth.city_ink import with_city_ink
from ontour_cv.synth.city_tour import tour_drawer
from ontour_cv.synth.develop import encode
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.strokes import parametric_hand, sample_writer

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "cities"

PHOTOS = (
    ("01-new-york", 3, "ordinary", 0, False),
    ("02-new-york-line-art", 4, "ordinary", 1, False),
    ("03-new-york-hard", 6, "hard", 0, False),
    ("04-new-york-tour", 11, "ordinary", 0, True),
)
"""Name, seed, tier, look, and whether the player drew the tour; none was chosen by how well it is read."""

HEAD = """# Fixture photos of New York

Rendered by `python -m bench.cities_fixtures`, which also writes this page: own print, own pen shapes, own tables.
Beside each photo lies its truth: the board in notation and what it is worth; where the tour was drawn, that, too.

| photo | tier | pixels | ferries | worth |
| --- | --- | --- | --- | ---: |
"""


def main() -> None:
    """Write photos, truths and page."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    studio = Studio(0, map=NEW_YORK)
    lines = []
    for name, seed, tier, look, tour in PHOTOS:
        rng = np.random.default_rng([seed, 77])
        board = played_board(studio, rng)
        writer = sample_writer(rng, parametric_hand(rng))
        sheet = with_city_ink(studio.sheets[look], board, writer, rng)
        drawer = tour_drawer(board, studio.sheets[look], writer) if tour else None
        image, shown = render_print(sheet, board.board, Settings(tier, 1500, drawn=tour), rng, writer, drawer)
        worth = city_score(studio.template, board).total
        (FOLDER / f"{name}.jpg").write_bytes(encode(image, 80, True))
        truth = {"tier": tier, "board": str(board), "score": worth}
        truth |= {"drawn": list(shown.drawn or ())} if tour else {}
        (FOLDER / f"{name}.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
        drawn = " ".join(f"`~{a}-{b}`" for a, b in board.ferries) or "none"
        height, width = image.shape[:2]
        lines.append(f"| [{name}.jpg]({name}.jpg) | {tier} | {width} x {height} | {drawn} | {worth} |\n")
    (FOLDER / "README.md").write_text(HEAD + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
