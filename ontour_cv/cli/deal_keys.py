"""One key at a time from a terminal, on POSIX and on Windows."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPT, END = "\x03", "\x04"
UP, DOWN = "up", "down"
_REPEAT = 0.045
"""Seconds. A key held down repeats faster than this (25 to 33 times a second), and no finger does so twice in a row."""

_WORDS = {
    "\x1b[C": " ",  # right, and page down: what remote controls for slides send
    "\x1b[6~": " ",
    "\x1bOC": " ",
    "\x1b[A": UP,
    "\x1b[B": DOWN,
    "\x1bOA": UP,
    "\x1bOB": DOWN,
    "\xe0H": UP,
    "\xe0P": DOWN,
    "\x1b[D": "u",
    "\x1b[5~": "u",
    "\x1bOD": "u",
    "\xe0M": " ",
    "\xe0Q": " ",
    "\xe0K": "u",
    "\xe0I": "u",
}


class Keys:
    """Keys as they are pressed.

    ``read`` gives one key as a letter (arrows and page keys as what they stand for, up and down as ``UP`` and
    ``DOWN``), or ``""`` when none was pressed within the seconds given; at the end of input ``END``. Of a key held down
    the repeats are left out, so that nobody leans on the space bar and deals a whole game; ``UP`` and ``DOWN`` repeat.

    Attributes:
        woken: True after the program was stopped (Ctrl-Z) and goes on; whoever redraws the screen sets it back.
    """

    def __init__(self) -> None:
        self.woken = False
        self._waiting: list[str] = []
        self._last = ("", 0.0)
        self._fast = 0

    def read(self, seconds: float) -> str:
        """The next key; ``""`` when none came in time."""
        if not self._waiting:
            self._waiting = _split(_typed(seconds))
        if not self._waiting:
            return ""
        key, now = self._waiting.pop(0), time.monotonic()
        fast = key == self._last[0] and now - self._last[1] < _REPEAT
        self._fast = self._fast + 1 if fast else 0
        self._last = (key, now)
        return "" if self._fast > 1 and key not in (UP, DOWN) else key


if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def raw_keys() -> Iterator[Keys]:
        """Keys without Enter and without echo, while this lasts."""
        yield Keys()

    def _typed(seconds: float) -> str:
        end = time.monotonic() + seconds
        while not msvcrt.kbhit():
            if time.monotonic() > end:
                return ""
            time.sleep(0.02)
        key = msvcrt.getwch()
        if key in "\x00\xe0":
            return "\xe0" + msvcrt.getwch()
        if key == INTERRUPT:
            raise KeyboardInterrupt
        return key

else:
    import os
    import select
    import signal
    import termios
    import tty

    @contextmanager
    def raw_keys() -> Iterator[Keys]:
        """Keys without Enter and without echo, while this lasts; Ctrl-C, kill and a closed window interrupt."""
        descriptor, keys = sys.stdin.fileno(), Keys()
        before = termios.tcgetattr(descriptor)

        def wake(*_: object) -> None:
            tty.setcbreak(descriptor)
            keys.woken = True

        wanted = {signal.SIGCONT: wake, signal.SIGTERM: _interrupt, signal.SIGHUP: _interrupt}
        handlers = {number: signal.signal(number, handler) for number, handler in wanted.items()}
        try:
            tty.setcbreak(descriptor)
            yield keys
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def _interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def _typed(seconds: float) -> str:
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        if not ready:
            return ""
        try:
            typed = os.read(sys.stdin.fileno(), 64)
        except OSError:  # the terminal is gone
            return END
        return typed.decode("utf-8", "replace") if typed else END


def _split(typed: str) -> list[str]:
    """The keys in what was typed: known sequences as what they stand for, unknown ones left out."""
    keys: list[str] = []
    while typed:
        known = next((word for word in _WORDS if typed.startswith(word)), None)
        if known is not None:
            keys.append(_WORDS[known])
            typed = typed.removeprefix(known)
        elif typed[0] in "\x1b\xe0" and len(typed) > 1:
            break
        else:
            keys.append(typed[0])
            typed = typed[1:]
    return keys
