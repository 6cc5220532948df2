"""A sheet's report drawn over its photo, written to a file."""

from __future__ import annotations

from pathlib import Path

from ontour_cv.board import Kind, Mark
from ontour_cv.render import palette
from ontour_cv.render.paint import Colour, Picture
from ontour_cv.rules.rolling import View
from ontour_cv.scorer.drawing import save_picture
from ontour_cv.scorer.sheet_report import BOX_NAMES, SheetReport
from ontour_cv.sheet import format_cell
from ontour_cv.vision.sheet_glyphs import BOX_GROUPS


def save_sheet_overlay(report: SheetReport, path: Path) -> None:
    """Write the overlay of ``report`` to ``path``, in the format of its ending; ``UsageError`` when that fails."""
    save_picture(sheet_overlay_of(report), path)


def sheet_overlay_of(report: SheetReport) -> Picture:
    """The annotated picture of ``report``, ``(H, W, 3)`` uint8 BGR."""
    from ontour_cv.render.sheet_overlay import SheetFindings, draw_sheet_overlay

    view = View(report.template, report.sheet)
    clashes = view.clashes()
    tags = {state: _tag(cell.mark, cell.doubtful) for state, cell in report.cells.items()}
    tags |= {boxes[0]: f"{report.boxes[name].value}" for name, boxes in BOX_GROUPS.items() if name in report.boxes}
    written = report.boxes.get("x")
    if written is not None:
        tags["numXs"] = "-" if written.value is None else str(written.value)
    doubtful = {name for name in report.uncertain if not name.startswith("@")}
    for name, boxes in (*BOX_GROUPS.items(), ("x", ("numXs",))):
        if name in report.boxes and report.boxes[name].doubtful:
            doubtful |= set(boxes)
    faulty = {s for p in report.problems if p.rule not in ("unread", "boxes", "dice", "blank") for s in p.regions}
    findings = SheetFindings(
        title=f"{report.template.title}: {headline(report)}",
        tags=tags,
        doubtful=frozenset(doubtful),
        ask=frozenset(report.ask),
        faulty=frozenset(faulty),
        clashes=clashes,
        notes=tuple(_notes(report)),
    )
    placement = report.reading.placement
    return draw_sheet_overlay(report.reading.photo, placement.warp, placement.model, findings)


def headline(report: SheetReport) -> str:
    """The score in a few words, with its range while questions are open."""
    total = report.score.total
    words = f"{total} {'X' if total == 1 else 'Xs'}, {report.score.powers} powers used"
    low, high = report.score_range
    return words + (f" ({low} to {high} until the doubts are answered)" if low != high else "")


def _tag(mark: Mark, doubtful: bool) -> str:
    sign = {Kind.EMPTY: "-", Kind.BLOCKED: "X", Kind.UNREAD: "?"}.get(mark.kind) or format_cell(mark)[:1]
    sign += "o" if mark.circled else ""
    return sign + ("?" if doubtful and mark.kind is not Kind.UNREAD else "")


def _notes(report: SheetReport) -> list[tuple[Colour, str]]:
    from ontour_cv.render.sheet_overlay import listed

    notes: list[tuple[Colour, str]] = [(palette.PROBLEM, p.text) for p in report.problems if p.rule != "unread"][:8]
    if report.ask:
        notes.append((palette.DOUBT, f"Can change the score: {listed(report.ask)}."))
    others = [BOX_NAMES.get(name.removeprefix("@"), name) for name in report.uncertain if name not in report.ask]
    if others:
        what = "and asked about later if need be" if report.more else "but unlikely to matter for the score"
        notes.append((palette.DOUBT, f"In doubt, {what}: {listed(others)}."))
    return notes or [(palette.GOOD, "No problem found, no doubt.")]
