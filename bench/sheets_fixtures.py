"""Renders the fixture photos of sheets and their page; own print, own pen shapes, own tables.

Usage: python -m bench.sheets_fixtures
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ontour_cv.synth.develop import encode
from ontour_cv.synth.sheet_photo import SheetShot, render_sheet

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "sheets"

PHOTOS = (
    ("01-upside-down", 101, False, "upside down, a second sheet in the picture"),
    ("02-pencil", 102, False, "pencil, boxes filled in"),
    ("03-tilted", 103, True, "tilted 35 degrees, turned, digits erased and crossed out"),
    ("04-erased", 105, False, "pencil, digits erased"),
    ("05-shadow", 106, True, "a pad in the shade, upside down, pen"),
)
"""Name, seed, tier and condition; none was chosen by how well it is read."""

HEAD = """# Fixture photos of sheets

Rendered by `python -m bench.sheets_fixtures`, which also writes this page: own print, own pen shapes, own tables.
Beside each photo lies its truth: the sheet in notation, and the middle of every state's outline in the photo.

| photo | condition | tier | pixels | sheet |
| --- | --- | --- | --- | --- |
"""


def main() -> None:
    """Write photos, truths and page."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, seed, hard, condition in PHOTOS:
        shot = render_sheet(seed, hard=hard, long_side=1500)
        (FOLDER / f"{name}.jpg").write_bytes(encode(shot.image, 80, True))
        (FOLDER / f"{name}.json").write_text(
            json.dumps(truth(shot, hard, condition), indent=1) + "\n", encoding="utf-8"
        )
        height, width = shot.image.shape[:2]
        text = " ".join(str(shot.sheet).split()[:4])
        tier = "hard" if hard else "ordinary"
        lines.append(f"| [{name}.jpg]({name}.jpg) | {condition} | {tier} | {width} x {height} | `{text} ...` |\n")
    (FOLDER / "README.md").write_text(HEAD + "".join(lines), encoding="utf-8")


def truth(shot: SheetShot, hard: bool, condition: str) -> dict[str, object]:
    """What the photo shows."""
    middles = {state: np.round(place.mean(axis=0), 2).tolist() for state, place in shot.cells.items()}
    return {"condition": condition, "hard": hard, "sheet": str(shot.sheet), "middles": middles}


if __name__ == "__main__":
    main()
