"""Training crops of boards as reading cuts them, from photos in which the reader itself finds and places the board.

Crops aimed by chance (``train.lens.aimed``) miss by more than reading does: a network that reads them better need not
read photos better.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.city_board import Pair
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import load_design
from ontour_cv.press.editions import NAME
from ontour_cv.synth.city_ink import city_ink, inked, lawful_pairs
from ontour_cv.synth.city_letters import sample_letters
from ontour_cv.synth.photograph import Settings, render, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.printed import Print, make_print
from ontour_cv.synth.strokes import Writer
from ontour_cv.synth.truth import Truth
from ontour_cv.train.boards import LEAST_RADIUS_PX
from ontour_cv.train.city_photos import sample_city_board
from ontour_cv.train.hands import Habits, Hands
from ontour_cv.train.labels import label_of
from ontour_cv.vision.cells import CROP_RADII, cut_cells
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register

SIZES = (1080, 1280, 1600, 2048)
"""Longer sides of the photos, pixels."""

HARD = 0.4
"""Share of hard photos."""

UNKNOWN_EDITIONS = 0.3
"""Share of photos that show an edition nobody measured, as in the benchmarks."""

SIGNS = 0.3
"""Share of the numbers on the boards of writers with odd marks that become Xs and stars."""

KEEN = (0.4, 1.0)
"""Share of the numbers and stars that are circled on a board of somebody who circles most; players who do not ask where
a route could go put nearly every number into the very state of a card."""

REDRAWN, WILD = 0.5, 0.5
"""Shares of the boards of strangers read as a map drawn anew, and photographed in the wild tier."""

LETTERS = 0.35
"""Share of players of New York who write a soloist's letter beside the number and tick no box."""

ELSEWHERE = 0.35 * CROP_RADII
"""Cells laid wrong by a third of their crop's half side are not learnt from: the crop shows something else."""


NONE = Habits()
"""Writers as at any table."""


@dataclass(frozen=True, slots=True, eq=False)
class Stock:
    """Boards of one map to photograph.

    Attributes:
        template: the map.
        editions: its published editions; the project's own where there is no other.
        sheets: the project's own print in colour and as line art, for a map without a published edition.
        ferries: the pairs of a city's districts that a ferry may join; none on other maps.
        redrawn: the project's own edition, of which published boards are as if their map had been drawn anew.
    """

    template: MapTemplate
    editions: tuple[Edition, ...]
    sheets: tuple[Print, ...]
    ferries: tuple[Pair, ...] = ()
    redrawn: tuple[Edition, ...] = ()

    @classmethod
    def of(cls, map_id: str) -> Stock:
        """Everything there is of a map."""
        template, known = load_map(map_id), tuple(load_editions(map_id))
        published = tuple(edition for edition in known if edition.name != NAME)
        if published:
            return cls(template, published, (), redrawn=tuple(edition for edition in known if edition.name == NAME))
        design = load_design(template)
        sheets = tuple(make_print(template, design, lineart) for lineart in (False, True))
        return cls(template, known, sheets, tuple(lawful_pairs(sheets[0])) if template.city else ())


def make_read_set(
    seed: tuple[int, ...], hands: Hands, stock: Stock, cells: int, backgrounds: tuple[Path, ...] = (),
    habits: Habits = NONE, strange: float = 0.0, tight: float = 0.0,
) -> tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.uint8]]:  # fmt: skip
    """The cells of the first photo of ``seed`` in which the reader finds the board.

    Args:
        seed: the same gives the same.
        hands: whose hand writes.
        stock: what is photographed.
        cells: rows wanted; a map with fewer cells fills up with its first ones, seen again and not learnt from.
        backgrounds: photos of tables.
        habits: what writers do.
        strange: share of boards no edition tells of: their map drawn anew, in the wild tier, or both.
        tight: share of boards on which coasts and borders run close by the discs; not of this project's own print.

    Returns:
        crops ``(cells, 64, 64, 3)`` uint8 and labels ``(cells, 4)`` int8, -1 throughout where a cell cannot be learnt
        from: too small, outside the picture, or laid wrong; and what is round the cells, ``(cells, 80, 80, 3)`` uint8.
    """
    for attempt in itertools.count():
        rng = np.random.default_rng((*seed, attempt))
        writer = habits.writer(hands, rng)
        stranger = strange > 0 and rng.random() < strange
        wild, redrawn = stranger and rng.random() < WILD, stranger and rng.random() < REDRAWN
        keen = habits.keen > 0 and bool(rng.random() < habits.keen)
        image, truth = _shoot(stock, writer, rng, backgrounds, bool(wild), keen, tight)
        editions = stock.redrawn if redrawn and stock.redrawn else stock.editions
        try:
            images, labels, around = _read(Photo("", image), truth, editions)
        except BoardNotFound:
            continue
        more = np.arange(cells) % len(images)
        again = np.arange(cells) >= len(images)
        return images[more], np.where(again[:, None], -1, labels[more]).astype(np.int8), around[more]
    raise AssertionError("there is always another photo")


def with_signs(board: BoardState, rng: np.random.Generator) -> BoardState:
    """The board with some numbers turned into Xs and stars, of which games have few.

    Both numbers of a roll turn: what is left comes in reversed pairs still, the law that reading goes by.
    """
    marks = dict(board.marks)
    places: dict[tuple[int, int], list[str]] = {}
    for region, mark in board.marks.items():
        if mark.number is not None:
            places.setdefault(divmod(mark.number, 10), []).append(region)
    for (tens, ones), regions in places.items():
        if tens < ones:
            for pair in zip(regions, places.get((ones, tens), ()), strict=False):
                if rng.random() < SIGNS:
                    for region in pair:
                        blocked = rng.random() < 0.75
                        star = Mark(Kind.STAR, circled=marks[region].circled)
                        marks[region] = Mark(Kind.BLOCKED) if blocked else star
    return BoardState(marks)


def with_circles(board: BoardState, rng: np.random.Generator) -> BoardState:
    """The board with most of its numbers and stars circled, the share of them by chance (``KEEN``)."""
    share = float(rng.uniform(*KEEN))
    return BoardState(
        {
            region: replace(mark, circled=True)
            if mark.kind in (Kind.NUMBER, Kind.STAR) and rng.random() < share
            else mark
            for region, mark in board.marks.items()
        }
    )


def _shoot(
    stock: Stock, writer: Writer, rng: np.random.Generator, backgrounds: tuple[Path, ...], wild: bool = False,
    keen: bool = False, tight: float = 0.0,
) -> tuple[NDArray[np.uint8], Truth]:  # fmt: skip
    tier = "hard" if rng.random() < HARD else "ordinary"
    tier = "wild" if wild else tier
    city = sample_city_board(stock.template, stock.ferries, rng) if stock.ferries else None
    board = city.board if city else sample_board(stock.template, rng)
    if city is None and (writer.cross or writer.star):
        board = with_signs(board, rng)
    if city is None and keen:
        board = with_circles(board, rng)
    settings = Settings(tier, int(rng.choice(SIZES)), jitter=UNKNOWN_EDITIONS, backgrounds=backgrounds, tight=tight)
    if stock.sheets:
        sheet = stock.sheets[int(rng.integers(len(stock.sheets)))]
        if city:  # ferries, soloists and rows are drawn too: they cross the cells
            habits = sample_letters(rng, wild=bool(rng.random() < 0.75)) if rng.random() < LETTERS else None
            sheet = inked(sheet, city_ink(sheet, city, writer, rng, letters=habits), rng)
        return render_print(sheet, board, settings, rng, writer)
    edition = stock.editions[int(rng.integers(len(stock.editions)))]
    return render(stock.template, edition, board, settings, rng, writer)


def _read(
    photo: Photo, truth: Truth, editions: Sequence[Edition]
) -> tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.uint8]]:
    """Crops, labels and wider crops in the map's order; ``BoardNotFound`` as reading has it."""
    candidates = find_discs(photo)
    placement = register(photo, candidates, editions)
    crops = cut_cells(photo, placement, candidates.working)
    assert crops.around is not None
    labels = np.full((len(crops.ids), 4), -1, np.int8)
    for k, region in enumerate(crops.ids):
        place, hazard = truth.cells[region], truth.hazards[region]
        off = np.subtract(placement.cells[region].centre_photo, place.centre_photo)
        laid = np.abs(np.linalg.solve(np.asarray(place.axes_photo), off)).max() <= ELSEWHERE
        if laid and hazard.radius_px >= LEAST_RADIUS_PX and hazard.outside <= 0.3:
            labels[k] = label_of(truth.board.marks[region])
    return crops.images, labels, crops.around
