"""``python -m bench``: measures what bench/results does not hold yet, and writes the pages.

Usage: python -m bench [--strokes DIR] [--backgrounds DIR] [--boards 250]

Delete a file in bench/results to measure it afresh. How long routes take is always measured. Photos of the published
boards are not part of this project, so docs/editions.md is left alone: see ``python -m bench.blanks --help``.
"""

from __future__ import annotations

import argparse

from bench import (
    accuracy,
    auto,
    cities,
    cities_page,
    drawn,
    ferries,
    game,
    game_page,
    lines,
    one_game,
    pens,
    playing,
    printed,
    referee,
    refusal,
    report,
    rolling,
    route,
    several,
    several_page,
    sheets,
    sheets_page,
    sheets_refusal,
    signs,
    speed,
    sums,
    tesseract,
    tour,
)

MAPS = ("usa", "europe-home")
"""Maps with boards of discs."""


def main() -> None:
    """Run all parts in turn."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("--boards", default="250", help="photos per tier")
    parser.add_argument("--pictures", default="1000", help="pictures without a board")
    parser.add_argument("--strokes", help="folder of recorded pen strokes")
    parser.add_argument("--backgrounds", help="folder of photos of tables")
    options = parser.parse_args()
    strokes = ["--strokes", options.strokes] if options.strokes else []
    tables = ["--backgrounds", options.backgrounds] if options.backgrounds else []
    speed.main([])
    for map_id in MAPS:
        accuracy.main(["--map", map_id, "--boards", options.boards, *strokes, *tables])
    refusal.main(["--pictures", options.pictures, *tables])
    auto.main([*strokes, *tables])
    tesseract.main([*strokes, *tables])
    game.main(["--boards", options.boards, *strokes, *tables])
    several.main(["--boards", options.boards, *strokes, *tables])
    one_game.main([*strokes, *tables])
    pens.main([*strokes, *tables])
    signs.main([*strokes, *tables])
    route.main([])
    tour.main([])
    referee.main([])
    playing.main([])
    rolling.main([])
    printed.main([])
    sheets.main([*strokes, *tables])
    sheets_refusal.main(tables)
    cities.main([*strokes, *tables])
    ferries.main([*strokes, *tables])
    drawn.main([*strokes, *tables])
    lines.main([*strokes, *tables])
    sums.main([*strokes, *tables])
    report.main()
    game_page.main()
    several_page.main()
    sheets_page.main()
    cities_page.main()


if __name__ == "__main__":
    main()
