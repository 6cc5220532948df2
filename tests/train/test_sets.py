"""sets: whole boards of cells on disk, and drawn from for training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ontour_cv.train.sets import AROUND, Sets, load_sets, save_sets
from ontour_cv.train.shards import GROUP, save_shard


def fill(folder: Path, name: str, value: int, boards: int = 3, cells: int = 5) -> None:
    """A file of boards whose pixels are all ``value`` and whose labels count the cells."""
    folder.mkdir(exist_ok=True)
    images = np.full((cells, 64, 64, 3), value, np.uint8)
    labels = np.tile(np.arange(cells, dtype=np.int8)[:, None], (1, 4))
    save_sets(folder / name, [(images, labels)] * boards)


def test_what_is_saved_is_loaded_in_order(tmp_path: Path) -> None:
    fill(tmp_path, "boards-valid-00000.npz", 7)
    fill(tmp_path, "boards-valid-00100.npz", 9, boards=2)
    images, labels = load_sets(sorted(tmp_path.glob("*.npz")))
    assert images.shape == (5, 5, 64, 64, 3)
    assert images[:, 0, 0, 0, 0].tolist() == [7, 7, 7, 9, 9]
    assert labels[4, :, 0].tolist() == [0, 1, 2, 3, 4]
    assert not list(tmp_path.glob("*.part.npz"))


def test_a_file_may_hold_what_is_round_the_cells_as_well(tmp_path: Path) -> None:
    path = tmp_path / "boards-train-00000.npz"
    images, around = (np.full((5, side, side, 3), value, np.uint8) for side, value in ((64, 1), (80, 2)))
    save_sets(path, [(images, np.zeros((5, 4), np.int8), around)] * 2)
    assert load_sets([path])[0].shape == (2, 5, 64, 64, 3)
    assert load_sets([path], AROUND)[0].shape == (2, 5, 80, 80, 3)
    assert Sets([tmp_path], AROUND).batch(np.random.default_rng(0))[0].mean() == 2


def test_a_small_folder_is_drawn_from_as_often_as_a_big_one(tmp_path: Path) -> None:
    for k in range(4):
        fill(tmp_path / "old", f"boards-train-{k:05d}.npz", 10)
    fill(tmp_path / "new", "boards-train-00000.npz", 20)
    sets = Sets([tmp_path / "old", tmp_path / "new"])
    rng = np.random.default_rng(0)
    batches = [sets.batch(rng) for _ in range(200)]
    assert batches[0][0].shape == (sets.boards * 5, 64, 64, 3)
    assert batches[0][1][:, 2].tolist() == [0, 1, 2, 3, 4] * sets.boards
    share = np.mean([(images[:: sets.group, 0, 0, 0] == 20).mean() for images, _ in batches])
    assert share == pytest.approx(0.5, abs=0.06)


def test_boards_held_out_come_from_all_folders(tmp_path: Path) -> None:
    for name, value in (("old", 10), ("new", 20)):
        fill(tmp_path / name, "boards-train-00000.npz", 1)
        fill(tmp_path / name, "boards-valid-00000.npz", value)
    images, labels = Sets([tmp_path / "old", tmp_path / "new"]).held_out()
    assert images.shape == (2 * 3 * 5, 64, 64, 3)
    assert len(labels) == len(images)
    assert images[0, 0, 0, 0] == 10
    assert images[-1, 0, 0, 0] == 20


def test_an_empty_folder_is_named_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"train\.painter --boards"):
        Sets([tmp_path])
    fill(tmp_path, "boards-train-00000.npz", 1)
    with pytest.raises(ValueError, match="--split valid"):
        Sets([tmp_path]).held_out()


def test_of_larger_boards_chance_takes_as_many_cells_as_the_smallest_has(tmp_path: Path) -> None:
    fill(tmp_path / "usa", "boards-train-00000.npz", 1)
    fill(tmp_path / "other", "boards-train-00000.npz", 2, cells=7)
    fill(tmp_path / "other", "boards-valid-00000.npz", 3, cells=7)
    sets = Sets([tmp_path / "usa", tmp_path / "other"], boards=6)
    rng = np.random.default_rng(1)
    seen: set[int] = set()
    for _ in range(20):
        images, labels = sets.batch(rng)
        assert images.shape == (30, 64, 64, 3)
        for board, cells in zip(images.reshape(6, -1)[:, 0], labels[:, 0].reshape(6, 5), strict=True):
            assert (np.diff(cells) > 0).all()
            if board == 2:
                seen |= set(cells.tolist())
            else:
                assert cells.tolist() == [0, 1, 2, 3, 4]
    assert seen == set(range(7))
    assert sets.held_out()[0].shape == (15, 64, 64, 3)


def test_shards_are_drawn_from_as_boards_are(tmp_path: Path) -> None:
    fill(tmp_path / "read", "boards-train-00000.npz", 10, cells=GROUP + 3)
    (tmp_path / "painted").mkdir()
    labels = np.zeros((2 * GROUP, 4), np.int8)
    save_shard(tmp_path / "painted" / "train-0000.npy", np.full((2 * GROUP, 64, 64, 3), 20, np.uint8), labels)
    sets = Sets([tmp_path / "read", tmp_path / "painted"], boards=8)
    batches = [sets.batch(np.random.default_rng(seed)) for seed in range(50)]
    assert sets.group == GROUP
    share = np.mean([(images[::GROUP, 0, 0, 0] == 20).mean() for images, _ in batches])
    assert share == pytest.approx(0.5, abs=0.1)
    with pytest.raises(KeyError):
        Sets([tmp_path / "painted"], AROUND)
