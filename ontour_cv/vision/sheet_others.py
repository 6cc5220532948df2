"""Other sheets in the picture: what is left over beside the boards and sheets that were found is looked at again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ontour_cv.geometry import Points
from ontour_cv.vision.landmarks import WorkingCopy, working_copy
from ontour_cv.vision.others import LEAST_INSIDE, MOST, OtherBoard, room_beside, where_from
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.sheet_model import SheetModel
from ontour_cv.vision.sheet_pieces import find_pieces, outside
from ontour_cv.vision.sheet_place import LONG_SIDE, SheetPlacement, accepted, find_sheet, settled

LEAST_PIECES = 25
"""Pieces of paper that a first look sees of a sheet at the least, half of its states. Outside of the board eight photos
had 4 to 20, a blurred one 47; two with a sheet beside the board 71 and 74."""


def promising(working: WorkingCopy, size: tuple[int, int], taken: Sequence[Points]) -> bool:
    """Whether enough pieces of paper lie outside of the outlines ``taken``, ``(N, 2)`` photo pixels, for a sheet.

    Args:
        working: a neutral copy of the photo.
        size: width and height of the photo.
        taken: what is of something else.
    """
    return len(outside(find_pieces(working, size), taken)) >= LEAST_PIECES


def sheet_outline(found: SheetPlacement) -> Points:
    """``(4, 2)`` photo pixels: corners of the box round all that is printed on a sheet, as it lies."""
    left, top, right, bottom = found.model.extent
    return found.warp.apply(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))


def other_sheets(photo: Photo, model: SheetModel, taken: Sequence[Points], looks: int = 1) -> list[SheetPlacement]:
    """Sheets outside of what was found before, the most evident first; four fifths of each are in the picture.

    Args:
        photo: the picture.
        model: the sheet.
        taken: outlines ``(N, 2)`` of boards and sheets that are known, photo pixels; a sheet is looked for more
            briefly where there are some.
        looks: how often to look for each; after one look only what is beyond doubt is a sheet.
    """
    working, size = working_copy(photo, LONG_SIDE), np.array(photo.bgr.shape[1::-1])
    enough = settled if looks == 1 else accepted
    outlines, found = list(taken), list[SheetPlacement]()
    for _ in range(MOST + 1):
        one = find_sheet(photo, model, working, looks, outlines)
        if one is None or not enough(one):
            break
        outlines.append(sheet_outline(one))
        places = one.warp.apply(model.centres)
        if np.mean(((places > 0) & (places < size)).all(axis=1)) >= LEAST_INSIDE:
            found.append(one)
    return found


def sheets_beside(photo: Photo, model: SheetModel, outline: Points, others: Sequence[Points] = ()) -> list[OtherBoard]:
    """The sheets beside a board or sheet that was read, after one look, and none where there is no room for any.

    Args:
        photo: the picture.
        model: the sheet.
        outline: ``(N, 2)`` of what was read, photo pixels.
        others: outlines of what is told already.
    """
    if not room_beside(outline, (photo.bgr.shape[1], photo.bgr.shape[0])):
        return []
    told = []
    for one in other_sheets(photo, model, [outline, *others]):
        there = sheet_outline(one)
        told.append(OtherBoard(where_from(there.mean(axis=0) - outline.mean(axis=0)), there, one.log_odds, "sheet"))
    return told
