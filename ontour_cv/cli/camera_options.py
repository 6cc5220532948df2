"""The options of ``ontour-cv score`` that are about several photos of one board, or about taking them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from ontour_cv.errors import UsageError

WAIT = 60.0
"""Seconds that ``--camera`` waits for a good picture unless told otherwise."""

FIRST = "0"
"""The camera meant by ``--camera`` alone."""


class CameraCommand(TyperCommand):
    """Lets ``--camera`` stand alone, as the last word or before another option: then it means the first camera."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give a lone ``--camera`` its value, and parse."""
        for place, word in enumerate(args):
            if word == "--camera" and (place + 1 == len(args) or args[place + 1].startswith("-")):
                args = [*args[:place], f"--camera={FIRST}", *args[place + 1 :]]
                break
        return super().parse_args(ctx, args)


SameBoardOption = Annotated[bool, typer.Option("--same-board", help="All photos show one board: read them together.")]

CameraOption = Annotated[
    str | None,
    typer.Option(
        "--camera",
        metavar="[N|FILE]",
        help="Photograph by itself when the board is found, sharp and still: the first camera (0), camera number N, "
        "a video file, or a folder of pictures.",
    ),
]

SavePhotoOption = Annotated[
    Path | None, typer.Option("--save-photo", metavar="FILE", help="Keep the picture that --camera took.")
]


def _number(seconds: float) -> float:
    """``UsageError`` for ``nan``, which no minimum refuses."""
    if math.isnan(seconds):
        raise UsageError("--timeout nan is no time", "Give seconds: --timeout 60")
    return seconds


TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        min=0,
        callback=_number,
        help="How long --camera waits for a good picture.",
    ),
]


def check_source(
    photos: Sequence[Path], camera: str | None, same_board: bool, save_photo: Path | None, timeout: float
) -> None:
    """``UsageError`` unless there are either photos or a camera."""
    if camera is not None and (photos or same_board):
        raise UsageError("--camera takes the photos itself", "Leave the photos and --same-board away, or --camera.")
    if camera is None and save_photo is not None:
        raise UsageError("--save-photo keeps what --camera took", "Add --camera.")
    if camera is None and timeout != WAIT:
        raise UsageError("--timeout is how long --camera waits", "Leave it away, or add --camera.")
    if camera is None and not photos:
        raise UsageError("no photo is named", "Name one, or let a camera take it: --camera.")
