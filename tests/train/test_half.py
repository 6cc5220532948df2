"""Half precision is used where it is the faster, and there only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch")

from ontour_cv.train import half  # noqa: E402


@pytest.fixture(autouse=True)
def _not_known_yet() -> Iterator[None]:
    half._faster.cache_clear()
    yield
    half._faster.cache_clear()


@pytest.mark.parametrize(("slow", "dtype"), [(True, torch.float32), (False, torch.bfloat16)])
def test_a_processor_that_only_imitates_it_learns_in_single_precision(
    slow: bool, dtype: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(half, "_seconds", lambda half: 1.0 + (half if slow else -half / 2))
    layer, x = torch.nn.Linear(4, 4), torch.ones(2, 4)
    with half.autocast():
        assert layer(x).dtype == dtype


def test_the_times_are_of_this_processor() -> None:
    assert half._seconds(half=False) > 0
    assert half._seconds(half=True) > 0
