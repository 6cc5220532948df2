"""The commands of ``ontour-cv``, gathered.

Each command lives in a file of its own, ``cli/<name>.py``, as a plain function whose parameters are the arguments and
options (``Annotated[..., typer.Option(...)]``) and whose docstring is its help page; here it is only given its name.
Those files may import typer, errors, board and other light modules at the top; whatever is heavy (cv2, numpy, rich,
the scorer, the solver) they import inside the function, so that ``--help`` is there at once. They raise
:class:`~ontour_cv.errors.OnTourError` for what went wrong and never catch it: ``cli.main`` does.
"""

from __future__ import annotations

from typing import Annotated

import typer

from ontour_cv import __version__
from ontour_cv.cli.calibrate import calibrate
from ontour_cv.cli.check import check
from ontour_cv.cli.deal import deal_app
from ontour_cv.cli.games import games
from ontour_cv.cli.maps import maps
from ontour_cv.cli.score import score
from ontour_cv.cli.solve import solve

app = typer.Typer(
    add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode="markdown"
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ontour-cv {__version__}")
        raise typer.Exit


@app.callback()
def top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Score On Tour boards from a phone photo: read them, referee them, and prove the best route.

    Exit codes: 0 done; 2 wrong usage; 3 no board found in the picture; 4 file unreadable or not written; 5 bad board
    text, map or game.
    """


app.command()(score)
app.command()(solve)
app.command()(check)
app.command()(maps)
app.command()(calibrate)
app.add_typer(deal_app, name="deal")
app.command()(games)
