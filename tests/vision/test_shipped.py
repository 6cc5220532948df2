"""Shipped networks: what is damaged is told with a remedy, what is a bug stays visible."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontour_cv.errors import BadTemplate
from ontour_cv.resources import models_dir
from ontour_cv.vision.shipped import card_of, loading, network


@pytest.mark.parametrize("name", ["city-boxes", "discs", "drawn", "marks", "sheet"])
def test_every_shipped_network_loads(name: str) -> None:
    assert network(models_dir(), name).getUnconnectedOutLayersNames()
    assert card_of(models_dir(), name.split("-")[0])


@pytest.mark.parametrize("card", [None, "", "{", "[]"])
def test_a_missing_or_damaged_card_is_told(card: str | None, tmp_path: Path) -> None:
    if card is not None:
        (tmp_path / "marks.json").write_text(card, encoding="utf-8")
    with pytest.raises(BadTemplate, match=f"the sheet network in {tmp_path} cannot be loaded"), \
            loading(tmp_path, "sheet network"):  # fmt: skip
        float(card_of(tmp_path, "marks")["temperature"])


def test_a_truncated_network_is_told(tmp_path: Path) -> None:
    (tmp_path / "discs.onnx").write_bytes((models_dir() / "discs.onnx").read_bytes()[:2000])
    with pytest.raises(BadTemplate) as told, loading(tmp_path):
        network(tmp_path, "discs")
    assert told.value.remedy


def test_a_bug_stays_visible(tmp_path: Path) -> None:
    with pytest.raises(AssertionError), loading(tmp_path):
        raise AssertionError
