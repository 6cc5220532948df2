"""What a player drew on a board of New York, decided: soloists, ferries, rows, and which of them are in doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ontour_cv.board import Mark
from ontour_cv.city_board import UNREAD_SOLOIST, Pair, ordered_pairs
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.editions import NAME
from ontour_cv.scorer.city_layout import city_layout
from ontour_cv.scorer.drawn import link_reader
from ontour_cv.vision.city_read import CityInkReading, CityReader
from ontour_cv.vision.decode import DOUBT, CellReading
from ontour_cv.vision.drawn_strips import cut_links
from ontour_cv.vision.read import Reading

FERRIES, SOLOISTS, ROWS = "ferries", "soloists", "rows"
"""What may not have been read, by its name in JSON."""

NO_SOLOIST = 12
"""So many numbers do not come without a soloist: in 120 simulated games seven of ten have one, and no board has fewer
than twenty. Where none is seen the player marks them in a way that nobody knows, and the board is worth what is told at
least."""

LISTED = 0.002
"""Less probable readings of a soloist are not considered."""

NO_NUMBER = 0.02
"""How often a box beside anything but a number is ticked, against one beside a number."""

UNLAWFUL = 0.1
"""The same for ferries that the rules do not allow, against those they do."""

NO_FERRY, FERRY = 0.013, 0.98
"""A ferry is doubtful when its probability lies between these. Sixty pairs are lawful, so bounds as strict as that of a
disc would leave a doubt or two on every board. On 350 simulated boards of writers kept for validation with 1,224
ferries seven lay below the first, four of them with hardly any ink, and three lines that were none above the other."""


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody vouches for.

    Attributes:
        marks: region id -> mark.
        soloists: region id -> soloist, for regions of ``marks`` only; those of ``marks`` not in it have none.
        ferries: ferries that are drawn, whatever is seen.
        no_ferries: ferries that are not.
        tracks: letter -> boxes crossed off.
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    soloists: Mapping[str, str] = field(default_factory=dict)
    ferries: tuple[Pair, ...] = ()
    no_ferries: tuple[Pair, ...] = ()
    tracks: Mapping[str, int] = field(default_factory=dict)

    def and_then(self, more: Given) -> Given:
        """With more that somebody vouches for, which counts where the two differ."""
        soloists = {region: letter for region, letter in self.soloists.items() if region not in more.marks}
        return Given(
            {**self.marks, **more.marks},
            {**soloists, **more.soloists},
            _one_after_the_other(self.ferries, more.ferries, more.no_ferries),
            _one_after_the_other(self.no_ferries, more.no_ferries, more.ferries),
            {**self.tracks, **more.tracks},
        )


def _one_after_the_other(first: tuple[Pair, ...], then: tuple[Pair, ...], gone: tuple[Pair, ...]) -> tuple[Pair, ...]:
    return tuple(dict.fromkeys((*(pair for pair in first if pair not in gone), *then)))


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn beside the numbers, as far as it was read or given.

    Attributes:
        soloists: region id -> the likeliest letter, ``UNREAD_SOLOIST`` when boxes contradict each other; in the map's
            order, those without a soloist left out.
        open_soloists: doubtful region -> what else may be there, the likeliest first, ``""`` for none.
        ferries: those more likely drawn than not, in the map's order.
        open_ferries: doubtful pair -> probability of being drawn.
        tracks: boxes crossed off in the rows that were read for sure; none when no box of any row is.
        not_read: which of ``FERRIES``, ``SOLOISTS``, ``ROWS`` were not looked for, or not everywhere: where a ferry may
            go the photo may end; soloists, too, where none is seen on a board with many numbers.
    """

    soloists: Mapping[str, str]
    open_soloists: Mapping[str, tuple[str, ...]]
    ferries: tuple[Pair, ...]
    open_ferries: Mapping[Pair, float]
    tracks: Mapping[str, int]
    not_read: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """True when everything that counts was looked for."""
        return not {FERRIES, SOLOISTS} & set(self.not_read)


@lru_cache(maxsize=1)
def city_reader() -> CityReader:
    """The shipped networks, loaded once."""
    return CityReader()


def read_drawn_ink(reading: Reading, template: MapTemplate) -> CityInkReading | None:
    """What is drawn on a placed board; None unless it is this project's own print, the only one known line by line."""
    if reading.placement.edition.name != NAME:
        return None
    links = template.edges()

    def legs() -> dict[frozenset[str], float]:
        odds = link_reader().log_odds(cut_links(reading.candidates.working, reading.placement, links))
        return {frozenset(link): float(chance) for link, chance in zip(links, odds, strict=True)}

    return city_reader().read(reading.photo, reading.placement, city_layout(template), legs)


def decide(ink: CityInkReading | None, template: MapTemplate, cells: Mapping[str, CellReading], given: Given) -> Drawn:
    """Everything drawn, and what is in doubt, with what is given taken as it is.

    Args:
        ink: what was seen; None when nobody looked.
        template: the map.
        cells: what stands in the discs, corrections included.
        given: corrections.
    """
    soloists, open_soloists = _soloists(ink, template, cells, given)
    ferries, open_ferries = _ferries(ink, template, given)
    unread = [FERRIES] * (not _all_ferries(ink, template, given))
    numbers = sum(cell.mark.number is not None for cell in cells.values())
    overlooked = not soloists and not given.soloists and numbers >= NO_SOLOIST
    unread += [SOLOISTS] * (ink is None or not ink.soloists or overlooked) + [ROWS] * (ink is None or not ink.rows)
    return Drawn(soloists, open_soloists, ferries, open_ferries, _tracks(ink, given), tuple(unread))


def _soloists(
    ink: CityInkReading | None, template: MapTemplate, cells: Mapping[str, CellReading], given: Given
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    found: dict[str, str] = {}
    unsure: dict[str, tuple[str, ...]] = {}
    for region in template.ids:
        if region in given.marks:
            if region in given.soloists:
                found[region] = given.soloists[region]
            continue
        if ink is None or not ink.soloists:
            continue
        chances = ink.soloists.get(region)
        if chances is None:  # its boxes are not in the photo: where a number may stand, so may any soloist
            if cells[region].doubtful or cells[region].mark.number is not None:
                found[region] = UNREAD_SOLOIST
                unsure[region] = ("", *INSTRUMENTS)
            continue
        chances = _weighed(chances, cells[region])
        ranked = sorted(chances, key=lambda letter: -chances[letter])
        if ranked[0]:
            found[region] = ranked[0]
        if chances[ranked[0]] < DOUBT or ranked[0] == UNREAD_SOLOIST:
            others = [letter for letter in ranked[1:] if chances[letter] >= LISTED]
            unsure[region] = tuple(others)
    return found, unsure


def _weighed(chances: Mapping[str, float], cell: CellReading) -> dict[str, float]:
    """Chances of each soloist, those beside anything but a number the less likely ones."""
    factor = NO_NUMBER if not cell.doubtful and cell.mark.number is None else 1.0
    weights = {letter: chance * (factor if letter else 1.0) for letter, chance in chances.items()}
    total = sum(weights.values()) or 1.0
    return {letter: weight / total for letter, weight in weights.items()}


def _ferries(
    ink: CityInkReading | None, template: MapTemplate, given: Given
) -> tuple[tuple[Pair, ...], dict[Pair, float]]:
    drawn, unsure = list(given.ferries), {}
    settled = {frozenset(pair) for pair in (*given.ferries, *given.no_ferries)}
    lawful = {frozenset(pair) for pair in lawful_ferries(template)} if ink is not None else set()
    for pair, chance in ink.ferries.items() if ink is not None else ():
        if frozenset(pair) in settled:
            continue
        factor = 1.0 if frozenset(pair) in lawful else UNLAWFUL
        chance = chance * factor / (chance * factor + 1 - chance)
        if chance >= 0.5:
            drawn.append(pair)
        if NO_FERRY < chance < FERRY:
            unsure[pair] = chance
    return ordered_pairs(drawn, template.ids), unsure


def _all_ferries(ink: CityInkReading | None, template: MapTemplate, given: Given) -> bool:
    """Whether every ferry that the rules allow was looked for, or is given."""
    if ink is None or not ink.ferries:
        return False
    settled = {frozenset(pair) for pair in (*given.ferries, *given.no_ferries)}
    unseen = {frozenset(pair) for pair in ink.unshown} - settled
    return not any(frozenset(pair) in unseen for pair in lawful_ferries(template))


def lawful_ferries(template: MapTemplate) -> tuple[Pair, ...]:
    """The pairs of neighbourhoods between which the rules let a ferry go."""
    layout = city_layout(template)
    return tuple(pair for pair, allowed in zip(layout.pairs, layout.lawful, strict=True) if allowed)


def _tracks(ink: CityInkReading | None, given: Given) -> dict[str, int]:
    """Rows read for sure, and those given. Rows without a cross were not used: nothing can be said of them."""
    read: dict[str, int] = {}
    for letter, chances in (ink.rows if ink is not None else {}).items():
        count = max(chances, key=lambda k: chances[k])
        if count >= 0 and chances[count] >= DOUBT:
            read[letter] = count
    if not any(read.values()):
        read = {}
    read.update(given.tracks)
    return {letter: read[letter] for letter in INSTRUMENTS if letter in read}
