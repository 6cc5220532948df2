"""``ontour-cv check`` and ``solve`` on a board of New York."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ontour_cv.city_board import CityBoard, format_cell
from ontour_cv.cli.board_input import read_city_board
from ontour_cv.cli.console import make_console, print_json, print_paragraph, print_route
from ontour_cv.maps.city import INSTRUMENTS

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.maps.model import MapTemplate
    from ontour_cv.rules import Variant
    from ontour_cv.rules.city import CityScore


def check_city(words: Sequence[str], template: MapTemplate, variant: Variant, as_json: bool) -> None:
    """Print the problems of the board that ``words`` spell, and what its best route is worth."""
    from ontour_cv.rules.city import city_problems, city_score

    board = read_city_board(words, template)
    problems, score = city_problems(template, board), city_score(template, board)
    if as_json:
        listed = [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in problems]
        head = {"map": template.id, "rules": variant.key, "board": str(board)}
        print_json(head | {"problems": listed, "score": city_document(score)})
        return
    console = make_console()
    if not problems:
        print_paragraph(f"No problem found: a game played {variant.title} can end like this.", console)
    for number, problem in enumerate(problems, start=1):
        print_paragraph(f"{number}. {problem.text}", console)
    print_paragraph(f"Score: {city_points(score)}.", console)
    show_tracks(board, score, console)


def solve_city(words: Sequence[str], template: MapTemplate, as_json: bool) -> None:
    """Print the best route of the board that ``words`` spell, proved."""
    from ontour_cv.rules.city import city_score

    board = read_city_board(words, template)
    score = city_score(template, board)
    if as_json:
        document = {"map": template.id, "board": str(board), "route": list(score.route)}
        print_json(document | {"score": city_document(score)})
        return
    console = make_console()
    console.print(f"[bold green]{score.total} points[/] = {_parts(score)}")
    print_route((_stop(board, score.route, place) for place in range(len(score.route))), console)
    console.print(f"Cross off: {_rows(score)}.", markup=False, soft_wrap=True)


def city_points(score: CityScore) -> str:
    """``26 points = 14 neighbourhoods + 5 for soloists + 7 for all boroughs``."""
    return f"{score.total} {'point' if score.total == 1 else 'points'} = {_parts(score)}"


def city_document(score: CityScore) -> dict[str, object]:
    """A score as JSON has it."""
    return {
        "total": score.total,
        "visited": score.visited,
        "soloists": {INSTRUMENTS[letter]: count for letter, count in score.soloists.items()},
        "soloist_points": score.soloist_points,
        "boroughs": list(score.boroughs),
        "bonus": score.bonus,
    }


def show_tracks(board: CityBoard, score: CityScore, console: Console) -> None:
    """Where the rows crossed off are not those of the best route."""
    other = [letter for letter, crossed in board.tracks.items() if crossed != score.soloists[letter]]
    if other:
        said = ", ".join(f"{INSTRUMENTS[letter]} {board.tracks[letter]}" for letter in other)
        due = ", ".join(f"{INSTRUMENTS[letter]} {score.soloists[letter]}" for letter in other)
        print_paragraph(f"Crossed off: {said}; the best route has: {due}.", console)


def _parts(score: CityScore) -> str:
    places = f"{score.visited} {'neighbourhood' if score.visited == 1 else 'neighbourhoods'}"
    bonus = f" + {score.bonus} for all boroughs" if score.bonus else ""
    return f"{places} + {score.soloist_points} for soloists{bonus}"


def _rows(score: CityScore) -> str:
    return ", ".join(f"{INSTRUMENTS[letter]} {count}" for letter, count in score.soloists.items())


def _stop(board: CityBoard, route: Sequence[str], place: int) -> str:
    """``SOHO 37s``, with ``~`` before it when a ferry leads there."""
    region = route[place]
    by_ferry = place > 0 and route[place - 1] in board.ferries_at(region)
    return f"{'~' * by_ferry}{region} {format_cell(board.marks[region], board.soloists.get(region, ''))}"
