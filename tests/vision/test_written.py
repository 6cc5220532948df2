"""What is written vouches for a board that its discs do not prove."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ontour_cv.board import BoardState, Kind, Mark
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.scorer.score import mark_reader
from ontour_cv.synth.photograph import Settings, render
from ontour_cv.synth.play import sample_board
from ontour_cv.vision import register as registering
from ontour_cv.vision.cells import cut_cells
from ontour_cv.vision.evidence import VOUCHED_LOG_ODDS, may_be_vouched_for
from ontour_cv.vision.glyphs import KINDS, GlyphScores, log_softmax
from ontour_cv.vision.landmarks import Candidates, find_discs
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.refine import Fit
from ontour_cv.vision.register import Placement, register
from ontour_cv.vision.written import WRITTEN, clear, vouching

USA, EDITIONS = load_map("usa"), load_editions("usa")


def photo_of(board: BoardState, seed: int = 3) -> Photo:
    image, _ = render(USA, EDITIONS[0], board, Settings("ordinary", 1280, jitter=0.0), np.random.default_rng(seed))
    return Photo("made", image)


def with_evidence(monkeypatch: pytest.MonkeyPatch, log_odds: float) -> None:
    """As if the discs gave so much evidence, and what is written showed no board by its places alone."""
    fit = registering._best_fit
    monkeypatch.setattr(registering, "_by_ink", lambda *_: None)
    monkeypatch.setattr(registering, "_best_fit", lambda *a, **b: replace(fit(*a, **b), log_odds=log_odds))  # type: ignore[arg-type]


def look(photo: Photo) -> Placement:
    discs = find_discs(photo)
    return register(photo, discs, EDITIONS, vouch=vouching(photo, discs, mark_reader()))


def test_a_filled_board_its_discs_do_not_prove_is_believed_for_it_reads_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = photo_of(sample_board(USA, np.random.default_rng(1)))
    plain = look(photo)
    with_evidence(monkeypatch, -20.0)
    found = look(photo)
    for region, place in found.cells.items():
        assert np.allclose(place.centre_photo, plain.cells[region].centre_photo, atol=2.0), region
    with pytest.raises(BoardNotFound):
        register(photo, find_discs(photo), EDITIONS)


def test_with_less_evidence_nobody_asks_what_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = photo_of(sample_board(USA, np.random.default_rng(1)))
    with_evidence(monkeypatch, VOUCHED_LOG_ODDS - 1)
    with pytest.raises(BoardNotFound):
        register(photo, find_discs(photo), EDITIONS, vouch=lambda _: pytest.fail("asked"))


def test_a_board_without_marks_does_not_vouch_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = photo_of(BoardState({region.id: Mark(Kind.EMPTY) for region in USA.regions}))
    with_evidence(monkeypatch, -20.0)
    with pytest.raises(BoardNotFound):
        look(photo)


def test_xs_alone_do_not_vouch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checked paper and weaves are full of them."""
    photo = photo_of(BoardState({region.id: Mark(Kind.BLOCKED) for region in USA.regions}))
    discs = find_discs(photo)
    assert clear(mark_reader().read(cut_cells(photo, register(photo, discs, EDITIONS), discs.working))).mean() > WRITTEN
    with_evidence(monkeypatch, -20.0)
    with pytest.raises(BoardNotFound):
        look(photo)


def test_cells_outside_the_picture_do_not_vouch() -> None:
    photo = photo_of(sample_board(USA, np.random.default_rng(1)))
    discs = find_discs(photo)
    placement = register(photo, discs, EDITIONS)
    vouch = vouching(photo, discs, mark_reader())
    assert vouch(placement)
    most = round(len(placement.cells) * (1.1 - WRITTEN))
    cut = {k: replace(p, inside=i >= most) for i, (k, p) in enumerate(placement.cells.items())}
    assert not vouch(replace(placement, cells=cut))


def test_clear_are_marks_of_a_kind_and_number_that_are_sure() -> None:
    kinds = np.full((5, 4), -9.0)
    kinds[range(5), [KINDS.index(k) for k in ("number", "number", "star", "empty", "x")]] = 0.0
    kinds[4, KINDS.index("star")] = -0.5
    numbers = np.full((5, 100), -9.0)
    numbers[:, 42] = 0.0
    numbers[1, 43] = -0.5
    scores = GlyphScores(tuple("abcde"), log_softmax(kinds), log_softmax(numbers), np.zeros((5, 2)))
    assert clear(scores).tolist() == [True, False, True, False, False]


@pytest.mark.parametrize(
    ("map_id", "log_odds", "rows", "may"),
    [("usa", -29.0, False, True), ("usa", -31.0, False, False), ("usa", -5.0, True, False),
     ("new-york-home", -5.0, False, False)],
    ids=["a board by chance", "hardly any evidence", "among rows and columns", "a map in rows and columns"],
)  # fmt: skip
def test_in_a_table_of_numbers_nothing_is_vouched_for(map_id: str, log_odds: float, rows: bool, may: bool) -> None:
    rng = np.random.default_rng(4)
    spots = (
        np.array([(x, y) for x in range(10) for y in range(8)], float) * 40 if rows else rng.uniform(0, 900, (80, 2))
    )
    edition = load_editions(map_id)[0]
    n = len(edition.cells)
    candidates = Candidates(spots, np.full(80, 9.0), np.ones(80), np.tile([1.0, 0.0, 1.0], (80, 1)), None)  # type: ignore[arg-type]
    fit = Fit(edition, None, np.zeros((n, 2)), np.zeros((n, 2, 2)), *[np.ones(n, bool)] * 2, np.zeros(n), log_odds)  # type: ignore[arg-type]
    assert may_be_vouched_for(candidates, fit) is may


def test_the_discs_of_another_map_do_not_vouch_though_all_hold_marks() -> None:
    """As if every disc of a filled board were given to a cell of a map that has its places elsewhere."""
    photo = photo_of(sample_board(USA, np.random.default_rng(1)))
    found = look(photo)
    vouch = vouching(photo, find_discs(photo), mark_reader())
    assert found.agreement > 40
    assert vouch(found)
    assert not vouch(replace(found, agreement=-1.0))
