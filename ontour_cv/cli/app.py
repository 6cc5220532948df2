"""The commands of ``ontour-cv``, gathered.

Each command lives in a file of its own, ``cli/<name>.py``, as a plain function whose parameters are the arguments and
options (``Annotated[..., typer.Option(...)]``) and whose docstring is its help page; here it is only given its name.
Those files may import typer, errors, board and other light modules at the top; whatever is heavy (cv2, numpy, rich,
the scorer, the solver) they import inside the function, so that ``--help`` is there at once. They raise
:class:`~ontour_cv.errors.OnTourError` for what went wrong and never catch it: ``cli.main`` does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontour_cv import __version__
from ontour_cv.cli.calibrate import calibrate
from ontour_cv.cli.camera_options import CameraCommand
from ontour_cv.cli.check import check
from ontour_cv.cli.deal import deal_app
from ontour_cv.cli.games import games
from ontour_cv.cli.maps import maps
from ontour_cv.cli.print_sheets import print_sheets
from ontour_cv.cli.score import score
from ontour_cv.cli.solve import solve
from ontour_cv.errors import UsageError
from ontour_cv.resources import more_maps

app = typer.Typer(
    add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode="markdown"
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ontour-cv {__version__}")
        raise typer.Exit


@app.callback()
def top(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    maps_dir: Annotated[
        list[Path] | None,
        typer.Option(
            "--maps-dir",
            metavar="DIR",
            help="Look for maps and editions here, too (repeatable). Always looked in: the folders of "
            "ONTOUR_CV_MAPS, and ontour-cv/maps where the system keeps your data.",
        ),
    ] = None,
) -> None:
    """Score On Tour boards from a phone photo: read them, referee them, and prove the best route.

    Exit codes: 0 done, or whoever reads the output has seen enough (`| head`); 2 wrong usage; 3 no board found in the
    picture; 4 file unreadable or not written; 5 bad board text, map or game; 130 stopped by Ctrl-C.
    """
    for folder in maps_dir or []:
        if not folder.is_dir():
            raise UsageError(f"--maps-dir {folder} is not a folder", "Name the folder your maps lie in.")
    context.with_resource(more_maps(maps_dir or []))


app.command(cls=CameraCommand)(score)
app.command()(solve)
app.command()(check)
app.command()(maps)
app.command("print")(print_sheets)
app.command()(calibrate)
app.add_typer(deal_app, name="deal")
app.command()(games)
