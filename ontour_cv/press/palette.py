"""Colours of boards and cards, the same for every map: by groups of regions that lie in the same areas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.drawing import Colour, blend

WHITE: Colour = (255, 255, 255)
INK: Colour = (38, 50, 62)
"""Of words and links: a dark blue grey that a black pen still stands out from."""

GREY: Colour = (112, 124, 134)

_STRONG: tuple[Colour, ...] = (
    (196, 130, 10), (190, 78, 52), (104, 140, 24), (24, 132, 106), (46, 112, 184), (120, 84, 176),
    (176, 64, 128), (96, 96, 40), (20, 130, 150), (150, 90, 60),
)  # fmt: skip
"""Strong tones handed out to the groups; West, Central and East of the known maps become warm, green and blue."""

_AREAS: Mapping[str, Colour] = {
    "North": (58, 96, 170), "South": (188, 62, 56), "East": (122, 78, 168), "Central": (40, 132, 84),
    "West": (198, 122, 16),
}  # fmt: skip
"""Colours of cards for areas of these names."""

_ORDER = ("West", "Central", "East")


@dataclass(frozen=True, slots=True)
class Tones:
    """The colours of one group of regions.

    Attributes:
        land: the ground, pale.
        ring: rings of discs, borders of line art.
        label: abbreviations in the discs, pale enough to write over.
    """

    land: Colour
    ring: Colour
    label: Colour


@dataclass(frozen=True, slots=True, eq=False)
class Colours:
    """All colours of a board.

    Attributes:
        sea: ground round the land.
        shore: the sea along the coast.
        coast: line of the coast.
        plain: land that is not played.
        groups: areas of a region -> its tones.
        areas: area -> colour of its cards.
    """

    sea: Colour
    shore: Colour
    coast: Colour
    plain: Colour
    groups: Mapping[tuple[str, ...], Tones]
    areas: Mapping[str, Colour]


def choose_colours(template: MapTemplate, lineart: bool) -> Colours:
    """The colours of a map's board: full, or for line art, where only lines are inked."""
    groups = sorted({region.areas for region in template.regions}, key=_rank)
    tones = {}
    for k, group in enumerate(groups):
        strong = _STRONG[k % len(_STRONG)]
        land = WHITE if lineart else blend(strong, WHITE, 0.72)
        tones[group] = Tones(land, blend(strong, WHITE, 0.08), blend(strong, WHITE, 0.42))
    areas = {a: _AREAS.get(a, _STRONG[(k + 6) % len(_STRONG)]) for k, a in enumerate(template.areas)}
    if all(len(group) == 1 for group in groups):  # a card is of the colour of its land
        bare = [area for area in template.areas if (area,) not in tones]  # no region lies there
        owners = (*(group[0] for group in groups), *bare)
        areas = {area: _STRONG[k % len(_STRONG)] for k, area in enumerate(owners)}
    if lineart:
        return Colours(WHITE, WHITE, GREY, WHITE, tones, areas)
    return Colours((228, 238, 244), (208, 226, 237), (120, 146, 164), (222, 226, 226), tones, areas)


def _rank(areas: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """West before Central before East, North before South; other areas by name."""
    column = next((k for k, name in enumerate(_ORDER) if name in areas), len(_ORDER))
    return column, tuple(sorted(areas, key=lambda name: (name in _ORDER, name)))
