"""sheet_shipped: the model in the package, as networks that can be trained, answers as it does when reading."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from ontour_cv.resources import models_dir  # noqa: E402
from ontour_cv.train.sheet_network import SheetNet  # noqa: E402
from ontour_cv.train.sheet_shipped import main, sheet_nets_of  # noqa: E402
from ontour_cv.vision.sheet_glyphs import CLOSE_MODEL, SHEET_MODEL, sheet_input  # noqa: E402
from ontour_cv.vision.shipped import network  # noqa: E402


@pytest.mark.parametrize("model", [SHEET_MODEL, CLOSE_MODEL])
def test_it_answers_as_in_the_package(model: str) -> None:
    rng = np.random.default_rng(2)
    images = rng.integers(0, 256, (5, 64, 64, 3)).astype(np.uint8)
    masks = np.full((5, 64, 64), 255, np.uint8)
    net = network(models_dir(), model)
    net.setInput(sheet_input(images, masks))
    wanted = net.forward("logits")
    with torch.no_grad():
        told = sheet_nets_of(models_dir(), model).eval()(torch.from_numpy(sheet_input(images, masks)))
    assert told.numpy() == pytest.approx(wanted, abs=0.03)


def test_a_run_can_start_from_what_is_written(tmp_path: Path) -> None:
    main(["--out", str(tmp_path)])
    names = sorted(path.name for path in tmp_path.iterdir())
    members = [range(len(sheet_nets_of(models_dir(), model).members)) for model in (SHEET_MODEL, CLOSE_MODEL)]
    assert names == [*(f"shipped-{k}.pt" for k in members[0]), *(f"shipped-close-{k}.pt" for k in members[1])]
    SheetNet().load_state_dict(torch.load(tmp_path / names[0], weights_only=True))
