"""tensors: the processor and any other device standardise crops alike."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ontour_cv.train.tensors import standardised, tensor  # noqa: E402
from ontour_cv.vision import glyphs  # noqa: E402


def test_tensors_are_standardised_as_reading_does() -> None:
    images = np.random.default_rng(0).integers(0, 256, (5, 64, 64, 3), dtype=np.uint8)
    images[3] = 128
    images[4] //= 40
    wanted = torch.from_numpy(glyphs.standardised(images))
    assert torch.allclose(standardised(torch.from_numpy(images)), wanted, atol=1e-4)
    assert torch.equal(tensor(images), standardised(torch.from_numpy(images)))
    assert tensor(images).is_contiguous(memory_format=torch.channels_last)
