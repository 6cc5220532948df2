"""Ink map of a board -> how likely each ferry is drawn.

Between two discs only the cheapest way is found (``city_paths``), and a way over the ink of another, longer line may be
cheaper than the pair's own line, which has a gap here or is pale there. So once the plain lines are known, every other
pair is traced again without their ink, and what is found where nothing was looked at before is judged, too: by the ink
as it was, since lines may cross. Of 544 ferries on 160 simulated boards of writers kept for validation 13 were missed
so, 16 without, and not one more invented.

Beside each disc at the water stands a small boat, and some draw from boat to boat. Such a line does not point at the
discs, so it is traced between the boats as if these were discs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.city_flat import CityLayout
from ontour_cv.vision.city_lines import LEAST, LineJudge, tangle
from ontour_cv.vision.city_paths import INK_PX, Ends, Lines, cut_strips, smoothed, trace_lines

BROKEN, BROKEN_MOST = 0.4, 3.0
"""Of a line that wants so much of its ink nobody is sure, whatever it looks like: these log-odds are its most. Dashed
lines want a quarter or a third."""

LEG = 5.5
"""What the link reader's log-odds are above which a line along a printed link is a leg of the drawn tour rather than a
ferry. On 130 simulated boards of writers kept for validation, each with a ferry or a tour along the one such link of
New York, ferries alone had up to 5.4, tours alone 6.5 and more; on 350 played boards it was 1.6 and 6.1."""

BESIDE_LEG, SEEN_BESIDE, NO_LEG = 3.0, 0.5, 2.0
"""What a ferry is believed less beside a leg, log-odds, and how much what the network saw counts there; and what a
ferry is believed more where there is none, since training shows the network tours there that are no ferries.

Of 350 played boards of writers kept for validation 22 had a ferry there without a tour, of which one was missed, 33 a
tour alone, and none of these was taken for a ferry. Three had both: their ferries are missed but doubted, one because
the network's log-odds, -2.2, count but half.
"""

PLAIN = 2.0
"""Log-odds from which a line is plain, and its ink its own."""

WIDE_PX = 5
"""How wide the ink of a plain line is, ink map pixels."""

ELSEWHERE = 0.25
"""How far away another way lies to be another, disc radii in the mean."""

GAIN, PROMISING = 1.0, -3.0
"""By how much a way has to look more like a line than the first one, and how much at least, log-odds by itself."""

FROM_BOATS, PAST_BOAT = 2.0, 0.7
"""How much a line between the boats beside two discs has to look like one, log-odds by itself; and how far past a boat
the place lies that is its disc's middle for the networks, disc radii. Of 44 lines drawn so on photos by somebody else's
hand and camera 13 were found, and 37 so; on 45 played boards of writers kept for validation one more was found and
none invented. Lines from a boat to the other disc's rim are no surer this way."""

RARER = 0.4
"""What any ferry is believed less in a game, log-odds: the boards that the temperature was set on have 5.3 of them in
the mean, played ones 3.5. On 350 played boards of writers kept for validation with 1,224 ferries 7 were invented so, 13
without, and 21 missed, 20 without; with twice as much 7 and 26."""

PALE, DARKEST, LIT, WIPED = 0.2, 0.6, -0.05, -1.0
"""A line that on so much of its length stands out no more than this share of what the board's plain ones do, where the
ground is no lighter than its print (glare), is what a cloth left, or by another pen: these log-odds are its most, so it
is asked about. On 94 boards by writers kept for validation 2 of 11 ferries that were invented are no more, and no more
are missed; where ferries are drawn in any manner it is 2 of 18, and one of 292 is missed, with a doubt."""

NOWHERE = -12.0
"""Log-odds of lines that have too little ink to be looked at."""


@dataclass(frozen=True, slots=True)
class LineMember:
    """A pair of networks that tell ferries.

    Attributes:
        net: the one that sees lines one by one.
        judge: the one that judges all of a board.
        heat: temperature of its log-odds.
    """

    net: cv2.dnn.Net
    judge: LineJudge
    heat: float


Legs = Callable[[], Mapping[frozenset[str], float]]
"""Log-odds of each printed link being a leg of the drawn tour, by its ends; asked only where a line may be either."""


@dataclass(slots=True)
class _Seen:
    """A board's lines, their strips, and what each member sees on them."""

    lines: Lines
    strips: NDArray[np.float32]
    looks: list[NDArray[np.float32]]


class FerryReader:
    """The networks that tell ferries: some learnt from lines as most players draw them, others from any, too.

    Their log-odds are averaged. On 168 simulated boards of writers kept for validation the mean of both misses 18 of
    980 ferries and invents 12, with 176 in doubt; the first alone 20 and 16, with 218. On 86 more boards with ferries
    drawn in any manner they miss 36 of 446 and invent 24, the first alone 44 and 32.

    Args:
        members: the networks.
        most_cost: lines with less ink are not looked at, as in ``Lines.costs``.
    """

    def __init__(self, members: Sequence[LineMember], most_cost: float) -> None:
        self._members, self._most_cost = tuple(members), most_cost

    def read(
        self, ink: NDArray[np.float32], dark: NDArray[np.float32], layout: CityLayout
    ) -> tuple[Lines, NDArray[np.float64]]:
        """The likeliest line of each of ``layout.pairs``, and calibrated log-odds ``(N,)`` of each being drawn.

        Args:
            ink: ``(h, w)`` the ink map of the board, without what is no line's.
            dark: ``(h, w)`` how much darker the photo is than the print, log units.
            layout: the board.
        """
        lines = trace_lines(ink, layout)
        seen = _Seen(lines, cut_strips(ink, dark, lines, layout), [])
        seen.looks = self.looks(seen.strips, lines)
        odds = self.odds(seen.looks, lines, seen.strips, layout)
        plain = odds > PLAIN
        rest = without_lines(ink, lines.paths[plain], layout) if plain.any() else ink
        found = False
        if plain.any():
            again = trace_lines(rest, layout)
            rows = np.flatnonzero(~plain & self.likely(again) & (apart(lines, again, layout) > ELSEWHERE))
            found = self._mended(seen, again.some(rows), rows, PROMISING, (ink, dark, layout))
        if layout.boats and (rows := np.flatnonzero(~plain & np.array(layout.lawful))).size:
            from_boats = trace_lines(rest, layout, boat_ends(layout, rows))
            kept = np.flatnonzero(self.likely(from_boats))
            found |= self._mended(seen, from_boats.some(kept), rows[kept], FROM_BOATS, (rest, dark, layout))
        return (seen.lines, self.odds(seen.looks, seen.lines, seen.strips, layout)) if found else (lines, odds)

    def _mended(
        self, seen: _Seen, others: Lines, rows: NDArray[np.intp], least: float,
        board: tuple[NDArray[np.float32], NDArray[np.float32], CityLayout],
    ) -> bool:  # fmt: skip
        """Takes other lines for those of ``rows`` where they look more like a ferry; whether it did."""
        if not len(rows):
            return False
        ink, dark, layout = board
        strips = cut_strips(ink, dark, others, layout)
        fresh = self.looks(strips, others)
        before, after = (np.mean([look[:, 0] for look in some], axis=0) for some in (seen.looks, fresh))
        better = np.flatnonzero((after > before[rows] + GAIN) & (after > least))
        if not len(better):
            return False
        seen.lines = with_rows(seen.lines, rows[better], others.some(better))
        seen.strips[rows[better]] = strips[better]
        for look, other_look in zip(seen.looks, fresh, strict=True):
            look[rows[better]] = other_look[better]
        return True

    def likely(self, lines: Lines) -> NDArray[np.bool_]:
        """``(N,)`` which lines have enough ink to be looked at."""
        return lines.costs <= self._most_cost

    def looks(self, strips: NDArray[np.float32], lines: Lines) -> list[NDArray[np.float32]]:
        """What each member sees on lines, ``(N, F)``: log-odds of each by itself, ``NOWHERE`` if unlikely, and more."""
        likely = np.flatnonzero(self.likely(lines))
        looks = []
        for member in self._members:
            out = np.full((len(strips), 1), NOWHERE, np.float32)
            if len(likely):
                member.net.setInput(strips[likely])
                seen = np.asarray(member.net.forward(), dtype=np.float32)
                out = np.zeros((len(strips), seen.shape[1]), np.float32)
                out[:, 0] = NOWHERE
                out[likely] = seen
            looks.append(out)
        return looks

    def odds(
        self, looks: Sequence[NDArray[np.float32]], lines: Lines, strips: NDArray[np.float32], layout: CityLayout
    ) -> NDArray[np.float64]:
        """``(N,)`` calibrated log-odds of a board's lines being drawn, one for each of ``layout.pairs``.

        Args:
            looks: from :meth:`looks`.
            lines: the lines.
            strips: theirs, from ``cut_strips``.
            layout: the board.
        """
        told = [
            self._odds_by(member, look, lines, strips, layout)
            for member, look in zip(self._members, looks, strict=True)
        ]
        odds: NDArray[np.float64] = np.mean(told, axis=0)
        odds[lines.costs > BROKEN] = np.minimum(odds, BROKEN_MOST)[lines.costs > BROKEN]
        odds[wiped(odds, strips)] = WIPED
        return odds

    def _odds_by(
        self, member: LineMember, look: NDArray[np.float32], lines: Lines, strips: NDArray[np.float32],
        layout: CityLayout,
    ) -> NDArray[np.float64]:  # fmt: skip
        odds = look[:, 0].astype(np.float64)
        hot = np.flatnonzero(odds > LEAST)
        if len(hot):
            odds[hot] = member.judge.think_over(look[hot], tangle(lines.some(hot), strips[hot], hot, layout))
        return np.where(odds > NOWHERE, odds / member.heat, NOWHERE)


def wiped(odds: NDArray[np.float64], strips: NDArray[np.float32]) -> NDArray[np.bool_]:
    """``(N,)`` whether a line is far paler than the other plain ones; see ``PALE``.

    Args:
        odds: ``(N,)`` log-odds of the lines.
        strips: theirs, from ``cut_strips``.
    """
    out = np.zeros(len(odds), np.bool_)
    rows = np.flatnonzero(odds > WIPED)
    if len(rows) < 2:
        return out
    dark = strips[rows, 1]
    ground = np.median(dark, axis=2)
    contrast = np.quantile(dark.max(axis=2) - ground, DARKEST, axis=1)
    unlit, plain = np.median(ground, axis=1) > LIT, odds[rows] > PLAIN
    for k, row in enumerate(rows):
        others = plain.copy()
        others[k] = False
        out[row] = unlit[k] and others.any() and contrast[k] < PALE * np.median(contrast[others])
    return out


def boat_ends(layout: CityLayout, rows: NDArray[np.intp]) -> Ends:
    """Places a little past the boats of some of ``layout.pairs``, away from each other, in the middles' stead."""
    pairs = [layout.pairs[row] for row in rows]
    first, last = (np.array([layout.boats[pair[end]] for pair in pairs]) for end in (0, 1))
    step = last - first
    past = step / np.maximum(np.hypot(*step.T), 1e-9)[:, None] * PAST_BOAT * layout.radius
    return first - past, last + past


def without_lines(ink: NDArray[np.float32], paths: NDArray[np.float64], layout: CityLayout) -> NDArray[np.float32]:
    """An ink map without what lies on some lines.

    Args:
        ink: ``(h, w)`` probability of a pen line, ``INK_PX`` pixels a radius.
        paths: ``(N, STEPS, 2)`` board widths.
        layout: the board.
    """
    mask = np.zeros(ink.shape, np.uint8)
    for path in paths:
        spots = np.round((path / layout.radius * INK_PX - 0.5) * 16).astype(np.int32)
        cv2.polylines(mask, [spots], False, 255, WIDE_PX, cv2.LINE_8, 4)
    return np.where(mask > 0, np.float32(0), ink)


def apart(one: Lines, other: Lines, layout: CityLayout) -> NDArray[np.float64]:
    """``(N,)`` how far each line of two tracings lies from itself, step by step, in the mean, disc radii."""
    moved = smoothed(other.paths) - smoothed(one.paths)
    return np.asarray(np.hypot(moved[..., 0], moved[..., 1]).mean(axis=1) / layout.radius, dtype=np.float64)


def with_rows(lines: Lines, rows: NDArray[np.intp], others: Lines) -> Lines:
    """Lines, some of which are others."""
    paths, costs = lines.paths.copy(), lines.costs.copy()
    paths[rows], costs[rows] = others.paths, others.costs
    return Lines(paths, lines.lengths, costs)


def believed(odds: NDArray[np.float64], layout: CityLayout, legs: Legs) -> NDArray[np.float64]:
    """``(N,)`` probability of lines being ferries of a game, where one along a printed link may be a tour's leg.

    Args:
        odds: ``(N,)`` calibrated log-odds of a line being there that is no tour's, for each of ``layout.pairs``.
        layout: the board.
        legs: asked when one along a link may be a ferry.
    """
    chances = np.asarray(1 / (1 + np.exp(RARER - odds)), dtype=np.float64)
    either = [row for row in np.flatnonzero(layout.linked) if odds[row] > NOWHERE]
    if either:
        tours = legs()
        for row in either:
            leg = 1 / (1 + np.exp(LEG - tours.get(frozenset(layout.pairs[row]), NOWHERE)))
            alone = odds[row] + NO_LEG
            beside = min(SEEN_BESIDE * odds[row] - BESIDE_LEG, alone)
            least, most = 1 / (1 + np.exp(-beside)), 1 / (1 + np.exp(-alone))
            chances[row] = most - leg * (most - least)
    return chances
