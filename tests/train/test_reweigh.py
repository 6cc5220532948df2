"""reweigh: the networks of circles keep their files and get new weights beside other mark networks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ontour_cv.resources import models_dir  # noqa: E402
from ontour_cv.train import reweigh  # noqa: E402
from ontour_cv.train.as_read import Stock, make_read_set  # noqa: E402
from ontour_cv.train.hands import Hands  # noqa: E402
from ontour_cv.train.sets import save_sets  # noqa: E402


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A copy of the shipped mark networks and those of circles."""
    folder = tmp_path / "model"
    folder.mkdir()
    for path in (*models_dir().glob("marks*"), *models_dir().glob("circles*")):
        shutil.copy(path, folder)
    return folder


def test_only_weights_and_figures_change(tmp_path: Path, model: Path) -> None:
    stock, hands = Stock.of("usa"), Hands([], [])
    save_sets(tmp_path / "boards-valid-00000.npz", [make_read_set((8, k), hands, stock, 41) for k in range(2)])
    before = json.loads((model / "circles.json").read_text())
    reweigh.main(["--model", str(model), "--sets", str(tmp_path)])
    after = json.loads((model / "circles.json").read_text())
    changed = {name for name in before["circles"] if after["circles"][name] != before["circles"][name]}
    assert changed <= {"marks", "own", "held_out"} and "held_out" in changed
    assert after["circles"]["held_out"]["cells"] > 60
    assert {name: part for name, part in after.items() if name != "circles"} == {
        name: part for name, part in before.items() if name != "circles"
    }
    own = after["circles"]["held_out"]
    assert own["both"]["log_loss"] <= min(own["marks"]["log_loss"], own["own"]["log_loss"])
    assert np.isfinite([after["circles"]["marks"], after["circles"]["own"]]).all()


def test_without_boards_it_says_how_to_get_them(
    tmp_path: Path, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        reweigh.main(["--model", str(model), "--sets", str(tmp_path)])
    assert "train.painter --boards" in capsys.readouterr().err
