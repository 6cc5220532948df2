"""What became of each of several photos of one board or sheet, and of other boards in the picture, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.report import Outcome, PhotoUse
    from ontour_cv.scorer.sheet_report import SheetReport
    from ontour_cv.vision.others import OtherBoard


def show_uses(photos: Sequence[PhotoUse], console: Console) -> None:
    """A line for each photo, when there are several."""
    for use in photos if len(photos) > 1 else ():
        told = (
            "read together"
            if use.error is None
            else f"[bold red]left out:[/] {escape(use.error.message.removeprefix(f'{use.photo}: '))}"
        )
        console.print(f"  [dim]{escape(use.photo)}:[/] {told}", soft_wrap=True)


def show_unused(
    outcomes: Sequence[Outcome | SheetReport | CityReport], rules: str | None, tour: bool, console: Console
) -> None:
    """A line for ``--rules`` and one for ``--drawn`` where a sheet turned out to be shown: both are for boards."""
    from ontour_cv.scorer.sheet_report import SheetReport

    sheets = [escape(outcome.photo) for outcome in outcomes if isinstance(outcome, SheetReport)]
    for option in ("--rules",) * (rules is not None) + ("--drawn",) * tour if sheets else ():
        console.print(f"{option} is for boards; it changes nothing on sheets: {', '.join(sheets)}", soft_wrap=True)


def show_others(others: Sequence[OtherBoard], console: Console) -> None:
    """A line that says there is more than one board in the picture, and where; nothing when there is none."""
    if not others:
        return
    sides = dict.fromkeys({"left": "to the left", "right": "to the right"}.get(o.where, o.where) for o in others)
    what = others[0].what if len({o.what for o in others}) == 1 else "board"
    told = f"Another {what} is" if len(others) == 1 else f"{len(others)} more {what}s are"
    remedy = "score them all with --every-board, or take a photo of each."
    console.print(f"  [bold yellow]{told} in the picture[/] ({', '.join(sides)}) and not scored: {remedy}")
