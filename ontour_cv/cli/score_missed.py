"""What ``ontour-cv score`` says where a photo shows no board of the one map that was asked for: perhaps of another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ontour_cv.cli.score_sheet import is_sheet
from ontour_cv.errors import NotInPicture
from ontour_cv.maps.load import load_map

if TYPE_CHECKING:
    from ontour_cv.cli.score_game import Table


@contextmanager
def in_words_of(table: Table, photo: Path | None) -> Iterator[None]:
    """Puts a refusal of the photo in words of the one map that was looked for; without photo or map, leaves it."""
    try:
        yield
    except NotInPicture as none:
        if photo is None or table.map_id == "auto":
            raise
        raise _missed(photo, table.map_id, table.record is not None) from none


def _missed(photo: Path, map_id: str, by_log: bool) -> NotInPicture:
    """The refusal, with what is shown instead where that is plain."""
    from ontour_cv.scorer.any_map import shown_at_a_glance

    shown, title = shown_at_a_glance(photo), load_map(map_id).title
    missed = f"{photo}: no {_noun(map_id)} of {title} in this picture"
    if shown is not None and shown != map_id:
        away = "The log is of another game: leave --game away." if by_log else "Leave --map away."
        return NotInPicture(
            f"{missed}; it shows a {_noun(shown)} of {load_map(shown).title}.",
            f"{away} Or take a photo of the whole {_noun(map_id)}.",
        )
    return NotInPicture(
        f"{missed}.",
        f"Take the photo from above with the whole {_noun(map_id)} in it, sharp and without glare. "
        f"If it is of another map, leave {'--game' if by_log else '--map'} away.",
    )


def _noun(map_id: str) -> str:
    return "sheet" if is_sheet(map_id) else "board"
