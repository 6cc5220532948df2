"""What a row of the accuracy file says about one photo."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench.accuracy import measure_one, refuse_mixing, rows_of
from bench.measure import MOST_STEPS, bin_confidence, bin_of, hazards_of
from bench.photos import Studio
from bench.refusal import picture
from bench.rows import Row, as_line
from ontour_cv.vision.glyphs import MarkReader


@pytest.mark.parametrize("confidence", [0.0, 0.3, 0.5, 0.9, 0.985, 0.9995, 0.99999])
def test_a_bin_begins_at_or_below_every_confidence_in_it(confidence: float) -> None:
    assert bin_confidence(bin_of(confidence)) <= confidence + 1e-9
    assert bin_confidence(bin_of(confidence) + 1) > confidence


def test_certainty_falls_in_the_last_bin() -> None:
    assert bin_of(1.0) == MOST_STEPS


def untimed(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in {"ms", "render_s"}}


def test_a_row_is_repeatable_and_counts_every_cell_once() -> None:
    rows = [measure_one(Studio(7), MarkReader(), "hard", 4, "hard-7-4") for _ in range(2)]
    assert untimed(rows[0]) == untimed(rows[1])
    row = json.loads(as_line(rows[0]))
    assert row["cells"] + row["unseen"] == 41
    assert sum(count for count, _ in row["bins"].values()) == row["cells"]
    assert row["cells"] - sum(right for _, right in row["bins"].values()) == len(row["wrong"])
    assert all((cell[0] in row["uncertain"]) == bool(cell[4]) for cell in row["wrong"])


def test_other_photos_follow_from_another_number_seed_or_tier() -> None:
    one, other = Studio(7), Studio(8)
    boards = [str(s.shoot(tier, k, 480)[1].board) for s, tier, k in [(one, "hard", 4), (one, "hard", 5),
                                                                     (one, "wild", 4), (other, "hard", 4)]]  # fmt: skip
    assert len(set(boards)) == 4


def test_hazards_are_read_off_the_truth() -> None:
    _, truth = Studio(7).shoot("hard", 4, 480)
    for region, mark in truth.board.marks.items():
        assert ("circled" in hazards_of(truth, region)) == mark.circled
        assert ("small" in hazards_of(truth, region)) == (truth.hazards[region].radius_px < 18)


def test_rows_of_two_networks_are_never_mixed(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(as_line({"key": "a", "model": "one"}), encoding="utf-8")
    refuse_mixing(path, {"model": "one"})
    with pytest.raises(SystemExit, match="move it away"):
        refuse_mixing(path, {"model": "two"})


def test_a_mirrored_board_is_among_the_pictures_to_refuse() -> None:
    studio = Studio(7)
    kinds = [picture(studio, k)[1] for k in (9, 0)]
    assert kinds == ["mirror", "chess"]
    assert np.asarray(picture(studio, 0)[0]).dtype == np.uint8


def test_a_home_edition_is_photographed_as_it_is_printed_and_a_published_map_as_the_publisher_prints_it() -> None:
    home, published = Studio(7, map="europe-home"), Studio(7)
    assert len(home.sheets) == 2
    assert published.sheets == ()
    (image, truth), (again, _) = (home.shoot("ordinary", 3, 480) for _ in range(2))
    assert np.array_equal(image, again)
    assert set(truth.cells) == set(home.template.ids)


@pytest.mark.parametrize(("map_id", "name"), [("usa", "accuracy.jsonl"), ("europe-home", "accuracy-europe-home.jsonl")])
def test_every_map_has_a_result_file_of_its_own(map_id: str, name: str) -> None:
    assert rows_of(map_id).name == name
