"""shipped: the model in the package, as networks that can be trained, answers as it does when reading."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from ontour_cv.resources import models_dir  # noqa: E402
from ontour_cv.train.fit import Reader  # noqa: E402
from ontour_cv.train.shipped import circles_of, contexts_of, main, readers_of, settle  # noqa: E402
from ontour_cv.vision.cells import CROP_PX  # noqa: E402
from ontour_cv.vision.circles import VIEWS, CircleReader, unrolled, wrapped  # noqa: E402
from ontour_cv.vision.glyphs import MarkReader, standardised  # noqa: E402


def crops(count: int) -> np.ndarray:
    """Random strokes on grey."""
    rng = np.random.default_rng(8)
    images = rng.integers(90, 220, (count, 1, 1, 3)) + rng.integers(-20, 20, (count, CROP_PX, CROP_PX, 3))
    for image in images:
        y, x = rng.integers(8, CROP_PX - 16, 2)
        image[y : y + 3, x : x + 14] = 20
    return np.clip(images, 0, 255).astype(np.uint8)


def test_every_member_answers_as_in_the_package() -> None:
    images = crops(12)
    logits, hidden = MarkReader().look(images)
    readers = readers_of(models_dir())
    assert len(readers) == len(logits)
    x = torch.from_numpy(standardised(images))
    for reader, wanted, inside in zip(readers, logits, hidden, strict=True):
        reader.eval()
        with torch.no_grad():
            seen = reader.marks.join(reader.marks.body(x))
            told = reader.marks.head(seen)
        assert seen.numpy() == pytest.approx(inside, abs=0.02)
        assert told.numpy() == pytest.approx(wanted, abs=0.03)


def test_the_context_networks_come_with_them() -> None:
    reader, members = MarkReader(), readers_of(models_dir())
    nets = [*(member.context.eval() for member in members), *contexts_of(models_dir())]
    assert len(nets) == len(reader.card["contexts"])
    rng = np.random.default_rng(3)
    hidden, logits = rng.normal(0, 1, (2, 9, 192)).astype(np.float32), rng.normal(0, 2, (2, 9, 26))
    for k, (net, heard) in enumerate(zip(nets, reader._heard, strict=True)):
        assert net.members == len(heard)
        mine = [torch.from_numpy(part[heard].astype(np.float32).transpose(1, 0, 2))[None] for part in (hidden, logits)]
        with torch.no_grad():
            seen = net(*mine)[0]
        assert seen.numpy() == pytest.approx(reader._contexts[k].correct(hidden[heard], logits[heard]), abs=0.02)


def test_settled_on_some_cells_it_answers_as_before_and_alike_when_it_learns() -> None:
    images = crops(96)
    marks = readers_of(models_dir())[0].marks.eval()
    x = torch.from_numpy(standardised(images))
    with torch.no_grad():
        before = marks.body(x)
        astray = readers_of(models_dir())[0].marks.train().body(x)
        settle(marks, x)
        after = marks.eval().body(x)
        marks.train()
        learning = marks.body(x)
    assert after.numpy() == pytest.approx(before.numpy(), abs=0.01)
    size = float(before.abs().mean())
    assert float((learning - before).abs().mean()) < 0.05 * size < float((astray - before).abs().mean())


def test_a_run_can_start_from_what_is_written(tmp_path: Path) -> None:
    main(["--out", str(tmp_path / "run")])
    names = sorted(path.name for path in (tmp_path / "run").iterdir())
    circles = [f"shipped-{part}.pt" for part in sorted(VIEWS)]
    assert names == sorted(["shipped-0.pt", "shipped-1.pt", *circles, "shipped-context-0.pt"])
    Reader().load_state_dict(torch.load(tmp_path / "run" / names[0], weights_only=True))


@pytest.mark.parametrize("part", VIEWS)
def test_networks_of_circles_answer_as_in_the_package(part: str) -> None:
    view = VIEWS[part]
    side = view.window.px
    images = np.stack([cv2.resize(image, (side, side)) for image in crops(41)])
    wanted = CircleReader(models_dir()).odds(images, part)
    planes = torch.from_numpy(wrapped(unrolled(images, view)))
    net = circles_of(models_dir(), part).eval()
    with torch.no_grad():
        assert net(planes, 41)[1].numpy() == pytest.approx(wanted, abs=0.1)
        settle(net, planes, lambda net, x: net.alone(x))
        assert net(planes, 41)[1].numpy() == pytest.approx(wanted, abs=0.1)
        features = net.body(planes)
        assert net.train().body(planes).numpy() == pytest.approx(features.numpy(), abs=0.02)
