"""``ontour-cv check``: what a board breaks."""

from __future__ import annotations

from typing import Annotated

import typer

from ontour_cv.cli.board_input import BoardWords, JsonOption, MapOption, read_board
from ontour_cv.cli.console import make_console, print_json, print_paragraph
from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_map

RulesOption = Annotated[
    str | None, typer.Option("--rules", metavar="RULES", help="rulebook or bga; default: the map's own.")
]


def check(board: BoardWords, map_id: MapOption = "usa", rules: RulesOption = None, as_json: JsonOption = False) -> None:
    """Check a finished board against the rules.

    Lists everything a correct game cannot end with, and the states concerned. Problems are no failure of the command:
    it leaves with 0 whenever the board could be read.
    """
    from ontour_cv.rules import RULESETS

    template = load_map(map_id)
    key = rules or template.rules
    if key not in RULESETS:
        raise UsageError(f"there are no rules called {key!r}", f"Rules there are: {', '.join(RULESETS)}.")
    state = read_board(board, template)
    problems = RULESETS[key].problems(template, state)
    if as_json:
        listed = [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in problems]
        print_json({"map": template.id, "rules": key, "board": str(state), "problems": listed})
        return
    console = make_console()
    if not problems:
        print_paragraph(f"No problem found: a game played {RULESETS[key].variant.title} can end like this.", console)
    for number, problem in enumerate(problems, start=1):
        print_paragraph(f"{number}. {problem.text}", console)
