"""Photo + Placement -> :class:`DrawnTour`: the tour the player drew along the printed links, or that none can be told.

Every link's corridor is judged by a small network (``train.drawn``), beside how links look on this board, calibrated to
log-odds; the most probable simple
path through the links is the tour (``drawn_path``). It is told only when nothing had to be otherwise than it looked,
or hardly, and the runner-up lies far behind: a tour not read costs a player nothing, a wrong one is an accusation.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontour_cv.errors import BadTemplate
from ontour_cv.resources import models_dir
from ontour_cv.vision.drawn_path import LikelyPath, Link, likely_path
from ontour_cv.vision.drawn_strips import LinkStrips, cut_links
from ontour_cv.vision.glyphs import standardised
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement

MODEL = "drawn"
"""Name of the shipped model: ``models/drawn.onnx`` and its card ``drawn.json``."""

LEAST_PLACES = 4
"""A shorter line is no tour anybody draws; it is a tick, a ring that went wide, or a correction."""


@dataclass(frozen=True, slots=True)
class DrawnTour:
    """What was seen of a drawn tour.

    Attributes:
        read: True: ``places`` is what was drawn (none: no tour was drawn); False: something was drawn, or seems to be,
            that could not be told for sure.
        places: region ids along it, from the end whose id comes first; empty unless read.
        margin: how far the runner-up lay behind, natural log units; 0 when the search gave up.
    """

    read: bool
    places: tuple[str, ...]
    margin: float


class LinkReader:
    """The network that judges corridors, run by cv2.dnn; loaded once.

    Args:
        folder: where the model lies; the shipped one when None.

    Raises:
        BadTemplate: the model or its card is missing or damaged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        import cv2

        folder = folder or models_dir()
        try:
            self.card: dict[str, Any] = json.loads((folder / f"{MODEL}.json").read_text(encoding="utf-8"))
            self._net = cv2.dnn.readNetFromONNX(str(folder / f"{MODEL}.onnx"), cv2.dnn.ENGINE_CLASSIC)
            self._temperature = float(self.card["temperature"])
            self.margin = float(self.card["margin"])
            self.most_cost = float(self.card["most_cost"])
        except (OSError, ValueError, KeyError, TypeError, cv2.error) as error:
            raise BadTemplate(f"the reading model in {folder} cannot be loaded", "Install ontour-cv again.") from error

    def log_odds(self, strips: LinkStrips) -> NDArray[np.float64]:
        """``(N,)`` calibrated log-odds of each link being drawn, natural log units."""
        self._net.setInput(network_input(strips.images, strips.lengths, usual_corridor(strips.images)))
        return np.asarray(self._net.forward(), dtype=np.float64)[:, 0] / self._temperature


def usual_corridor(images: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What a board's corridors have in common, ``(3, ALONG, ACROSS)`` float32: how its bare links are printed.

    Most links of a board are not drawn, so the median over all of them shows the printed dots or lines, and a pen line
    that is on a few of them does not. Made the same from either end and either side.
    """
    colours = standardised(images)
    colours -= np.median(colours, axis=(2, 3), keepdims=True)
    usual = np.asarray(np.median(colours, axis=0), dtype=np.float32)
    either_end = (usual + usual[:, ::-1]) / 2
    return np.asarray((either_end + either_end[:, :, ::-1]) / 2, dtype=np.float32)


def network_input(
    images: NDArray[np.uint8], lengths: NDArray[np.float64], usual: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Corridors as the network's input, ``(N, 7, ALONG, ACROSS)`` float32: standardised colours, length, the usual.

    Args:
        images: as ``LinkStrips.images``.
        lengths: as ``LinkStrips.lengths``; the network sees it since a short corridor shows a piece enlarged.
        usual: of the board, ``(3, ALONG, ACROSS)``, or of each corridor's board, ``(N, 3, ALONG, ACROSS)``.
    """
    plane = (np.minimum(lengths, 10.0) / 5.0 - 1.0).astype(np.float32)
    size = images.shape[1:3]
    planes = np.broadcast_to(plane[:, None, None, None], (len(images), 1, *size))
    print_of = np.broadcast_to(usual, (len(images), 3, *size))
    return np.ascontiguousarray(np.concatenate([standardised(images), planes, print_of], axis=1))


def read_drawn(photo: Photo, placement: Placement, links: Sequence[Link], reader: LinkReader) -> DrawnTour:
    """The tour drawn on a placed board.

    Args:
        photo: the picture at full resolution.
        placement: where the board lies.
        links: the map's links, region ids.
        reader: the loaded network.
    """
    if not links:
        return DrawnTour(True, (), 0.0)
    log_odds = reader.log_odds(cut_links(photo, placement, links))
    path = likely_path(links, log_odds.tolist(), reader.margin)
    return decided(path, reader.margin, reader.most_cost)


def decided(path: LikelyPath | None, margin: float, most_cost: float) -> DrawnTour:
    """What may be said of the likeliest path: see the module."""
    if path is None:
        return DrawnTour(False, (), 0.0)
    sure = path.margin >= margin and path.cost <= most_cost
    if not sure or 0 < len(path.places) < LEAST_PLACES:
        return DrawnTour(False, (), path.margin)
    return DrawnTour(True, path.places, path.margin)
