"""``python -m bench``: measures everything and writes the pages; what bench/results already holds is kept.

Usage: python -m bench [--strokes DIR] [--backgrounds DIR] [--boards 250]

Delete a file in bench/results to measure it afresh.
"""

from __future__ import annotations

import argparse

from bench import accuracy, game, game_page, referee, refusal, report, several, several_page, speed, tesseract


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
    accuracy.main(["--boards", options.boards, *strokes, *tables])
    refusal.main(["--pictures", options.pictures, *tables])
    tesseract.main([*strokes, *tables])
    game.main(["--boards", options.boards, *strokes, *tables])
    several.main(["--boards", options.boards, *strokes, *tables])
    referee.main([])
    report.main()
    game_page.main()
    several_page.main()


if __name__ == "__main__":
    main()
