"""A placed board -> :class:`DrawnTour`: the tour the player drew along the printed links, or that none can be told.

Every link's corridor is judged by small networks (``train.drawn``), then again beside the board's other links
(``drawn_board``); the most probable simple path through the links is the tour (``drawn_path``). It is told only when
hardly anything had to be otherwise than it looked and all other paths together lie far behind: a tour not read costs a
player nothing, a wrong one is an accusation. Two pairs of networks look, one that knows how most players draw and one
that has seen lines of any kind; where they tell different tours, the one that is clearer counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontour_cv.resources import models_dir
from ontour_cv.vision.drawn_board import BoardNet, passing
from ontour_cv.vision.drawn_lines import LinkView, view_links
from ontour_cv.vision.drawn_path import LikelyPath, Link, Price, likely_path
from ontour_cv.vision.drawn_strips import LinkStrips, cut_links
from ontour_cv.vision.landmarks import WorkingCopy
from ontour_cv.vision.register import Placement
from ontour_cv.vision.shipped import card_of, loading, network

MODEL = "drawn"
"""Name of the shipped model's card, ``models/drawn.json``, and of the first of its members. A member has two networks:
``models/drawn.onnx`` and ``drawn-board.npz``."""

CLEAR = 3.0
"""Log-odds from which a link is drawn without much doubt: 20 to 1."""

TURNS: tuple[tuple[int, ...], ...] = ((), (2,), (3,), (2, 3))
"""Every corridor is looked at from either end and in a mirror, and what is seen averaged: which end a map names first
means nothing. It takes a seventh off the log-loss."""

SHARED = 0.5
"""What log-odds of links count whose ink may as well be another's (``drawn_board.passing``): as if all were doubted
together. Of the three tours read wrongly among 222 kept for validation two were such: Kentucky to Virginia, which
passes over the disc of West Virginia."""

CLEARER = 1.0
"""By how much one of two different tours has to be clearer to be told, log-odds. Of 612 tours in the usual and other
manners kept for validation three were read wrongly so and 542 exactly; four and 541 when the first one told counted."""

PLAIN = 4.0
"""A tour so clear to the first pair of networks is told at once, log-odds; of the 612, 253 were, and none otherwise."""

MOST_MARGIN = 6.0
"""As far as margins of different tours are compared, log-odds."""

LEAST_PLACES = 4
"""A shorter line is no tour anybody draws; it is a tick, a ring that went wide, or a correction."""


@dataclass(frozen=True, slots=True)
class DrawnTour:
    """What was seen of a drawn tour.

    Attributes:
        read: True: ``places`` is what was drawn (none: no tour was drawn); False: something was drawn, or seems to be,
            that could not be told for sure.
        places: region ids along it, from the end whose id comes first; empty unless read.
        margin: log-odds against all other tours together, as far as looked; 0 when the search gave up.
        clear: how many links are drawn without much doubt, each by itself.
    """

    read: bool
    places: tuple[str, ...]
    margin: float
    clear: int = 0


class Member:
    """The network that judges corridors, run by cv2.dnn, and the one that thinks a board over; loaded once.

    Attributes:
        margin: log-odds that all other tours together must lie behind for one to be told.
        most_cost: log-odds that may be otherwise than they look.
        nothing: as many links may be drawn, their probabilities added up, where no tour is said to be drawn: many pale
            ones are a tour in a pen that hardly shows. Of 700 photos kept for validation both tours that the first
            member took for none had more than 1.5 (2.5 and 3.0), and two of 169 boards without one.
    """

    def __init__(self, folder: Path, name: str, card: Mapping[str, Any]) -> None:
        self._net = network(folder, name)
        self._board = BoardNet(folder / f"{name}-board.npz")
        self._temperature = float(card["temperature"])
        self.margin, self.most_cost, self.nothing = (float(card[n]) for n in ("margin", "most_cost", "nothing"))

    def log_odds(self, strips: LinkStrips, view: LinkView) -> NDArray[np.float64]:
        """``(N,)`` calibrated log-odds of each link being drawn, natural log units."""
        ends = ends_of(strips.links)
        looks = []
        for axes in TURNS:
            self._net.setInput(np.ascontiguousarray(np.flip(view.planes, axes)))
            looks.append(np.array(self._net.forward(), dtype=np.float32))
        seen = np.mean(looks, axis=0)
        logits = self._board.think_over(seen[:, 1:], view.features, seen[:, 0], ends, strips.steps)
        shared = np.where(passing(ends, strips.steps), SHARED, 1.0)
        return np.asarray(logits, dtype=np.float64) / self._temperature * shared


class LinkReader:
    """The networks that judge links, loaded once: the first know how most players draw, the others any manner.

    Args:
        folder: where the model lies; the shipped one when None.

    Raises:
        BadTemplate: the model or its card is missing or damaged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or models_dir()
        with loading(folder):
            members = card_of(folder, MODEL)["members"]
            self.members = tuple(Member(folder, name, card) for name, card in members.items())

    def log_odds(self, strips: LinkStrips) -> NDArray[np.float64]:
        """``(N,)`` calibrated log-odds of each link being drawn as most players draw."""
        return self.members[0].log_odds(strips, view_links(strips))


def ends_of(links: Sequence[Link]) -> NDArray[np.intp]:
    """The links' ends as numbers, ``(N, 2)``: each region has one."""
    numbers = {region: k for k, region in enumerate(sorted({region for link in links for region in link}))}
    return np.array([[numbers[region] for region in link] for link in links], dtype=np.intp)


def read_drawn(
    working: WorkingCopy, placement: Placement, links: Sequence[Link], reader: LinkReader, price: Price | None = None,
    standing: Mapping[Link, float] | None = None,
) -> DrawnTour:  # fmt: skip
    """The tour drawn on a placed board.

    Args:
        working: the working copy of the photo that the board was found in.
        placement: where the board lies.
        links: the map's links, region ids.
        reader: the loaded network.
        price: as for :func:`ontour_cv.vision.drawn_path.likely_path`.
        standing: lines that were drawn before the tour was, as ferries are, whether it takes them or not; and what
            taking one costs, log-odds above 0.
    """
    if not links:
        return DrawnTour(True, (), 0.0)
    shown = np.array([all(placement.cells[region].inside for region in link) for link in links])
    tour = _read(cut_links(working, placement, links), links, shown, reader, price, standing)
    onward = {region for link, seen in zip(links, shown, strict=True) for region in link if not seen}
    if onward & set(tour.places[:1] + tour.places[-1:]):  # it may go on where the picture ends
        return DrawnTour(False, (), 0.0, tour.clear)
    return tour


def _read(
    strips: LinkStrips, links: Sequence[Link], shown: NDArray[np.bool_], reader: LinkReader, price: Price | None,
    standing: Mapping[Link, float] | None,
) -> DrawnTour:  # fmt: skip
    """The tour along the links that are ``shown``, ``(N,)``; others as in :func:`read_drawn`."""
    view = view_links(strips)

    def odds_by(member: Member) -> NDArray[np.float64]:
        return np.where(shown, member.log_odds(strips, view), -MOST_MARGIN)

    odds = [odds_by(reader.members[0])]

    def read_by(k: int, price: Price | None, most: float | None = None) -> DrawnTour:
        return _read_by(reader.members[k], odds[k], links, price, standing or {}, most)

    first = read_by(0, price)
    if first.places and (plain := read_by(0, price, PLAIN)).margin >= PLAIN:
        return plain
    odds += [odds_by(member) for member in reader.members[1:]]
    others = range(1, len(odds))
    read = [first, *(read_by(k, price) for k in others)]
    told = {tour.places for tour in read if tour.places}
    if len(told) > 1:
        return agreed([read_by(k, price, MOST_MARGIN) for k in (0, *others)])
    if not told and first.read:  # who counted need not have drawn: that speaks for no tour by itself
        for k in others:
            if not read[k].read and not (bare := read_by(k, None)).places:
                read[k] = bare
    return agreed(read)


def _read_by(
    member: Member, log_odds: NDArray[np.float64], links: Sequence[Link], price: Price | None,
    standing: Mapping[Link, float], most: float | None,
) -> DrawnTour:  # fmt: skip
    """The tour as one of the readers has it; ``most`` as for ``likely_path``, others as in :func:`read_drawn`."""
    every = [*links, *standing]
    costs = [*log_odds.tolist(), *(-cost for cost in standing.values())]
    path = likely_path(every, costs, member.margin, price, LEAST_PLACES, most)
    expected = float((1 / (1 + np.exp(-log_odds))).sum())
    told = decided(path, member.margin, member.most_cost, expected <= member.nothing)
    return replace(told, clear=int((log_odds > CLEAR).sum()))


def agreed(tours: Sequence[DrawnTour]) -> DrawnTour:
    """What readers say together: the clearest tour that one of them tells; none only where all are sure of it."""
    told = sorted((tour for tour in tours if tour.places), key=lambda tour: -tour.margin)
    rest = next((tour for tour in tours if not tour.read), tours[0])
    first = told[0] if told else rest
    for other in told[1:]:
        if other.places != first.places and first.margin - other.margin < CLEARER:
            first = DrawnTour(False, (), first.margin - other.margin)
            break
    return replace(first, clear=max(tour.clear for tour in tours))


def decided(path: LikelyPath | None, margin: float, most_cost: float, bare: bool) -> DrawnTour:
    """What may be said of the likeliest path: see the module; ``bare``: so few links may be drawn that none is."""
    if path is None:
        return DrawnTour(False, (), 0.0)
    sure = path.margin >= margin and path.cost <= most_cost and (bool(path.places) or bare)
    if not sure:
        return DrawnTour(False, (), path.margin)
    return DrawnTour(True, path.places, path.margin)
