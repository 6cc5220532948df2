"""Training crops of sheets as reading cuts them: found by the reader, looked at closely where its network looks."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ontour_cv.errors import BoardNotFound
from ontour_cv.synth.sheet_hand import Hands, sample_sheet_writer
from ontour_cv.synth.sheet_photo import SheetShot, Writers
from ontour_cv.train.sheet_labels import sheet_labels
from ontour_cv.train.sheet_shards import SIZES, Look, Shard, shard_of, shoot, spot_in, true_place
from ontour_cv.vision.cells import CROP_RADII
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_cells import WHOLE, cut_close, cut_sheet, sheet_places, window_place
from ontour_cv.vision.sheet_glyphs import SheetNetwork
from ontour_cv.vision.sheet_place import locate_sheet

UNRULY = 0.3
"""Share of the sheets that show no game but anything: fewer than elsewhere, for this is to be what readers see."""

ELSEWHERE = 0.35 * CROP_RADII
"""Cells laid wrong by a third of their crop's half side are left out: the crop shows something else."""


def make_read_shard(
    seed: tuple[int, ...], hands: Hands, network: SheetNetwork, count: int, own: float,
    backgrounds: tuple[Path, ...] = (), size: tuple[int, ...] = SIZES, writers: Writers = sample_sheet_writer,
) -> Shard:  # fmt: skip
    """``count`` crops of rendered photos in which the reader found the sheet; the same seed gives the same shard."""
    rng = np.random.default_rng(seed)
    looks: list[Look] = []
    for photo in itertools.count():
        if len(looks) >= count:
            break
        with contextlib.suppress(BoardNotFound):
            looks += _looks(shoot((*seed, photo), rng, hands, own, backgrounds, size, UNRULY, writers), network)
    return shard_of(looks[:count])


def _looks(shot: SheetShot, network: SheetNetwork) -> Iterator[Look]:
    """Every cell and box that lies where the reader thinks, and behind each cell the close look at it."""
    photo, model = Photo("", shot.image), network.model
    warp = locate_sheet(photo, model).warp
    images = cut_sheet(photo, warp, model).images
    windows = network.windows(images)
    close = cut_close(photo, warp, model, windows)
    places, rows = sheet_places(warp, model), sheet_labels(shot.sheet, model.ids, shot.crossed)
    for k, (name, place) in enumerate(zip(model.ids, places, strict=True)):
        off = np.subtract(true_place(shot, model, k).centre_photo, place.centre_photo)
        if np.abs(np.linalg.solve(np.asarray(place.axes_photo), off)).max() > ELSEWHERE:
            continue
        box = shot.writing.get(name)
        yield Look(images[k], k, rows[k], np.array(WHOLE), spot_in(place, box))
        if k < model.cells:
            there = window_place(place, windows[k])
            yield Look(close[k], k, rows[k], windows[k], spot_in(there, box))
