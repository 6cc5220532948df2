"""Training of drawn tours: what is trained is what reads, boards follow from the seed, kept boards are the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from ontour_cv.train.drawn import HIDDEN, BoardNet, Lessons, LinkNet, export, features_of, logits_of  # noqa: E402
from ontour_cv.train.drawn_boards import Workshop  # noqa: E402
from ontour_cv.vision.drawn import LinkReader, ends_of  # noqa: E402
from ontour_cv.vision.drawn_board import board_features  # noqa: E402


def test_the_features_learnt_from_are_those_read_with() -> None:
    rng = np.random.default_rng(1)
    seen = rng.normal(0, 3, (8, 1 + HIDDEN)).astype(np.float32)
    ends = np.array([[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [4, 1], [4, 3], [2, 4]])
    learnt = features_of(torch.from_numpy(seen), torch.from_numpy(ends)).numpy()
    assert learnt == pytest.approx(board_features(seen[:, 1:], seen[:, 0], ends), abs=1e-4)


def test_what_was_trained_reads_the_same_when_shipped(tmp_path: Path) -> None:
    """Weights in half precision move log-odds a little; no order of links does."""
    (board,) = Workshop(3).boards("flat", 1, None)
    lessons = Lessons([board])
    torch.manual_seed(5)
    known = lessons.features[0].numpy()
    net, board_net = LinkNet(), BoardNet(known.mean(axis=0), known.std(axis=0) + 1e-3)
    torch.nn.init.normal_(board_net.layers[-1].weight, std=0.3)
    export(net, board_net, tmp_path)
    (tmp_path / "drawn.json").write_text(json.dumps({"temperature": 2.0, "margin": 3.0, "most_cost": 3.0}))
    (wanted,) = logits_of(net, board_net, lessons)
    assert LinkReader(tmp_path).log_odds(board.strips) == pytest.approx(wanted / 2, abs=0.02)


def test_boards_follow_from_the_seed_and_kept_ones_are_the_same(tmp_path: Path) -> None:
    (made,) = Workshop(7).boards("flat", 1, tmp_path)
    (taken,) = Workshop(7).boards("flat", 1, tmp_path)
    (again,) = Workshop(7).boards("flat", 1, None)
    for other in (taken, again):
        assert np.array_equal(other.strips.images, made.strips.images)
        assert np.array_equal(other.drawn, made.drawn)
        assert other.strips.links == made.strips.links
    assert len(ends_of(made.strips.links)) == len(made.drawn)
    (other,) = Workshop(8).boards("flat", 1, None)
    assert other.strips.images.shape != made.strips.images.shape or (other.strips.images != made.strips.images).any()
