"""``ontour-cv solve``: the best route of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.board import BoardState, format_mark
from ontour_cv.cli.board_input import BoardWords, JsonOption, MapOption, read_board
from ontour_cv.cli.console import counted, make_console, print_json, print_route
from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_map

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.maps.model import MapTemplate
    from ontour_cv.route import RouteSet

MOST_ROUTES = 100
"""How many best routes ``--all`` writes out; of more it tells the count."""


def solve(
    board: BoardWords,
    map_id: MapOption = "usa",
    every: Annotated[
        bool, typer.Option("--all", help=f"Every best route (the count and {MOST_ROUTES} of them when there are more).")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Find the best route of a board and prove that no other scores more.

    The score is the states visited and, once more, those of them that are circled. A route follows printed links, its
    numbers never fall, and no state comes twice; a star fits anywhere, an X cannot be passed. The board is taken as
    it is written: ontour-cv check tells what is wrong with it.

    In New York (`SOHO=37s STG=41 ~SOHO-STG`) a route also uses the ferries that are drawn, and the score is the
    neighbourhoods visited, the highest number crossed off for each kind of soloist, and the bonus for all boroughs.
    """
    from ontour_cv.rules import NEW_YORK, RULESETS, VARIANTS

    template = load_map(map_id)
    if VARIANTS[template.rules].game == NEW_YORK:
        from ontour_cv.cli.city import solve_city

        if every:
            raise UsageError(f"--all is not for {template.title}.", "Leave it away: one best route is shown.")
        solve_city(board, template, as_json)
        return
    if template.rules not in RULESETS:
        remedy = f"Its score is the number of Xs: ontour-cv check --map {template.id}."
        raise UsageError(f"{template.title} has no route.", remedy)
    state = read_board(board, template)
    best = RULESETS[template.rules].best(template, state, MOST_ROUTES if every else 1)
    if as_json:
        print_json({"map": template.id, "board": str(state)} | _document(best, every))
    else:
        _show(best, template, state, every, make_console())


def _document(best: RouteSet, every: bool) -> dict[str, object]:
    routes = [list(route.places) for route in best.routes]
    document: dict[str, object] = {
        "route": routes[0] if routes else [],
        "score": {"total": best.total, "visited": best.visited, "circles": best.circles},
    }
    return document | ({"count": best.count, "routes": routes, "truncated": best.truncated} if every else {})


def _show(best: RouteSet, template: MapTemplate, board: BoardState, every: bool, console: Console) -> None:
    parts = f"{template.counted(best.visited)} + {counted(best.circles, 'circle')}"
    console.print(f"[bold green]{counted(best.total, 'point')}[/] = {parts}")
    if every:
        some = f", the first {len(best.routes)} of them" if best.truncated else ""
        console.print(f"{best.count} best {'route' if best.count == 1 else 'routes'}{some}:")
    for route in best.routes:
        print_route((f"{place} {format_mark(board.marks[place])}" for place in route.places), console)
