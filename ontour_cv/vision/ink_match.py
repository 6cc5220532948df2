"""Heaps of ink + designs -> the board whose discs they were written in: the last look, where discs make no board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ontour_cv.maps.edition import Edition
from ontour_cv.vision.constellation import LEAST_SHARE, Match, MatchSettings, match
from ontour_cv.vision.designs import mean_board, mean_radius
from ontour_cv.vision.field import Field, make_field
from ontour_cv.vision.heaps import find_heaps, leaning
from ontour_cv.vision.landmarks import Candidates

SETTINGS = MatchSettings(tried=20, sigma=0.3, visible=0.8, least_share=LEAST_SHARE)
"""What is written stands in nearly every disc of a finished board, but seldom right in its middle."""

INK_LOG_ODDS = 15.0
"""Evidence from which what is written is followed: the best of 370 pictures without a board had -4, and one in fifteen
more than -10; most of 24 photos with few discs to be seen had 40 and more."""

LEANING = 4
"""So many of the likeliest matches are tried at a slant, when none is believed."""


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """A design laid over heaps of ink.

    Attributes:
        match: the constellation.
        group: editions of the design.
        heaps: those it lies on, all of one size.
        field: the same, prepared.
    """

    match: Match
    group: Sequence[Edition]
    heaps: Candidates
    field: Field


def match_heaps(outlines: Candidates, groups: Sequence[Sequence[Edition]], size: tuple[int, int]) -> Written | None:
    """The likeliest board by what is written, or None.

    Args:
        outlines: what was found in the picture, no board among it.
        groups: designs it may be (``designs.alike``).
        size: of the photo, width and height, pixels.
    """
    lots = [heaps for heaps in find_heaps(outlines) if len(heaps) >= 4]
    found = [one for heaps in lots for group in groups for one in _laid(heaps, group, size)]
    found.sort(key=_evidence, reverse=True)
    if found and _evidence(found[0]) < INK_LOG_ODDS:
        likely = found[:LEANING]
        found += [two for one in likely for heaps in leaning(one.heaps) for two in _laid(heaps, one.group, size)]
        found.sort(key=_evidence, reverse=True)
    return found[0] if found and _evidence(found[0]) >= INK_LOG_ODDS else None


def _laid(heaps: Candidates, group: Sequence[Edition], size: tuple[int, int]) -> Iterator[Written]:
    """The best match of one design with one lot of heaps, if any."""
    field = make_field(heaps.centres_photo, heaps.radii_px, heaps.shapes, size)
    for one in match(field, mean_board(group), mean_radius(group), SETTINGS)[:1]:
        yield Written(one, group, heaps, field)


def _evidence(written: Written) -> float:
    return written.match.log_odds
