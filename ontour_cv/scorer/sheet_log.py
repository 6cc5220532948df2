"""What the log of a game says about a sheet while something on it is in doubt: mistakes, from and to."""

from __future__ import annotations

from functools import lru_cache

from ontour_cv.dealer.record import GameRecord
from ontour_cv.maps.model import MapTemplate
from ontour_cv.referee.sheet import EFFORT, MOST_SLIPS, verify_sheet
from ontour_cv.referee.sheet_verdict import SheetVerdict
from ontour_cv.sheet import Sheet, parse_sheet

MOST_SHEETS = 10
"""So many sheets that the doubts allow are compared with the log, together no longer than the one that was read."""

MOST_MISTAKES = MOST_SLIPS + 1
"""So many mistakes and more count as these, unless the sheet alone proves more."""


class SheetLog:
    """A sheet that was read, judged by the log of its game.

    Attributes:
        verdict: what the log says.
        blamed: the states that the mistakes are about.
    """

    def __init__(self, template: MapTemplate, game: GameRecord, sheet: Sheet) -> None:
        self._template, self._game, self._read = template, game, str(sheet)
        self.verdict = _judged(template, game, self._read, EFFORT)
        self.blamed = frozenset(state for slip in self.verdict.slips for state in slip.regions)

    def mistakes(self, sheet: Sheet) -> tuple[int, int]:
        """How many mistakes a sheet like the one that was read has at least and at most."""
        text = str(sheet)
        if text == self._read:
            return _span(self.verdict)
        return _span(_judged(self._template, self._game, text, EFFORT // MOST_SHEETS))


def _span(verdict: SheetVerdict) -> tuple[int, int]:
    if verdict.decided:
        return verdict.mistakes, verdict.mistakes
    return verdict.at_least, len(verdict.slips) or max(verdict.at_least, MOST_MISTAKES)


@lru_cache(maxsize=64)
def _judged(template: MapTemplate, game: GameRecord, text: str, effort: int) -> SheetVerdict:
    """The verdict on the sheet written ``text``, each once: one more answer brings up sheets that are known already."""
    return verify_sheet(template, game, parse_sheet(text, template.ids), effort)
