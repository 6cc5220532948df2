"""Temperatures: one for honest logits, more for bold ones, whatever the number of classes."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ontour_cv.train.temperature import temperature  # noqa: E402


def test_the_temperature_of_well_calibrated_logits_is_one_and_of_bold_ones_more() -> None:
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 3, 20_000)
    truth = (rng.random(20_000) < 1 / (1 + np.exp(-logits))).astype(np.float64)
    seen, target = torch.from_numpy(logits), torch.from_numpy(truth)
    assert temperature(seen, target) == pytest.approx(1.0, abs=0.06)
    assert temperature(2 * seen, target) == pytest.approx(2.0, abs=0.12)


def test_classes_are_calibrated_alike() -> None:
    rng = np.random.default_rng(4)
    logits = rng.normal(0, 2, (20_000, 5))
    drawn = (logits + rng.gumbel(0, 1, logits.shape)).argmax(axis=1)  # a class by the chances the logits say
    seen, target = torch.from_numpy(logits), torch.from_numpy(drawn)
    assert temperature(seen, target) == pytest.approx(1.0, abs=0.06)
    assert temperature(2 * seen, target) == pytest.approx(2.0, abs=0.12)
