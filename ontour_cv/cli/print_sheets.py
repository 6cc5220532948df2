"""``ontour-cv print``: boards, sheets and cards as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.cli.board_input import full_map_id
from ontour_cv.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ontour_cv.maps.model import MapTemplate
    from ontour_cv.press.design import BoardDesign
    from ontour_cv.press.drawing import Drawing

MAGIC = b"%PDF-"
"""What every PDF starts with."""


MapArgument = Annotated[
    str,
    typer.Argument(metavar="MAP", callback=full_map_id, help="Which map, or how it begins; ontour-cv maps lists them."),
]


def print_sheets(
    map_id: MapArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE.pdf", help="The PDF to write.")],
    cards: Annotated[bool, typer.Option("--cards", help="The deck instead of the board, nine cards a page.")] = False,
    blank_cards: Annotated[
        bool, typer.Option("--blank-cards", help="Cards to write on: a page, or with --cards the rest of the last one.")
    ] = False,
    paper: Annotated[str, typer.Option("--paper", metavar="SIZE", help="a4, letter or a3.")] = "a4",
    color: Annotated[bool, typer.Option("--color/--lineart", help="In colour, or lines only, to save ink.")] = True,
    tiled: Annotated[
        bool, typer.Option("--tiled", help="The board in two halves to glue together, discs 15.8 mm across.")
    ] = False,
    per_page: Annotated[
        int | None,
        typer.Option(
            "--per-page", metavar="N", help="Sheets on a page: 2, as large as a pad's (the default), or 1, larger."
        ),
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(
            "--calibration",
            metavar="DIR",
            help="Also write MAP-own.json: where the discs lie, so that score reads the printed board.",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="With --calibration: over a MAP-own.json of another board.")
    ] = False,
) -> None:
    """Print a board, sheets or cards: a PDF true to scale, drawn by this project, to cut out and play.

    Print it at 100 %, not fitted to the page. Boards have the project's own design; photos of them are read as those of
    published boards. For maps that come with the program nothing else is needed; for a map of your own give
    --calibration once, with the folder the map lies in.
    """
    from ontour_cv.files import write_file
    from ontour_cv.maps.load import load_map
    from ontour_cv.press.design import load_design
    from ontour_cv.press.paper import PAPERS
    from ontour_cv.press.pdf import make_pdf
    from ontour_cv.press.product import Order, make_pages
    from ontour_cv.press.sheet_pages import has_sheet

    if (size := PAPERS.get(paper.lower())) is None:
        raise UsageError(f"there is no paper called {paper!r}", f"Choose one of: {', '.join(PAPERS)}.")
    _check_output(output, tiled and (cards or blank_cards))
    template = load_map(map_id)
    sheets = has_sheet(template)
    _check_sheets(template.title, sheets, per_page, calibration, replace)
    design = load_design(template)
    write_calibration = _calibration(template, design, calibration, replace)
    order = Order(size, not color, tiled, cards, blank_cards, per_page or 2)
    pages = make_pages(template, design, order)
    what = "cards" if cards or blank_cards else "sheets" if sheets else "board"
    write_file(output, make_pdf(pages, f"{template.title}, {what}"), "Choose another name: -o FILE.pdf")
    typer.echo(f"{output}: {_told(pages)} Print at 100 %, not fitted to the page.")
    write_calibration()


def _calibration(template: MapTemplate, design: BoardDesign, folder: Path | None, replace: bool) -> Callable[[], None]:
    """What writes the calibration into ``folder``, if any; it is made now, so that a wrong one stops the print too."""
    if folder is None:
        return lambda: None
    from ontour_cv.calibrate.drawn import check_drawn, drawn_edition
    from ontour_cv.calibrate.edition import write_edition

    edition, residuals = drawn_edition(template, design)
    check_drawn(template, edition, residuals, folder, replace)

    def write() -> None:
        path = write_edition(folder, edition, residuals, "Choose another folder: --calibration DIR.")
        typer.echo(f"{path}: where its discs lie.")

    return write


def _check_sheets(title: str, sheets: bool, per_page: int | None, calibration: Path | None, replace: bool) -> None:
    """``UsageError`` when an option is for sheets and there is a board, or the other way round."""
    if per_page is not None and not sheets:
        raise UsageError(f"--per-page is for sheets; {title} is played on a board", "Leave it away.")
    if per_page not in (None, 1, 2):
        raise UsageError(f"{per_page} sheets on a page cannot be printed", "Choose --per-page 1 or 2.")
    if calibration is not None and sheets:
        raise UsageError(f"{title} needs no calibration: its map says where its cells lie", "Leave --calibration away.")
    if replace and calibration is None:
        raise UsageError(
            "--replace is for the file that --calibration writes", "Leave it away, or add --calibration DIR."
        )


def _told(pages: list[Drawing]) -> str:
    count = f"{len(pages)} page{'s' if len(pages) > 1 else ''}"
    return f"{count} of {pages[0].width:g} x {pages[0].height:g} mm."


def _check_output(path: Path, halved_cards: bool) -> None:
    """``UsageError`` unless a PDF may be written to ``path``, a new one or over another, and no card is halved."""
    if halved_cards:
        raise UsageError("--tiled is for boards, not for cards", "Leave it away, or print the board first.")
    if not path.name:
        raise UsageError("-o names no file", "Name the PDF to write: -o board.pdf")
    if path.suffix.lower() != ".pdf":
        raise UsageError(f"-o {path}: what is printed is a PDF", f"Choose a name that ends so: -o {path.stem}.pdf")
    if path.is_file() and not _may_go(path):
        raise UsageError(
            f"{path} is there and is no PDF, so it is not written over", "Choose another name: -o FILE.pdf"
        )


def _may_go(path: Path) -> bool:
    """True for a PDF, and for a file that holds nothing."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) in (MAGIC, b"")
    except OSError:
        return False
