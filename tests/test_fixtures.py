"""Every fixture photo, read end to end, beside its truth."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ontour_cv.board import parse_board
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_map
from ontour_cv.rules import RULESETS
from ontour_cv.scorer.report import Report
from ontour_cv.scorer.score import score_photo
from ontour_cv.synth.truth import Truth

PHOTOS = Path(__file__).parent / "fixtures" / "photos"
TRUTHS = sorted(PHOTOS.glob("*.json"))
NAMES = [path.stem for path in TRUTHS]

MOST_BYTES = 10_000_000
"""All photos together."""

BEYOND: dict[str, str] = {}
"""Photos whose board is not found: what there is still to do. A test that passes all the same fails."""

TO_FIND = [
    pytest.param(path, id=path.stem, marks=pytest.mark.xfail(reason=BEYOND[path.stem]) if path.stem in BEYOND else ())
    for path in TRUTHS
]


@cache
def truth_of(path: Path) -> tuple[dict[str, Any], Truth]:
    data = json.loads(path.read_text(encoding="utf-8"))
    return data, Truth.from_json(data["truth"])


@cache
def report_of(path: Path) -> Report | None:
    try:
        return score_photo(PHOTOS / truth_of(path)[0]["file"])
    except BoardNotFound:
        return None


def test_there_are_enough_photos_in_several_formats_and_they_stay_small() -> None:
    files = [truth_of(path)[0]["file"] for path in TRUTHS]
    assert len(files) >= 24
    assert {Path(name).suffix for name in files} == {".jpg", ".png", ".webp", ".heic"}
    assert sum(path.stat().st_size for path in PHOTOS.iterdir()) < MOST_BYTES


def test_half_of_the_photos_are_kept_for_measuring_only() -> None:
    uses = [truth_of(path)[0]["use"] for path in TRUTHS]
    assert abs(uses.count("tuned") - uses.count("measured")) <= 1


def test_the_table_names_every_photo() -> None:
    page = (PHOTOS / "README.md").read_text(encoding="utf-8")
    pictures = [path.name for path in PHOTOS.iterdir() if path.suffix not in {".json", ".md"}]
    assert [name for name in pictures if name not in page] == []


@pytest.mark.parametrize("path", TRUTHS, ids=NAMES)
def test_the_truth_agrees_with_itself_and_with_the_solver(path: Path) -> None:
    data, truth = truth_of(path)
    template = load_map(truth.map)
    board = parse_board(data["board"], template.ids)
    score = RULESETS[template.rules].score(template, board)
    assert board == truth.board
    assert data["score"] == {"total": score.total, "visited": score.visited, "circles": score.circles}


@pytest.mark.parametrize("path", TO_FIND)
def test_every_board_is_found_where_it_is(path: Path) -> None:
    """Discs of editions nobody measured may lie up to a radius elsewhere; the others are met within a fifth of it."""
    _, truth = truth_of(path)
    report = report_of(path)
    assert report is not None
    found = report.reading.placement.cells
    errors = []
    for region, place in truth.cells.items():
        off = np.array(found[region].centre_photo) - np.array(place.centre_photo)
        errors.append(np.linalg.norm(np.linalg.solve(place.axes_photo, off)))
    assert np.median(errors) < 0.2
    assert max(errors) < (1.0 if "jitter" in truth.edition else 0.5)


@pytest.mark.parametrize("path", TRUTHS, ids=NAMES)
def test_no_cell_is_wrong_in_silence(path: Path) -> None:
    _, truth = truth_of(path)
    report = report_of(path)
    if report is None:
        pytest.skip("refused, as another test tells")
    cells = report.cells
    sure = {r: (str(truth.board.marks[r]), str(cell.mark)) for r, cell in cells.items() if not cell.doubtful}
    assert {region: pair for region, pair in sure.items() if pair[0] != pair[1]} == {}


@pytest.mark.parametrize("path", TRUTHS, ids=NAMES)
def test_the_true_score_is_in_the_range_and_a_wrong_score_is_never_unasked(path: Path) -> None:
    data, _ = truth_of(path)
    report, total = report_of(path), data["score"]["total"]
    if report is None:
        pytest.skip("refused, as another test tells")
    low, high = report.score_range
    assert low <= total <= high
    assert report.score.total == total or report.ask


@pytest.mark.parametrize("path", sorted(PHOTOS.glob("no-board-*")), ids=lambda path: path.stem)
def test_a_picture_without_the_board_is_refused(path: Path) -> None:
    with pytest.raises(BoardNotFound):
        score_photo(path)
