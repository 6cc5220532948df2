"""FlatBoard -> :class:`CityInkReading`: soloists ticked or written, ferries, rows, each with its probability."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.resources import models_dir
from ontour_cv.vision.city_across import believed_across
from ontour_cv.vision.city_boxes import BLACK, box_planes, boxes_inside, burnt_out, find_rows
from ontour_cv.vision.city_ferries import FerryReader, Legs, LineMember, believed
from ontour_cv.vision.city_flat import Box, CityLayout, FlatBoard, darkening, lay_flat
from ontour_cv.vision.city_hidden import doubted_near
from ontour_cv.vision.city_letters import chances_of, cut_spots, looked_again, together
from ontour_cv.vision.city_lines import LineJudge
from ontour_cv.vision.city_paths import Lines, mark_map, without_folds, without_writing
from ontour_cv.vision.covered import out_of_sight
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import Placement
from ontour_cv.vision.shipped import card_of, loading, network

MODEL = "city"
"""Name of the shipped networks: ``models/city-ink.onnx`` and so on for each of ``PARTS``, and their ``city.json``."""

PARTS = ("ink", "boxes", "lines", "lines-free", "letters")

JUDGES = {"lines": f"{MODEL}-board.npz", "lines-free": f"{MODEL}-board-free.npz"}
"""The networks that look at all lines of a board (``city_lines``), each with the one for single lines it belongs to."""

HEATS = {
    "boxes": "box_temperature", "lines": "line_temperature", "lines-free": "free_line_temperature",
    "letters": "letter_temperature",
}  # fmt: skip
"""What the card calls the networks' temperatures."""

ROWS_FOUND = 0.35
"""Correlation with their print from which the soloists' rows are believed to be where they were found."""

MARK_SEEN = 0.8
"""A box so probably marked holds ink that is no line's."""

SEVERAL = 0.1
"""How often several boxes beside a disc are marked, against what chance would make of each by itself."""

GAP, GAP_WITHIN, PARTED, PARTED_AT = 5.0, (-4.0, 12.0), 1.2, 3.0
"""One hand marks all boxes of a board, so marked and bare ones mostly lie apart: with a gap as wide between them,
log-odds before calibration, its middle parts them, but none above ``PARTED_AT``: there marks under glare lie below the
others. Parted so, they have a temperature of their own. On 60 boards by writers kept for validation 204 of 2,580
soloists are in doubt in place of 316, 23 wrong (20), none without a doubt (1); where boxes are marked in any manner 533
in place of 587, 4 silent as before, for half of these boards have no such gap."""

FEWEST_TICKED, FEWEST_CROSSED = 5, 2
"""So many boxes beside discs, and in rows, have to lie beyond the gap."""

ROW_HEAT = 1.2
"""Temperature for boxes of rows: what misleads the network beside discs, another box's mark that reaches over, comes
from the left there, where all is crossed. On 43 boards by writers kept for validation who crossed rows off, 147 of 172
rows are told and none wrongly; by the temperature for boxes beside discs it were 130."""

UNSHOWN = -20.0
"""Log-odds of a line that leaves the photo, for the others that are believed beside it; nothing is told of it."""

ODD_ROW = 1e-3
"""How often a row is crossed off in another way than from the left."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class CityInkReading:
    """What was drawn on a board beside its numbers.

    Attributes:
        soloists: region id -> probability of each letter being ticked or written and none other, ``""`` for none,
            ``"?"`` for several; regions whose boxes the photo does not show, for it ends there or light has burnt
            them out, are not in it.
        ferries: pair -> probability of being drawn, in the layout's order.
        rows: letter -> probability of each number of boxes crossed off from the left, -1 for any other way; empty when
            the rows are not in the photo.
        unshown: pairs between which a line leaves the photo, which are not among ``ferries``.
    """

    soloists: Mapping[str, Mapping[str, float]]
    ferries: Mapping[Pair, float]
    rows: Mapping[str, Mapping[int, float]]
    unshown: tuple[Pair, ...] = ()


class CityReader:
    """The networks, run by cv2.dnn; loaded once.

    Args:
        folder: where they lie; the shipped ones when None.
        parts: those wanted; training has some before others.

    Raises:
        BadTemplate: a model or the card is missing or damaged.
    """

    def __init__(self, folder: Path | None = None, parts: Sequence[str] = PARTS) -> None:
        folder = folder or models_dir()
        with loading(folder):
            self.card = card_of(folder, MODEL)
            self._nets = {part: network(folder, f"{MODEL}-{part}") for part in parts}
            self._heats = {part: float(self.card[HEATS[part]]) for part in parts if part in HEATS}
            members = [
                LineMember(self._nets[part], LineJudge(folder / JUDGES[part]), self._heats[part])
                for part in parts
                if part in JUDGES
            ]
            self._lines = FerryReader(members, float(self.card["most_cost"])) if members else None

    def ink(self, flat: FlatBoard) -> NDArray[np.float32]:
        """Probability of a pen line, ``(H / 2, W / 2)`` float32."""
        logits = self._run("ink", ink_input(flat))[0, 0]
        return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)

    def boxes(
        self, cut: NDArray[np.float32], heat: float | None = None, least: int = FEWEST_TICKED
    ) -> NDArray[np.float64]:
        """``(N,)`` calibrated log-odds of a board's boxes being marked.

        Args:
            cut: from ``box_planes``.
            heat: another temperature.
            least: so many have to be marked for marked and bare ones to be told apart by the gap between them.
        """
        seen = self._run("boxes", cut)[:, 0].astype(np.float64)
        return parted(seen, float(self.card["box_bias"]), heat or self._heats["boxes"], least)

    def read(self, photo: Photo, placement: Placement, layout: CityLayout, legs: Legs) -> CityInkReading:
        """What is drawn on a placed board.

        Args:
            photo: the photo.
            placement: where the board lies.
            layout: the board.
            legs: how likely the printed links are legs of a tour drawn on it.
        """
        flat = lay_flat(photo, placement, layout)
        ticked, burnt = self._ticked(flat)
        marked = [
            box
            for region, chances in ticked.items()
            for letter, box in layout.boxes[region].items()
            if chances[letter] > MARK_SEEN
        ]
        soloists = without_burnt(together(ticked, self.letters(flat, tuple(ticked))), burnt)
        ferries = self._ferries(flat, marked, legs, out_of_sight(placement))
        unshown = tuple(pair for pair in layout.pairs if pair not in ferries)
        return CityInkReading(soloists, ferries, self._rows(flat), unshown)

    def ferries(
        self, ink: NDArray[np.float32], dark: NDArray[np.float32], layout: CityLayout
    ) -> tuple[Lines, NDArray[np.float64]]:
        """The likeliest lines and their log-odds: see ``city_ferries.FerryReader.read``."""
        if self._lines is None:
            raise ValueError("made without a network of lines")
        return self._lines.read(ink, dark, layout)

    def letters(self, flat: FlatBoard, regions: Sequence[str]) -> dict[str, dict[str, float]]:
        """Region -> calibrated probability of each letter, and of none, being written beside its disc."""
        if not regions:
            return {}
        spots, heat = cut_spots(flat, regions), self._heats["letters"]
        told = looked_again(spots, self._letter_looks(spots), heat, self._letter_looks)
        return dict(zip(regions, chances_of(told, heat), strict=True))

    def _letter_looks(self, spots: NDArray[np.float32]) -> NDArray[np.float64]:
        return self._run("letters", spots).astype(np.float64)

    def _ticked(self, flat: FlatBoard) -> tuple[dict[str, dict[str, float]], frozenset[str]]:
        """What is ticked beside each disc, and where light has taken a box from the photo."""
        blocks = flat.layout.boxes
        every: list[Box] = [box for block in blocks.values() for box in block.values()]
        if not every:
            return {}, frozenset()
        planes = box_planes(flat, every, [len(block) for block in blocks.values()])
        odds, inside, gone = self.boxes(planes), boxes_inside(flat, every), burnt_out(planes)
        found, burnt, start = {}, set(), 0
        for region, block in blocks.items():
            part = slice(start, start + len(block))
            if inside[part].all():
                found[region] = one_of(tuple(block), odds[part])
            if gone[part].any():
                burnt.add(region)
            start += len(block)
        return found, frozenset(burnt)

    def _ferries(self, flat: FlatBoard, marked: Sequence[Box], legs: Legs, unseen: Sequence[str]) -> dict[Pair, float]:
        layout = flat.layout
        if not layout.pairs:
            return {}
        seen = without_folds(self.ink(flat))
        seen[cv2.resize(flat.inside.astype(np.uint8), seen.shape[::-1]) == 0] = 0.0
        lines, odds = self.ferries(without_writing(seen, layout, marked), darkening(flat), layout)
        shown = np.asarray(flat.shown(lines.paths).all(axis=1))
        odds = np.where(shown, odds, UNSHOWN)
        once = cache(legs)
        odds = believed_across(odds, seen, mark_map(seen.shape, layout, marked), layout, once)
        chances = believed(doubted_near(odds, lines, layout, unseen), layout, once)
        return {pair: float(chance) for pair, chance, there in zip(layout.pairs, chances, shown, strict=True) if there}

    def _rows(self, flat: FlatBoard) -> dict[str, dict[int, float]]:
        rows = flat.layout.rows
        every = [box for row in rows.values() for box in row]
        if not every or not boxes_inside(flat, every).all():
            return {}
        shift, match = find_rows(flat, every)
        if match < ROWS_FOUND:
            return {}
        odds = self.boxes(box_planes(flat, every, [len(row) for row in rows.values()], shift), ROW_HEAT, FEWEST_CROSSED)
        found, start = {}, 0
        for letter, row in rows.items():
            found[letter] = from_left(odds[start : start + len(row)])
            start += len(row)
        return found

    def _run(self, part: str, value: NDArray[np.float32]) -> NDArray[np.float32]:
        net = self._nets[part]
        net.setInput(value)
        return np.asarray(net.forward(), dtype=np.float32)


def without_burnt(
    soloists: Mapping[str, Mapping[str, float]], burnt: Collection[str]
) -> dict[str, Mapping[str, float]]:
    """The soloists but for regions where none is seen and light has taken a box from the photo: one may be there."""
    return {
        region: chances
        for region, chances in soloists.items()
        if region not in burnt or max(chances, key=lambda letter: chances[letter])
    }


def parted(seen: NDArray[np.float64], bias: float, heat: float, least: int) -> NDArray[np.float64]:
    """``(N,)`` log-odds of boxes, parted by the gap between marked and bare ones where there is one; see ``GAP``.

    Args:
        seen: ``(N,)`` the network's.
        bias: where marked and bare boxes part on other boards.
        heat: the temperature there.
        least: so many have to lie beyond the gap.
    """
    middle, wide, beyond = widest_gap(seen)
    if wide >= GAP and beyond >= least:
        return (seen - min(middle, PARTED_AT)) / PARTED
    return (seen - bias) / heat


def widest_gap(odds: NDArray[np.float64]) -> tuple[float, float, int]:
    """The middle of the widest gap between log-odds in ``GAP_WITHIN``, how wide it is, and how many lie beyond it."""
    sizes = np.sort(np.clip(odds, *GAP_WITHIN))
    steps = np.diff(sizes)
    if not len(steps):
        return 0.0, 0.0, 0
    at = int(steps.argmax())
    return float(sizes[at] + sizes[at + 1]) / 2, float(steps[at]), len(sizes) - at - 1


def ink_input(flat: FlatBoard) -> NDArray[np.float32]:
    """The ink network's input, ``(1, 6, H, W)`` float32 with even H and W: photo and print, log colours."""
    both = np.concatenate([flat.colours, flat.printed], axis=2) - np.float32(BLACK)
    height, width = both.shape[:2]
    padded = np.pad(both, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    return np.ascontiguousarray(padded.transpose(2, 0, 1)[None], dtype=np.float32)


def one_of(letters: tuple[str, ...], odds: NDArray[np.float64]) -> dict[str, float]:
    """Which one of a few boxes is marked: ``""`` for none, ``"?"`` for several, from each box's own log-odds."""
    marked = 1 / (1 + np.exp(-odds))
    bare = 1 - marked
    alone = {letter: float(marked[k] * np.prod(np.delete(bare, k))) for k, letter in enumerate(letters)}
    none = float(np.prod(bare))
    several = max(0.0, 1 - none - sum(alone.values())) * SEVERAL
    total = none + sum(alone.values()) + several
    return {letter: chance / total for letter, chance in {"": none, **alone, "?": several}.items()}


def from_left(odds: NDArray[np.float64]) -> dict[int, float]:
    """How many boxes of a row are crossed off from the left, -1 for another way, from each box's own log-odds."""
    crossed = 1 / (1 + np.exp(-odds))
    weights = {count: float(np.prod(crossed[:count]) * np.prod(1 - crossed[count:])) for count in range(len(odds) + 1)}
    other = max(0.0, 1 - sum(weights.values())) * ODD_ROW
    total = sum(weights.values()) + other
    return {-1: other / total} | {count: weight / total for count, weight in weights.items()}
