"""The photo itself with the route drawn, what was read beside each disc, doubts and problems marked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ontour_cv.board import Kind
from ontour_cv.render import palette, tags
from ontour_cv.render.discs import Disc, find_discs
from ontour_cv.render.findings import Findings
from ontour_cv.render.frame import cut_frame, frame_board
from ontour_cv.render.paint import Picture, blend, empty_mask, fill, paste, stroke
from ontour_cv.render.panel import add_panel
from ontour_cv.render.places import Wish, place_labels
from ontour_cv.render.ribbon import Ribbon, draw_ribbon, draw_rings, lay_ribbon
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement

CLEAR = 1.14
"""Nothing covers the photo nearer to a disc's centre than this, in disc radii: what is written stays to be seen."""

LABEL = 0.86
"""Height of a label in disc radii."""


def draw_overlay(photo: Photo, placement: Placement, findings: Findings) -> Picture:
    """The annotated picture, ``(H, W, 3)`` uint8 BGR: the board's part of the photo upright, a panel below it.

    Nothing is drawn on a disc: rings lie round it, the route ends there, labels stand beside.
    """
    frame = frame_board(photo, placement)
    plain = cut_frame(photo, frame)
    picture = plain.copy()
    discs = find_discs(placement, frame)
    radius_px = float(np.median([disc.radius_px for disc in discs.values()]))
    ribbon = lay_ribbon(findings.score.route, discs, findings.by_water)
    _draw_lines(picture, discs, findings, radius_px)
    _draw_tour(picture, discs, findings, radius_px)
    draw_ribbon(picture, ribbon, discs, radius_px)
    _draw_marks(picture, discs, findings, radius_px)
    _draw_labels(picture, discs, ribbon, findings, LABEL * radius_px, frame.angle_deg)
    _uncover(picture, plain, discs)
    return add_panel(picture, findings)


def _draw_lines(picture: Picture, discs: Mapping[str, Disc], findings: Findings, radius_px: float) -> None:
    """Ferries that were read and the route does not take, as thin dashes; straight, for the drawn may go anywhere.

    Those in doubt have the colour of doubts, and short dashes where none was read.
    """
    halo = empty_mask(picture)
    read, doubtful = empty_mask(picture), empty_mask(picture)
    for line in findings.beneath:
        ends = np.array([discs[region].centre for region in line], dtype=np.float64)
        long = 0.6 if line in findings.lines else 0.3
        mask = doubtful if line in findings.doubtful_lines else read
        count = max(3, round(float(np.hypot(*(ends[1] - ends[0]))) / (0.9 * radius_px)))
        for k in range(count):
            dash = ends[0] + (ends[1] - ends[0]) * np.array([[k / count], [(k + long) / count]])
            stroke(halo, dash, 0.34 * radius_px)
            stroke(mask, dash, 0.2 * radius_px)
    blend(picture, halo, palette.WHITE, 0.9)
    blend(picture, read, palette.FERRY)
    blend(picture, doubtful, palette.DOUBT)


def _draw_tour(picture: Picture, discs: Mapping[str, Disc], findings: Findings, radius_px: float) -> None:
    """The drawn tour's own legs as thin lines beneath the route: the player's ink stays to be seen round them."""
    if not findings.drawn:
        return
    line, halo = empty_mask(picture), empty_mask(picture)
    for leg in findings.drawn:
        ends = np.array([discs[region].centre for region in leg], dtype=np.float64)
        stroke(line, ends, 0.12 * radius_px)
        stroke(halo, ends, 0.26 * radius_px)
    blend(picture, halo, palette.NIGHT, 0.7)
    blend(picture, line, palette.MIST)


def _uncover(picture: Picture, plain: Picture, discs: Mapping[str, Disc]) -> None:
    """Give every disc back as the photo has it."""
    hole = empty_mask(picture)
    for disc in discs.values():
        fill(hole, disc.outline(CLEAR))
    blend(picture, hole, plain)


def _draw_marks(picture: Picture, discs: Mapping[str, Disc], findings: Findings, radius_px: float) -> None:
    """Rings round circles that count, problems, and the doubtful cells that matter for the score."""
    circles = [discs[region] for region in findings.score.route if findings.marks[region].circled]
    draw_rings(picture, circles, palette.CIRCLE, radius_px)
    faulty = [disc for region, disc in discs.items() if region in findings.faulty]
    draw_rings(picture, faulty, palette.PROBLEM, radius_px, dashes=8)
    asked = [disc for region, disc in discs.items() if region in findings.ask]
    draw_rings(picture, asked, palette.DOUBT, radius_px, dashes=12)


def _draw_labels(
    picture: Picture,
    discs: Mapping[str, Disc],
    ribbon: Ribbon,
    findings: Findings,
    height_px: float,
    angle_deg: float,
) -> None:
    labels: list[tuple[str, tags.Label]] = []
    size = np.array([picture.shape[1], picture.shape[0]])
    for region, disc in discs.items():
        mark, doubtful = findings.marks[region], region in findings.runners_up
        if (disc.centre < 0).any() or (disc.centre >= size).any():
            continue  # outside the picture: the panel speaks of it
        if mark.kind is Kind.EMPTY and not doubtful and region not in findings.faulty:
            continue
        look, beside = _look(region, findings, ribbon), findings.beside.get(region, "")
        labels.append((region, tags.mark_label(mark, doubtful, look, height_px, angle_deg, beside)))
    for region, text in _ends(ribbon):
        colour = ribbon.colour(region)
        look = tags.Look(colour, palette.WHITE, palette.WHITE)
        labels.append((region, tags.text_label(text, look, 1.1 * height_px, angle_deg)))
    ringed = {*ribbon.stops, *findings.ask, *findings.faulty}
    wishes = [Wish(region, label.width_px, label.height_px, region in ringed) for region, label in labels]
    spots = place_labels(wishes, discs, ribbon.curve, (picture.shape[1], picture.shape[0]), angle_deg)
    for (_, label), spot in zip(labels, spots, strict=True):
        paste(picture, label.rgba, spot)


def _ends(ribbon: Ribbon) -> list[tuple[str, str]]:
    if not ribbon.stops:
        return []
    start = [(ribbon.stops[0], "START 1")]
    return start if len(ribbon.stops) == 1 else [*start, (ribbon.stops[-1], f"FINISH {len(ribbon.stops)}")]


def _look(region: str, findings: Findings, ribbon: Ribbon) -> tags.Look:
    if region in findings.ask:
        return tags.ASKED
    if region in findings.runners_up:
        return tags.IN_DOUBT
    if region in findings.faulty:
        return tags.FAULTY
    if region in ribbon.stops:
        return tags.ON_ROUTE
    return tags.OFF_ROUTE
