"""Readings made by hand, with a painted stand-in for the photo, for tests of everything behind the eyes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState, Kind, Mark, parse_board, parse_mark
from ontour_cv.geometry import Homography
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.vision.cells import cut_cells
from ontour_cv.vision.decode import CellReading, Decoded
from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.landmarks import Candidates, working_copy
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import Reading
from ontour_cv.vision.register import CellPlace, Placement

GOLDEN = (
    "AL=79 AR=48 AZ=50 CA=29o CO=36o FL=92 GA=81o IA=41 ID=19o IL=63 IN=20o KS=52 KY=72 LA=57 MC=10 MI=02o MN=12 "
    "MO=41o MS=63 MT=14 NC=97 ND=13 NE=39 NE2=96 NM=25 NV=31 NY=18o OH=01 OK=81 OR=27 PA=93 SC=84 SD=*o TN=75 TX=91 "
    "UT=36 VA=14 WA=21o WI=x WV=69 WY=18"
)
"""A real filled board: 23 states + 7 circles = 30, proved by exhaustive search."""

RADIUS = 0.019


def usa() -> MapTemplate:
    return load_map("usa")


def edition() -> Edition:
    """The map's rough layout as if it were a print."""
    template = usa()
    cells = {region.id: region.layout for region in template.regions}
    return Edition("usa", "stand-in", "Stand-in", cells, RADIUS, "the map's rough layout")


def view(width: int, angle_deg: float = 0.0, tilt: float = 0.0) -> Homography:
    """Board to a photo about ``width`` px wide, turned clockwise, its far edge shrunk by ``tilt`` (0-0.5)."""
    scale = 0.92 * width
    centre = np.array([[1, 0, -0.5], [0, 1, -0.33], [0, 0, 1]], dtype=np.float64)
    keystone = np.array([[1, 0, 0], [0, 1, 0], [0, -tilt, 1]], dtype=np.float64)
    c, s = np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    reach = 0.5 * abs(c) + 0.33 * abs(s), 0.5 * abs(s) + 0.33 * abs(c)
    place = np.array([[scale, 0, 1.1 * scale * reach[0]], [0, scale, 1.1 * scale * reach[1]], [0, 0, 1]])
    return Homography(place @ turn @ keystone @ centre, "board", "photo")


def place_cells(edition: Edition, board_to_photo: Homography, size: tuple[int, int]) -> dict[str, CellPlace]:
    centres = np.array(list(edition.cells.values()))
    photo = board_to_photo.apply(centres)
    axes = board_to_photo.jacobians(centres) * edition.radius
    width, height = size
    return {
        region: CellPlace((float(x), float(y)), axes[i], True, bool(0 <= x < width and 0 <= y < height))
        for i, (region, (x, y)) in enumerate(zip(edition.cells, photo, strict=True))
    }


def paint(edition: Edition, board: BoardState, board_to_photo: Homography, size: tuple[int, int]) -> NDArray[np.uint8]:
    """A picture of the board: a black field, patches of colour, pale discs with the marks in a drawn font."""
    scale = 2000
    art = np.full((int(0.66 * scale), scale, 3), 18, np.uint8)
    rng = np.random.default_rng(7)
    for x, y in edition.cells.values():
        hue = np.array([[[int(120 * x) % 180, 190, 220]]], np.uint8)
        colour = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].tolist()
        corners = np.array([[x, y]]) + rng.uniform(-0.075, 0.075, (6, 2))
        cv2.fillConvexPoly(art, cv2.convexHull((corners * scale).astype(np.int32)), colour, cv2.LINE_AA)
    template = usa()
    for a, b in template.edges():
        for t in np.linspace(0, 1, 14):
            dot = np.array(edition.cells[a]) * t + np.array(edition.cells[b]) * (1 - t)
            cv2.circle(art, (dot * scale).astype(int).tolist(), 3, (255, 255, 255), -1, cv2.LINE_AA)
    for region, (x, y) in edition.cells.items():
        at = int(x * scale), int(y * scale)
        cv2.circle(art, at, int(RADIUS * scale), (215, 228, 240), -1, cv2.LINE_AA)
        _write(art, at, board.marks[region], int(RADIUS * scale))
    shrink = Homography(np.diag([1 / scale, 1 / scale, 1.0]), "art", "board").then(board_to_photo)
    table = np.full((size[1], size[0], 3), (120, 160, 190), np.uint8)
    mask = cv2.warpPerspective(np.full(art.shape[:2], 255, np.uint8), shrink.matrix, size)
    warped = cv2.warpPerspective(art, shrink.matrix, size, flags=cv2.INTER_AREA)
    return np.asarray(np.where(mask[..., None] > 127, warped, table), dtype=np.uint8)


def _write(art: NDArray[np.uint8], at: tuple[int, int], mark: Mark, radius: int) -> None:
    text = {Kind.NUMBER: f"{mark.number or 0:02d}", Kind.STAR: "*", Kind.BLOCKED: "X"}.get(mark.kind, "")
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, radius / 32, 3)
    corner = (at[0] - width // 2, at[1] + height // 2)
    cv2.putText(art, text, corner, cv2.FONT_HERSHEY_SIMPLEX, radius / 32, (40, 30, 30), 3, cv2.LINE_AA)
    if mark.circled:
        cv2.ellipse(art, at, (int(1.05 * radius), radius), 20, 0, 350, (40, 30, 30), 4, cv2.LINE_AA)


def make_reading(
    board: str = GOLDEN,
    doubts: Mapping[str, Mapping[str, float]] | None = None,
    width: int = 800,
    angle_deg: float = 0.0,
    tilt: float = 0.15,
) -> Reading:
    """A reading of ``board``; ``doubts`` gives alternatives with their probability, ``{"MC": {"16": 0.3}}``.

    The stages that nothing behind the eyes looks at are left out.
    """
    template, printed = usa(), edition()
    state = parse_board(board, template.ids)
    board_to_photo = view(width, angle_deg, tilt)
    far = board_to_photo.apply(np.array([[0, 0], [1, 0], [0, 0.66], [1, 0.66]])).max(axis=0)
    size = int(far[0] * 1.04), int(far[1] * 1.04)
    cells = {region: cell_reading(mark, (doubts or {}).get(region)) for region, mark in state.marks.items()}
    places = place_cells(printed, board_to_photo, size)
    count = len(template.ids)
    photo = Photo("stand-in.jpg", paint(printed, state, board_to_photo, size))
    none = np.empty((0, 3))
    placement = Placement(printed, board_to_photo, places, 100.0, count, 0.5, count)
    return Reading(
        photo=photo,
        candidates=Candidates(none[:, :2], none[:, 0], none[:, 0], none, working_copy(photo, 1280)),
        placement=placement,
        crops=cut_cells(photo, placement),
        scores=cast(GlyphScores, None),
        decoded=Decoded(cells),
        timings_ms={"landmarks": 50.04, "register": 20.0, "cells": 10.0, "glyphs": 8.0, "decode": 3.0},
    )


def cell_reading(mark: Mark, alternatives: Mapping[str, float] | None = None) -> CellReading:
    """A sure reading, or a doubtful one when there are alternatives."""
    if mark.kind is Kind.UNREAD:
        return CellReading(mark, 0.0, (), True)
    others = tuple((parse_mark(text or "."), p) for text, p in (alternatives or {}).items())
    return CellReading(mark, 0.999 - sum(p for _, p in others), others, bool(others))
