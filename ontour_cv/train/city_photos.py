"""Photos of played boards of New York, laid flat and labelled: what the networks of ``train.city`` learn from."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState
from ontour_cv.city_board import CityBoard, Pair, ordered_pairs
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import load_design
from ontour_cv.scorer.city_layout import city_layout
from ontour_cv.synth.city_ink import CityInk, city_ink, inked, lawful_pairs
from ontour_cv.synth.city_letters import sample_letters
from ontour_cv.synth.ink import coverage
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.play_city import play_city
from ontour_cv.synth.printed import Print, make_print
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.train.hands import Hands
from ontour_cv.vision.city_boxes import box_planes, boxes_inside, find_rows
from ontour_cv.vision.city_flat import Box, CityLayout, FlatBoard, darkening, lay_flat
from ontour_cv.vision.city_paths import INK_PX
from ontour_cv.vision.city_read import ink_input
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register

SIZES = (1280, 1600, 2048)
"""Longer sides of training photos, pixels."""

OWN = 0.5
"""Share of photos written by hands of our own shapes, where recorded hands are given."""

NEAR_DISC = 1.1
"""What is written in a disc counts neither as a line nor as none, disc radii."""


@dataclass(frozen=True, slots=True, eq=False)
class CityShot:
    """One training photo, cut up.

    Attributes:
        ink: the ink network's input, ``(6, H, W)`` float16.
        lines: ``(H / 2, W / 2)`` uint8: 1 pen line, 0 none, 255 unknown; None where other notes are on the board, too.
        dark: how much darker the photo is than the print, ``(H / 2, W / 2)`` float16.
        drawn: ``(N,)`` bool for each of the layout's pairs.
    """

    ink: NDArray[np.float16]
    lines: NDArray[np.uint8] | None
    dark: NDArray[np.float16]
    drawn: NDArray[np.bool_]


class CityStudio:
    """Where training photos come from; photo ``k`` depends on the seed and ``k`` alone.

    Args:
        seed: of everything.
        hands: who writes.
        tables: photos of tables.
        map_id: the map.
        free: share of photos whose ferries are drawn in any manner, not as most players do.
        free_boxes: the same of boxes that are marked in any manner.
    """

    def __init__(
        self, seed: int, hands: Hands, tables: tuple[Path, ...] = (), map_id: str = "new-york-home", free: float = 0.0,
        free_boxes: float = 0.0,
    ) -> None:  # fmt: skip
        self.seed, self.hands, self.tables, self.free, self.free_boxes = seed, hands, tables, free, free_boxes
        self.template: MapTemplate = load_map(map_id)
        self.editions = load_editions(map_id)
        self.layout: CityLayout = city_layout(self.template)
        design = load_design(self.template)
        self.prints: tuple[Print, ...] = tuple(make_print(self.template, design, lineart) for lineart in (False, True))
        self.pairs: list[Pair] = lawful_pairs(self.prints[0])

    def shoot(self, k: int) -> CityShot | None:
        """Photo ``k``, cut up; None when its board was not found."""
        found = self.photograph(k)
        return None if found is None else cut_up(*found)

    def photograph(self, k: int, letters: bool = False) -> tuple[FlatBoard, CityBoard, CityInk | None] | None:
        """Photo ``k`` laid flat, what was played, and all ink drawn (None when there is more); None if not found.

        ``letters``: soloists are written beside the numbers, not ticked; three of four players have forms of their own.
        """
        rng = np.random.default_rng([self.seed, k])
        habits = sample_letters(np.random.default_rng([self.seed, k, 1]), wild=k % 8 < 6) if letters else None
        sheet = self.prints[int(rng.integers(2))]
        writer = sample_writer(rng, self.hands.pick(rng, OWN), wild=bool(rng.random() < 0.5))
        board = sample_city_board(self.template, self.pairs, rng, self.layout.pairs)
        free = bool(np.random.default_rng([self.seed, k, 2]).random() < self.free)
        free_boxes = bool(np.random.default_rng([self.seed, k, 3]).random() < self.free_boxes)
        ink = city_ink(sheet, board, writer, rng, 0.4, habits, free, free_boxes)
        bare = rng.random() < 0.6
        tier = "ordinary" if rng.random() < 0.6 else "hard"
        settings = Settings(tier, int(rng.choice(SIZES)), notes=0.0 if bare else 0.7, backgrounds=self.tables)
        picture, _ = render_print(inked(sheet, ink, rng), board.board, settings, rng, writer)
        photo = Photo(f"training {k}", picture)
        try:
            placement = register(photo, find_discs(photo), self.editions)
        except BoardNotFound:
            return None
        return lay_flat(photo, placement, self.layout), board, ink if bare else None


def sample_city_board(
    template: MapTemplate, lawful: Sequence[Pair], rng: np.random.Generator, others: Sequence[Pair] = ()
) -> CityBoard:
    """A played board with ferries, soloists and rows by chance: more of them than in a game.

    Args:
        template: the map.
        lawful: the pairs that ferries may join.
        rng: chance.
        others: all pairs: now and then somebody joins one of them; none: nobody.
    """
    played = play_city(template, random.Random(int(rng.integers(2**32)))).boards[0]
    count = int(rng.choice([0, 2, 5, 8, 12, 16], p=[0.05, 0.1, 0.2, 0.25, 0.25, 0.15]))
    ferries = [lawful[i] for i in rng.choice(len(lawful), count, replace=False)]
    if rng.random() < 0.15 and others:
        ferries.append(others[int(rng.integers(len(others)))])
    share, used = float(rng.uniform(0.2, 0.9)), rng.random() < 0.75
    letters = tuple(INSTRUMENTS)
    soloists = {
        region: letters[int(rng.integers(4))]
        for region, mark in played.marks.items()
        if mark.number is not None and rng.random() < share
    }
    tracks = {letter: int(rng.integers(0, 7)) if used else 0 for letter in letters}
    marks = BoardState(dict(played.marks))
    return CityBoard(marks, soloists, ordered_pairs(ferries, list(played.marks)), tracks)


def cut_up(flat: FlatBoard, board: CityBoard, ink: CityInk | None) -> CityShot:
    """A board laid flat, as training data; ``ink`` is everything drawn on it, None when there is more."""
    layout = flat.layout
    drawn = {frozenset(pair) for pair in board.ferries}
    return CityShot(
        ink=ink_input(flat)[0].astype(np.float16),
        lines=None if ink is None else line_map(ink, layout),
        dark=darkening(flat).astype(np.float16),
        drawn=np.array([frozenset(pair) in drawn for pair in layout.pairs]),
    )


def line_map(ink: CityInk, layout: CityLayout) -> NDArray[np.uint8]:
    """Where pen lines are, as ``CityShot.lines``."""
    width, height = layout.size_px
    size = ((height + 1) // 2, (width + 1) // 2)
    scale = 2 * INK_PX / layout.radius
    matrix = np.array([[scale, 0, -0.5], [0, scale, -0.5]])
    drawn = coverage(ink.fresh, matrix, (2 * size[0], 2 * size[1]))
    most = drawn.reshape(size[0], 2, size[1], 2).max(axis=(1, 3))
    out = (most > 0.3).astype(np.uint8)
    unknown = np.zeros(size, np.uint8)
    for x, y in layout.discs.values():
        spot = (round(x / layout.radius * INK_PX - 0.5), round(y / layout.radius * INK_PX - 0.5))
        cv2.circle(unknown, spot, round(NEAR_DISC * INK_PX), 1, -1)
    out[unknown > 0] = 255
    return out


def cut_rows(flat: FlatBoard) -> NDArray[np.float16] | None:
    """The box network's input for the soloists' rows, ``(4, K, 12, P, P)``; None where any is outside the photo."""
    rows: list[Box] = [box for row in flat.layout.rows.values() for box in row]
    if not rows or not boxes_inside(flat, rows).all():
        return None
    shift, _ = find_rows(flat, rows)
    cut = box_planes(flat, rows, [len(row) for row in flat.layout.rows.values()], shift)
    return cut.reshape(len(flat.layout.rows), -1, *cut.shape[1:]).astype(np.float16)
