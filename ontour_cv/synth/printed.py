"""Boards given as a picture, under the synthetic camera: our own drawing as printed, or an owner's blank board."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.board import BoardLook, draw_board
from ontour_cv.press.design import ASPECT, BoardDesign
from ontour_cv.press.editions import own_edition, own_frame
from ontour_cv.press.raster import paint
from ontour_cv.synth.noise import Image
from ontour_cv.synth.palettes import PALETTES
from ontour_cv.synth.scene import Scene, sample_scene


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """A board on paper.

    Attributes:
        picture: the board seen straight from above, cut out, ``(H, W, 3)`` uint8 BGR.
        template: its map.
        design: its design.
    """

    picture: Image
    template: MapTemplate
    design: BoardDesign


@dataclass(frozen=True, slots=True, eq=False)
class Blank:
    """A published board without ink, known by its owner's photo.

    Attributes:
        picture: the board seen straight from above, ``(H, W, 3)`` uint8 BGR.
        edition: where its discs lie.
        margins: board beyond the edition's frame, ``(left, top, right, bottom)`` in board widths.
        paper: printed on paper rather than on a glossy board.
    """

    picture: Image
    edition: Edition
    margins: tuple[float, float, float, float]
    paper: bool


def make_print(template: MapTemplate, design: BoardDesign, lineart: bool = False, width_px: int = 2400) -> Print:
    """The board as drawn, with no printer between."""
    board = draw_board(template, design, BoardLook(lineart), 100.0)
    return Print(paint(board, width_px / board.width), template, design)


def blank_scene(blank: Blank, template: MapTemplate, rng: np.random.Generator, width_px: int) -> Scene:
    """The scene of a published board; chance decides about its palette only, which is what clutter and gloss go by."""
    scene = sample_scene(template, blank.edition, rng, 0.0, width_px)
    left, top, right, bottom = blank.margins
    height = blank.picture.shape[0] / blank.picture.shape[1] * (1 + left + right)
    return replace(
        scene,
        edition=blank.edition.name,
        cells=dict(blank.edition.cells),
        radius=blank.edition.radius,
        aspect=height - top - bottom,
        palette=replace(scene.palette, paper=blank.paper, gloss=0.1 if blank.paper else 0.9),
        margins=blank.margins,
        folds=(),
        furniture=0,
        sums=blank.edition.sums,
    )


def print_scene(sheet: Print, rng: np.random.Generator, width_px: int) -> Scene:
    """The scene of a printed board: paper, some of it laminated, sometimes folded; chance decides no more of it."""
    edition = own_edition(sheet.template, sheet.design)
    frame = own_frame(sheet.template, sheet.design)
    scene = sample_scene(sheet.template, edition, rng, 0.0, width_px)
    palette = replace(PALETTES["line-art"](rng), gloss=float(rng.choice([0.1, 0.9])))
    left, top = frame.shift
    margins = (-left, -top, left + frame.scale - 1, top + frame.scale * ASPECT - scene.aspect)
    fold = (left + 0.5 * frame.scale,)
    return replace(
        scene,
        edition=edition.name,
        cells=dict(edition.cells),
        radius=edition.radius,
        palette=palette,
        margins=margins,
        folds=fold if rng.random() < 0.3 else (),
        furniture=0,
        sums=edition.sums,
    )
