"""Boards like a home edition that are none: the printed map, perhaps, whose spaces and links are not known here.

A board whose map was drawn anew is found by the discs that lie about where another design has them
(``vision.refine.DRAWN_ANEW``). Of a published map that is another printing, with the same links. A home edition has one
print, which is known to the last line; what only resembles it is another map, and its score would be wrong.
"""

from __future__ import annotations

from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_map
from ontour_cv.vision.read import Reading
from ontour_cv.vision.register import Placement

MOST_ELSEWHERE = 0.25
"""Share of a home edition's discs that may be seen elsewhere (``vision.strays.ELSEWHERE``). Of 75 photos of Europe, 50
hard ones, none had a single one; of 23 boards that were found with its discs drawn half a radius and more elsewhere the
least had 14 of 39."""


def is_stranger(placement: Placement) -> bool:
    """Whether a board that was found resembles a home edition and is none."""
    template = load_map(placement.edition.map)
    if template.published:
        return False
    from ontour_cv.press.editions import NAME  # a photo of the USA has no need of the printing press

    return placement.edition.name == NAME and placement.elsewhere > MOST_ELSEWHERE * len(placement.cells)


def refuse_strangers(reading: Reading) -> Reading:
    """The reading, where it is of a board whose map is known.

    Raises:
        BoardNotFound: it :func:`is_stranger`.
    """
    if is_stranger(reading.placement):
        template = load_map(reading.placement.edition.map)
        raise BoardNotFound(
            f"{reading.photo.name}: this resembles {template.title}, but its {template.space_plural} lie elsewhere: "
            "another map, whose links are not known.",
            f"Print this one with: ontour-cv print {template.id} -o board.pdf",
        )
    return reading
