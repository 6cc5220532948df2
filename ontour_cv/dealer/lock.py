"""One writer at a time on a game's file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

if sys.platform == "win32":
    import msvcrt

    _BEYOND = 2**31 - 2
    """The byte that is locked: Windows keeps others from reading what is locked, so it lies beyond every log's end."""

    @contextmanager
    def locked(descriptor: int) -> Iterator[None]:
        """Hold the file for this process; waits about ten seconds while another one does, then ``OSError``."""
        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
        try:
            yield
        finally:
            os.lseek(descriptor, _BEYOND, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

    def flush_to_disk(descriptor: int) -> None:
        """Return when what was written is on the disk."""
        os.fsync(descriptor)

else:
    import fcntl

    _FULL = getattr(fcntl, "F_FULLFSYNC", None)
    """macOS only: its fsync leaves the data in the drive's own memory (man fsync)."""

    @contextmanager
    def locked(descriptor: int) -> Iterator[None]:
        """Hold the file for this process; waits while another one does."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(descriptor, fcntl.LOCK_UN)

    def flush_to_disk(descriptor: int) -> None:
        """Return when what was written is on the disk."""
        os.fsync(descriptor)
        if _FULL is not None:
            with suppress(OSError):  # network drives refuse it; they have the data by now
                fcntl.fcntl(descriptor, _FULL)
