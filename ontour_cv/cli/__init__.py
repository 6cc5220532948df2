"""The command line: commands parse, call one function, print. Expected errors end here, and only here."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from ontour_cv.cli.console import printable
from ontour_cv.errors import NotWritten, OnTourError, OutOfReach
from ontour_cv.files import gathering

FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
"""What the system says when there is no room."""

UNREACHABLE = (errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG)
"""What the system says when nobody can even ask whether a file is there."""

LONGEST = 200
"""Letters of a file's name that are told."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line (``sys.argv`` when no ``arguments`` are given) and leave with its exit code.

    Every :class:`OnTourError` becomes its message and its remedy on stderr and its own exit code, and so do an output
    that cannot be written and a file that cannot be asked for. Ctrl-C leaves with 130 and says nothing. Any other
    exception is a bug and stays visible.
    """
    # One picture at a time: threads of the linear algebra cost more than they bring. Must be said before numpy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What a terminal or pipe cannot show is spelled out and ends no command: arrows and names in an old encoding, in
    # UTF-8 the names of files that are none (from old disks). Spelled so they stand in JSON, too.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if sys.stdin is None:  # closed (<&-): as if nothing were typed
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115

    fault: OSError | None = None
    code: str | int | None = None
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        code = INTERRUPTED
    except OSError as error:
        fault = error
    expected = _unwritable(fault) or _unreachable(fault)
    if expected is not None:
        code = _tell(expected)
    elif fault is not None:
        raise fault
    sys.exit(code)


def _run(arguments: list[str]) -> str | int | None:
    """Run a command; its exit code, or that of a file beside its result that could not be written."""
    from ontour_cv.cli.app import app  # here, so that Ctrl-C is caught while it loads

    with gathering() as unwritten:
        try:
            app(args=arguments, prog_name="ontour-cv")
        except OnTourError as error:
            codes = [_tell(each) for each in (error, *unwritten.values())]
            return codes[0]
        except SystemExit as end:
            codes = [_tell(error) for error in unwritten.values()]
            return _code(end) or next(iter(codes), 0)
    return 0


def _code(end: SystemExit) -> str | int | None:
    """The exit code a command ended with.

    Typer and rich leave with 1, which nothing here means, when who reads the output has seen enough (``| head``), and
    typer when a question is left by Ctrl-C or Ctrl-D.
    """
    from typer import Abort

    if isinstance(end.__context__, BrokenPipeError):
        return 0
    return INTERRUPTED if isinstance(end.__context__, Abort) else end.code


def _tell(error: OnTourError) -> int:
    """Say on stderr what went wrong and what to do; the exit code."""
    print(f"Error: {error.message}", file=sys.stderr)  # noqa: T201
    if error.remedy:
        print(error.remedy, file=sys.stderr)  # noqa: T201
    return error.exit_code


def _unwritable(fault: OSError | None) -> NotWritten | None:
    """Why the standard output takes nothing more, or None; ``fault`` is what ended the command.

    What could not be written is still waiting and fails again; without a buffer (``python -u``) a full disk that names
    no file is taken for it, since every other file is written by who catches that. Afterwards the output leads nowhere,
    or Python would complain about it once more when it ends.
    """
    full = fault is not None and fault.filename is None and fault.errno in FULL
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # ontour-cv maps | head: who reads has seen enough
        _lead_nowhere()
    except OSError as error:
        _lead_nowhere()
        fault, full = error, True
    if fault is None or not full:
        return None
    return NotWritten(f"the output cannot be written: {fault.strerror}", "Send it somewhere else.")


def _unreachable(fault: OSError | None) -> OutOfReach | None:
    """Why a file cannot be asked for, or None: its folder is closed or gone, or its name too long."""
    if isinstance(fault, FileNotFoundError) and fault.filename is None:  # only the question which folder this is
        return OutOfReach("the folder you are in is no longer there", "Go to one that is, such as: cd ~")
    if fault is None or fault.filename is None or fault.errno not in UNREACHABLE:
        return None
    name = printable(os.fsdecode(fault.filename))
    name = name if len(name) <= LONGEST else f"{name[:LONGEST]}..."
    remedy = "Check the name, and that you may look into its folder."
    return OutOfReach(f"{name} cannot be reached: {fault.strerror}", remedy)


def _lead_nowhere() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
