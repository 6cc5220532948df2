"""Scores of single cells + :class:`Script` -> what stands in each cell, and how well the two agree.

Every cell first keeps only what the eyes find likely in it. Where that cannot be without a slip, the cells concerned
are looked at again with everything allowed: so a slip is believed only when nothing else the eyes can live with fits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

from ontour_cv.vision.glyphs import GlyphScores
from ontour_cv.vision.lattice import LIKELY, Option, Rules, Sums, Way, add_up, likely_ways
from ontour_cv.vision.script import Blunders, Place, Script

LABELS = 103
"""Labels of a cell: numbers 0-99, then empty, star, X."""

EMPTY, STAR, BLOCKED = 100, 101, 102

NARROW = 9.0
"""At first a cell keeps what is at most this much (natural log) less likely than its likeliest content."""

WIDE = 40.0
"""When a slip seems needed, everything down to this."""

SUSPECT = (1e-3, 1e-2, 0.1)
"""A cell whose slip is more probable than this is looked at again with everything allowed; with too many such cells
only the more probable ones."""

MOST_WIDE = 14
"""With more suspects than this, whatever the limit, the script is not this board's: looking again would not help."""

MOST_JUDGED = 24
"""So many boards with an X are shown to somebody who knows whether it had to be, the most probable ones."""

CLEAR, FOREIGN = 0.999, 3.0
"""Nothing is weighed where every cell is surer than this, or with more slips, which hint at another game's board."""

EARLY = 0.05
"""Weight of a photo taken before the last writings were due."""

_COUNT_BITS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """What cells and script say together.

    Attributes:
        posterior: ``(N, LABELS, 2)``, of each label without and with its circle in each cell; rows sum to 1. Zero
            where a cell is hidden.
        lawful: probability that the player made no slip.
        slips: expected number of slips.
    """

    posterior: NDArray[np.float64]
    lawful: float
    slips: float


def match(scores: GlyphScores, script: Script, hidden: Collection[str] = ()) -> Match:
    """The posterior of every cell, summed over all ways to write the script.

    Args:
        scores: what the eyes think of each cell.
        script: what had to be written.
        hidden: ids of cells the picture does not show; any writing not seen elsewhere may stand there.
    """
    table = likelihood(scores, script.blunders)
    rows = np.array([row for row, cell in enumerate(scores.ids) if cell not in hidden], dtype=int)
    plan = _Plan(script, scores.ids, len(scores.ids) - len(rows))
    wide: set[int] = set()
    while True:
        order = _order(table, rows, wide)
        options = [plan.options(int(row), table[row], WIDE if row in wide else NARROW) for row in order]
        sums = add_up(options, plan.rules, plan.final)
        found = (_suspects(sums, order, table, plan.last_labels, least) - wide for least in SUSPECT)
        more = next((some for some in found if len(wide | some) <= MOST_WIDE), set())
        if not more:
            break
        wide |= more
    posterior = np.zeros(table.shape)
    for row, some, chance in zip(order, options, sums.chances, strict=True):
        np.add.at(posterior[row].reshape(-1), [option.column for option in some], chance)
    whole = Match(posterior, sums.lawful, sums.slips)
    seen = posterior[rows].reshape(len(rows), -1)
    crossed = bool((posterior[rows, BLOCKED].sum(axis=1) > LIKELY).any()) and whole.slips < FOREIGN
    if script.judge is None or not crossed or bool((seen.max(axis=1, initial=0.0) > CLEAR).all()):
        return whole
    return _crosses_weighed(whole, sums, order, options, plan, scores.ids)


def _crosses_weighed(
    found: Match, sums: Sums, order: list[int], options: list[list[Option]], plan: _Plan, ids: tuple[str, ...]
) -> Match:
    """The same, likely boards weighed by whether each X had to be (the sums know whether it can have); others keep."""
    boards: dict[tuple[int, ...], list[Way]] = {}
    for way in likely_ways(sums.trellis):
        columns = tuple(some[number].column for some, number in zip(options, way.options, strict=True))
        boards.setdefault(columns, []).append(way)
    crossed = [columns for columns in boards if any(column // 2 == BLOCKED for column in columns)]
    if len(boards) < 2 or not crossed:
        return found
    masses = {columns: sum(way.chance for way in ways) for columns, ways in boards.items()}
    clean = {columns: sum(way.chance * way.clean for way in ways) for columns, ways in boards.items()}
    factors = dict.fromkeys(boards, 1.0)
    for columns in sorted(crossed, key=lambda some: -masses[some])[:MOST_JUDGED]:
        best = max(boards[columns], key=lambda way: way.chance)
        board = {ids[row]: divmod(column, 2) for row, column in zip(order, columns, strict=True)}
        factors[columns] = plan.crosses_factor(best, board)
    listed = sum(masses.values())
    mean = sum(masses[columns] * factor for columns, factor in factors.items()) / listed
    change = {columns: factor / mean - 1.0 for columns, factor in factors.items()}
    posterior = found.posterior.copy()
    for columns, more in change.items():
        posterior[order, [c // 2 for c in columns], [c % 2 for c in columns]] += masses[columns] * more
    lawful = found.lawful + sum(clean[columns] * more for columns, more in change.items())
    return Match(np.maximum(posterior, 0.0), min(max(lawful, 0.0), 1.0), found.slips)


def likelihood(scores: GlyphScores, blunders: Blunders) -> NDArray[np.float64]:
    """Log-likelihood of each label without and with circle, ``(N, LABELS, 2)``, the best of each cell 0."""
    chances = np.exp(scores.number).reshape(-1, 10, 10)
    tens, ones = chances.sum(axis=2, keepdims=True), chances.sum(axis=1, keepdims=True)
    floor = blunders.digit * (tens + ones) + blunders.digit**2
    number = np.log(chances + floor).reshape(-1, 100)
    kind = np.log(np.exp(scores.kind) + blunders.kind)
    circled = np.log(np.exp(scores.circled) + np.array([blunders.imagined, blunders.missed]))
    table = np.full((len(scores.ids), LABELS, 2), -np.inf)
    table[:, :100] = kind[:, 1, None, None] + number[:, :, None] + circled[:, None, :]
    table[:, STAR] = kind[:, 2, None] + circled
    table[:, EMPTY, 0], table[:, BLOCKED, 0] = kind[:, 0], kind[:, 3]
    return np.asarray(table - table.max(axis=(1, 2), keepdims=True), dtype=np.float64)


class _Plan:
    """The script in the form the lattice needs: one bit of the state for each writing, then the means of each turn."""

    def __init__(self, script: Script, cells: tuple[str, ...], hidden: int) -> None:
        self._script, self._cells, self._hidden = script, cells, hidden
        count = len(script.writings)
        turns = sorted({writing.turn for writing in script.writings})
        widest = max((place.means for writing in script.writings for place in writing.places), default=1)
        width = widest.bit_length()
        self._shift = {turn: count + 2 * k * width for k, turn in enumerate(turns)}
        self._crosses = count + 2 * len(turns) * width
        self._empties = self._crosses + _COUNT_BITS
        slipped = 1 << (self._empties + _COUNT_BITS)
        self.rules = Rules(width, slipped, exp(script.slips.means), exp(script.declined))
        self._all = (1 << count) - 1
        self._by_label: dict[int, list[int]] = {}
        for i, writing in enumerate(script.writings):
            self._by_label.setdefault(STAR if writing.number is None else writing.number, []).append(i)
        # What an X and an empty cell will cost is charged when they are met and settled at the end, so that states can
        # be compared on the way.
        self._cross = max((writing.skipped for writing in script.writings), default=script.slips.blocked)
        self._hollow = script.slips.forgotten if script.due == len(cells) else 0.0
        # Where fewer cells were left than a last turn has writings, some of these need not stand anywhere; all others
        # do.
        self._spare = len(script.writings) - script.due if script.due == len(cells) else 0
        last = tuple(i for i, w in enumerate(script.writings) if w.turn == turns[-1])
        self._ending = sum(1 << i for i in (last if script.ending is None else script.ending))
        self._partners = [self._others(i) for i in range(count)]
        self._places: list[dict[str, dict[bool, Place]]] = [{} for _ in script.writings]
        for found, writing in zip(self._places, script.writings, strict=True):
            for place in writing.places:
                found.setdefault(place.cell, {})[place.circled] = place

    def options(self, row: int, table: NDArray[np.float64], reach: float) -> list[Option]:
        """What a cell may hold, from its row of the table, weightiest first; everything within ``reach``."""
        flat = table.reshape(-1)
        found: list[Option] = []
        for column in np.flatnonzero(flat > -reach).tolist():
            found += self._of_column(self._cells[row], column, float(flat[column]))
        return sorted(found, key=lambda option: -option.weight)

    def final(self, state: int) -> tuple[float, float, int]:
        """What a state at the end is worth: weight, share of it without a slip, slips in the rest."""
        slips = self._script.slips
        crosses = state >> self._crosses & 63
        empty = state >> self._empties & 63
        excess = empty - (len(self._cells) - self._script.due)
        weight, clean, count = exp(-self._hollow * empty - self._cross * crosses), 1.0, 0
        if (self._ending & ~state).bit_count() < self._spare:
            weight, clean, count = weight * exp(slips.forgotten), 0.0, 1
        if excess > 0:
            early = excess >= self._script.early and all(not state >> i & 1 for i in self._last(excess))
            weight *= EARLY if early else exp(slips.forgotten * excess)
            clean, count = clean * early, count + (0 if early else excess)
        skipped, easy = self._skipped(state)
        return weight * skipped, clean * easy, count + crosses

    @property
    def last_labels(self) -> set[int]:
        """What a last turn with too few cells left writes, where that is known: one of them stands nowhere."""
        known = self._spare > 0 and self._script.ending is None
        some = [w.number for i, w in enumerate(self._script.writings) if known and self._ending >> i & 1]
        return {STAR if number is None else number for number in some}

    def crosses_factor(self, way: Way, board: Mapping[str, tuple[int, int]]) -> float:
        """How much more probable a board is, once it is known which X had to be, than the sums took it for."""
        judged = self._script.judge(board) if self._script.judge is not None else None
        if judged is None:
            return 1.0
        # A slip that the sums know of is paid for; any other comes from the order of play, in whatever words.
        crosses, others = way.state >> self._crosses & 63, way.state & ~(63 << self._crosses)
        paid = bool(others & self.rules.slipped) or self.final(others)[1] < 1.0
        slips = max(judged[1], judged[0] - paid)
        return exp(self._script.slips.blocked * min(slips, crosses)) / self._skipped(way.state)[0]

    def _skipped(self, state: int) -> tuple[float, float]:
        """The weight of the X marks of a state, and the share of it of those that may have had to be."""
        slips, crosses = self._script.slips, state >> self._crosses & 63
        missing = [w.skipped for i, w in enumerate(self._script.writings) if not state >> i & 1]
        skipped = _choose([exp(weight) for weight in missing], crosses)
        if not crosses:
            return 1.0, 1.0
        if not skipped:
            return exp(slips.blocked * crosses), 0.0
        return skipped, _choose([exp(weight) for weight in missing if weight > slips.blocked], crosses) / skipped

    def _of_column(self, cell: str, column: int, score: float) -> list[Option]:
        label, circled = column // 2, bool(column % 2)
        slips = self._script.slips
        if label == EMPTY:
            return [Option(column, exp(score + self._hollow), False, step=1 << self._empties)]
        if label == BLOCKED:
            return [Option(column, exp(score + self._cross), False, step=1 << self._crosses)]
        stranger = slips.star if label == STAR else slips.double if label % 11 == 0 else slips.stranger
        found = [Option(column, exp(score + stranger), True)]
        for i in self._by_label.get(label, ()):
            found += self._written(i, cell, column, circled, score)
        if label != STAR and label % 11:
            for i in self._by_label.get(10 * (label % 10) + label // 10, ()):
                found += self._written(i, cell, column, circled, score + slips.swapped, slip=True)
        return found

    def _written(
        self, i: int, cell: str, column: int, circled: bool, score: float, slip: bool = False
    ) -> Iterator[Option]:
        """Writing ``i`` in a cell: in its place, with the circle wrong, or where it may not stand."""
        slips, places = self._script.slips, self._places[i].get(cell, {})
        turn, after = self._script.writings[i].turn, self._script.writings[i].after
        partners, shift, needs = self._partners[i], self._shift[turn], 0 if after is None else 1 << after
        wrong_circle = slips.ring if circled else slips.circle
        if circled in places:
            place = places[circled]
            weight = exp(score + place.weight)
            yield Option(column, weight, slip, 1 << i, partners, shift, place.means, place.declined, needs=needs)
        if (not circled) in places:
            yield Option(column, exp(score + wrong_circle), True, 1 << i, partners, shift, needs=needs)
        if not places:
            price = slips.place + (slips.ring if circled else 0.0)
            yield Option(column, exp(score + price), True, 1 << i, partners, shift, needs=needs)

    def _others(self, i: int) -> int:
        mine = self._script.writings[i].turn
        return sum(1 << k for k, w in enumerate(self._script.writings) if w.turn == mine and k != i)

    def _last(self, count: int) -> range:
        return range(len(self._script.writings) - count, len(self._script.writings))


def _choose(weights: list[float], count: int) -> float:
    """Sum over all ways to choose ``count`` of the weights of their product."""
    sums = [1.0] + [0.0] * count
    for weight in weights:
        for k in range(count, 0, -1):
            sums[k] += sums[k - 1] * weight
    return sums[count]


def _order(table: NDArray[np.float64], rows: NDArray[np.int_], wide: Collection[int]) -> list[int]:
    """Clear cells first, both numbers of a turn side by side, then the others, the clearest first."""

    def rank(row: int) -> tuple[int, int, int, int]:
        some = np.flatnonzero(table[row].max(axis=1) > -NARROW)
        best = int(table[row].max(axis=1).argmax())
        pair = min(best, 10 * (best % 10) + best // 10) if best < 100 else best
        return (row in wide, len(some), pair, row)

    return sorted(rows.tolist(), key=rank)


def _suspects(
    sums: Sums, order: list[int], table: NDArray[np.float64], last: Collection[int], least: float
) -> set[int]:
    """Rows whose content needs a slip, and those that hold the same number or its reverse."""
    rows = {row for row, slipped in zip(order, sums.slipped, strict=True) if slipped > least}
    best = {row: int(table[row].max(axis=1).argmax()) for row in order}
    labels = {best[row] for row in rows}
    labels |= {10 * (label % 10) + label // 10 for label in labels if label < 100}
    if 1.0 - sums.lawful > least:
        labels |= {EMPTY, BLOCKED, *last}
    return rows | {row for row in order if best[row] in labels}
