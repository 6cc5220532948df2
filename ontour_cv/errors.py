"""Every error a user can meet, each with an exit code and a remedy; caught once, in ``cli.main``."""

from __future__ import annotations

from typing import ClassVar


class OnTourError(Exception):
    """Base of all expected failures.

    Attributes:
        code: short machine-readable name, used in JSON output.
        exit_code: the process exit code the command line ends with.
        message: what went wrong, one sentence.
        remedy: what the user can do about it, one sentence.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(OnTourError):
    """The command was called with words that do not fit together."""

    code, exit_code = "usage", 2


class BoardNotFound(OnTourError):
    """The picture was readable but holds no known board."""

    code, exit_code = "no-board", 3


class NotInPicture(BoardNotFound):
    """Nothing of the maps that were looked for is in the picture, as far as can be seen; another map may be."""


class MirrorImage(BoardNotFound):
    """The picture shows a board or sheet in a mirror."""

    def __init__(self, photo: str, what: str) -> None:
        super().__init__(
            f"{photo}: the picture is a mirror image of a {what}.",
            "Flip it, or turn off the mirroring of the front camera.",
        )


class BadPhoto(OnTourError):
    """The file is missing, damaged, or of a kind that cannot be read."""

    code, exit_code = "bad-photo", 4


class BadBoard(OnTourError):
    """A board text that does not parse, or names a state the map does not have."""

    code, exit_code = "bad-board", 5


class BadTemplate(OnTourError):
    """A file of a map, of rules or of a calibration that is missing or wrong."""

    code, exit_code = "bad-map", 5


class BadLog(OnTourError):
    """A game's log that is missing, damaged, or of another program."""

    code, exit_code = "bad-log", 5


class StaleGame(OnTourError):
    """Somebody else went on with the game since it was looked at."""

    code, exit_code = "stale-game", 5


class NotSaved(OnTourError):
    """A game could not be written, so nothing was dealt."""

    code, exit_code = "not-saved", 4


class NotWritten(OnTourError):
    """A file that the command was told to write could not be written."""

    code, exit_code = "not-written", 4


class OutOfReach(OnTourError):
    """A file of which the system does not even tell whether it is there: its folder is closed, or the name too long."""

    code, exit_code = "out-of-reach", 4


class MissingTool(OnTourError):
    """An outside program (Tesseract) that this one command needs is not installed."""

    code, exit_code = "missing-tool", 2
