"""Boards with drawn tours to learn from: painted flat and dimmed like photos, or photographed and found as such."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.design import load_design
from ontour_cv.press.editions import NAME
from ontour_cv.synth.blanks import blank_board
from ontour_cv.synth.city_ink import with_city_ink
from ontour_cv.synth.city_tour import tour_drawer
from ontour_cv.synth.drawn import TourDrawer, draw_tour
from ontour_cv.synth.noise import Image
from ontour_cv.synth.notes import ghost_strokes, mark_strokes
from ontour_cv.synth.paint import paint_board
from ontour_cv.synth.photograph import Settings, render_again, render_print
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.play_city import play_city
from ontour_cv.synth.printed import Blank, Print, make_print, print_scene
from ontour_cv.synth.scene import Scene, sample_scene
from ontour_cv.synth.strokes import Writer, parametric_hand, sample_writer
from ontour_cv.synth.truth import Truth
from ontour_cv.vision.drawn_strips import LinkStrips, cut_links, strips_of
from ontour_cv.vision.landmarks import find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import register

NEW_YORK = "new-york-home"
"""Where a tour goes by ferry, too."""

OWN_PRINTS = {"usa": 0.1, "europe-home": 0.1, "paris-home": 0.1, NEW_YORK: 0.1}
"""Maps whose boards as this project prints them are among those learnt from, and the share of each; the others are the
published ones of the USA."""

JITTER = 0.5
"""Share of the others that are of an edition nobody measured."""

UNMEASURED = 0.25
"""Share of boards without ink that are found by other editions' positions."""

SERIES = ("flat", "photo", "blank")
"""How boards come about, in the order that chance knows them by."""

SHELF = 20
"""Boards kept in a file."""


@dataclass(frozen=True, slots=True, eq=False)
class TourBoard:
    """The corridors of a board, and which of them are drawn, ``(N,)``."""

    strips: LinkStrips
    drawn: NDArray[np.bool_]


class Workshop:
    """Where boards come from; board ``k`` of a series depends on the seed, the series and ``k`` alone.

    Args:
        seed: of all chance.
        free: share of boards whose tour is drawn in any manner (``synth.manners``).
        blanks: owners' photos of boards of the USA without ink, by the edition's name (``blank`` boards).
    """

    def __init__(self, seed: int, free: float = 0.0, blanks: Mapping[str, Path] | None = None) -> None:
        self.seed, self.free = seed, free
        self._blanks = dict(blanks or {})

    @cached_property
    def usa(self) -> tuple[MapTemplate, tuple[Edition, ...]]:
        """The map of the USA and its published editions."""
        return load_map("usa"), tuple(edition for edition in load_editions("usa") if edition.name != NAME)

    @cached_property
    def prints(self) -> dict[str, tuple[Print, Print]]:
        """This project's own boards, in colour and as line art."""
        found = {}
        for map_id in OWN_PRINTS:
            template = load_map(map_id)
            design = load_design(template)
            found[map_id] = make_print(template, design, False), make_print(template, design, True)
        return found

    @cached_property
    def blanks(self) -> tuple[Blank, ...]:
        """The boards without ink, flat."""
        known = {edition.name: edition for edition in self.usa[1]}
        return tuple(blank_board(known[name], path) for name, path in self._blanks.items())

    def own_print(self, rng: np.random.Generator) -> Print | None:
        """One of this project's own boards, or None for a published one."""
        chance = float(rng.random())
        for map_id, share in OWN_PRINTS.items():
            chance -= share
            if chance < 0:
                return self.prints[map_id][int(rng.integers(2))]
        return None

    def drawn_freely(self, rng: np.random.Generator) -> bool:
        """Whether a tour is drawn in any manner; takes no chance where none is."""
        return bool(self.free and rng.random() < self.free)

    def boards(self, series: str, count: int, keep: Path | None) -> Iterator[TourBoard]:
        """``count`` boards of one of the ``SERIES``; those kept in a folder are not made again."""
        make = {"flat": self.flat, "photo": self.photo, "blank": self.blank}[series]
        for start in range(0, count, SHELF):
            wanted = range(start, min(start + SHELF, count))
            name = f"{series}-{self.seed}-{self.free:g}-{start:05d}-{len(wanted)}.npz"
            shelf = keep / name if keep else None
            if shelf is not None and shelf.exists():
                yield from _taken(shelf)
                continue
            made = [make(np.random.default_rng([self.seed, SERIES.index(series), k])) for k in wanted]
            if shelf is not None:
                _put(made, shelf)
            yield from made

    def flat(self, rng: np.random.Generator) -> TourBoard:
        """A board painted flat, dimmed, blurred and compressed, its discs aimed at a little wrong."""
        width = int(rng.choice([760, 900, 1000]))
        writer = sample_writer(rng, parametric_hand(rng))
        sheet, free = self.own_print(rng), self.drawn_freely(rng)
        if sheet is None:
            template, editions = self.usa
            scene = sample_scene(template, editions[int(rng.integers(len(editions)))], rng, JITTER, width)
            ground, board = None, sample_board(template, rng)
            tour = draw_tour(board, template, writer, scene, rng, free)
        else:
            sheet, board, drawer = play_on(sheet, writer, rng, free)
            template, scene, ground = sheet.template, print_scene(sheet, rng, width), sheet.picture
            tour = drawer(scene, rng)
        strokes = tour.strokes + mark_strokes(board, scene, writer, rng)
        if rng.random() < 0.25:
            strokes = ghost_strokes(scene, writer, rng) + strokes
        picture = _photographed(paint_board(scene, template, strokes, rng, int(rng.random() < 0.2), ground).bgr, rng)
        centres, axes = _aimed(scene, template, rng)
        links = template.ways()
        rows = {region: row for row, region in enumerate(template.ids)}
        ends = np.array([[rows[region] for region in link] for link in links])
        return TourBoard(strips_of(picture, centres, axes, ends, links), _labels(links, tour.places))

    def photo(self, rng: np.random.Generator) -> TourBoard:
        """A board photographed, found in the photo and cut out as the reader does; where it is not found, another."""
        while True:
            settings = sample_settings(rng, JITTER)
            writer = sample_writer(rng, parametric_hand(rng))
            sheet, free = self.own_print(rng), self.drawn_freely(rng)
            if sheet is None:
                template, editions = self.usa
                edition, board = editions[int(rng.integers(len(editions)))], sample_board(template, rng)
                drawer: TourDrawer = partial(draw_tour, board, template, writer, free=free)
                image, truth = next(render_again(template, edition, board, settings, rng, writer, drawer=drawer))
            else:
                sheet, board, drawer = play_on(sheet, writer, rng, free)
                template, editions = sheet.template, tuple(load_editions(sheet.template.id))
                image, truth = render_print(sheet, board, settings, rng, writer, drawer)
            if board_found := found(image, template, editions, truth):
                return board_found

    def blank(self, rng: np.random.Generator) -> TourBoard:
        """As :meth:`photo`, of one of the boards without ink."""
        template, editions = self.usa
        while True:
            blank = self.blanks[int(rng.integers(len(self.blanks)))]
            others = tuple(edition for edition in editions if edition is not blank.edition)
            known = others if rng.random() < UNMEASURED else editions
            writer, board = sample_writer(rng, parametric_hand(rng)), sample_board(template, rng)
            drawer = partial(draw_tour, board, template, writer, free=self.drawn_freely(rng))
            shot = render_again(template, blank.edition, board, sample_settings(rng, 0.0), rng, writer, blank, drawer)
            image, truth = next(shot)
            if board_found := found(image, template, known, truth):
                return board_found


def sample_settings(rng: np.random.Generator, jitter: float) -> Settings:
    """How boards are photographed."""
    tier = str(rng.choice(["ordinary", "hard", "wild"], p=[0.6, 0.3, 0.1]))
    return Settings(tier, int(rng.choice([1300, 1500, 1800])), jitter, 0.5, drawn=True)


def found(image: Image, template: MapTemplate, editions: tuple[Edition, ...], truth: Truth) -> TourBoard | None:
    """A photographed board cut out as the reader does; None where it is not found."""
    photo = Photo("training", image)
    candidates = find_discs(photo)
    try:
        placement = register(photo, candidates, editions)
    except BoardNotFound:
        return None
    links = template.ways()
    return TourBoard(cut_links(candidates.working, placement, links), _labels(links, truth.drawn or ()))


def play_on(sheet: Print, writer: Writer, rng: np.random.Generator, free: bool) -> tuple[Print, BoardState, TourDrawer]:
    """A print with what stands there first, as ferries do; the marks to be written; who draws the tour, and how."""
    if sheet.template.id != NEW_YORK:
        board = sample_board(sheet.template, rng)
        return sheet, board, partial(draw_tour, board, sheet.template, writer, free=free)
    city = play_city(sheet.template, random.Random(int(rng.integers(2**32)))).boards[0]
    return with_city_ink(sheet, city, writer, rng), city.board, tour_drawer(city, sheet, writer, free)


def _labels(links: tuple[tuple[str, str], ...], places: tuple[str, ...]) -> NDArray[np.bool_]:
    steps = {frozenset(step) for step in pairwise(places)}
    return np.array([frozenset(link) in steps for link in links])


def _photographed(bgr: Image, rng: np.random.Generator) -> Image:
    """What a photo does to a flat picture: blur, uneven light, a tint, haze, noise, JPEG."""
    soft = np.asarray(cv2.GaussianBlur(bgr, (0, 0), float(rng.uniform(0.3, 1.3))), dtype=np.float32)
    height, width = soft.shape[:2]
    light = 1 + rng.uniform(-0.25, 0.25) * np.linspace(-1, 1, width)[None, :, None]
    light = light + rng.uniform(-0.25, 0.25) * np.linspace(-1, 1, height)[:, None, None]
    lit = soft * light * rng.uniform(0.6, 1.15) * rng.uniform(0.9, 1.1, 3) + rng.uniform(0, 25)
    noisy = np.clip(lit + rng.normal(0, rng.uniform(1, 7), soft.shape), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def _aimed(
    scene: Scene, template: MapTemplate, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where discs and one disc radius seem to lie in the painted picture: a little wrong, as registration is.

    Of photos whose edition nobody measured, one in eight has a disc that is aimed at more than 0.3 radii wrong.
    """
    spread = float(rng.choice([0.02, 0.05, 0.09]))
    unit = scene.radius * scene.scale * float(rng.uniform(0.95, 1.05))
    centres = (np.array([scene.cells[region] for region in template.ids]) - scene.offset) * scene.scale - 0.5
    wrong = rng.normal(0, spread, centres.shape)
    if rng.random() < 0.15:
        wrong[int(rng.integers(len(wrong)))] += rng.normal(0, 0.35, 2)
    return centres + unit * wrong, np.repeat(np.eye(2)[None] * unit, len(centres), axis=0)


def _put(boards: list[TourBoard], shelf: Path) -> None:
    """Writes boards to a file, whole or not at all."""
    parts: dict[str, Any] = {}
    for k, board in enumerate(boards):
        strips = board.strips
        parts |= {f"{k}.links": np.array(strips.links), f"{k}.images": strips.images, f"{k}.steps": strips.steps}
        parts |= {f"{k}.paper": strips.paper, f"{k}.ink": strips.ink, f"{k}.drawn": board.drawn}
    shelf.parent.mkdir(parents=True, exist_ok=True)
    draft = shelf.with_suffix(".part.npz")
    np.savez(draft, **parts)
    draft.replace(shelf)


def _taken(shelf: Path) -> Iterator[TourBoard]:
    with np.load(shelf, allow_pickle=False) as store:
        for k in range(sum(name.endswith(".drawn") for name in store.files)):
            links = tuple((str(a), str(b)) for a, b in store[f"{k}.links"])
            parts = (store[f"{k}.{name}"] for name in ("images", "steps", "paper", "ink"))
            yield TourBoard(LinkStrips(links, *parts), store[f"{k}.drawn"])
