"""Everything about a board's print that is drawn by chance: a :class:`Scene`, from which ``paint`` draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.palettes import PALETTES, Colour, Palette, sample_palette


@dataclass(frozen=True, slots=True)
class DiscStyle:
    """How the printed discs look; lengths in disc radii.

    Attributes:
        fill: colour of the disc, BGR.
        opacity: 1 hides the art beneath, 0.5 is translucent.
        shade: how much the middle is darker (or lighter, below 0) than the rim.
        ring: ``"solid"``, ``"none"``, ``"double"``, ``"dashed"``.
        ring_width: width of the ring, drawn inwards from the disc's radius.
        ring_colour: BGR, or None for a tone of the area it stands in.
        ring_tone: added to the area's colour when ``ring_colour`` is None.
        drop: strength of the printed drop shadow, 0-1.
    """

    fill: Colour
    opacity: float
    shade: float
    ring: str
    ring_width: float
    ring_colour: Colour | None
    ring_tone: int
    drop: float


@dataclass(frozen=True, slots=True)
class LabelStyle:
    """How the abbreviations look.

    Attributes:
        face: name of a ``cv2.FontFace``.
        height: of a capital, in disc radii.
        weight: of the face, 400 regular to 900 black.
        colour: BGR, or None for the ring's.
        halo: strength of a dim glow behind the letters, 0-1.
    """

    face: str
    height: float
    weight: int
    colour: Colour | None
    halo: float


@dataclass(frozen=True, slots=True)
class LinkStyle:
    """How links look: ``"dots"``, ``"dashes"`` or ``"line"``; width and pitch in disc radii; bend in link lengths."""

    kind: str
    colour: Colour
    width: float
    pitch: float
    bend: float


@dataclass(frozen=True, slots=True)
class Scene:
    """A board as printed, apart from the map it shows.

    Attributes:
        edition: its name, for the truth.
        cells: region id -> disc centre in the board frame, as printed here.
        radius: disc radius, board frame.
        palette: colours and kind of art.
        aspect: height of the board over its width.
        margins: board beyond the frame, ``(left, top, right, bottom)`` in board widths.
        disc, label, link: styles.
        folds: x of the folds.
        furniture: badge and score boxes: 0 nothing, 1 printed, 2 printed and filled in.
        sums: the score boxes, middle, width and height in the board frame; empty where they are not known.
        seed: of everything else in the art.
        width_px: width of the painted board.
        tight: coasts and borders run close by the discs and under them.
    """

    edition: str
    cells: Mapping[str, tuple[float, float]]
    radius: float
    palette: Palette
    aspect: float
    margins: tuple[float, float, float, float]
    disc: DiscStyle
    label: LabelStyle
    link: LinkStyle
    folds: tuple[float, ...]
    furniture: int
    seed: int
    width_px: int
    sums: tuple[tuple[float, float, float, float], ...] = ()
    tight: bool = False

    @property
    def scale(self) -> float:
        """Pixels of the painted board per board width of the frame."""
        return self.width_px / (1 + self.margins[0] + self.margins[2])

    @property
    def offset(self) -> tuple[float, float]:
        """Board point of the painted board's top left corner."""
        return -self.margins[0], -self.margins[1]

    @property
    def size_px(self) -> tuple[int, int]:
        """``(width, height)`` of the painted board."""
        return self.width_px, round((self.aspect + self.margins[1] + self.margins[3]) * self.scale)


FATTER = (1.0, 2.6)
"""How many times as wide borders are on a map that leaves discs no room: on the publisher's sheet to print they are
0.13 disc radii wide within an area and up to 0.25 between areas and along coasts, and run close by some rings."""

LINE_ART = 0.35
"""Share of such maps that are line art before chance has its say; of all boards it is one in seven."""

RINGS = ("solid", "none", "double", "dashed")
"""Printed rings."""


def sample_scene(
    template: MapTemplate, edition: Edition, rng: np.random.Generator, jitter: float = 0.5, width_px: int = 2200,
    wild: bool = False, tight: bool = False,
) -> Scene:  # fmt: skip
    """A printed board by chance.

    Args:
        template: the map; its layout order is kept.
        edition: where the discs lie.
        rng: chance.
        jitter: probability that this is an edition nobody measured: every disc 0.1-0.3 % of the width off and a few
            up to one disc radius elsewhere.
        width_px: width of the painted board in pixels.
        wild: prints no publisher would choose are possible, too: dashed rings, large dark labels under the ink.
        tight: the map was not drawn round its discs: coasts and borders pass where they will, fatter than else, and
            many boards are line art, where they are as plain as a pen's strokes.
    """
    radius = float(np.clip(edition.radius * np.exp(rng.normal(0, 0.04)), 0.016, 0.024))
    if rng.random() < 0.25:
        radius = float(rng.uniform(0.016, 0.024))
    moved = rng.random() < jitter
    cells = _moved(edition.cells, radius, rng) if moved else dict(edition.cells)
    palette = _fatter(rng) if tight else sample_palette(rng)
    bottom = max(y for _, y in cells.values())
    aspect = max(float(rng.uniform(0.625, 0.665)), bottom + 1.6 * radius)
    left, top, right, below = (rng.uniform(0, 0.05, 4) * (rng.random() < 0.3)).tolist()
    count = int(rng.choice(3, p=[0.8, 0.15, 0.05] if palette.paper else [0.15, 0.25, 0.6]))
    folds: tuple[tuple[float, ...], ...] = ((), (0.5,), (0.333, 0.667))
    return Scene(
        edition=edition.name + ("+jitter" if moved else ""),
        cells=cells,
        radius=radius,
        palette=palette,
        aspect=aspect,
        margins=(left, top, right, below),
        disc=_disc(palette, rng, wild),
        label=_label(palette, rng, wild),
        link=_link(palette, rng),
        folds=tuple(x + float(rng.normal(0, 0.008)) for x in folds[count]),
        furniture=int(rng.choice([0, 1, 2], p=[0.1, 0.5, 0.4])),
        seed=int(rng.integers(2**31)),
        width_px=width_px,
        sums=() if moved else edition.sums,
        tight=tight,
    )


def _fatter(rng: np.random.Generator) -> Palette:
    palette = PALETTES["line-art"](rng) if rng.random() < LINE_ART else sample_palette(rng)
    return replace(palette, border_width=palette.border_width * float(rng.uniform(*FATTER)))


def _moved(
    cells: Mapping[str, tuple[float, float]], radius: float, rng: np.random.Generator
) -> dict[str, tuple[float, float]]:
    """Disc positions of an edition nobody measured; no two discs end up nearer than 2.15 radii."""
    spread = float(rng.uniform(0.001, 0.003))
    ids = list(cells)
    old = np.array([cells[i] for i in ids])
    new = old + rng.normal(0, spread / np.sqrt(2), old.shape)
    for k in rng.choice(len(ids), size=min(len(ids), int(rng.integers(0, 10))), replace=False):
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 1.0) * radius
        target = old[k] + far * np.array([np.cos(angle), np.sin(angle)])
        gaps = np.linalg.norm(np.delete(new, k, axis=0) - target, axis=1)
        if gaps.min() > 2.15 * radius:
            new[k] = target
    return {i: (float(x), float(y)) for i, (x, y) in zip(ids, new, strict=True)}


def _disc(palette: Palette, rng: np.random.Generator, wild: bool) -> DiscStyle:
    paper = palette.paper
    grey = int(rng.integers(175, 240))
    pale: list[Colour] = [(252, 252, 252), (205, 228, 244), (grey, grey, grey), _any_colour(rng, 185)]
    fill = pale[int(rng.choice(4, p=[0.6, 0.15, 0.1, 0.15] if paper else [0.22, 0.4, 0.12, 0.26]))]
    opaque = paper or rng.random() < 0.35
    ring = str(rng.choice(RINGS, p=[0.8, 0.08, 0.07, 0.05] if wild else [0.9, 0.06, 0.04, 0.0]))
    own: Colour | None = None
    if rng.random() < (0.1 if paper else 0.35) * (1.0 if wild else 0.5):
        own = _any_colour(rng, 0 if wild else 60)  # a black ring hides a black circle
    return DiscStyle(
        fill=fill,
        opacity=1.0 if opaque else float(rng.uniform(0.62 if wild else 0.72, 0.95)),
        shade=0.0 if opaque and rng.random() < 0.7 else float(rng.normal(0.1, 0.09)),
        ring=ring if not (paper and ring == "none") else "solid",
        ring_width=float(rng.uniform(0.06, 0.2)),
        ring_colour=own,
        ring_tone=int(rng.integers(-70 if wild else -45, 50)) * int(rng.random() < 0.7),
        drop=0.0 if paper else float(rng.choice([0, rng.uniform(0.1, 0.6)])),
    )


def _any_colour(rng: np.random.Generator, low: int) -> Colour:
    b, g, r = (int(v) for v in rng.integers(low, 256, 3))
    return b, g, r


def _label(palette: Palette, rng: np.random.Generator, wild: bool) -> LabelStyle:
    """Small and white on art, in the ring's colour on paper, as on the boards seen; anything when ``wild``."""
    grey = int(rng.integers(110, 190))
    colours: list[Colour | None] = [(255, 255, 255), (45, 45, 45), None, (grey, grey, grey)]
    chances = [0.05, 0.07, 0.73, 0.15] if palette.paper else [0.66, 0.06, 0.16, 0.12]
    if not wild:
        chances = [0.0, 0.0, 0.85, 0.15] if palette.paper else [0.86, 0.0, 0.06, 0.08]
    choice = int(rng.choice(4, p=chances))
    return LabelStyle(
        face=str(rng.choice(["sans", "italic", "uni"], p=[0.8, 0.1, 0.1])),
        height=float(rng.uniform(0.42, 0.72) if wild else rng.uniform(0.36, 0.52)),
        weight=400 if choice == 1 else int(rng.choice([400, 600, 700, 900], p=[0.15, 0.2, 0.35, 0.3])),
        colour=colours[choice],
        halo=float(rng.choice([0.0, rng.uniform(0.1, 0.5)])),
    )


def _link(palette: Palette, rng: np.random.Generator) -> LinkStyle:
    dark = palette.paper or rng.random() < 0.12
    colour: Colour = (40, 40, 40) if dark else (250, 252, 252)
    if rng.random() < 0.15:
        colour = _any_colour(rng, 0)
    width = float(rng.uniform(0.1, 0.2))
    return LinkStyle(
        kind=str(rng.choice(["dots", "dashes", "line"], p=[0.75, 0.15, 0.1])),
        colour=colour,
        width=width,
        pitch=width * float(rng.uniform(1.7, 3.0)),
        bend=float(rng.uniform(0.0, 0.16)),
    )
