"""What was drawn, decided: given things win, doubts are told, nothing is guessed, and the range holds every answer."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.city_board import UNREAD_SOLOIST, CityBoard, Pair, parse_city_board
from ontour_cv.maps.city import INSTRUMENTS
from ontour_cv.maps.load import load_map
from ontour_cv.press.design import load_design
from ontour_cv.rules.city import city_score
from ontour_cv.scorer.city_drawn import Drawn, Given, decide, lawful_ferries
from ontour_cv.scorer.city_questions import city_questions
from ontour_cv.scorer.city_score import score_city_photo
from ontour_cv.synth.city_ink import with_city_ink
from ontour_cv.synth.develop import encode
from ontour_cv.synth.drawn import DrawnTour, ink_tour
from ontour_cv.synth.photograph import Settings, render_print
from ontour_cv.synth.play_city import play_city
from ontour_cv.synth.printed import make_print
from ontour_cv.synth.scene import Scene
from ontour_cv.synth.strokes import sample_writer
from ontour_cv.vision.city_read import CityInkReading
from ontour_cv.vision.decode import CellReading

TEMPLATE = load_map("new-york-home")
CLEAR: Mapping[str, float] = {"": 0.999, "s": 0.0003, "m": 0.0003, "d": 0.0003, "g": 0.0001, "?": 0.0}
PAIR: Pair = ("SOHO", "STG")


def cells_of(board: CityBoard, doubtful: tuple[str, ...] = ()) -> dict[str, CellReading]:
    return {r: CellReading(mark, 0.6 if r in doubtful else 1.0, (), r in doubtful) for r, mark in board.marks.items()}


def seen(
    soloists: Mapping[str, Mapping[str, float]] | None = None, ferries: Mapping[Pair, float] | None = None,
    rows: Mapping[str, Mapping[int, float]] | None = None,
) -> CityInkReading:  # fmt: skip
    every: dict[str, Mapping[str, float]] = dict.fromkeys(TEMPLATE.ids, CLEAR)
    return CityInkReading(every | dict(soloists or {}), {PAIR: 0.0} | dict(ferries or {}), rows or {})


def ticked(letter: str, chance: float) -> dict[str, float]:
    return {"": 1 - chance, letter: chance}


BOARD = parse_city_board("SOHO=37 STG=41 UES=*", TEMPLATE.ids)
CELLS = cells_of(BOARD)


def test_a_clear_tick_is_the_soloist_and_leaves_no_doubt() -> None:
    drawn = decide(seen({"SOHO": ticked("m", 0.999)}), TEMPLATE, CELLS, Given())
    assert drawn.soloists == {"SOHO": "m"}
    assert drawn.open_soloists == {}


def test_an_unclear_tick_is_told_as_likely_and_doubted() -> None:
    drawn = decide(seen({"SOHO": ticked("m", 0.8)}), TEMPLATE, CELLS, Given())
    assert drawn.soloists == {"SOHO": "m"}
    assert drawn.open_soloists == {"SOHO": ("",)}


def test_no_soloist_beside_many_numbers_means_that_they_were_not_seen() -> None:
    many = cells_of(play_city(TEMPLATE, random.Random(1)).boards[0])
    few = {r: cell if k < 8 else replace(cell, mark=Mark(Kind.EMPTY)) for k, (r, cell) in enumerate(many.items())}
    assert "soloists" in decide(seen(), TEMPLATE, many, Given()).not_read
    assert not decide(seen(), TEMPLATE, many, Given()).complete
    assert "soloists" not in decide(seen(), TEMPLATE, few, Given()).not_read
    assert "soloists" not in decide(seen({"SOHO": ticked("m", 0.999)}), TEMPLATE, many, Given()).not_read
    assert "soloists" not in decide(seen(), TEMPLATE, many, Given(soloists={"SOHO": "m"})).not_read


def test_two_ticked_boxes_are_an_unread_soloist() -> None:
    drawn = decide(seen({"SOHO": {"": 0.0, "s": 0.001, "?": 0.999}}), TEMPLATE, CELLS, Given())
    assert drawn.soloists == {"SOHO": UNREAD_SOLOIST}
    assert "SOHO" in drawn.open_soloists


def test_boxes_outside_of_the_photo_are_an_unread_soloist() -> None:
    partly = CityInkReading({r: CLEAR for r in TEMPLATE.ids if r != "STG"}, {PAIR: 0.0}, {})
    assert decide(partly, TEMPLATE, CELLS, Given()).soloists == {"STG": UNREAD_SOLOIST}


def test_boxes_outside_of_the_photo_are_a_doubt_where_a_number_may_stand_and_nothing_elsewhere() -> None:
    """All that is asked about is told as a doubt; beside a star that is sure there is nothing to ask."""
    gone = ("STG", "UES", "FIDI")
    partly = CityInkReading({r: CLEAR for r in TEMPLATE.ids if r not in gone}, {PAIR: 0.0}, {})
    cells = CELLS | {"FIDI": replace(CELLS["FIDI"], doubtful=True)}
    drawn = decide(partly, TEMPLATE, cells, Given())
    assert set(drawn.soloists) == {"STG", "FIDI"}
    assert set(drawn.open_soloists) == set(drawn.soloists)
    assert all(set(letters) == {"", *INSTRUMENTS} for letters in drawn.open_soloists.values())
    settled = decide(partly, TEMPLATE, cells, Given({"STG": Mark(Kind.NUMBER, 41), "FIDI": Mark(Kind.BLOCKED)}))
    assert (settled.soloists, settled.open_soloists) == ({}, {})


def test_a_ferry_that_may_go_where_the_photo_ends_is_not_read() -> None:
    one, other = lawful_ferries(TEMPLATE)[:2]
    cut = replace(seen(), unshown=(one,))
    assert decide(cut, TEMPLATE, CELLS, Given()).not_read[:1] == ("ferries",)
    assert "ferries" not in decide(cut, TEMPLATE, CELLS, Given(no_ferries=(one[::-1],))).not_read
    assert decide(cut, TEMPLATE, CELLS, Given(ferries=(other,))).not_read[:1] == ("ferries",)


def test_what_is_given_wins_over_what_is_seen() -> None:
    ink = seen({"SOHO": ticked("m", 0.8), "STG": ticked("d", 0.999)}, {PAIR: 0.7}, {"s": {3: 1.0}})
    given = Given({"SOHO": Mark(Kind.NUMBER, 37), "STG": Mark(Kind.NUMBER, 41)}, {"STG": "g"}, (), (PAIR,), {"s": 1})
    drawn = decide(ink, TEMPLATE, CELLS, given)
    assert drawn.soloists == {"STG": "g"}
    assert drawn.open_soloists == {}
    assert (drawn.ferries, drawn.open_ferries) == ((), {})
    assert drawn.tracks == {"s": 1}


@pytest.mark.parametrize(("chance", "is_drawn", "doubted"), [
    (0.999, True, False), (0.9, True, True), (0.2, False, True), (0.001, False, False),
])  # fmt: skip
def test_a_ferry_is_drawn_when_likelier_than_not_and_doubted_unless_sure(
    chance: float, is_drawn: bool, doubted: bool
) -> None:
    drawn = decide(seen(ferries={PAIR: chance}), TEMPLATE, CELLS, Given())
    assert (PAIR in drawn.ferries) == is_drawn
    assert (PAIR in drawn.open_ferries) == doubted


def test_an_unlawful_ferry_needs_to_be_seen_more_clearly() -> None:
    unlawful: Pair = ("WASH", "BAYS")
    assert unlawful not in lawful_ferries(TEMPLATE)
    assert PAIR in lawful_ferries(TEMPLATE)
    drawn = decide(seen(ferries={PAIR: 0.8, unlawful: 0.8}), TEMPLATE, CELLS, Given())
    assert drawn.ferries == (PAIR,)
    assert unlawful in drawn.open_ferries


LINK: Pair = ("HOWA", "ENY")
TOUR = ("PARK", "CROW", "BUSH", "ENY", "HOWA", "FORE", "JACK")


def photo_of(text: str, tour: tuple[str, ...], tmp_path: Path) -> Path:
    """A picture of a board, and of a tour drawn on it."""
    board, rng = parse_city_board(text, TEMPLATE.ids), np.random.default_rng(3)
    writer = sample_writer(rng)
    sheet = with_city_ink(make_print(TEMPLATE, load_design(TEMPLATE)), board, writer, rng, 0.0)

    def drawer(scene: Scene, rng: np.random.Generator) -> DrawnTour:
        return ink_tour(tour, TEMPLATE, scene, writer, rng)

    settings = Settings("ordinary", 1700, notes=0.0, drawn=True)
    picture, _ = render_print(sheet, board.board, settings, rng, writer, drawer)
    path = tmp_path / "board.jpg"
    path.write_bytes(bytes(encode(picture, 92, True)))
    return path


def test_a_ferry_along_a_printed_link_is_told_from_the_leg_of_a_tour(tmp_path: Path) -> None:
    """It is the only such link of the map, and the line is the same."""
    marks = " ".join(f"{region}={10 * place + 10:02d}" for place, region in enumerate(TOUR))
    ferry = score_city_photo(photo_of(f"{marks} ~{'-'.join(LINK)}", (), tmp_path), TEMPLATE.id)
    assert ferry.board.ferries == (LINK,)
    leg = score_city_photo(photo_of(marks, TOUR, tmp_path), TEMPLATE.id)
    assert leg.board.ferries == ()
    assert ferry.drawn.open_ferries.get(LINK, 1.0) > 0.8
    assert leg.drawn.open_ferries.get(LINK, 0.0) < 0.2


def test_rows_nobody_crossed_off_say_nothing_and_unsure_ones_are_left_out() -> None:
    nothing = {letter: {0: 1.0} for letter in "smdg"}
    assert decide(seen(rows=nothing), TEMPLATE, CELLS, Given()).tracks == {}
    some = {"s": {2: 0.999, 3: 0.001}, "m": {0: 1.0}, "d": {1: 0.7, 2: 0.3}, "g": {-1: 1.0}}
    assert decide(seen(rows=some), TEMPLATE, CELLS, Given()).tracks == {"s": 2, "m": 0}


def test_nobody_looked_is_told() -> None:
    drawn = decide(None, TEMPLATE, CELLS, Given(ferries=(PAIR,)))
    assert drawn.not_read == ("ferries", "soloists", "rows")
    assert not drawn.complete
    assert drawn.ferries == (PAIR,)
    whole = {letter: {0: 1.0} for letter in "smdg"}
    assert decide(seen(rows=whole), TEMPLATE, CELLS, Given()).not_read == ()


@pytest.mark.parametrize("seed", range(6))
def test_the_range_holds_every_answer_and_only_what_matters_is_asked(seed: int) -> None:
    """Doubts about soloists and ferries, answered in every way, beside the solver itself."""
    rng = random.Random(seed)
    board = play_city(TEMPLATE, rng).boards[0]
    ticked_ones = rng.sample(sorted(board.soloists), 2)
    lines = tuple(rng.sample(lawful_ferries(TEMPLATE), 2))
    letters = {region: (board.soloists[region], "") for region in ticked_ones}
    drawn = Drawn(board.soloists, {r: ls[1:] for r, ls in letters.items()}, board.ferries,
                  dict.fromkeys(lines, 0.4), {}, ())  # fmt: skip
    found = city_questions(TEMPLATE, board, cells_of(board), drawn)
    totals: dict[tuple[str, str, bool, bool], int] = {}
    for choice in itertools.product(*letters.values(), (False, True), (False, True)):
        soloists = board.soloists | dict(zip(letters, (str(c) for c in choice[:2]), strict=True))
        ferries = set(board.ferries) - set(lines) | {p for p, there in zip(lines, choice[2:], strict=True) if there}
        answered = replace(board, soloists={r: s for r, s in soloists.items() if s}, ferries=tuple(ferries))
        totals[choice] = city_score(TEMPLATE, answered).total
    low, high = found.score_range
    assert low <= min(totals.values())
    assert max(totals.values()) <= high
    assert bool(found.ask) == (low < high)
    for place, name in ((2, "~{}-{}".format(*lines[0])), (3, "~{}-{}".format(*lines[1]))):
        gone = ("", "", False, False)
        alone = tuple(k == place or value for k, value in enumerate(gone))
        if gone in totals and totals[gone] != totals[alone]:  # type: ignore[index]
            assert name in found.ask
