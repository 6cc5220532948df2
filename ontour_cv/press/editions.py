"""Where the discs of a drawn board lie, as the edition ``own`` of its map: taken from the drawing, never measured."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import BoardDesign
from ontour_cv.press.drawing import Point
from ontour_cv.press.panel import score_boxes

NAME = "own"
"""Name of the edition that ``ontour-cv print`` prints, of every map."""

DIGITS = 5
"""Decimals of a position, as in measured calibrations."""


@dataclass(frozen=True, slots=True)
class OwnFrame:
    """From the design's frame to the map's: ``shift + scale * point``. Never turned, so that discs stay round."""

    scale: float
    shift: Point

    def apply(self, point: Point) -> Point:
        """The design's point in the map's frame."""
        return self.shift[0] + self.scale * point[0], self.shift[1] + self.scale * point[1]


def own_frame(template: MapTemplate, design: BoardDesign) -> OwnFrame:
    """The frame in which the drawn discs lie nearest to the map's rough layout, in the sense of least squares."""
    pairs = [(design.discs[region.id], region.layout) for region in template.regions]
    count = len(pairs)
    here, there = (tuple(sum(pair[k][axis] for pair in pairs) / count for axis in (0, 1)) for k in (0, 1))
    spread = sum((p[axis] - here[axis]) ** 2 for p, _ in pairs for axis in (0, 1))
    common = sum((p[axis] - here[axis]) * (q[axis] - there[axis]) for p, q in pairs for axis in (0, 1))
    scale = common / spread if spread and common > 0 else 1.0
    return OwnFrame(scale, (there[0] - scale * here[0], there[1] - scale * here[1]))


def own_edition(template: MapTemplate, design: BoardDesign) -> Edition:
    """The edition that the drawing prints."""
    frame = own_frame(template, design)
    cells = {region: frame.apply(design.discs[region]) for region in template.ids}
    return Edition(
        map=template.id,
        name=NAME,
        title="Printed by ontour-cv print",
        cells={region: (round(x, DIGITS), round(y, DIGITS)) for region, (x, y) in cells.items()},
        radius=round(frame.scale * design.radius, 4),
        measured=f"taken from the drawing; {len(cells)} discs",
        sums=() if template.city else tuple(_placed(frame, box) for box in score_boxes(design)),
        boxed=template.city is not None,
    )


def _placed(frame: OwnFrame, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x, y = frame.apply(box[:2])
    return round(x, DIGITS), round(y, DIGITS), round(frame.scale * box[2], DIGITS), round(frame.scale * box[3], DIGITS)
