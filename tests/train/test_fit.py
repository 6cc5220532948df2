"""The training loop: learns, repeats, and exports what cv2.dnn computes alike. Runs only where torch is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ontour_cv.train import export, fit  # noqa: E402
from ontour_cv.train.network import HEADS, MarkNet, losses, split_heads  # noqa: E402
from ontour_cv.train.shards import save_shard  # noqa: E402
from ontour_cv.vision.glyphs import HEADS as READ_HEADS  # noqa: E402
from ontour_cv.vision.glyphs import MarkReader, standardised  # noqa: E402


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    """Two tiny training shards and a validation shard: bright cells are stars, dark ones are empty."""
    rng = np.random.default_rng(0)
    for k, name in enumerate(("train-0000", "train-0001", "valid-0000")):
        kind = np.random.default_rng(k).integers(0, 2, 64) * 2
        images = rng.integers(0, 60, (64, 64, 64, 3)).astype(np.uint8)
        images[kind == 2, 20:44, 20:44] += 150
        labels = np.full((64, 4), -1, np.int8)
        labels[:, 0], labels[:, 3] = kind, 0
        save_shard(tmp_path / f"{name}.npy", images, labels)
    return tmp_path


def options(folder: Path, name: str) -> object:
    """A run of twelve steps."""
    words = ["--shards", str(folder), "--out", str(folder / name), "--count", "2", "--ready", "1", "--steps", "12"]
    return fit.options(words)


def test_the_same_seed_gives_the_same_network(shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run can be repeated bit by bit."""
    monkeypatch.setattr(fit, "BATCH", 8)
    for name in ("a.pt", "b.pt"):
        fit.fit(options(shards, name))
    first, second = (torch.load(shards / n, weights_only=True) for n in ("a.pt", "b.pt"))
    assert all(torch.equal(first[key], second[key]) for key in first)


def test_the_exported_network_computes_the_same(shards: Path) -> None:
    """PyTorch and cv2.dnn agree on every logit."""
    torch.manual_seed(0)
    net = MarkNet()
    torch.save(net.state_dict(), shards / "net.pt")
    export.write_model(shards / "net.pt", [shards / "valid-0000.npy"], shards / "model", "not at all")
    images = np.load(shards / "valid-0000.npy")[:5]
    net.eval()
    with torch.no_grad():
        expected = net(torch.from_numpy(standardised(images))).numpy()
    assert np.allclose(MarkReader(shards / "model").logits(images), expected, atol=1e-3)


def test_heads_mean_the_same_on_both_sides() -> None:
    """Training and reading split the outputs alike."""
    assert tuple(HEADS.items()) == READ_HEADS


def test_digits_cost_nothing_where_there_is_no_number() -> None:
    """A star teaches the digit heads nothing."""
    logits = torch.randn(3, 26)
    labels = torch.tensor([[1, 3, 4, 0], [2, -1, -1, 1], [0, -1, -1, 0]])
    parts = losses(logits, labels)
    tens = torch.nn.functional.cross_entropy(split_heads(logits)["tens"][:1], torch.tensor([3]))
    assert parts["tens"].item() == pytest.approx(tens.item(), abs=1e-6)
