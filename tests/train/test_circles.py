"""Training of circles: it learns, repeats, and what it writes computes alike. Runs only where torch is installed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from circled import BLACK, board  # noqa: E402

from ontour_cv.resources import models_dir  # noqa: E402
from ontour_cv.train import circles  # noqa: E402
from ontour_cv.train.sets import Sets, load_sets, save_sets  # noqa: E402
from ontour_cv.vision.cells import AROUND  # noqa: E402
from ontour_cv.vision.circles import FAR, PENS, VIEWS, CircleReader, unrolled, wrapped  # noqa: E402


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six boards to learn from and two held out, a fifth of their cells circled."""
    rng = np.random.default_rng(0)
    for name, count in (("boards-train-00000", 6), ("boards-valid-00000", 2)):
        boards = []
        for _ in range(count):
            drawn = {int(k) for k in rng.choice(40, 8, replace=False)}
            labels = np.full((40, 4), 1, np.int8)
            labels[:, 3] = [k in drawn for k in range(40)]
            boards.append((board(tuple(rng.integers(0, 255, 3).tolist()), drawn), labels))
        save_sets(tmp_path / f"{name}.npz", boards)
    return tmp_path


def test_it_learns_and_repeats(folder: Path) -> None:
    """Forty steps are enough for clean boards; the same seed gives the same network."""
    held = load_sets([folder / "boards-valid-00000.npz"])
    runs = []
    for _ in range(2):
        torch.manual_seed(0)
        runs.append(circles.fit(circles.CircleNet(), Sets([folder]), 40, 3e-3, 5, held, report=0))
    target = torch.from_numpy(held[1][..., 3].astype(np.float32))
    first, second = (circles.answers(net, held[0]) for net in runs)
    assert circles.log_loss(first, target) < 0.4
    assert torch.equal(first, second)


def test_a_run_that_is_stopped_leaves_its_last_report(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = load_sets([folder / "boards-valid-00000.npz"])
    stopped = iter([None, KeyboardInterrupt])

    def batch(self: Sets, rng: np.random.Generator, usual: object = Sets.batch) -> object:
        if why := next(stopped):
            raise why
        return usual(self, rng)  # type: ignore[operator]

    monkeypatch.setattr(Sets, "batch", batch)
    kept = folder / "kept.pt"
    with pytest.raises(KeyboardInterrupt):
        circles.fit(circles.CircleNet(), Sets([folder]), 40, 3e-3, 5, held, report=1, checkpoint=kept)
    circles.CircleNet().load_state_dict(torch.load(kept, weights_only=True))


def test_a_reflection_only_lightens_some_cells() -> None:
    """About one cell in eight is changed, none of its places much darker for the tint; some of the ink is left."""
    rng = np.random.default_rng(1)
    cells = board((40, 60, 160), {3, 7})
    seen = [(cell, circles.veiled(cell, rng)) for _ in range(20) for cell in cells]
    lit = [(cell.astype(int), after.astype(int)) for cell, after in seen if not np.array_equal(cell, after)]
    assert abs(len(lit) / len(seen) - circles.VEILED) < 0.04
    assert all((after.sum(axis=2) >= 0.85 * cell.sum(axis=2)).all() for cell, after in lit)
    assert np.mean([after.std() > 8 for _, after in lit]) > 0.5


def test_what_is_written_computes_the_same(folder: Path, tmp_path: Path) -> None:
    """PyTorch and the reader agree on every cell, up to half precision and whole numbers."""
    torch.manual_seed(3)
    net = circles.CircleNet().eval()
    torch.nn.init.normal_(net.context.leave.weight)
    for name in ("marks.onnx", "marks-context.npz", "marks.json"):
        shutil.copy(models_dir() / name, tmp_path)
    held = load_sets([folder / "boards-valid-00000.npz"])
    circles.write(net, held, tmp_path, "not at all")
    with torch.no_grad():
        expected = net(torch.from_numpy(wrapped(unrolled(held[0][0]))), 40)[1].numpy()
    assert np.allclose(CircleReader(tmp_path).odds(held[0][0]), expected, atol=0.1)
    card = json.loads((tmp_path / "circles.json").read_text(encoding="utf-8"))
    told = card["circles"]["held_out"]
    assert told["cells"] == 80
    assert told["both"]["log_loss"] <= told["marks"]["log_loss"]
    circles.write(net, held, tmp_path, "neither", PENS)
    assert np.allclose(CircleReader(tmp_path).odds(held[0][0], PENS), expected, atol=0.1)
    far = circles.CircleNet(FAR).eval()
    boards = np.stack([board(BLACK, drawn, window=AROUND) for drawn in ({3, 9}, {4})])
    circles.write(far, (boards, held[1]), tmp_path, "nor that", FAR, held[0])
    with torch.no_grad():
        expected = far(torch.from_numpy(wrapped(unrolled(boards[0], VIEWS[FAR]))), 40)[1].numpy()
    reader = CircleReader(tmp_path)
    assert np.allclose(reader.odds(boards[0], FAR), expected, atol=0.1)
    assert (reader.card["circles"], reader.card["circles-pens"]["trained"]) == (card["circles"], "neither")
    assert len(reader.card["sha256"]) == 6


def test_weights_are_those_of_the_better_witness() -> None:
    """Who knows the truth counts, who guesses does not; unknown cells count for neither."""
    rng = np.random.default_rng(1)
    target = torch.from_numpy(rng.integers(0, 2, 4000).astype(np.float64))
    knows = (2 * target - 1) * 2 + torch.from_numpy(rng.normal(0, 2, 4000))
    guesses = torch.from_numpy(rng.normal(0, 3, 4000))
    first, second = circles.weighed(torch.stack([guesses, knows]), torch.where(torch.arange(4000) < 50, -1.0, target))
    assert abs(first) < 0.1
    assert 0.8 < second < 1.2


def test_without_boards_to_weigh_it_by_it_says_how_to_get_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is trained."""
    with pytest.raises(SystemExit):
        circles.main(["--sets", str(tmp_path)])
    assert "train.painter" in capsys.readouterr().err
