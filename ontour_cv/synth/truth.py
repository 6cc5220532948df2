"""What a rendered photo truly shows: the board, where every disc lies, and what makes each cell hard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.vision.register import CellPlace


@dataclass(frozen=True, slots=True)
class CellHazards:
    """What stands between a reader and one cell.

    Attributes:
        glare: share of the disc's area that lost most of its contrast to a reflection, 0-1.
        shadow: how much darker than the frame's brightest place the disc is lit, 0-1.
        blur_px: standard deviation of focus and motion blur together, photo pixels.
        clutter: number of strokes of notes (route lines, ticks, smears) that touch the disc.
        outside: share of the disc's area outside the picture, 0-1.
        radius_px: disc radius in the photo (geometric mean of its axes), pixels.
    """

    glare: float
    shadow: float
    blur_px: float
    clutter: int
    outside: float
    radius_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The truth beside a rendered photo.

    Attributes:
        map: id of the map.
        edition: name of the edition the disc positions came from; with ``"+jitter"`` when they were moved.
        tier: ``"ordinary"``, ``"hard"`` or ``"wild"``.
        board: what is written.
        cells: region id -> where the disc lies (axes are those of the disc as drawn).
        hazards: region id -> what makes that cell hard.
        scene: board-level conditions, numbers or words (``tilt_deg``, ``palette`` ...).
        size: ``(width, height)`` of the photo.
        drawn: ids along the tour the player drew, in order, empty when there is none; None when nobody kept track.
        sums: visited places, visited circles and total as the player wrote them, None for an empty box; None when
            nobody kept track.
    """

    map: str
    edition: str
    tier: str
    board: BoardState
    cells: Mapping[str, CellPlace]
    hazards: Mapping[str, CellHazards]
    scene: Mapping[str, float | str]
    size: tuple[int, int]
    drawn: tuple[str, ...] | None = None
    sums: tuple[int | None, int | None, int | None] | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dump``; :meth:`from_json` reads it back."""
        regions = {}
        for region, place in self.cells.items():
            mark = self.board.marks[region]
            regions[region] = {
                "mark": _sign(mark),
                "circled": mark.circled,
                "centre": [round(float(v), 3) for v in place.centre_photo],
                "axes": np.round(place.axes_photo, 4).tolist(),
                "seen": place.seen,
                "inside": place.inside,
                "hazards": {k: round(v, 4) for k, v in asdict(self.hazards[region]).items()},
            }
        scene = {k: v if isinstance(v, str) else round(float(v), 4) for k, v in self.scene.items()}
        data: dict[str, Any] = {
            "map": self.map,
            "edition": self.edition,
            "tier": self.tier,
            "size": list(self.size),
            "scene": scene,
            "regions": regions,
        }
        if self.drawn is not None:
            data["drawn"] = list(self.drawn)
        if self.sums is not None:
            data["sums"] = list(self.sums)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Truth:
        """The truth written by :meth:`to_json`; ``KeyError`` when a part is missing."""
        regions: Mapping[str, Any] = data["regions"]
        return cls(
            map=data["map"],
            edition=data["edition"],
            tier=data["tier"],
            board=BoardState({r: _mark(d["mark"], d["circled"]) for r, d in regions.items()}),
            cells={
                r: CellPlace(
                    (d["centre"][0], d["centre"][1]), np.array(d["axes"], dtype=np.float64), d["seen"], d["inside"]
                )
                for r, d in regions.items()
            },
            hazards={r: CellHazards(**d["hazards"]) for r, d in regions.items()},
            scene=data["scene"],
            size=(data["size"][0], data["size"][1]),
            drawn=tuple(data["drawn"]) if "drawn" in data else None,
            sums=tuple(data["sums"]) if "sums" in data else None,
        )


_SIGNS = {Kind.EMPTY: "", Kind.STAR: "*", Kind.BLOCKED: "x", Kind.UNREAD: "?"}


def _sign(mark: Mark) -> str:
    """As in the JSON of ``score``: two digits, ``*``, ``x`` or nothing."""
    return f"{mark.number:02d}" if mark.number is not None else _SIGNS[mark.kind]


def _mark(sign: str, circled: bool) -> Mark:
    if sign.isdigit():
        return Mark(Kind.NUMBER, int(sign), circled)
    return Mark(next(kind for kind, text in _SIGNS.items() if text == sign), None, circled)
