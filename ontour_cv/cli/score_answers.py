"""What ``--set`` says of a photo whose map is known only once the photo has been looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ontour_cv.board import Mark, parse_board, tokens
from ontour_cv.cli.score_city import read_given
from ontour_cv.cli.score_options import texts_by_photo
from ontour_cv.cli.score_sheet import read_sheet_corrections
from ontour_cv.errors import BadBoard
from ontour_cv.maps.load import load_map, map_ids
from ontour_cv.sheet import MOST

if TYPE_CHECKING:
    from ontour_cv.scorer.city_drawn import Given

_ANY = Path("photo")


@dataclass(frozen=True, slots=True)
class Answers:
    """The corrections of one photo as typed; each kind of map takes them in its own notation.

    A board of the USA takes ``NV=31``, one of New York ``SOHO=37s`` and ``~SOHO-STG``, a sheet ``@rounds=8``.
    """

    texts: tuple[str, ...] = ()

    def marks(self) -> Mapping[str, Mark]:
        """As a board with nothing but discs takes them; ``BadBoard`` when it cannot."""
        return parse_board(" ".join(self.texts)).marks if self.texts else {}

    def given(self, map_id: str) -> Given:
        """As a board of that city takes them; ``BadBoard`` or ``UsageError`` when it cannot."""
        return read_given(self.texts, [_ANY], map_id)[_ANY]

    def sheet(self, map_id: str = "rolling-america") -> Mapping[str, Mark | int]:
        """As a sheet takes them; ``BadBoard`` when it cannot."""
        return read_sheet_corrections(self.texts, [_ANY], map_id)[_ANY]

    def check(self) -> None:
        """``BadBoard`` when no map takes them, in words of the map whose notation they are in."""
        try:
            self.marks()
        except BadBoard as fault:
            city = sheet = fault
            for map_id in map_ids():
                template = load_map(map_id)
                try:
                    if template.city is not None:
                        self.given(map_id)
                        return
                    if any(region.outline for region in template.regions):
                        self.sheet(map_id)
                        return
                except BadBoard as other:
                    if template.city is not None:
                        city = other
                    else:
                        sheet = other
            signed = [text for text in tokens(" ".join(self.texts)) if text[0] in "~@"]
            if not signed:
                raise
            raise (sheet if _of_a_sheet(signed[0]) else city) from None


def _of_a_sheet(token: str) -> bool:
    """Whether a ferry or boxes crossed off are a sheet's: its boxes have words for names, rows of New York letters."""
    name = token.removeprefix("@").partition("=")[0].lower()
    return token.startswith("@") and (name in MOST or len(name) > 1)


def read_answers(sets: Sequence[str], photos: Sequence[Path]) -> dict[Path, Answers]:
    """The corrections of each photo.

    ``NV=31`` speaks of the only photo; with several photos each must say which, ``anna.jpg:NV=31``, by path, file name
    or file name without ending.

    Raises:
        UsageError: it is not clear which photo is meant.
        BadBoard: no map takes them as they are.
    """
    answers = {photo: Answers(tuple(texts)) for photo, texts in texts_by_photo(sets, photos).items()}
    for one in answers.values():
        one.check()
    return answers
