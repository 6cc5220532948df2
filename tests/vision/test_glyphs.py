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
from ontour_cv.vision.glyphs import HEADS, KINDS, MarkReader, scores_from_logits, standardised


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


def test_a_cell_is_read_the_same_alone_and_among_others(reader: MarkReader) -> None:
    """The batch does not matter, and neither does the time of day."""
    many = crops(41)
    one = CellCrops(many.ids[:1], many.images[:1], many.px_per_radius[:1])
    assert np.allclose(reader.logits(many.images)[:1], reader.logits(one.images), atol=1e-4)
    assert np.array_equal(reader.logits(many.images), reader.logits(many.images))


def test_temperature_softens_without_changing_the_order() -> None:
    """Calibration never changes what is read, only how sure we are."""
    logits = np.random.default_rng(1).normal(0, 3, (7, 26))
    ids = tuple("abcdefg")
    cold = scores_from_logits(ids, logits, {})
    warm = scores_from_logits(ids, logits, {name: 2.0 for name, _ in HEADS})
    assert np.array_equal(cold.number.argmax(axis=1), warm.number.argmax(axis=1))
    assert (warm.kind.max(axis=1) < cold.kind.max(axis=1)).all()


def test_exposure_and_contrast_do_not_reach_the_network() -> None:
    """Half as bright is the same picture."""
    image = crops(1).images.astype(np.float32)
    assert np.allclose(standardised(image * 0.5 + 40), standardised(image), atol=1e-3)


def test_crops_of_another_size_are_refused(reader: MarkReader) -> None:
    """A wrong shape is the caller's bug and says so."""
    with pytest.raises(ValueError, match="crops must be"):
        reader.logits(np.zeros((1, 32, 32, 3), np.uint8))


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
    path = models_dir() / "marks.onnx"
    card = json.loads((models_dir() / "marks.json").read_text(encoding="utf-8"))
    assert card["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert tuple(card["heads"].items()) == HEADS
    assert path.stat().st_size < 5_000_000
