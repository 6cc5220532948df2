"""Printed boards: the PDF of ``ontour-cv print``, rasterised by PDFium, written on and photographed, then read.

Usage: python -m bench.printed [--boards 40]
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from bench.measure import PLACED_RADII, centre_errors
from bench.photos import Studio
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_map
from ontour_cv.press.design import load_design
from ontour_cv.press.drawing import Group
from ontour_cv.press.paper import MARGIN, PAPERS
from ontour_cv.press.pdf import make_pdf
from ontour_cv.press.product import Order, make_pages
from ontour_cv.scorer.score import AUTO, read_photo, score_reading
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import Print
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.photo import Photo

MAPS = ("europe-home", "usa")
SEED = 11

PAGE = Path(__file__).resolve().parent.parent / "docs" / "printed.md"

HEAD = """# Printed boards, read from photos

Made by `python -m bench.printed`. Boards of `ontour-cv print` on A4, turned into pixels by PDFium at 220 dots an inch,
written on by hands the reader never saw, and put through the synthetic camera; read without being told the map.
*Located*: half of the discs or more lie within half a radius. *Silent errors*: cells read wrongly and not doubted.

| tier | board | photos | located | other map | discs placed | cells right | exactly right | silent errors |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def main(arguments: list[str] | None = None) -> None:
    """Measure both tiers and write the page."""
    parser = argparse.ArgumentParser(description="Printed boards, read from photos")
    parser.add_argument("--boards", type=int, default=40, help="photos of each tier, shared by maps and looks")
    parser.add_argument("--out", type=Path, default=PAGE)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    kinds = [(map_id, lineart) for map_id in MAPS for lineart in (False, True)]
    sheets = {kind: rasterised(*kind) for kind in kinds}
    rows = []
    for tier in ("ordinary", "hard"):
        counts: dict[tuple[str, bool], Counter[str]] = {kind: Counter() for kind in kinds}
        for k in range(options.boards):
            kind = kinds[k % len(kinds)]
            counts[kind].update(measure(sheets[kind], k, tier))
        rows += [row(tier, *kind, count) for kind, count in counts.items()]
    options.out.write_text("\n".join([HEAD, *rows, ""]), encoding="utf-8")


def row(tier: str, map_id: str, lineart: bool, count: Counter[str]) -> str:
    """A line of the table."""
    cells, look = count["cells"], "line art" if lineart else "colour"
    return (
        f"| {tier} | {map_id}, {look} | {count['photos']} | {count['located']} | {count['other']} | "
        f"{count['placed']}/{cells} | {count['right']}/{cells} | {count['exact']} | {count['silent']} |"
    )


def rasterised(map_id: str, lineart: bool) -> Print:
    """The board on A4, printed by another program at 220 dots an inch, and cut out along its marks."""
    template = load_map(map_id)
    design = load_design(template)
    (page,) = make_pages(template, design, Order(PAPERS["a4"], lineart=lineart))
    scale = 220 / 72
    document = pypdfium2.PdfDocument(make_pdf([page], map_id))
    picture: NDArray[np.uint8] = document[0].render(scale=scale, rev_byteorder=False).to_numpy()[..., :3]
    board = page.items[0]
    assert isinstance(board, Group)
    left, top = (round(v * picture.shape[1] / page.width) for v in board.shift)
    assert min(board.shift) >= MARGIN
    return Print(np.ascontiguousarray(picture[top:-top, left:-left]), template, design)


def measure(sheet: Print, k: int, tier: str) -> Counter[str]:
    """One photo, read with no hint of its map."""
    rng = Studio(SEED).rng(f"printed-{tier}", k)
    board = sample_board(sheet.template, rng)
    writer = sample_writer(rng, Studio(SEED).hand(rng))
    image, truth = render_print(sheet, board, Settings(tier), rng, writer)
    count = Counter(photos=1, cells=len(truth.cells))
    try:
        reading = read_photo(Photo(f"printed-{k}", image), AUTO)
    except BoardNotFound:
        return count
    if reading.placement.edition.map != sheet.template.id:
        return count + Counter(other=1)
    report = score_reading("printed", reading, sheet.template)
    errors = centre_errors(truth, report)
    wrong = [r for r in truth.cells if report.cells[r].mark != board.marks[r]]
    silent = [r for r in wrong if not report.cells[r].doubtful]
    return count + Counter(
        located=int(np.median(errors) <= PLACED_RADII),
        placed=int((errors <= PLACED_RADII).sum()),
        right=len(truth.cells) - len(wrong),
        exact=int(not wrong),
        silent=len(silent),
    )


if __name__ == "__main__":
    main()
