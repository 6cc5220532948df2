"""The joint decode of sheets: rules as priors, slips as they stand, boxes by enumeration."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.load import load_map
from ontour_cv.scorer.sheet_score import sheet_prior
from ontour_cv.vision.sheet_belief import Tally, beliefs
from ontour_cv.vision.sheet_decode import MARKS, decode_sheet, label_scores, reading_of
from ontour_cv.vision.sheet_glyphs import SheetScores
from ontour_cv.vision.sheet_model import SheetModel, sheet_model
from ontour_cv.vision.sheet_prior import SheetPrior

MODEL = sheet_model(load_map("rolling-america"))
EVERYTHING = np.ones(len(MODEL.ids), dtype=bool)


def scores(
    cells: dict[str, dict[str, float]] | None = None, crossed: dict[str, float] | None = None, x: str = ""
) -> SheetScores:
    """Scores in which all cells are clear blanks but those named: mark (``"3o"``, ``"x"``, ``"."``) -> probability."""
    count = len(MODEL.ids)
    kind = np.full((count, 3), 1e-12)
    kind[:, 0] = 1.0
    digit, circled = np.full((count, 6), 1 / 6), np.full((count, 2), 1e-12)
    circled[:, 0] = 1.0
    for name, marks in (cells or {}).items():
        row = MODEL.ids.index(name)
        kind[row], digit[row], circled[row] = 1e-12, 1e-12, 1e-12
        for text, chance in marks.items():
            plain = text.rstrip("o")
            kind[row, {".": 0, "x": 2}.get(plain, 1)] += chance
            if plain.isdigit():
                digit[row, int(plain) - 1] += chance
            circled[row, int(text.endswith("o"))] += chance
    boxes = np.full((count, 2), 1e-9)
    boxes[:, 0] = 1.0
    for name, chance in (crossed or {}).items():
        boxes[MODEL.ids.index(name)] = 1 - chance, chance
    tens, ones = np.full((count, 11), 1e-9), np.full((count, 11), 1e-9)
    row = MODEL.ids.index("numXs")
    tens[row, int(x[:-1]) if len(x) == 2 else 10] = 1.0
    ones[row, int(x[-1]) if x else 10] = 1.0
    parts = (kind, digit, circled, boxes, tens, ones)
    return SheetScores(*(np.log(part / part.sum(axis=1, keepdims=True)) for part in parts))


def prior(**wishes: object) -> SheetPrior:
    """Colorado, Utah and Kansas border one another in a row."""
    return SheetPrior(neighbours=(("CO", "UT"), ("CO", "KS")), clash_cost=2.5, **wishes)  # type: ignore[arg-type]


def test_a_neighbour_settles_a_doubtful_digit() -> None:
    """1 or 6 in Colorado? Utah has a 6."""
    found = decode_sheet(scores({"CO": {"1": 0.5, "6": 0.5}, "UT": {"6": 0.99999}}), MODEL, prior(), EVERYTHING)
    cell = found.cells["CO"]
    assert cell.mark == Mark(Kind.NUMBER, 6)
    assert cell.confidence == pytest.approx(1 / (1 + np.exp(-2.5)), abs=0.01)


def test_a_clear_clash_is_read_as_it_stands() -> None:
    found = decode_sheet(
        scores({"CO": {"1": 0.999, "5": 0.001}, "UT": {"6": 0.999, "2": 0.001}}), MODEL, prior(), EVERYTHING
    )
    assert found.cells["CO"].mark == Mark(Kind.NUMBER, 1)
    assert found.cells["UT"].mark == Mark(Kind.NUMBER, 6)


def test_a_guard_may_clash() -> None:
    found = decode_sheet(scores({"CO": {"1o": 0.6, "1": 0.4}, "UT": {"6": 0.99999}}), MODEL, prior(), EVERYTHING)
    assert found.cells["CO"].mark == Mark(Kind.NUMBER, 1, True)
    assert found.cells["CO"].confidence > 0.9


def test_a_slip_is_one_mark_however_many_neighbours_it_does_not_fit() -> None:
    """Five neighbours that go together, and a clear number that none of them goes with: no blank was ever so likely."""
    template = load_map("rolling-america")
    middle = next(state for state in template.ids if len(template.region(state).neighbours) >= 5)
    cells = {name: {"6": 0.9999, "5": 0.0001} for name in template.region(middle).neighbours}
    found = decode_sheet(
        scores({**cells, middle: {"2": 0.999, ".": 0.001}}), MODEL, sheet_prior(template), EVERYTHING
    ).cells[middle]
    assert found.mark == Mark(Kind.NUMBER, 2)
    alone = decode_sheet(
        scores({**cells, middle: {"2": 0.6, "5": 0.4}}), MODEL, sheet_prior(template), EVERYTHING
    ).cells[middle]
    assert alone.mark == Mark(Kind.NUMBER, 5)


@pytest.mark.parametrize("slip", [np.inf, 1.3])
def test_joint_posteriors_are_those_of_summing_over_every_sheet(slip: float) -> None:
    """Any number without a circle may be a slip, which clashes with nothing; with what it costs, and without."""
    cells = {
        "CO": {"1": 0.5, "2": 0.3, "6": 0.2},
        "UT": {"6": 0.7, "1": 0.3},
        "KS": {"5o": 0.4, "5": 0.5, "x": 0.1},
    }
    wishes = prior(circles=0, circle_cost=0.7, slip_cost=slip)
    found = decode_sheet(scores(cells), MODEL, wishes, EVERYTHING)
    unary = label_scores(scores(cells), wishes)
    rows = [MODEL.ids.index(name) for name in cells]
    options = [[k for k in range(len(MARKS)) if unary[row, k] > -14] for row in rows]
    total = {name: np.zeros(len(MARKS)) for name in cells}
    for joint in itertools.product(*options):
        marks = [MARKS[k] for k in joint]
        alike = np.exp(sum(unary[row, k] for row, k in zip(rows, joint, strict=True)))
        alike *= np.exp(-0.7 * sum(mark.circled for mark in marks))
        can_slip = [mark.number is not None and not mark.circled for mark in marks]
        weight = 0.0
        for slips in itertools.product(*((False, True) if can else (False,) for can in can_slip)):
            clashes = sum(
                abs((marks[one].number or 0) - (marks[other].number or 0)) > 1
                for one, other in ((0, 1), (0, 2))
                if can_slip[one] and can_slip[other] and not (slips[one] or slips[other])
            )
            weight += alike * np.exp(-2.5 * clashes) * np.prod([np.exp(-slip) for slipped in slips if slipped])
        for name, k in zip(cells, joint, strict=True):
            total[name][k] += weight
    for name, weights in total.items():
        expected = reading_of(weights / weights.sum())
        assert found.cells[name].mark == expected.mark
        assert found.cells[name].confidence == pytest.approx(expected.confidence, abs=1e-3)


def test_many_cells_in_doubt_do_not_make_one_another_certain() -> None:
    """A pencil that can hardly be seen, forty cells: listing the best joint readings called them certain blanks."""
    faint = {name: {".": 0.6, "3": 0.3, "x": 0.1} for name in MODEL.ids[:40]}
    template = load_map("rolling-america")
    rules = SheetPrior(neighbours=template.edges(), clash_cost=2.5, circles=3, circle_cost=1.0)
    found = decode_sheet(scores(faint), MODEL, rules, EVERYTHING)
    for name in faint:
        assert found.cells[name].mark.kind is Kind.EMPTY
        assert found.cells[name].confidence == pytest.approx(0.6, abs=0.1)


def test_a_sheet_that_seems_empty_is_doubted_and_one_clearly_written_is_not() -> None:
    empty = decode_sheet(scores(), MODEL, SheetPrior(), EVERYTHING)
    assert all(cell.mark.kind is Kind.EMPTY and cell.doubtful for cell in empty.cells.values())
    clear = {name: {"3": 1.0} for name in MODEL.ids[:6]}
    found = decode_sheet(scores(clear), MODEL, SheetPrior(), EVERYTHING)
    assert not any(cell.doubtful for cell in found.cells.values())


def test_blanks_are_doubted_where_the_rest_of_the_writing_is_faint() -> None:
    """Thirty digits hardly to be seen, ten clear ones: ten clear blanks are doubted; a clear digit is not."""
    ids = MODEL.ids[: MODEL.cells]
    faint = {name: {"3": 0.8, ".": 0.2} for name in ids[:30]} | {name: {"4": 1.0} for name in ids[30:40]}
    found = decode_sheet(scores(faint), MODEL, SheetPrior(), EVERYTHING)
    assert all(found.cells[name].mark.kind is Kind.EMPTY for name in ids[40:])
    assert all(found.cells[name].doubtful for name in ids[40:])
    assert not any(found.cells[name].doubtful for name in ids[30:40])


@pytest.mark.parametrize("seed", range(4))
def test_in_a_ring_of_neighbours_beliefs_are_nearly_those_of_summing_over_every_sheet(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels, pairs = 5, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]
    unary = np.log(rng.dirichlet(np.ones(labels), 4))
    clash = np.triu(2.5 * (rng.random((labels, labels)) < 0.4), 1)
    clash = clash + clash.T
    ringed, costs = np.array([False, False, False, True, True]), np.array([0.0, 0.0, 1.0, 2.5, 4.0])
    exact = np.zeros((4, labels))
    for joint in itertools.product(range(labels), repeat=4):
        cost = sum(clash[joint[a], joint[b]] for a, b in pairs) + costs[sum(ringed[k] for k in joint)]
        weight = np.exp(sum(unary[k, label] for k, label in enumerate(joint)) - cost)
        for k, label in enumerate(joint):
            exact[k, label] += weight
    exact /= exact[0].sum()
    found, _ = beliefs(unary, pairs, clash, [Tally(ringed, costs)])
    assert found.sum(axis=1) == pytest.approx(np.ones(4))
    assert np.abs(found - exact).max() < 0.06
    alone = np.exp(unary)
    assert np.abs(found - exact).sum() < 0.5 * np.abs(alone - exact).sum()


def test_what_a_tally_tells_is_what_summing_over_every_sheet_tells() -> None:
    rng = np.random.default_rng(3)
    unary = np.log(rng.dirichlet(np.ones(3), 5))
    tally = Tally(np.array([True, False, True]), np.array([3.0, 1.0, 0.0, 1.5, 4.0, 9.0]))
    exact = np.zeros((5, 3))
    for joint in itertools.product(range(3), repeat=5):
        weight = np.exp(sum(unary[k, label] for k, label in enumerate(joint)))
        weight *= np.exp(-tally.costs[sum(tally.counted[k] for k in joint)])
        for k, label in enumerate(joint):
            exact[k, label] += weight
    assert beliefs(unary, [], np.zeros((3, 3)), [tally])[0] == pytest.approx(exact / exact[0].sum())


def _twelve(rounds: int) -> SheetPrior:
    """Twelve blanks and no other number, when so many rounds are crossed off."""
    chance = np.full(MODEL.cells + 1, 1e-6)
    chance[12] = 1.0
    return SheetPrior(blanks=lambda crossed: chance if crossed == {"rounds": rounds, "dupe": 0} else np.ones(51) / 51)


def test_what_hardly_shows_is_read_where_too_many_cells_would_be_blank() -> None:
    """Thirty-seven clear digits, eleven clear blanks, two cells that seem rather blank: one of them is written in."""
    ids = MODEL.ids[: MODEL.cells]
    written = {name: {"3": 1.0} for name in ids[:37]} | {ids[37]: {".": 0.6, "3": 0.4}, ids[38]: {".": 0.9, "3": 0.1}}
    boxes = {f"round{k}": 0.9999 for k in range(1, 7)}
    free = decode_sheet(scores(written, boxes), MODEL, SheetPrior(), EVERYTHING)
    assert free.cells[ids[37]].mark.kind is Kind.EMPTY
    bound = decode_sheet(scores(written, boxes), MODEL, _twelve(6), EVERYTHING)
    assert bound.cells[ids[37]].mark == Mark(Kind.NUMBER, 3)
    assert bound.cells[ids[38]].mark.kind is Kind.EMPTY
    other = decode_sheet(scores(written, boxes), MODEL, _twelve(5), EVERYTHING)
    assert other.cells[ids[37]].mark.kind is Kind.EMPTY


def test_where_the_boxes_or_cells_are_not_all_seen_nothing_follows_from_them() -> None:
    ids = MODEL.ids[: MODEL.cells]
    written = {name: {"3": 1.0} for name in ids[:37]} | {ids[37]: {".": 0.6, "3": 0.4}, ids[38]: {".": 0.9, "3": 0.1}}
    seen = scores(written, {f"round{k}": 0.9999 for k in range(1, 7)})
    for hidden in ("round8", ids[-1]):
        inside = EVERYTHING.copy()
        inside[MODEL.ids.index(hidden)] = False
        assert decode_sheet(seen, MODEL, _twelve(6), inside).cells[ids[37]].mark.kind is Kind.EMPTY


def test_a_cell_outside_the_picture_is_unread_and_doubtful() -> None:
    inside = EVERYTHING.copy()
    inside[MODEL.ids.index("CO")] = False
    cell = decode_sheet(scores({"CO": {"1": 1.0}}), MODEL, prior(), inside).cells["CO"]
    assert cell.mark.kind is Kind.UNREAD
    assert cell.doubtful


def test_a_correction_is_certain_and_its_neighbours_follow() -> None:
    unclear = scores({"CO": {"1": 0.5, "6": 0.5}, "UT": {"6": 0.5, "1": 0.5}})
    found = decode_sheet(unclear, MODEL, prior(), EVERYTHING, {"CO": Mark(Kind.NUMBER, 1)})
    assert found.cells["UT"].mark == Mark(Kind.NUMBER, 1)


def test_circles_beyond_the_guards_are_doubted_not_denied() -> None:
    faint = {name: {"3o": 0.7, "3": 0.3} for name in ("AK", "HI", "ME", "FL")}
    free = decode_sheet(scores(faint), MODEL, SheetPrior(), EVERYTHING)
    bound = decode_sheet(scores(faint), MODEL, SheetPrior(circles=3, circle_cost=1.0), EVERYTHING)
    assert all(bound.cells[n].confidence < free.cells[n].confidence for n in faint)
    clear = {name: {"3o": 0.9999, "3": 0.0001} for name in faint}
    found = decode_sheet(scores(clear), MODEL, SheetPrior(circles=3, circle_cost=1.0), EVERYTHING)
    assert all(found.cells[n].mark.circled for n in faint)


def test_boxes_are_counted_and_the_row_is_crossed_from_the_left() -> None:
    sure = {"round1": 0.999, "round2": 0.999, "round3": 0.45, "round4": 0.999}
    found = decode_sheet(scores(crossed=sure), MODEL, SheetPrior(in_row={"rounds": 0.97}), EVERYTHING)
    assert found.boxes["rounds"].value == 4
    alone = decode_sheet(scores(crossed=sure), MODEL, SheetPrior(in_row={"rounds": 0.0}), EVERYTHING)
    assert alone.boxes["rounds"].value == 3


def test_a_cell_is_doubtful_that_a_board_would_let_pass() -> None:
    posterior = np.zeros(len(MARKS))
    posterior[0], posterior[1] = 0.993, 0.007
    assert reading_of(posterior).doubtful
    posterior[0], posterior[1] = 0.997, 0.003
    assert not reading_of(posterior).doubtful


def test_boxes_crossed_out_of_order_still_count() -> None:
    found = decode_sheet(
        scores(crossed={"guard3": 0.9999, "guard1": 0.9999}), MODEL, SheetPrior(in_row={"guard": 0.8}), EVERYTHING
    )
    assert found.boxes["guard"].value == 2
    assert not found.boxes["guard"].doubtful


@pytest.mark.parametrize(("written", "value"), [("", None), ("7", 7), ("12", 12), ("07", 7), ("40", 40)])
def test_the_written_number_has_one_digit_or_two_or_none(written: str, value: int | None) -> None:
    found = decode_sheet(scores(x=written), MODEL, SheetPrior(), EVERYTHING)
    assert found.boxes["x"].value == value
    assert found.sheet.boxes.x == value


def blurred(x: str, chances: dict[int, float]) -> SheetScores:
    """A sheet of clear 3s but for Maine and Ohio, which have an X; the number's last digit is in doubt."""
    marks = {name: {"3": 1.0} for name in MODEL.ids[: MODEL.cells]} | {"ME": {"x": 1.0}, "OH": {"x": 1.0}}
    found = scores(marks, x=x)
    ones = np.full(11, 1e-9)
    for digit, chance in chances.items():
        ones[digit] = chance
    row = MODEL.ids.index("numXs")
    every = found.ones.copy()
    every[row] = np.log(ones / ones.sum())
    return replace(found, ones=every)


def test_a_number_in_doubt_is_rather_that_of_the_xs() -> None:
    wishes = SheetPrior(counted=0.1)
    found = decode_sheet(blurred("2", {2: 0.4, 7: 0.6}), MODEL, wishes, EVERYTHING)
    assert found.boxes["x"].value == 2
    assert decode_sheet(blurred("2", {2: 0.4, 7: 0.6}), MODEL, SheetPrior(), EVERYTHING).boxes["x"].value == 7


def test_a_clear_miscount_is_read_as_it_stands() -> None:
    found = decode_sheet(blurred("7", {7: 1.0}), MODEL, SheetPrior(counted=0.1), EVERYTHING)
    assert found.boxes["x"].value == 7
    assert not found.boxes["x"].doubtful


def with_doubtful_utah(x: str, blank: float) -> SheetScores:
    """The same, with Utah a 3 that may be blank, and that number clearly written."""
    found = blurred(x, {int(x[-1]): 1.0})
    row, kind = MODEL.ids.index("UT"), found.kind.copy()
    kind[row] = np.log([blank, 1.0 - blank - 1e-6, 1e-6])
    return replace(found, kind=kind)


@pytest.mark.parametrize("blank", [0.05, 0.5, 0.9])
def test_a_cell_in_doubt_hears_the_written_number(blank: float) -> None:
    """With Utah blank three cells hold no number, else two; who wrote another number says nothing."""
    told = {}
    for x in ("2", "3", "9"):
        found = decode_sheet(with_doubtful_utah(x, blank), MODEL, SheetPrior(counted=0.4), EVERYTHING).cells["UT"]
        told[x] = found.confidence if found.mark.kind is Kind.EMPTY else 1 - found.confidence
    deaf = decode_sheet(with_doubtful_utah("2", blank), MODEL, SheetPrior(), EVERYTHING).cells["UT"]
    assert told["2"] < told["9"] < told["3"]
    assert told["9"] == pytest.approx(
        deaf.confidence if deaf.mark.kind is Kind.EMPTY else 1 - deaf.confidence, abs=0.01
    )


def test_what_is_clear_stays_whatever_is_written() -> None:
    found = decode_sheet(blurred("7", {7: 1.0}), MODEL, SheetPrior(counted=0.4), EVERYTHING)
    assert all(cell.mark.number == 3 for name, cell in found.cells.items() if name not in ("ME", "OH"))
    assert not any(cell.doubtful for cell in found.cells.values())


def test_boxes_that_are_cut_off_say_nothing() -> None:
    inside = EVERYTHING.copy()
    inside[MODEL.ids.index("round8")] = False
    found = decode_sheet(scores(), MODEL, SheetPrior(), inside)
    assert "rounds" not in found.boxes
    assert found.sheet.boxes.rounds is None


def test_probabilities_of_a_cell_sum_to_one() -> None:
    rows = np.exp(label_scores(scores({"CO": {"1": 0.5, "x": 0.2, ".": 0.3}}), SheetPrior()))
    assert rows.sum(axis=1) == pytest.approx(np.ones(len(MODEL.ids)))


def test_the_model_knows_every_cell_and_box() -> None:
    template = load_map("rolling-america")
    assert MODEL.ids[: MODEL.cells] == template.ids
    assert set(MODEL.ids[MODEL.cells :]) == {box.id for box in template.boxes}
    assert isinstance(MODEL, SheetModel)
