"""The training loop: learns, repeats, and exports what cv2.dnn computes alike. Runs only where torch is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ontour_cv.train import export, fit  # noqa: E402
from ontour_cv.train.context import ContextNet, look, save_contexts  # noqa: E402
from ontour_cv.train.network import HEADS, losses, split_heads  # noqa: E402
from ontour_cv.train.sets import save_sets  # noqa: E402
from ontour_cv.train.shards import save_shard  # noqa: E402
from ontour_cv.vision import context as reading  # noqa: E402
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
    monkeypatch.setattr(fit, "BOARDS", 1)
    for name in ("a.pt", "b.pt"):
        fit.fit(options(shards, name))
    first, second = (torch.load(shards / n, weights_only=True) for n in ("a.pt", "b.pt"))
    assert all(torch.equal(first[key], second[key]) for key in first)


def test_batches_are_the_same_whoever_makes_them(shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Helpers make a run faster, not another one."""
    monkeypatch.setattr(fit, "BOARDS", 1)
    for name, workers in (("a.pt", "0"), ("b.pt", "2")):
        words = ["--shards", str(shards), "--out", str(shards / name), "--count", "2", "--ready", "2", "--steps", "6"]
        fit.fit(fit.options([*words, "--workers", workers]))
    first, second = (torch.load(shards / n, weights_only=True) for n in ("a.pt", "b.pt"))
    assert all(torch.equal(first[key], second[key]) for key in first)


def test_a_head_of_which_nothing_is_known_has_no_loss() -> None:
    logits = torch.randn(3, 26, requires_grad=True)
    labels = torch.tensor([[0, -1, -1, -1], [1, 4, 2, -1], [2, -1, -1, -1]])
    parts = losses(logits, labels)
    assert parts["circled"].item() == 0.0
    for name, row in (("tens", 4), ("ones", 2)):
        assert parts[name].item() == pytest.approx(-split_heads(logits)[name][1].log_softmax(0)[row].item(), abs=1e-5)
    torch.stack(list(parts.values())).sum().backward()
    assert torch.isfinite(logits.grad).all()


def test_a_board_seen_differently_keeps_its_places_and_one_light() -> None:
    """Cells move by a few pixels; what changes light or colour changes all cells of a board alike."""
    spot = np.zeros((fit.GROUP, 64, 64, 3), np.uint8)
    spot[:, 28:36, 28:36] = (200, 120, 40)
    changed = 0
    for seed in range(40):
        seen = fit.varied(spot, np.random.default_rng(seed))
        assert seen.shape == spot.shape
        assert seen.dtype == np.uint8
        bright = seen.max(axis=3) > 90
        middles = np.array([np.argwhere(cell).mean(axis=0) for cell in bright])
        assert np.median(np.abs(middles - 31.5)) < 3
        inks = np.array([cell[mask].mean(axis=0) for cell, mask in zip(seen, bright, strict=True)])
        assert np.median(np.abs(inks - np.median(inks, axis=0))) < 16
        changed += np.abs(np.median(inks, axis=0) - (200, 120, 40)).max() > 10
    assert changed > 10


def test_the_exported_network_computes_the_same(shards: Path) -> None:
    """PyTorch and cv2.dnn agree on every logit."""
    torch.manual_seed(0)
    readers = [fit.Reader().eval(), fit.Reader().eval()]
    images, labels = np.load(shards / "valid-0000.npy"), np.load(shards / "valid-0000.labels.npy")
    export.write_model(readers, [ContextNet(2)], images[None], labels[None], shards / "model", "not at all")
    logits, hidden = MarkReader(shards / "model").look(images[:5])
    for k, reader in enumerate(readers):
        with torch.no_grad():
            expected = reader.marks(torch.from_numpy(standardised(images[:5]))).numpy()
        assert np.allclose(logits[k], expected, atol=0.01)
        assert np.allclose(hidden[k], look(reader.marks, images[:5])[0].numpy(), atol=0.01)


def test_the_context_network_computes_the_same_in_numpy(tmp_path: Path) -> None:
    """PyTorch and numpy agree, two mark networks heard."""
    torch.manual_seed(0)
    hidden, logits = torch.randn(1, 30, 2, 12), torch.randn(1, 30, 2, 26) * 3
    net = ContextNet(2, features=12).eval()
    torch.nn.init.normal_(net.leave.weight)  # a new network corrects nothing
    torch.nn.init.normal_(net.share)
    path = tmp_path / "context.npz"
    save_contexts([ContextNet(2, features=12), net], path)
    kept = {name: torch.from_numpy(value) for name, value in reading.weights_in(path, "1.").items()}
    for name, value in net.state_dict().items():
        # half a step of 8 bits, or half precision
        step = value.abs().amax(dim=1, keepdim=True) / 127 if value.dim() == 2 else value.abs() * 2**-10
        assert ((kept[name] - value).abs() <= 0.52 * step + 1e-6).all(), (
            name
        )  # half a step of 8 bits, or half precision
    net.load_state_dict(kept)
    with torch.no_grad():
        expected = net(hidden, logits)[0].numpy()
    heard, told = hidden[0].transpose(0, 1).numpy(), logits[0].transpose(0, 1).double().numpy()
    mine = reading.ContextNet(path, "1.").correct(heard, told)
    assert np.allclose(mine, expected, atol=1e-3)
    new = reading.ContextNet(path, "0.").correct(heard, told)
    assert np.allclose(new, told.mean(axis=0), atol=1e-5)


def test_context_settles_what_a_cell_leaves_open() -> None:
    """Cells that are open by themselves but shown by the rest of their board are learnt from the rest."""
    torch.manual_seed(0)
    net = ContextNet(features=4)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for step in range(151):
        kind = torch.randint(0, 2, (32, 1)).expand(32, 24)  # a board's cells are all alike
        features = torch.randn(32, 24, 1, 4) * 0.1
        features[..., 0, 0] += (kind * 2 - 1) * (torch.rand(32, 24) < 0.4)  # four in ten cells show it
        out = net(features, torch.zeros(32, 24, 1, 26))[..., :4]
        if step == 150:
            break
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(out.flatten(0, 1), kind.flatten()).backward()
        optimiser.step()
    assert (out.argmax(-1) == kind).float().mean() > 0.95


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


def test_calibration_finds_the_heat_and_the_lapse() -> None:
    """Answers half as sure as they claim and wrong anyhow in one of fifty: both are found again."""
    rng = np.random.default_rng(0)
    true = rng.normal(0, 3, (40000, 2))
    chance = 1 / (1 + np.exp(true[:, 0] - true[:, 1]))
    label = (rng.random(40000) < np.where(rng.random(40000) < 0.02, 0.5, chance)).astype(int)
    logits = np.zeros((40000, 26))
    logits[:, 24:] = 2 * true
    target = np.column_stack([np.zeros((40000, 1)), np.full((40000, 2), -1), label]).astype(int)
    target[:2, 1:3] = 0  # something for the digit heads
    heat, share = export.calibration(torch.from_numpy(logits), torch.from_numpy(target))["circled"]
    assert heat == pytest.approx(2.0, rel=0.12)
    assert share == pytest.approx(0.02, rel=0.6)


def test_a_run_learns_from_whole_boards(tmp_path: Path) -> None:
    """Boards of any number of cells, unreadable cells (-1) passed over."""
    rng = np.random.default_rng(0)
    for name in ("boards-train-00000", "boards-valid-00000"):
        images = rng.integers(0, 255, (7, 64, 64, 3)).astype(np.uint8)
        labels = np.full((7, 4), -1, np.int8)
        labels[:5, 0], labels[:5, 3] = rng.integers(2, 4, 5), 0
        save_sets(tmp_path / f"{name}.npz", [(images, labels)] * 2)
    out, again = tmp_path / "a.pt", tmp_path / "b.pt"
    fit.fit(fit.options(["--sets", str(tmp_path), "--out", str(out), "--steps", "3"]))
    first = torch.load(out, weights_only=True)
    fit.Reader().load_state_dict(first)
    words = ["--sets", str(tmp_path), "--out", str(again), "--steps", "1", "--start", str(out)]
    fit.fit(fit.options(words))
    after = torch.load(again, weights_only=True)
    fit.fit(fit.options([*words, "--stay", "0.25"]))
    for name, part in torch.load(again, weights_only=True).items():
        if part.is_floating_point():
            assert torch.allclose(part, 0.75 * after[name] + 0.25 * first[name], atol=1e-6)


def test_what_stays_needs_a_start(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        fit.options(["--sets", str(tmp_path), "--out", "a.pt", "--stay", "0.2"])
