"""The command line: commands parse, call one function, print. Expected errors end here, and only here."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from ontour_cv.errors import OnTourError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line (``sys.argv`` when no ``arguments`` are given) and leave with its exit code.

    Every :class:`OnTourError` becomes its message and its remedy on stderr and its own exit code. Any other exception
    is a bug and stays visible.
    """
    # One picture at a time: threads of the linear algebra cost more than they bring. Must be said before numpy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What a terminal or pipe of an old encoding cannot show (names, arrows) is spelled out and ends no command.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and "utf" not in stream.encoding.lower():
            stream.reconfigure(errors="backslashreplace")
    from ontour_cv.cli.app import app

    try:
        app(args=list(sys.argv[1:] if arguments is None else arguments), prog_name="ontour-cv")
    except OnTourError as error:
        print(f"Error: {error.message}", file=sys.stderr)  # noqa: T201
        if error.remedy:
            print(error.remedy, file=sys.stderr)  # noqa: T201
        sys.exit(error.exit_code)
