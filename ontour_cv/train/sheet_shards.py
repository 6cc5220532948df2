"""Training crops of sheets: whole sheets painted flat, every cell photographed by itself; or cut from whole photos."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.geometry import Points
from ontour_cv.maps.model import MapTemplate
from ontour_cv.sheet import Sheet
from ontour_cv.synth.sheet_hand import Hands, SheetWriter, sample_sheet_writer
from ontour_cv.synth.sheet_ink import box_traces, cell_traces, count_traces
from ontour_cv.synth.sheet_paint import paint_traces
from ontour_cv.synth.sheet_photo import SheetShot, Writers, render_sheet
from ontour_cv.synth.sheet_play import sample_sheet
from ontour_cv.train.lens import aimed, snap
from ontour_cv.train.sheet_labels import box_label, cell_label, count_label, sheet_labels
from ontour_cv.train.sheet_print import WIDTH_PX, paint_print, shapes_of
from ontour_cv.train.style import Image
from ontour_cv.vision.cells import CROP_RADII, crop_cell
from ontour_cv.vision.register import CellPlace
from ontour_cv.vision.sheet_cells import WHOLE, close_windows, window_place
from ontour_cv.vision.sheet_model import SheetModel

LOOKS = 2
"""Crops taken of each cell, each through another camera."""

COUNTS = 4
"""Numbers of Xs written on each sheet, one after the other: digits in pairs are learnt from them alone."""

BOXES = 0.4
"""Share of the boxes that are kept: crossed or not is soon learnt."""

SIZES = (1100, 1280, 1600, 2048, 2400)
"""Longer sides of the photos cells are cut from."""

HARD = 0.6
"""Share of hard photos."""

UNRULY = 0.5
"""Share of the photos that show no game but anything: circles, Xs and blanks are rare in games."""

BLANK_LOOKS = 0.3
"""Share of the blank cells that are also seen closely, somewhere."""

CANVAS = 2.1
"""Half the side of the piece of paper that is photographed, crop radii."""


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """Crops.

    Attributes:
        images: ``(N, 64, 64, 3)`` uint8.
        places: ``(N,)`` index into the model.
        labels: ``(N, 6)``.
        windows: ``(N, 3)`` which part of the cell's crop it is (``vision.sheet_cells.WHOLE``).
        spots: ``(N, 3)`` where the digit or X is in this picture: x, y and half the longer side, in half sides; NaN
            where there is none or nobody knows.
    """

    images: NDArray[np.uint8]
    places: NDArray[np.uint8]
    labels: NDArray[np.int8]
    windows: NDArray[np.float32]
    spots: NDArray[np.float32]

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Rows ``(N,)`` that show a whole cell or box; the others are close looks."""
        return np.asarray((self.windows == np.array(WHOLE, np.float32)).all(axis=1))

    def save(self, path: Path) -> None:
        """Writes the shard; it appears under its name when it is whole."""
        part = path.with_suffix(".part.npz")
        np.savez(part, **{name: getattr(self, name) for name in self.__slots__})
        part.rename(path)

    def rows(self, which: NDArray[np.intp] | slice) -> Shard:
        """Some of the crops."""
        return Shard(**{name: getattr(self, name)[which] for name in self.__slots__})

    @classmethod
    def joined(cls, parts: Sequence[Shard]) -> Shard:
        """All crops of several."""
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__})

    @classmethod
    def load(cls, path: Path) -> Shard:
        """A shard as saved."""
        with np.load(path) as store:
            return cls(**{name: store[name] for name in cls.__slots__})


def random_mark(rng: np.random.Generator) -> Mark:
    """A cell, with X, circles and blanks more frequent than in play."""
    kind = (Kind.EMPTY, Kind.NUMBER, Kind.BLOCKED)[int(rng.choice(3, p=[0.14, 0.7, 0.16]))]
    if kind is not Kind.NUMBER:
        return Mark(kind)
    return Mark(kind, int(rng.integers(1, 7)), bool(rng.random() < 0.25))


def make_flat_shard(
    seed: tuple[int, ...], hands: Hands, template: MapTemplate, model: SheetModel, count: int, own: float
) -> Shard:
    """``count`` crops of painted sheets; the same seed gives the same shard."""
    rng = np.random.default_rng(seed)
    shapes = shapes_of(template)
    images: list[Image] = []
    places: list[int] = []
    labels: list[NDArray[np.int8]] = []
    while len(images) < count:
        writer = sample_sheet_writer(rng, hands.pick(rng, own), bool(rng.random() < 0.6))
        blank = paint_print(template, shapes, rng)
        sheet, rows = _written(blank, model, shapes, writer, rng)
        for k, label in enumerate(rows * LOOKS):
            k %= len(rows)
            if k < model.cells or rng.random() < BOXES:
                images.append(_crop(sheet, model, k, rng))
                places.append(k)
                labels.append(label)
        last = len(model.ids) - 1 - model.ids[::-1].index("numXs")
        for _ in range(COUNTS):
            number = None if rng.random() < 0.12 else int(rng.choice([rng.integers(0, 26), rng.integers(0, 100)]))
            sheet = blank.copy()
            if number is not None:
                paint_traces(sheet, count_traces(number, shapes["numXs"], writer, rng), writer, WIDTH_PX, (0, 0), rng)
            images.append(_crop(sheet, model, last, rng))
            places.append(last)
            labels.append(count_label(number))
    whole = np.tile(np.array(WHOLE, np.float32), (count, 1))
    return Shard(
        np.stack(images[:count]), np.array(places[:count], np.uint8), np.stack(labels[:count]), whole,
        np.full((count, 3), np.nan, np.float32),
    )  # fmt: skip


def _written(
    blank: Image, model: SheetModel, shapes: dict[str, Points], writer: SheetWriter, rng: np.random.Generator
) -> tuple[Image, list[NDArray[np.int8]]]:
    """A sheet filled at random, and a label row for each cell and box."""
    sheet, traces, rows = blank.copy(), [], []
    for k, name in enumerate(model.ids):
        if k < model.cells:
            mark = random_mark(rng)
            traces += cell_traces(mark, shapes[name], writer, rng)[0]
            rows.append(cell_label(mark))
        elif name == "numXs":
            rows.append(count_label(None))
        else:
            crossed = bool(rng.random() < 0.5)
            traces += box_traces(shapes[name], writer, rng) if crossed else []
            rows.append(box_label(crossed))
    paint_traces(sheet, traces, writer, WIDTH_PX, (0.0, 0.0), rng)
    return sheet, rows


def _crop(sheet: Image, model: SheetModel, k: int, rng: np.random.Generator) -> Image:
    """One cell through a small camera and the reader's own cropper."""
    radius = float(model.reach[k]) / CROP_RADII * WIDTH_PX
    middle = model.windows[k] * WIDTH_PX - 0.5
    half = int(np.ceil(CANVAS * radius))
    low = np.round(middle).astype(int) - half
    padded = cv2.copyMakeBorder(
        sheet[max(low[1], 0) : low[1] + 2 * half, max(low[0], 0) : low[0] + 2 * half],
        max(-low[1], 0), max(low[1] + 2 * half - sheet.shape[0], 0),
        max(-low[0], 0), max(low[0] + 2 * half - sheet.shape[1], 0), cv2.BORDER_REPLICATE,
    )  # fmt: skip
    frame = np.array([[radius, 0.0, middle[0] - low[0]], [0.0, radius, middle[1] - low[1]]])
    picture, place = snap(np.asarray(padded, dtype=np.uint8), frame, rng)
    return crop_cell(picture, place)


def make_photo_shard(
    seed: tuple[int, ...], hands: Hands, model: SheetModel, count: int, own: float, backgrounds: tuple[Path, ...] = (),
    size: tuple[int, ...] = SIZES,
) -> Shard:  # fmt: skip
    """``count`` crops cut from rendered photos, aimed a little wrong; the same seed gives the same shard."""
    rng = np.random.default_rng(seed)
    looks: list[Look] = []
    while len(looks) < count:
        shot = shoot((*seed, len(looks)), rng, hands, own, backgrounds, size, UNRULY)
        rows = sheet_labels(shot.sheet, model.ids, shot.crossed)
        for k, name in enumerate(model.ids):
            if k < model.cells or name == "numXs" or rng.random() < BOXES:
                looks += _looks(shot, model, k, rows[k], rng)
    return shard_of(looks[:count])


def shoot(
    seed: tuple[int, ...], rng: np.random.Generator, hands: Hands, own: float, backgrounds: tuple[Path, ...],
    size: tuple[int, ...], unruly: float, writers: Writers = sample_sheet_writer,
) -> SheetShot:  # fmt: skip
    """A photo to cut crops from, most of them hard, of a game or, as often as ``unruly`` says, of anything."""
    return render_sheet(
        seed, hard=bool(rng.random() < HARD), hands=hands, backgrounds=backgrounds, own=own,
        long_side=int(rng.choice(size)), play=random_sheet if rng.random() < unruly else sample_sheet,
        writers=writers,
    )  # fmt: skip


def random_sheet(template: MapTemplate, rng: np.random.Generator) -> tuple[Sheet, frozenset[str]]:
    """Anything anywhere, by no rule; the boxes as in some game."""
    played, crossed = sample_sheet(template, rng)
    return Sheet(BoardState({state: random_mark(rng) for state in template.ids}), played.boxes), crossed


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A row of a :class:`Shard`."""

    image: Image
    place: int
    label: NDArray[np.int8]
    window: NDArray[np.float64]
    spot: NDArray[np.float64]


def shard_of(looks: Sequence[Look]) -> Shard:
    """These rows as a shard."""
    return Shard(
        np.stack([look.image for look in looks]),
        np.array([look.place for look in looks], np.uint8),
        np.stack([look.label for look in looks]),
        np.array([look.window for look in looks], np.float32),
        np.array([look.spot for look in looks], np.float32),
    )


def _looks(
    shot: SheetShot, model: SheetModel, k: int, label: NDArray[np.int8], rng: np.random.Generator
) -> Iterator[Look]:
    """A whole crop of a cell or box; of a cell also a close look at what is written, aimed no better than a reader."""
    true = true_place(shot, model, k)
    place = aimed(np.array(true.centre_photo), true.axes_photo, rng)
    box = shot.writing.get(model.ids[k]) if k < model.cells else None
    spot = spot_in(place, box)
    yield Look(crop_cell(shot.image, place), k, label, np.array(WHOLE), spot)
    if k >= model.cells:
        return
    if box is None:
        if rng.random() < BLANK_LOOKS:
            window = np.append(rng.normal(0, 0.25, 2), rng.uniform(0.3, 0.9))
            yield Look(crop_cell(shot.image, window_place(place, window)), k, label, window, spot)
        return
    loose = 2.5 if rng.random() < 0.12 else 1.0
    guess = spot + np.append(rng.normal(0, 0.12 * loose, 2), 0.0) * spot[2]
    guess[2] *= np.exp(rng.normal(0, 0.12 * loose))
    window = close_windows(guess[None])[0]
    close = window_place(place, window)
    yield Look(crop_cell(shot.image, close), k, label, window, spot_in(close, box))


def spot_in(place: CellPlace, box: Points | None) -> NDArray[np.float64]:
    """Where the crop at ``place`` shows the box ``(4, 2)`` of the photo, as ``Shard.spots`` has it; NaN for None."""
    if box is None:
        return np.full(3, np.nan)
    seen = (
        np.linalg.solve(np.asarray(place.axes_photo, np.float64), (box - np.array(place.centre_photo)).T) / CROP_RADII
    )
    low, high = seen.min(axis=1), seen.max(axis=1)
    return np.append((low + high) / 2, max(float((high - low).max()) / 2, 0.02))


def true_place(shot: SheetShot, model: SheetModel, k: int) -> CellPlace:
    """Where cell or box ``k`` truly lies in a rendered photo, as ``vision.sheet_cells.sheet_places`` has it."""
    name = model.ids[k]
    seen = shot.cells[name] if k < model.cells else shot.boxes[name]
    first = np.asarray(model.outlines[k])
    rows = np.column_stack([first - model.windows[k], np.ones(len(first))])
    affine = np.linalg.lstsq(rows, seen, rcond=None)[0]
    centre = affine[2]
    return CellPlace((float(centre[0]), float(centre[1])), affine[:2].T * model.reach[k] / CROP_RADII, True, True)
