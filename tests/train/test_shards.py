"""Training cells: the same from the same seed, labelled as drawn, and as wild as they should be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.load import load_editions, load_map
from ontour_cv.train.boards import make_board_shard
from ontour_cv.train.hands import Hands
from ontour_cv.train.labels import COLUMNS, KIND_ORDER, label_of
from ontour_cv.train.patches import Shop
from ontour_cv.train.shards import make_shard, save_shard
from ontour_cv.vision.cells import CROP_PX
from ontour_cv.vision.glyphs import KINDS

NOBODY = Hands([], [])
"""No recordings: our own shapes only."""


@pytest.fixture(scope="module")
def shop() -> Shop:
    """A small shop of art."""
    return Shop.open(np.random.default_rng(0), 6)


def test_a_shard_depends_on_its_seed_only(shop: Shop) -> None:
    """Any shard can be made again alone; another seed gives other cells."""
    first, again, other = (make_shard(seed, NOBODY, shop, 32) for seed in ((1, 2), (1, 2), (1, 3)))
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])
    assert not np.array_equal(first[0], other[0])
    assert first[0].shape == (32, CROP_PX, CROP_PX, 3)
    assert first[1].shape == (32, len(COLUMNS))


def test_labels_are_in_the_networks_order() -> None:
    """The columns mean the same when learning and when reading."""
    assert [k.name.lower().replace("blocked", "x") for k in KIND_ORDER] == list(KINDS)
    assert label_of(Mark(Kind.NUMBER, 7, True)).tolist() == [1, 0, 7, 1]
    assert label_of(Mark(Kind.STAR)).tolist() == [2, -1, -1, 0]
    assert label_of(Mark(Kind.EMPTY)).tolist() == [0, -1, -1, 0]


def test_cells_of_rendered_photos_carry_their_boards_marks() -> None:
    """Numbers, and stars or circles, are among them; nothing outside its range."""
    images, labels = make_board_shard((5, 0), NOBODY, load_map("usa"), list(load_editions("usa")), count=120)
    assert images.shape == (120, CROP_PX, CROP_PX, 3)
    numbers = labels[:, 0] == 1
    assert numbers.sum() > 20
    assert ((labels[numbers, 1:3] >= 0) & (labels[numbers, 1:3] <= 9)).all()
    assert (labels[~numbers, 1:3] == -1).all()
    assert images.std() > 10


def test_a_waiting_reader_never_sees_half_a_shard(tmp_path: Path) -> None:
    """Images appear under their name when they are whole, after their labels."""
    path = tmp_path / "train-0000.npy"
    save_shard(path, np.zeros((2, 4, 4, 3), np.uint8), np.zeros((2, 4), np.int8))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["train-0000.labels.npy", "train-0000.npy"]
