"""``ontour-cv check``: what a board breaks, by itself or by the log of its game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from ontour_cv.cli.board_input import BoardWords, JsonOption, full_map_id, read_board
from ontour_cv.cli.console import make_console, print_json, print_paragraph
from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_map

DEFAULT_MAP = "usa"

CheckMapOption = Annotated[
    str | None,
    typer.Option("--map", metavar="MAP", callback=full_map_id, help="Which map; default: the game's, or usa."),
]
CheckRulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="RULES",
        help="Which rules; ontour-cv maps lists them. Default: the game's, or the map's own.",
    ),
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
    typer.Option("--strict-x", help="With --game: as --rules strict-x does, whatever else the rules say."),
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
    _check_board(board, DEFAULT_MAP if map_id is None else map_id, rules, as_json)


def _check_board(board: Sequence[str], map_id: str, rules: str | None, as_json: bool) -> None:
    from ontour_cv.rules import NEW_YORK, ROLLING_AMERICA, ruleset, variant_for

    template = load_map(map_id)
    variant = variant_for(template.rules, rules)
    if variant.game == NEW_YORK:
        from ontour_cv.cli.city import check_city

        check_city(board, template, variant, as_json)
        return
    if variant.game == ROLLING_AMERICA:
        from ontour_cv.cli.check_sheet import check_sheet

        check_sheet(board, template, variant, as_json)
        return
    state = read_board(board, template)
    problems = ruleset(variant).problems(template, state)
    if as_json:
        listed = [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in problems]
        print_json({"map": template.id, "rules": variant.key, "board": str(state), "problems": listed})
        return
    console = make_console()
    if not problems:
        print_paragraph(f"No problem found: a game played {variant.title} can end like this.", console)
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
    from ontour_cv.rules import NEW_YORK, ROLLING_AMERICA, ruleset, variant_for

    turns, strict_x, keep = flags
    path = find_game(game, games_dir())
    record = load_game(path).record
    template = load_map(record.map_id if map_id is None else map_id)
    record.check_map(template.id)
    variant = variant_for(template.rules, rules)
    if rules is None and record.variant.game == variant.game:
        variant = record.variant
    if variant.game == ROLLING_AMERICA:
        from ontour_cv.cli.check_sheet import check_sheet_game

        if strict_x:
            raise UsageError(f"--strict-x is not for {template.title}.", "Leave it away.")
        check_sheet_game(board, template, (path, record), (turns, keep), as_json)
        return
    if keep:
        raise UsageError("--keep is for games of Rolling America played alone.", "Leave it away.")
    if variant.game == NEW_YORK:
        from ontour_cv.cli.city import check_city_game

        if strict_x:
            raise UsageError(f"--strict-x is not for {template.title}.", "Leave it away.")
        check_city_game(board, template, (path, record), turns, as_json)
        return
    if strict_x:
        variant = replace(variant, x_last_resort=True)
    judge = ruleset(variant)
    state = read_board(board, template)
    verdict = verify(template, variant, record, state)
    scores = judge.score(template, state), judge.score(template, struck(state, verdict))
    if as_json:
        head = {"map": template.id, "rules": variant.key, "strict_x": variant.x_last_resort}
        head |= {"game": str(path), "board": str(state)}
        written, without = ({"total": s.total, "visited": s.visited, "circles": s.circles} for s in scores)
        document = verdict_document(verdict, record)
        print_json(head | document | {"score": written, "score_without_faulty": without})
        return
    if turns:
        show_turns(verdict, record)
    show_verdict(verdict, record, template, state, scores)
