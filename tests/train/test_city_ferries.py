"""Training of ferry lines: what is trained is what reads, and boards are what was drawn on them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from ontour_cv.train.city_ferries import likely_of, measured, seen_of, train_ferries  # noqa: E402
from ontour_cv.train.city_lines import HIDDEN, JudgeNet, Knot, LineNet, features_of, write_judge  # noqa: E402
from ontour_cv.train.city_photos import CityStudio  # noqa: E402
from ontour_cv.train.ferry_boards import FINE, FerryBoard, boards_of  # noqa: E402
from ontour_cv.train.hands import Hands  # noqa: E402
from ontour_cv.vision.city_lines import LEAST, LineJudge, Tangle, lines_features, tangle  # noqa: E402
from ontour_cv.vision.city_read import CityReader  # noqa: E402

STUDIO = CityStudio(7, Hands([], []))


@pytest.fixture(scope="module")
def boards() -> list[FerryBoard]:
    """Two with ferries; boards without are told by a stroke or two."""
    played = [board for board in boards_of(STUDIO, CityReader(parts=("ink",)), 4) if board.drawn.any()]
    return played[:2]


def _tangle(board: FerryBoard) -> Tangle:
    return tangle(board.lines, board.planes(), board.rows, STUDIO.layout)


def test_lines_that_were_drawn_are_among_those_that_might_be(boards: list[FerryBoard]) -> None:
    assert len(boards) == 2
    for board in boards:
        assert len(board.drawn) > 4 * board.drawn.sum()
        assert board.planes().shape == (len(board.drawn), *board.strips.shape[1:])
        assert np.abs(board.planes()).max() <= 127 / FINE
        some = board.some(np.flatnonzero(~board.drawn))
        assert some.lost == board.lost + board.drawn.sum()


def test_the_features_learnt_from_are_those_read_with(boards: list[FerryBoard]) -> None:
    knot = _tangle(boards[0])
    seen = np.random.default_rng(1).normal(0, 3, (len(boards[0].drawn), 1 + HIDDEN)).astype(np.float32)
    learnt = features_of(torch.from_numpy(seen[:, 0]), torch.from_numpy(seen[:, 1:]), Knot.of(knot)).numpy()
    assert learnt == pytest.approx(lines_features(seen[:, 0], seen[:, 1:], knot), abs=2e-3)


def test_what_was_trained_judges_the_same_when_shipped(boards: list[FerryBoard], tmp_path: Path) -> None:
    """Weights in half precision move log-odds a little."""
    torch.manual_seed(5)
    judge = JudgeNet().eval()
    for name in ("judge0", "judge1"):
        torch.nn.init.normal_(judge.layers[name].weight, std=0.2)
    write_judge(judge, tmp_path / "judge.npz")
    some = boards[0].some(np.arange(60))
    knot = _tangle(some)
    seen = np.random.default_rng(2).normal(0, 2, (len(some.drawn), 1 + HIDDEN)).astype(np.float32)
    with torch.no_grad():
        wanted = judge(torch.from_numpy(seen), Knot.of(knot)).numpy()
    assert LineJudge(tmp_path / "judge.npz").think_over(seen, knot) == pytest.approx(wanted, abs=0.1)
    assert np.abs(wanted - seen[:, 0]).max() > 0.5


def test_training_comes_again_from_its_seed_and_its_figures_add_up(boards: list[FerryBoard]) -> None:
    torch.set_num_threads(1)  # as training does: several add up in any order
    both = boards * 4  # more than one step's boards
    (net, judge), (again, _) = (train_ferries(both, STUDIO.layout, 2, 1, 3) for _ in range(2))
    assert torch.equal(seen_of(net, boards[0]), seen_of(again, boards[0]))
    assert isinstance(net, LineNet)
    hot = likely_of(net, boards[0])
    assert (seen_of(net, hot)[:, 0].numpy() > LEAST).all()
    few = [board for board in boards if board.drawn.sum() <= 9] or [boards[0].some(np.arange(20))]
    told = measured(net, judge, few, STUDIO.layout)["line_figures"]
    assert told["ferries"] == sum(int(board.drawn.sum()) + board.lost for board in few)
    assert told["given_up"] <= told["missed"] <= told["ferries"]
