"""What became of each of several photos of one board or sheet, as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.scorer.report import PhotoUse


def show_uses(photos: Sequence[PhotoUse], console: Console) -> None:
    """A line for each photo, when there are several."""
    for use in photos if len(photos) > 1 else ():
        told = (
            "read together"
            if use.error is None
            else f"[bold red]left out:[/] {escape(use.error.message.removeprefix(f'{use.photo}: '))}"
        )
        console.print(f"  [dim]{escape(use.photo)}:[/] {told}", soft_wrap=True)
