"""Letters drawn by lot look like letters: as tall as said, settled by chance alone, and hardly two alike."""

from __future__ import annotations

import numpy as np
import pytest

from ontour_cv.synth.letter_forms import form
from ontour_cv.synth.strokes import smooth

LETTERS = "smdg"


@pytest.mark.parametrize("letter", LETTERS)
def test_a_form_is_one_high_and_round_the_origin(letter: str) -> None:
    for seed in range(100):
        points = np.concatenate([smooth(np.array(part)) for part in form(letter, np.random.default_rng(seed))])
        low, high = points.min(axis=0), points.max(axis=0)
        assert np.all(low > -0.85) and np.all(high < 0.85)
        assert 0.85 < high[1] - low[1] < 1.4
        assert 0.15 < high[0] - low[0] < 1.6


@pytest.mark.parametrize("letter", LETTERS)
def test_every_stroke_is_a_line(letter: str) -> None:
    for seed in range(100):
        for part in form(letter, np.random.default_rng(seed)):
            assert len(set(part)) >= 2


@pytest.mark.parametrize("letter", LETTERS)
def test_chance_alone_settles_a_form(letter: str) -> None:
    forms = [form(letter, np.random.default_rng(seed)) for seed in range(50)]
    assert forms == [form(letter, np.random.default_rng(seed)) for seed in range(50)]
    assert len(set(forms)) == 50


def test_other_letters_have_no_forms() -> None:
    with pytest.raises(KeyError):
        form("a", np.random.default_rng(1))
