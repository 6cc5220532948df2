"""A phone photo of a filled sheet on a table, and the truth about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.sheet import ASPECT
from ontour_cv.sheet import Sheet
from ontour_cv.synth import develop
from ontour_cv.synth.background import make_background
from ontour_cv.synth.light import make_light
from ontour_cv.synth.noise import Image
from ontour_cv.synth.sheet_camera import Bend, SheetCamera, crease, frame_sheet, sample_bend, shading
from ontour_cv.synth.sheet_hand import Hands, SheetWriter, sample_sheet_writer
from ontour_cv.synth.sheet_ink import Trace, box_traces, cell_traces, count_traces
from ontour_cv.synth.sheet_paint import paint_traces
from ontour_cv.synth.sheet_play import sample_sheet
from ontour_cv.synth.sheet_print import FlatSheet, print_flat
from ontour_cv.synth.sheet_shot import sample_sheet_shot
from ontour_cv.synth.sheet_table import lay, lay_things, others
from ontour_cv.synth.strokes import Hand

Play = Callable[[MapTemplate, np.random.Generator], tuple[Sheet, frozenset[str]]]
Writers = Callable[[np.random.Generator, Hand | None, bool], SheetWriter]

UNIT = 0.02
"""What blur and reflections are measured in, sheet widths: about half a digit's height, as a disc's radius is."""

GLOSS = 0.15
"""Of paper; a laminated board has 0.9."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetShot:
    """A photo and its truth.

    Attributes:
        image: ``(H, W, 3)`` uint8 BGR.
        sheet: what is written; the final values where something was mended.
        crossed: names of the boxes crossed off (``"round3"``, ``"guard1"``).
        corners: ``(4, 2)`` photo pixels of the sheet's corners: top left, top right, bottom right, bottom left.
        homography: ``(3, 3)`` from sheet widths to photo pixels; a best fit when the paper is curled.
        cells: region id -> ``(N, 2)`` photo pixels of the template's outline.
        boxes: box name -> ``(4, 2)`` photo pixels of its corners.
        ink: region id -> ``"plain"``, ``"erased"``, ``"crossed out"`` or ``"overwritten"``.
        conditions: what the photo was taken under, by name.
        writing: region id -> ``(4, 2)`` photo pixels of the box round the digit or X that counts; blanks are left out.
    """

    image: Image
    sheet: Sheet
    crossed: frozenset[str]
    corners: Points
    homography: NDArray[np.float64]
    cells: Mapping[str, Points]
    boxes: Mapping[str, Points]
    ink: Mapping[str, str]
    conditions: Mapping[str, float | str]
    writing: Mapping[str, Points] = field(default_factory=dict)


def render_sheet(
    seed: int | tuple[int, ...], *, hard: bool = False, hands: Hands | None = None, backgrounds: Sequence[Path] = (),
    own: float = 0.0, long_side: int | None = None, play: Play = sample_sheet, writers: Writers = sample_sheet_writer,
) -> SheetShot:  # fmt: skip
    """A photo of a sheet of Rolling America, filled by a player; the same seed gives the same photo.

    Args:
        seed: of all chance.
        hard: bad light, strong curl, large tilt, any rotation, faint pencils.
        hands: whose handwriting (``train.hands.Hands`` of one split); None takes shapes of our own.
        backgrounds: photos to lay the sheet on, beside the procedural tables.
        own: share of writers with shapes of our own although ``hands`` are given.
        long_side: longer side of the photo in pixels; None takes one from 1200 to 3000.
        play: what stands on the sheet, and which boxes are crossed off.
        writers: whoever fills it, with that hand and, if so said, on a hard photo.
    """
    rng = np.random.default_rng(seed)
    template = _template()
    shot = sample_sheet_shot(rng, hard, long_side)
    width_px = int(np.clip(max(shot.pose.size) * 0.85, 1000, 2000))
    sheet, crossed = play(template, rng)
    writer = writers(rng, hands.pick(rng, own) if hands is not None else None, hard)
    blank = print_flat(template, rng, width_px, hard)
    flat = replace(blank, bgr=blank.bgr.copy())
    traces, ink, boxes = fill(template, sheet, crossed, writer, rng)
    paint_traces(flat.bgr, traces, writer, flat.scale, flat.shift, rng)
    bend = sample_bend(rng, hard)
    camera, shot = frame_sheet(shot, bend, _everything(template), 0.012)
    unit_px = _unit_px(camera, template)
    picture = make_background(shot.pose.size, rng, backgrounds)
    where = camera.maps_to(1.0, (0.0, 0.0))
    for other, place in others(camera, blank, rng, hard):
        if place.beside:
            _fill_in(template, other, rng)
        lay(picture, other, where, unit_px / UNIT, rng, place.matrix)
    mask = lay(picture, _shaded(flat, bend, rng), where, unit_px / UNIT, rng)
    lay_things(picture, camera, _everything(template), unit_px, rng, hard)
    light = make_light(shot, camera.board_to_photo(_middles(template)), unit_px, GLOSS, rng)
    picture = develop.blur(picture, shot, unit_px)
    picture = develop.expose(picture, light, mask, shot, rng)
    picture = develop.finish(picture, shot)
    picture = develop.decode(develop.encode(picture, shot.quality, shot.subsampled))
    if shot.forwarded:
        picture = develop.decode(develop.encode(picture, shot.forwarded, True))
    conditions: dict[str, float | str] = {
        "look": flat.look, "tool": writer.tool, "dark": writer.dark, "fold": int(bend.fold), "exposure": shot.exposure,
        "tilt_deg": shot.pose.tilt_deg, "roll_deg": shot.pose.roll_deg + bend.turn_deg, "bend_deg": bend.total_deg,
        "noise": shot.noise, "quality": shot.quality, "unit_px": unit_px,
    }  # fmt: skip
    writing = {state: camera.board_to_photo(box) for state, box in boxes.items()}
    return replace(_truth(picture, template, sheet, crossed, ink, camera, conditions), writing=writing)


@cache
def _template() -> MapTemplate:
    return load_map("rolling-america")


def _fill_in(template: MapTemplate, flat: FlatSheet, rng: np.random.Generator) -> None:
    """Another player's sheet, filled in place."""
    writer = sample_sheet_writer(rng)
    traces, _, _ = fill(template, *sample_sheet(template, rng), writer, rng)
    paint_traces(flat.bgr, traces, writer, flat.scale, flat.shift, rng)


def fill(
    template: MapTemplate, sheet: Sheet, crossed: frozenset[str], writer: SheetWriter, rng: np.random.Generator
) -> tuple[list[Trace], dict[str, str], dict[str, Points]]:
    """Everything the player puts on the sheet, what became of each cell, and where the digit or X is that counts.

    See ``sheet_ink.cell_traces`` for what can become of a cell.
    """
    traces: list[Trace] = []
    ink: dict[str, str] = {}
    boxes: dict[str, Points] = {}
    for region in template.regions:
        made, ink[region.id] = cell_traces(sheet.marks[region.id], np.array(region.outline), writer, rng)
        traces += made
        box = _writing_box(made)
        if len(box):
            boxes[region.id] = box
    for name, box in _box_corners(template).items():
        if name in crossed:
            traces += box_traces(box, writer, rng)
        elif name == "numXs" and sheet.boxes.x is not None:
            traces += count_traces(sheet.boxes.x, box, writer, rng)
    return traces, ink, boxes


def _writing_box(traces: Sequence[Trace]) -> Points:
    """Corners ``(4, 2)`` of the box round the strokes that count, sheet widths; ``(0, 2)`` when there are none."""
    points = [trace.points for trace in traces if trace.counts]
    if not points:
        return np.empty((0, 2))
    every = np.concatenate(points)
    (left, top), (right, bottom) = every.min(axis=0), every.max(axis=0)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _box_corners(template: MapTemplate) -> dict[str, Points]:
    return {
        box.id: np.array([[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]])
        for box in template.boxes
    }


def _everything(template: MapTemplate) -> Points:
    """Corners of all cells and boxes."""
    cells = [np.array(region.outline, dtype=np.float64) for region in template.regions]
    return np.concatenate([*cells, *_box_corners(template).values()])


def _middles(template: MapTemplate) -> Points:
    return np.array([region.layout for region in template.regions], dtype=np.float64)


def _unit_px(camera: SheetCamera, template: MapTemplate) -> float:
    """Median size of ``UNIT`` in the photo."""
    return float(np.median(np.sqrt(np.abs(np.linalg.det(camera.axes(_middles(template), UNIT))))))


def _shaded(flat: FlatSheet, bend: Bend, rng: np.random.Generator) -> FlatSheet:
    """The sheet with the light its bends catch; a fold leaves a worn line."""
    shape = (flat.bgr.shape[0], flat.bgr.shape[1])
    gain = shading(bend, shape, flat.scale, flat.shift, float(rng.normal(0, 0.5)))
    value = flat.bgr * gain[..., None]
    if bend.fold:
        worn = crease(bend, shape, flat.scale, flat.shift)[..., None] * np.float32(rng.uniform(0.1, 0.7))
        value += (np.float32(rng.choice([90, 235])) - value) * worn
    return replace(flat, bgr=np.asarray(np.clip(value, 0, 255), dtype=np.uint8))


def _truth(
    picture: Image, template: MapTemplate, sheet: Sheet, crossed: frozenset[str], ink: Mapping[str, str],
    camera: SheetCamera, conditions: Mapping[str, float | str],
) -> SheetShot:  # fmt: skip
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, ASPECT], [0.0, ASPECT]])
    points = _everything(template)
    homography, _ = cv2.findHomography(points, camera.board_to_photo(points))
    return SheetShot(
        image=picture,
        sheet=sheet,
        crossed=crossed,
        corners=camera.board_to_photo(corners),
        homography=np.asarray(homography, dtype=np.float64),
        cells={r.id: camera.board_to_photo(np.array(r.outline, dtype=np.float64)) for r in template.regions},
        boxes={name: camera.board_to_photo(box) for name, box in _box_corners(template).items()},
        ink=ink,
        conditions=conditions,
    )
