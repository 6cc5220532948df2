"""Files that commands write: whole or not at all, and a failure tells what to do."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from ontour_cv.errors import NotWritten

_failed: ContextVar[dict[Path, NotWritten] | None] = ContextVar("files not written", default=None)


def write_file(path: Path, content: bytes, remedy: str) -> None:
    """Write ``content`` to ``path``; whatever stood there stays when that fails.

    Raises:
        NotWritten: with ``remedy``, before it that of making the folder where there is none; no part of a file is left.
    """
    draft: Path | None = None
    try:
        if path.exists() and not path.is_file():  # a device or a pipe holds no file to keep; a folder is refused here
            path.write_bytes(content)
            return
        whole = path.resolve()  # a link stays one
        if whole.exists() and not os.access(whole, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        draft = whole.with_name(f".ontour-cv-{os.getpid()}.part")
        draft.write_bytes(content)
        if whole.exists():
            draft.chmod(whole.stat().st_mode & 0o777)
        draft.replace(whole)
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        if isinstance(fault, FileNotFoundError) and not path.parent.exists():
            message = f"{path} cannot be written: there is no folder {path.parent}"
            raise NotWritten(message, f"Make the folder first, or {remedy[:1].lower()}{remedy[1:]}") from fault
        why = (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
        raise NotWritten(f"{path} cannot be written: {why}", remedy) from fault
    finally:
        if draft is not None:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def write_beside(path: Path, content: bytes, remedy: str) -> None:
    """:func:`write_file` for a file beside a result that is shown anyway: inside :func:`gathering`, no error is raised.

    Raises:
        NotWritten: nobody gathers what could not be written.
    """
    gathered = _failed.get()
    try:
        write_file(path, content, remedy)
    except NotWritten as failure:
        if gathered is None:
            raise
        gathered[path] = failure
    else:
        if gathered is not None:
            gathered.pop(path, None)


@contextmanager
def gathering() -> Iterator[Mapping[Path, NotWritten]]:
    """While it lasts, files beside a result that could not be written are gathered: path -> failure."""
    gathered: dict[Path, NotWritten] = {}
    token = _failed.set(gathered)
    try:
        yield gathered
    finally:
        _failed.reset(token)


def was_written(path: Path) -> bool:
    """True when ``path`` is a file and, as far as anybody gathers, not one that a failed write left as it was."""
    return path.is_file() and path not in (_failed.get() or {})
