"""Sheets of cells on paper: two to an upright page, as large as those of a pad, or one large one on its side."""

from __future__ import annotations

from ontour_cv.errors import BadTemplate
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.drawing import Drawing, Group, Item
from ontour_cv.press.paper import MARGIN, Paper, crop_marks, foot
from ontour_cv.press.sheet import ASPECT, draw_sheet, own_look

PER_PAGE = (1, 2)
"""How many sheets may stand on a page."""

GAP = 6.0
"""Between two sheets of a page, mm."""


def has_sheet(template: MapTemplate) -> bool:
    """Whether a map is played on a sheet of cells, not on a board of discs."""
    return any(region.outline for region in template.regions)


def sheet_width(paper: Paper, per_page: int) -> float:
    """Width of each sheet, mm, full tenths: the largest that keeps the paper's margins."""
    if per_page == 1:
        wide, high = paper.height - 2 * MARGIN, paper.width - 2 * MARGIN
    else:
        wide, high = paper.width - 2 * MARGIN, (paper.height - 2 * MARGIN - GAP) / 2
    return int(10 * min(wide, high / ASPECT)) / 10


def sheet_page(template: MapTemplate, paper: Paper, per_page: int, lineart: bool) -> Drawing:
    """One page of sheets, with marks for the cuts.

    Raises:
        BadTemplate: the map has cells of another shape than this drawing knows.
        ValueError: ``per_page`` is none of ``PER_PAGE``.
    """
    if per_page not in PER_PAGE:
        raise ValueError(f"{per_page} sheets a page; expected one of {PER_PAGE}")
    width = sheet_width(paper, per_page)
    try:
        sheet = draw_sheet(template, own_look(template, lineart), width)
    except ValueError as fault:
        raise BadTemplate(
            f"the sheet of {template.title} cannot be drawn: {fault}",
            "Give every region an outline of level and upright sides, or none at all.",
        ) from fault
    wide, high = (paper.height, paper.width) if per_page == 1 else (paper.width, paper.height)
    left = (wide - width) / 2
    step = sheet.height + GAP
    top = (high - per_page * step + GAP) / 2
    items: list[Item] = []
    for k in range(per_page):
        items.append(Group(sheet.items, 1.0, (left, top + k * step)))
    items += crop_marks(left, top, left + width, top + (per_page - 1) * step + sheet.height)
    for k in range(per_page - 1):  # the cut between two sheets
        items += crop_marks(left, top + k * step + sheet.height, left + width, top + (k + 1) * step)
    words = f"{template.title}, ontour-cv; true to scale when a sheet is {width:.1f} mm wide"
    items.append(foot(words, wide, high, width))
    return Drawing(wide, high, tuple(items))
