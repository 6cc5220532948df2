"""Tours drawn in other ways: the same boards and tours, photographed anew for each way of drawing the legs.

The ways are this module's own and drawn by its own few lines of code: what the networks learnt from
(``ontour_cv.synth.manners``) has no part in them, and two of them resemble nothing there. Boards are rendered
editions and, where ``--blank`` names them, owners' photos of boards without ink (``bench.blanks``).

Usage: python -m bench.lines [--boards 20] [--blank 2019=PHOTO] [--strokes DIR] [--backgrounds DIR]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.blanks import straightened
from bench.drawn import DECLINED, EXACT, NO_BOARD, WRONG, Found, look_for, measure
from bench.photos import UNKNOWN_EDITIONS, Studio, add_run
from bench.rows import RESULTS, Row, RowWriter, read_rows
from bench.stats import Share, table
from ontour_cv.board import BoardState
from ontour_cv.maps.model import MapTemplate
from ontour_cv.rules import ruleset, variant_for
from ontour_cv.synth.drawn import DrawnTour, walk
from ontour_cv.synth.ink import Stroke
from ontour_cv.synth.photograph import Settings, render_again
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import Blank
from ontour_cv.synth.scene import Scene
from ontour_cv.synth.strokes import Polyline, Writer, sample_writer, smooth
from ontour_cv.vision.drawn import LinkReader
from ontour_cv.vision.glyphs import MarkReader
from ontour_cv.vision.photo import Photo

PAGE = Path(__file__).resolve().parent.parent / "docs" / "lines.md"
RENDERED = "rendered"
LONG_SIDE = 2048

HIGHLIGHTERS = ((70, 230, 250), (200, 120, 250), (120, 240, 140))
"""Yellow, pink and green, BGR."""

_Points = NDArray[np.float64]
_Leg = Callable[[_Points, _Points, np.random.Generator], list[Polyline]]


@dataclass(frozen=True, slots=True)
class Way:
    """A way of drawing: ``leg`` gives a leg's lines between two discs' middles, everything in disc radii.

    Attributes:
        leg: the lines of one leg; None for one line through all discs.
        width: of the line.
        flow: how dark it is, 0-1.
        gaudy: drawn with a highlighter, not with the pen of the marks.
    """

    leg: _Leg | None
    width: float
    flow: float = 0.95
    gaudy: bool = False


def _between(a: _Points, b: _Points, reach: float) -> tuple[_Points, _Points]:
    """The ends of a leg ``reach`` radii from the middles, but never more than 0.35 of its length."""
    step = (b - a) * min(reach / float(np.hypot(*(b - a))), 0.35)
    return a + step, b - step


def _across(a: _Points, b: _Points) -> _Points:
    step = (b - a) / float(np.hypot(*(b - a)))
    return np.array([-step[1], step[0]])


def _straight(reach: float) -> _Leg:
    return lambda a, b, rng: [np.stack(_between(a, b, reach))]


def _bow(a: _Points, b: _Points, rng: np.random.Generator) -> list[Polyline]:
    a, b = _between(a, b, 0.9)
    height = float(rng.choice([-1, 1]) * rng.uniform(0.05, 0.14)) * float(np.hypot(*(b - a)))
    at = np.linspace(0, 1, 20)[:, None]
    line = a + at * (b - a) + 4 * height * at * (1 - at) * _across(a, b)
    return [line, _wings(line[-3], line[-1], 0.5)]


def _wings(behind: _Points, tip: _Points, size: float) -> Polyline:
    along = (tip - behind) / float(np.hypot(*(tip - behind)))
    side = np.array([-along[1], along[0]])
    return np.stack([tip + size * (0.7 * side - along), tip, tip - size * (0.7 * side + along)])


def _twins(a: _Points, b: _Points, rng: np.random.Generator) -> list[Polyline]:
    aside = 0.18 * _across(a, b)
    ends = np.stack(_between(a, b, 0.95))
    return [ends + aside, ends - aside]


def _dots(a: _Points, b: _Points, rng: np.random.Generator) -> list[Polyline]:
    a, b = _between(a, b, 1.0)
    count = max(2, round(float(np.hypot(*(b - a))) / 0.38))
    return [np.stack([spot, spot + 0.02]) for spot in np.linspace(a, b, count)]


def _head_alone(a: _Points, b: _Points, rng: np.random.Generator) -> list[Polyline]:
    return [_wings(a, a + (b - a) * rng.uniform(0.45, 0.62), 0.5)]


def _bar_across(a: _Points, b: _Points, rng: np.random.Generator) -> list[Polyline]:
    middle, half = a + (b - a) * rng.uniform(0.42, 0.58), 0.45 * _across(a, b)
    return [np.stack([middle - half, middle + half])]


WAYS: dict[str, Way] = {
    "from rim to rim": Way(_straight(0.95), 0.12),
    "through the middles, broadly": Way(_straight(0.0), 0.34),
    "finely": Way(_straight(0.85), 0.055),
    "far from the discs": Way(_straight(1.35), 0.12),
    "bows with heads": Way(_bow, 0.11),
    "two lines a leg": Way(_twins, 0.08),
    "dots": Way(_dots, 0.2),
    "one line without a stop": Way(None, 0.12),
    "highlighter": Way(_straight(0.0), 0.8, 0.45, True),
    "arrowheads alone": Way(_head_alone, 0.11),
    "bars across the links": Way(_bar_across, 0.11),
}
"""In the order of the page."""


def main(arguments: list[str] | None = None) -> None:
    """Measure as the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m bench.lines", description=__doc__)
    add_run(parser, 20, "rendered ones, and as many of the photos of blank ones", 20261126, RESULTS / "lines.jsonl")
    parser.add_argument("--models", type=Path, help="folder of the networks, instead of the shipped ones")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    studio = Studio(options.seed, options.strokes, options.backgrounds, split=options.split)
    blanks = [straightened(studio, *word.split("=", 1)) for word in options.blank]
    links, marks, writer = LinkReader(options.models), MarkReader(), RowWriter(options.out)
    for k in range(options.start, options.boards):
        for blank in [None, *([blanks[k % len(blanks)]] if blanks else [])]:
            for way in WAYS:
                board = blank.edition.name if blank else RENDERED
                key = f"{board}-{studio.seed}-{k:05d}-{way}"
                if key in writer:
                    continue
                row = measure(shoot(studio, blank, way, k), studio.template.ways(), links, marks)
                writer.append({"key": key, "board": board, "way": way} | row)
                print(key, row["what"], file=sys.stderr, flush=True)
    if options.out == RESULTS / "lines.jsonl":
        PAGE.write_text(page(read_rows(options.out)), encoding="utf-8")


def shoot(studio: Studio, blank: Blank | None, way: str, k: int) -> Found:
    """Ordinary photo ``k``, its board looked for: board, tour and hand are the same for every way, the shot is not."""
    rng = studio.rng(f"lines {blank.edition.name if blank else RENDERED}", k)
    template = studio.template
    edition = blank.edition if blank else studio.editions[int(rng.integers(len(studio.editions)))]
    board = sample_board(template, rng)
    writer = sample_writer(rng, studio.hand(rng))
    places = toured(board, template, rng)
    own = np.random.default_rng([studio.seed, k])
    settings = Settings("ordinary", LONG_SIDE, 0.0 if blank else UNKNOWN_EDITIONS, 0.0, studio.tables, drawn=True)
    image, truth = next(
        render_again(
            template, edition, board, settings, rng, writer, blank,
            lambda scene, _: DrawnTour(places, ink(scene, places, WAYS[way], writer, own)),
        )
    )  # fmt: skip
    return look_for(studio, Photo(f"{way} {k}", image), truth)


def toured(board: BoardState, template: MapTemplate, rng: np.random.Generator) -> tuple[str, ...]:
    """A player's tour, never none: boards without a tour are in ``bench.drawn``."""
    near = {region: template.reach(region) for region in template.ids}
    best = ruleset(variant_for(template.rules, None)).score(template, board).route
    while not (places := walk(board, near, lambda: best, rng)):
        pass
    return places


def ink(scene: Scene, places: Sequence[str], way: Way, writer: Writer, rng: np.random.Generator) -> list[Stroke]:
    """What a way of drawing leaves on the board, strokes in the board's frame."""
    spots = np.array([scene.cells[region] for region in places]) / scene.radius
    colour = HIGHLIGHTERS[int(rng.integers(len(HIGHLIGHTERS)))] if way.gaudy else writer.ink_bgr
    if way.leg is None:
        lines = [smooth(spots + rng.uniform(-0.45, 0.45, spots.shape), 10)]
    else:
        lines = [line for a, b in pairwise(spots) for line in way.leg(a, b, rng)]
    return [Stroke(line * scene.radius, way.width * scene.radius, way.flow, colour) for line in lines]


def page(rows: Sequence[Row]) -> str:
    """The whole page, Markdown."""
    head = """# Tours drawn in other ways

Written by `python -m bench.lines`; a test checks that it agrees with `bench/results/lines.jsonl`. Ordinary photos of
boards of the USA with a tour drawn on them; all lines of a table have the same boards, hands and tours. *Far from
the discs*: a third of a disc's radius lies between a line and the rims. The networks never saw the last two ways, and
nothing that this program draws. *Said to be none*: the reader is sure that no tour is drawn; *declined*: it
says that it cannot tell. The marks are taken as written. The second pair of networks learnt from the two owners'
photos, too, written on by other hands: what it makes of art nobody showed it, the rendered editions tell.
"""
    if not rows:
        return head + "\nNot measured yet.\n"
    parts = [part("Rendered editions", [row for row in rows if row["board"] == RENDERED])]
    if photos := [row for row in rows if row["board"] != RENDERED]:
        named = ", ".join(sorted({row["board"] for row in photos}))
        parts.append(part(f"Owners' photos of blank boards ({named})", photos))
    return head + "".join(parts)


def part(title: str, rows: Sequence[Row]) -> str:
    """A table of all ways."""
    columns = ["way", "tours", "read exactly", "read wrongly", "said to be none", "declined"]
    return (
        f"\n## {title}\n\n{table(columns, [line(way, [row for row in rows if row['way'] == way]) for way in WAYS])}\n"
    )


def line(way: str, rows: Sequence[Row]) -> list[object]:
    """A line of the table; a tour taken for none is counted by itself, for it accuses nobody."""
    found = [row for row in rows if row["what"] != NO_BOARD]
    none = sum(row["what"] == WRONG and not row["read"] for row in found)
    wrong = sum(row["what"] == WRONG for row in found) - none
    exact, declined = (sum(row["what"] == what for row in found) for what in (EXACT, DECLINED))
    return [way, f"{len(found)} of {len(rows)}", *(Share(n, len(found)).text() for n in (exact, wrong, none, declined))]


if __name__ == "__main__":
    main()
