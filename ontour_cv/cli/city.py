"""``ontour-cv check`` and ``solve`` on a board of New York."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ontour_cv.board import Kind, format_mark
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard, format_cell
from ontour_cv.cli.board_input import read_city_board
from ontour_cv.cli.console import counted, make_console, print_json, print_paragraph, print_route
from ontour_cv.maps.city import INSTRUMENTS

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.maps.model import MapTemplate
    from ontour_cv.referee.city_verdict import CityDeed, CityVerdict
    from ontour_cv.rules import Variant
    from ontour_cv.rules.city import CityScore

UNDECIDED = "the search ended before it found whether the game can have come out like this."


def check_city(words: Sequence[str], template: MapTemplate, variant: Variant, as_json: bool) -> None:
    """Print the problems of the board that ``words`` spell, and what its best route is worth."""
    from ontour_cv.rules.city import city_problems, city_score, score_document

    board = read_city_board(words, template)
    problems, score = city_problems(template, board), city_score(template, board)
    if as_json:
        listed = [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in problems]
        head = {"map": template.id, "rules": variant.key, "board": str(board)}
        print_json(head | {"problems": listed, "score": score_document(score)})
        return
    console = make_console()
    if not problems:
        print_paragraph(f"No problem found: a game played {variant.title} can come to this.", console)
    for number, problem in enumerate(problems, start=1):
        print_paragraph(f"{number}. {problem.text}", console)
    print_paragraph(f"Score: {city_points(score)}.", console)
    show_tracks(board, score, console)


def check_city_game(
    words: Sequence[str], template: MapTemplate, game: tuple[Path, GameRecord], turns: bool, as_json: bool
) -> None:
    """Print the verdict on the board that ``words`` spell, by the log of its game, and what it scores.

    Args:
        words: the board.
        template: the map.
        game: the log's file and what it holds.
        turns: whether to tell what was done with every roll.
        as_json: JSON instead of text.
    """
    from ontour_cv.referee.city_verdict import city_verdict_document, struck_city
    from ontour_cv.referee.city_verify import verify_city
    from ontour_cv.rules.city import city_score, score_document

    path, record = game
    board = read_city_board(words, template)
    verdict = verify_city(template, record, board)
    written = city_score(template, board)
    struck = city_score(template, struck_city(board, verdict)) if verdict.slips else written
    if as_json:
        head = {"map": template.id, "rules": record.rules, "game": str(path), "board": str(board)}
        scores = {"score": score_document(written), "score_without_faulty": score_document(struck)}
        print_json(head | city_verdict_document(verdict, record) | scores)
        return
    console = make_console()
    if turns:
        _show_turns(verdict, record, console)
    print_paragraph(_head(verdict), console)
    accused = verdict.decided or verdict.at_least > 0
    for number, slip in enumerate(verdict.slips if accused else (), start=1):
        print_paragraph(f"{number}. {slip.text}", console)
    unread = [*board.board.of_kind(Kind.UNREAD)]
    unread += [f"the soloist of {region}" for region, letter in board.soloists.items() if letter == UNREAD_SOLOIST]
    if unread:
        print_paragraph(f"Unread, taken for whatever fits: {', '.join(unread)}.", console)
    if verdict.complete and verdict.rolls < len(record.rolls):
        print_paragraph(f"The board shows the first {verdict.rolls} of the game's {len(record.rolls)} rolls.", console)
    print_paragraph(f"As written: {city_points(written)}.", console)
    gone = [*sorted(verdict.faulty), *(f"the ferry {a}-{b}" for a, b in verdict.faulty_ferries)]
    if gone and accused:
        print_paragraph(f"Without {', '.join(gone)}: {city_points(struck)}.", console)
    show_tracks(board, written, console)


def solve_city(words: Sequence[str], template: MapTemplate, as_json: bool) -> None:
    """Print the best route of the board that ``words`` spell, proved."""
    from ontour_cv.rules.city import city_score, score_document

    board = read_city_board(words, template)
    score = city_score(template, board)
    if as_json:
        document = {"map": template.id, "board": str(board), "route": list(score.route)}
        print_json(document | {"score": score_document(score)})
        return
    console = make_console()
    console.print(f"[bold green]{counted(score.total, 'point')}[/] = {_parts(score)}")
    print_route((stop_text(board, score.route, place) for place in range(len(score.route))), console)
    console.print(f"Cross off: {_rows(score)}.", markup=False, soft_wrap=True)


def city_points(score: CityScore) -> str:
    """``26 points = 14 neighbourhoods + 5 for soloists + 7 for all boroughs``."""
    return f"{counted(score.total, 'point')} = {_parts(score)}"


def show_tracks(board: CityBoard, score: CityScore, console: Console) -> None:
    """Where the rows crossed off are not those of the best route."""
    other = [letter for letter, crossed in board.tracks.items() if crossed != score.soloists[letter]]
    if other:
        said = ", ".join(f"{INSTRUMENTS[letter]} {board.tracks[letter]}" for letter in other)
        due = ", ".join(f"{INSTRUMENTS[letter]} {score.soloists[letter]}" for letter in other)
        print_paragraph(f"Crossed off: {said}; the best route has: {due}.", console)


def _head(verdict: CityVerdict) -> str:
    from ontour_cv.referee.city_verify import MOST_SLIPS

    if verdict.legal:
        return "Legal: the game can have come out like this."
    count, least = len(verdict.slips), verdict.at_least
    if not verdict.decided and least == 0:
        return f"Not decided: {UNDECIDED}"
    if not verdict.complete and not verdict.decided:
        return f"Not legal: {counted(least, 'slip')} or more; which ones could not be settled."
    if not verdict.complete:
        more = f"more than {MOST_SLIPS}"
        return f"Not legal: it would take {more} slips to explain this board, so it is probably not from this game."
    more = "" if verdict.decided else f"; {least} or more are needed"
    return f"Not legal. {count} {'slip explains' if count == 1 else 'slips explain'} the board{more}:"


def _show_turns(verdict: CityVerdict, record: GameRecord, console: Console) -> None:
    """What was done with each roll, a line each."""
    from ontour_cv.referee.words import turn_name

    for index in range(verdict.rolls if verdict.complete else 0):
        deeds = [_deed(deed) for deed in verdict.explanation if deed.roll == index]
        if deeds:
            print_paragraph(f"{turn_name(record.rolls, index)}: {', '.join(deeds)}", console)
    for deed in verdict.explanation:
        if deed.roll is None:
            print_paragraph(f"Central Park: {_deed(deed)}", console)


def _deed(deed: CityDeed) -> str:
    if deed.what == "ferry":
        return "a ferry"
    if deed.region is None or deed.mark is None:
        return f"{deed.what} not written"
    there = format_mark(deed.mark)
    written = f"{deed.what} in {deed.region}" if there == deed.what else f"{deed.what} as {there} in {deed.region}"
    return f"{written} with {deed.card}" if deed.card else written


def _parts(score: CityScore) -> str:
    bonus = f" + {score.bonus} for all boroughs" if score.bonus else ""
    return f"{counted(score.visited, 'neighbourhood')} + {score.soloist_points} for soloists{bonus}"


def _rows(score: CityScore) -> str:
    return ", ".join(f"{INSTRUMENTS[letter]} {count}" for letter, count in score.soloists.items())


def stop_text(board: CityBoard, route: Sequence[str], place: int) -> str:
    """``SOHO 37s``, with ``~`` before it when a ferry leads there."""
    region = route[place]
    by_ferry = place > 0 and route[place - 1] in board.ferries_at(region)
    return f"{'~' * by_ferry}{region} {format_cell(board.marks[region], board.soloists.get(region, ''))}"
