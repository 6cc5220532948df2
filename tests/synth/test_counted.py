"""Score boxes on renders: what a player counted is mostly what the drawn tour counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.synth.counted import WAYS, WRITES, box_strokes, odd_sums, written_sums
from ontour_cv.synth.play import sample_board
from ontour_cv.synth.scene import sample_scene
from ontour_cv.synth.strokes import sample_writer


def test_players_mostly_write_what_there_is_to_count() -> None:
    rng = np.random.default_rng(0)
    written = Counter(odd_sums(rng, (24, 6)) for _ in range(2000))
    assert abs(written[24, 6, 30] / 2000 - WAYS["right"]) < 0.06
    assert abs(written[None, None, None] / 2000 - WAYS["nothing"]) < 0.04
    assert abs(written[None, None, 30] / 2000 - WAYS["total"]) < 0.03
    wrong = sum(count for (a, b, c), count in written.items() if a is not None and b is not None and a + b != c)
    assert abs(wrong / 2000 - WAYS["wrong"]) < 0.03


def test_a_drawn_tour_is_counted_and_boxes_that_are_not_there_stay_empty(
    usa: MapTemplate, first_edition: Edition
) -> None:
    rng = np.random.default_rng(1)
    board = sample_board(usa, rng)
    scene = replace(sample_scene(usa, first_edition, rng, 0.0), furniture=1)
    toured = usa.ids[:9]
    circles = sum(board.marks[region].circled for region in toured)
    written = [written_sums(board, toured, scene, False, rng) for _ in range(1000)]
    assert abs(sum(sums is not None for sums in written) / 1000 - WRITES) < 0.05
    assert Counter(filter(None, written)).most_common(1)[0][0] == (9, circles, 9 + circles)
    bare = replace(scene, furniture=0, sums=())
    assert all(written_sums(board, toured, bare, False, rng) is None for _ in range(50))
    assert written_sums(board, (), scene, False, rng) is None
    filled = written_sums(board, None, replace(scene, furniture=2), False, rng)
    assert filled is not None
    assert filled[2] == (filled[0] or 0) + (filled[1] or 0)


def test_nothing_written_leaves_no_ink(usa: MapTemplate, first_edition: Edition) -> None:
    rng = np.random.default_rng(2)
    scene, writer = sample_scene(usa, first_edition, rng, 0.0), sample_writer(rng)
    assert box_strokes(scene, None, writer, rng) == []
    assert box_strokes(scene, (None, None, None), writer, rng) == []
    assert box_strokes(scene, (24, 6, 30), writer, rng)
