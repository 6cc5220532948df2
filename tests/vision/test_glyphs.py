"""The shipped network's wrapper: probabilities, determinism, and errors in plain words."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from ontour_cv.errors import BadTemplate
from ontour_cv.resources import models_dir
from ontour_cv.vision.cells import CROP_PX, CellCrops
from ontour_cv.vision.glyphs import HEADS, KINDS, MarkReader, pooled, scores_from_logits, standardised


@pytest.fixture(scope="module")
def reader() -> MarkReader:
    """The shipped model."""
    return MarkReader()


def crops(count: int, seed: int = 0) -> CellCrops:
    """Crops of noise."""
    rng = np.random.default_rng(seed)
    images = rng.integers(0, 256, (count, CROP_PX, CROP_PX, 3), dtype=np.uint8)
    return CellCrops(tuple(f"R{k}" for k in range(count)), images, np.full(count, 20.0))


def test_scores_are_log_probabilities(reader: MarkReader) -> None:
    """Every row of every head sums to one."""
    scores = reader.read(crops(5))
    for table in (scores.kind, scores.number, scores.circled):
        assert np.allclose(np.exp(table).sum(axis=1), 1.0)
    assert scores.kind.shape == (5, len(KINDS))
    assert scores.number.shape == (5, 100)


def test_a_cell_looks_the_same_alone_and_among_others(reader: MarkReader) -> None:
    """The mark network sees each cell by itself; only the context network compares."""
    many = crops(41)
    for together, alone in zip(reader.look(many.images), reader.look(many.images[:1]), strict=True):
        assert np.allclose(together[:, :1], alone, atol=1e-4)


def test_the_same_board_reads_the_same_every_time_and_in_any_order(reader: MarkReader) -> None:
    """No chance in reading, and no meaning in the order of cells."""
    board = crops(12)
    first = reader.read(board)
    assert np.array_equal(first.number, reader.read(board).number)
    order = np.random.default_rng(2).permutation(12)
    mixed = CellCrops(tuple(board.ids[k] for k in order), board.images[order], board.px_per_radius)
    assert np.allclose(first.number[order], reader.read(mixed).number, atol=1e-3)


def test_each_head_is_the_mean_of_those_that_tell_of_it() -> None:
    """Who is not asked about kinds does not change them, and has a full say in what he is asked about."""
    first, second, third = np.random.default_rng(4).normal(0, 1, (3, 6, 26))
    every = [name for name, _ in HEADS]
    out = pooled([first, second, third], [every, every, ["tens", "ones"]])
    assert np.allclose(out[:, :4], (first + second)[:, :4] / 2)
    assert np.allclose(out[:, 24:], (first + second)[:, 24:] / 2)
    assert np.allclose(out[:, 4:24], (first + second + third)[:, 4:24] / 3)


def test_who_learnt_from_boards_is_not_asked_about_three_boxes(reader: MarkReader) -> None:
    """A network that hears all members speaks from a dozen cells on, and changes digits only."""
    alone = MarkReader()
    alone.card = reader.card | {
        "contexts": [one | {"cells": one["cells"] and 10**6} for one in reader.card["contexts"]]
    }
    few, many = (reader.read(crops(count)) for count in (3, 30))
    assert np.array_equal(few.number, alone.read(crops(3)).number)
    assert not np.allclose(many.number, alone.read(crops(30)).number, atol=0.01)
    assert np.array_equal(many.kind, alone.read(crops(30)).kind)
    assert np.array_equal(many.circled, alone.read(crops(30)).circled)


def test_temperature_softens_without_changing_the_order() -> None:
    """Calibration never changes what is read, only how sure we are."""
    logits = np.random.default_rng(1).normal(0, 3, (7, 26))
    ids = tuple("abcdefg")
    cold = scores_from_logits(ids, logits, {})
    warm = scores_from_logits(ids, logits, {name: 2.0 for name, _ in HEADS})
    assert np.array_equal(cold.number.argmax(axis=1), warm.number.argmax(axis=1))
    assert (warm.kind.max(axis=1) < cold.kind.max(axis=1)).all()


def test_a_lapse_leaves_no_answer_impossible() -> None:
    """However sure a head is, a share of its cells may show anything; the order stays."""
    logits = np.random.default_rng(1).normal(0, 30, (7, 26))
    sure = scores_from_logits(tuple("abcdefg"), logits, {})
    humble = scores_from_logits(tuple("abcdefg"), logits, {}, {"circled": 0.01})
    assert np.exp(humble.circled).min() >= 0.005
    assert np.allclose(np.exp(humble.circled).sum(axis=1), 1.0)
    assert np.array_equal(sure.circled.argmax(axis=1), humble.circled.argmax(axis=1))
    assert np.array_equal(sure.number, humble.number)


def test_exposure_and_contrast_do_not_reach_the_network() -> None:
    """Half as bright is the same picture."""
    image = crops(1).images.astype(np.float32)
    assert np.allclose(standardised(image * 0.5 + 40), standardised(image), atol=1e-3)


def test_crops_of_another_size_are_refused(reader: MarkReader) -> None:
    """A wrong shape is the caller's bug and says so."""
    with pytest.raises(ValueError, match="crops must be"):
        reader.look(np.zeros((1, 32, 32, 3), np.uint8))


def test_a_missing_model_is_a_clear_error(tmp_path: Path) -> None:
    """No traceback from inside OpenCV."""
    with pytest.raises(BadTemplate, match="cannot be loaded"):
        MarkReader(tmp_path)
    (tmp_path / "marks.json").write_text("{}")
    (tmp_path / "marks.onnx").write_bytes(b"not a network")
    with pytest.raises(BadTemplate, match="cannot be loaded"):
        MarkReader(tmp_path)


def test_the_card_belongs_to_the_shipped_model() -> None:
    """Hash, heads and size as the card says; under 5 MB."""
    card = json.loads((models_dir() / "marks.json").read_text(encoding="utf-8"))
    files = [models_dir() / name for name in ("marks.onnx", "marks-context.npz")]
    assert card["sha256"] == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert tuple(card["heads"].items()) == HEADS
    assert sum(path.stat().st_size for path in files) < 5_000_000
