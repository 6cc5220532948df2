"""``ontour-cv calibrate``: teach the program a printed edition from a photo of its blank board."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.cli.board_input import full_map_id
from ontour_cv.errors import NotWritten, UsageError

if TYPE_CHECKING:
    from ontour_cv.calibrate.settle import Blank, Settled
    from ontour_cv.maps.model import MapTemplate


def calibrate(
    photo: Annotated[Path, typer.Argument(help="A photo of the blank board: all of it, from above, sharp.")],
    map_id: Annotated[str, typer.Option("--map", metavar="MAP", callback=full_map_id, help="The map the board shows.")],
    name: Annotated[str, typer.Option(help="Short name of the edition: small letters, digits and dashes.")],
    title: Annotated[str, typer.Option(help="Name for people. [default: the short name]")] = "",
    put: Annotated[
        list[str] | None, typer.Option("--assign", metavar="REGION=X,Y", help="Where a disc lies, in photo pixels.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(help="Folder for the file. [default: the first folder of yours in which maps are looked for]"),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take a name that an edition of the map has.")] = False,
    report: Annotated[Path | None, typer.Option(help="Also draw what was found into this PNG.")] = None,
) -> None:
    """Measure where the discs of a printed edition lie, so that its boards can be read.

    Finds the discs, reads the printed abbreviations (this needs Tesseract), and writes `<map>-<name>.json`, which every
    command then knows: into the first folder of --maps-dir or ONTOUR_CV_MAPS, else into ontour-cv/maps where the system
    keeps your data. What it cannot settle it asks; without a terminal, name it with `--assign`.
    """
    from ontour_cv.calibrate.edition import check_edition, write_edition
    from ontour_cv.calibrate.report import write_report
    from ontour_cv.calibrate.run import measure_edition
    from ontour_cv.calibrate.settle import parse_assignments
    from ontour_cv.maps.fields import one_line
    from ontour_cv.maps.load import NAME, load_map
    from ontour_cv.vision.photo import load_photo

    if not NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for an edition.", "Use small letters, digits and dashes, as in 2019.")
    if not one_line(title):
        raise UsageError(
            f"--title {title!r} holds what is not printed.", "Give it on one line, without control characters."
        )
    _check_report(report, photo)
    template = load_map(map_id)
    if any(region.outline for region in template.regions):
        remedy = f"Photos of it are read as they are: ontour-cv score --map {template.id}."
        raise UsageError(f"{template.title} has no discs to measure.", remedy)
    places = parse_assignments(put or [], template)
    _check_name(output, template, name, replace)
    folder = _folder(output)
    found = measure_edition(load_photo(photo), template, name, title or name, places, _ask)
    if report is not None:
        write_report(report, found)
    check_edition(found.edition, template)
    path = write_edition(folder, found.edition, found.residuals, "Choose another folder: --output.")
    typer.echo(f"{path}: {found.edition.measured}.")
    off = found.residuals
    typer.echo(f"Off the rough layout by {off.median:.2f} disc radii (median), {off.largest:.2f} at most.")


def _check_report(report: Path | None, photo: Path) -> None:
    """``UsageError`` when the picture would be drawn over the photo it is made from."""
    if report is not None and report.exists() and photo.exists() and report.samefile(photo):
        raise UsageError(f"--report {report} would write over the photo.", "Choose another name for it.")


def _folder(output: Path | None) -> Path:
    """Where the file goes; a folder that nobody named is made."""
    from ontour_cv import resources

    if output is not None:
        if not output.is_dir():
            raise NotWritten(f"There is no folder {output}.", "Create it, or choose another with --output.")
        return output
    folder = resources.own_maps_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise NotWritten(f"{folder} cannot be made: {fault.strerror}.", "Choose another folder: --output.") from fault
    return folder


def _check_name(output: Path | None, template: MapTemplate, name: str, replace: bool) -> None:
    """``UsageError`` when an edition of the map has this name: a file there would replace it or hide it."""
    from ontour_cv import resources
    from ontour_cv.calibrate.edition import edition_file

    for folder in (*([output] if output else []), *resources.calibration_dirs()):
        path = folder / edition_file(template.id, name)
        if path.exists() and not replace:
            message = f"{template.title} has an edition {name!r} already: {path}."
            raise UsageError(message, "Choose another --name, or add --replace: then the new file counts.")


def _ask(blank: Blank, doubts: Mapping[str, Settled]) -> dict[str, tuple[float, float]]:
    """Where the player says these discs lie; ``UsageError`` when there is nobody to ask."""
    import sys

    near = {region: "{:.0f},{:.0f}".format(*one.place.centre_photo) for region, one in doubts.items()}
    if not sys.stdin.isatty():
        reasons = ", ".join(_reason(region, one) for region, one in doubts.items())
        hints = " ".join(f"--assign {region}={place}" for region, place in near.items())
        raise UsageError(f"Not settled: {reasons}.", f"Look at the photo and say where they are, perhaps {hints}")
    answers: dict[str, tuple[float, float]] = {}
    for region, one in doubts.items():
        where = blank.template.region(region).name
        question = f"Where is the disc of {where} ({_reason(region, one)})? x,y in photo pixels"
        answers |= _answer(question, region, near[region], blank)
    return answers


def _answer(question: str, region: str, proposal: str, blank: Blank) -> dict[str, tuple[float, float]]:
    """The place that is typed; a slip is told and asked about again, so that no answer before it is lost."""
    from ontour_cv.calibrate.settle import check_inside, parse_assignments

    while True:
        text = typer.prompt(question, default=proposal)
        try:
            place = parse_assignments([f"{region}={text}"], blank.template)
            check_inside(blank.photo, place)
        except UsageError as slip:
            typer.echo(f"{slip.message} {slip.remedy}")
        else:
            return place


def _reason(region: str, one: Settled) -> str:
    return f"{region}: no disc seen" if one.label is None else f"{region}: the label reads {one.label}"
