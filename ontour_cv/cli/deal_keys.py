"""One key at a time from a terminal, on POSIX and on Windows."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPT, END = "\x03", "\x04"
UP, DOWN = "up", "down"
_REPEAT = 0.045
"""Seconds. A key held down repeats faster than this (25 to 33 times a second), and no finger does so twice in a row."""

_PAUSE = 0.05
"""Seconds within which the rest of a key comes that a slow line brings in pieces."""

_BEGUN = re.compile(r"\x1b(O|\[[0-9;]*)?$")
"""The beginning of an arrow or function key; alone it is Escape."""

_UNKNOWN = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|[\x1b\xe0].", re.DOTALL)
"""Keys that mean nothing here, each in one piece: function keys, Alt with a letter."""

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
        pause: stops the program as Ctrl-Z does; nothing where there is no such thing.
    """

    def __init__(self) -> None:
        self.woken = False
        self.pause: Callable[[], None] = _nothing
        self._idle = False
        self._held = False
        self._waiting: list[str] = []
        self._last = ("", 0.0)
        self._fast = 0

    def read(self, seconds: float) -> str:
        """The next key; ``""`` when none came in time."""
        if not self._waiting:
            self._waiting = _split(self._wait(seconds))
        if not self._waiting:
            return ""
        key, now = self._waiting.pop(0), time.monotonic()
        fast = key == self._last[0] and now - self._last[1] < _REPEAT
        self._fast = self._fast + 1 if fast else 0
        self._last = (key, now)
        return "" if self._fast > 1 and key not in (UP, DOWN) else key

    def hold(self) -> None:
        """Stop the program: at once while a key is waited for, else when what it draws or writes is done."""
        self._held = not self._idle
        if self._idle:
            self.pause()

    def _wait(self, seconds: float) -> str:
        """What is typed, keys in one piece."""
        self._idle = True
        try:
            if self._held:
                self.hold()
            typed = _typed(seconds)
            while _BEGUN.search(typed) and (more := _typed(_PAUSE)):
                typed += more
        finally:
            self._idle = False
        return typed


def _nothing() -> None:
    pass


if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def raw_keys(leave: Callable[[], None] = _nothing) -> Iterator[Keys]:
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
    import errno
    import os
    import select
    import signal
    import termios
    import tty

    @contextmanager
    def raw_keys(leave: Callable[[], None] = _nothing) -> Iterator[Keys]:
        """Keys without Enter and without echo, while this lasts; Ctrl-C, kill and a closed window interrupt.

        Ctrl-Z gives the shell its terminal as it was; ``leave`` does so with what is on the screen.
        """
        descriptor, keys = sys.stdin.fileno(), Keys()
        before = termios.tcgetattr(descriptor)

        def wake(*_: object) -> None:
            _set_cbreak(descriptor)
            keys.woken = True

        def pause() -> None:
            leave()
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTSTP)  # comes back when the shell lets the program go on
            signal.signal(signal.SIGTSTP, hold)
            wake()

        def hold(*_: object) -> None:
            keys.hold()

        keys.pause = pause
        wanted = {signal.SIGCONT: wake, signal.SIGTERM: _interrupt, signal.SIGHUP: _interrupt}
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:  # who started it may want it never to stop
            wanted[signal.SIGTSTP] = hold
        handlers = {number: signal.signal(number, handler) for number, handler in wanted.items()}
        try:
            tty.setcbreak(descriptor)
            yield keys
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def _set_cbreak(descriptor: int) -> None:
        """As ``tty.setcbreak``, also where the program waits in the background (``bg``) until it may."""
        while True:
            try:
                tty.setcbreak(descriptor)
            except termios.error as fault:
                if fault.args[0] != errno.EINTR:
                    raise
            else:
                return

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
        elif unknown := _UNKNOWN.match(typed):
            typed = typed[unknown.end() :]
        else:
            keys.append(typed[0])
            typed = typed[1:]
    return keys
