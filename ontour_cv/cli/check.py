"""``ontour-cv check``: what a board breaks, by itself or by the log of its game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from ontour_cv.cli.board_input import BoardWords, JsonOption, read_board
from ontour_cv.cli.console import make_console, print_json, print_paragraph
from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate

DEFAULT_MAP = "usa"

CheckMapOption = Annotated[
    str | None, typer.Option("--map", metavar="MAP", help="Which map; default: the game's, or usa.")
]
RulesOption = Annotated[
    str | None, typer.Option("--rules", metavar="RULES", help="rulebook or bga; default: the map's own.")
]
CheckRulesOption = Annotated[
    str | None, typer.Option("--rules", metavar="RULES", help="rulebook or bga; default: the game's, or the map's own.")
]
GameLogOption = Annotated[
    str | None, typer.Option("--game", metavar="GAME", help="The game it comes from: a file, or a name from games.")
]
TurnsOption = Annotated[bool, typer.Option("--turns", help="With --game: also what was written for each roll.")]
KeepOption = Annotated[
    bool, typer.Option("--keep", help="With --game, for a game of Rolling America played alone: keep its score.")
]
StrictOption = Annotated[
    bool,
    typer.Option("--strict-x", help="With --game: no X while some choice of cards and states lets both numbers in."),
]


def check(
    board: BoardWords,
    map_id: CheckMapOption = None,
    rules: CheckRulesOption = None,
    game: GameLogOption = None,
    turns: TurnsOption = False,
    strict_x: StrictOption = False,
    keep: KeepOption = False,
    as_json: JsonOption = False,
) -> None:
    """Check a board against the rules, or against the log of its game.

    Alone, it lists everything a correct game cannot end with, and the states concerned. With `--game` it decides
    whether that game can have come out like this, and names the fewest slips when it cannot; empty states are fine
    then, as long as the rolls so far account for the rest. Problems are no failure of the command: it leaves with 0
    whenever the board could be read.

    A sheet of Rolling America (`--map rolling-america`) is typed with digits, and boxes where they matter:
    `WA=3 OR=3o CA=x @rounds=8 @change=2 @guard=1 @dupe=3 @x=7`. Its score is the number of Xs, blanks and mistakes.
    """
    if game is not None:
        _check_game(board, map_id, rules, game, (turns, strict_x, keep), as_json)
        return
    if turns or strict_x or keep:
        raise UsageError("--turns, --strict-x and --keep need the log of a game.", "Name it with --game.")
    _check_board(board, map_id or DEFAULT_MAP, rules, as_json)


def _check_board(board: Sequence[str], map_id: str, rules: str | None, as_json: bool) -> None:
    from ontour_cv.rules import RULESETS, VARIANTS

    template = load_map(map_id)
    key = _known(rules or template.rules, template)
    if key not in RULESETS:
        from ontour_cv.cli.check_sheet import check_sheet

        check_sheet(board, template, VARIANTS[key], as_json)
        return
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


def _check_game(
    board: Sequence[str],
    map_id: str | None,
    rules: str | None,
    game: str,
    flags: tuple[bool, bool, bool],
    as_json: bool,
) -> None:
    from ontour_cv.cli.check_game import show_turns, show_verdict
    from ontour_cv.dealer.log import load_game
    from ontour_cv.dealer.shelf import find_game, games_dir
    from ontour_cv.referee import struck, verdict_document, verify
    from ontour_cv.rules import RULESETS

    turns, strict_x, keep = flags
    path = find_game(game, games_dir())
    record = load_game(path).record
    template = load_map(map_id or record.map_id)
    key = _known(rules or record.rules, template)
    if key not in RULESETS:
        from ontour_cv.cli.check_sheet import check_sheet_game

        if strict_x:
            raise UsageError(f"--strict-x is not for {template.title}.", "Leave it away.")
        check_sheet_game(board, template, (path, record), (turns, keep), as_json)
        return
    if keep:
        raise UsageError("--keep is for games of Rolling America played alone.", "Leave it away.")
    ruleset = RULESETS[key]
    state = read_board(board, template)
    verdict = verify(template, replace(ruleset.variant, x_last_resort=strict_x), record, state)
    scores = ruleset.score(template, state), ruleset.score(template, struck(state, verdict))
    if as_json:
        head = {"map": template.id, "rules": ruleset.variant.key, "game": str(path), "board": str(state)}
        written, without = ({"total": s.total, "visited": s.visited, "circles": s.circles} for s in scores)
        document = verdict_document(verdict, record)
        print_json(head | document | {"score": written, "score_without_faulty": without})
        return
    if turns:
        show_turns(verdict, record)
    show_verdict(verdict, record, state, scores)


def _known(key: str, template: MapTemplate) -> str:
    """The key itself; ``UsageError`` when the map is not played by rules of that name."""
    from ontour_cv.rules import variants_for

    known = variants_for(template.rules)
    if key not in known:
        raise UsageError(f"{template.title} has no rules called {key!r}", f"Its rules: {', '.join(known)}.")
    return key
