"""Going on with the networks of ferry lines: they are those that read, and see what reading sees."""

from __future__ import annotations

import json
import shutil
from argparse import Namespace
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from ontour_cv.resources import models_dir  # noqa: E402
from ontour_cv.train.city_ferries import seen_of  # noqa: E402
from ontour_cv.train.city_ferries_again import boards_as_read, go_on, networks_in  # noqa: E402
from ontour_cv.train.city_files import judge_path, path_of  # noqa: E402
from ontour_cv.train.city_lines import Knot  # noqa: E402
from ontour_cv.train.city_photos import CityStudio  # noqa: E402
from ontour_cv.train.ferry_boards import FerryBoard  # noqa: E402
from ontour_cv.train.hands import Hands  # noqa: E402
from ontour_cv.vision.city_lines import LineJudge, tangle  # noqa: E402
from ontour_cv.vision.city_read import CityReader  # noqa: E402

STUDIO = CityStudio(7, Hands([], []))
PHOTOS = 8


@pytest.fixture(scope="module")
def fresh() -> list[list[FerryBoard]]:
    return list(boards_as_read(STUDIO, CityReader(parts=("ink", "lines")), PHOTOS))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(models_dir(), tmp_path / "models"))


def test_boards_come_as_traced_at_first_and_as_read_where_that_differs(fresh: list[list[FerryBoard]]) -> None:
    assert {len(ways) for ways in fresh} == {1, 2}
    for first, *rest in fresh:
        for last in rest:
            assert first.drawn.sum() + first.lost == last.drawn.sum() + last.lost
            same = np.isin(first.rows, last.rows)
            paths = dict(zip(last.rows, last.lines.paths, strict=True))
            moved = [np.abs(paths[row] - first.lines.paths[k]).max() > 0 for k, row in enumerate(first.rows) if same[k]]
            assert 0 < sum(moved) + (~same).sum() + (len(last.rows) - same.sum()) < len(first.rows)


def test_networks_taken_from_their_files_answer_as_they_read(fresh: list[list[FerryBoard]]) -> None:
    net, judge = networks_in(models_dir())
    board = next(ways[-1] for ways in fresh if len(ways[-1].drawn) > 20).some(np.arange(20))
    read = cv2.dnn.readNetFromONNX(str(path_of("lines", models_dir())))
    read.setInput(board.planes())
    seen = seen_of(net, board)
    assert seen.numpy() == pytest.approx(np.asarray(read.forward()), abs=1e-3)
    knot = tangle(board.lines, board.planes(), board.rows, STUDIO.layout)
    with torch.no_grad():
        judged = judge(seen, Knot.of(knot)).numpy()
    assert judged == pytest.approx(LineJudge(judge_path(models_dir())).think_over(seen.numpy(), knot), abs=1e-2)


def test_files_of_other_networks_are_refused(folder: Path) -> None:
    shutil.copy(path_of("ink", folder), path_of("lines", folder))
    with pytest.raises(ValueError, match="convolutions"):
        networks_in(folder)


@pytest.mark.parametrize("member", ["lines", "lines-free"])
def test_going_on_leaves_networks_that_read_and_a_card_that_says_so(
    fresh: list[list[FerryBoard]], folder: Path, member: str
) -> None:
    options = Namespace(
        out=folder, more_photos=PHOTOS, more_rounds=1, more_free=0.5, start="lines", member=member, seed=3
    )
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    few = [ways[-1].some(np.arange(min(20, len(ways[-1].drawn)))) for ways in fresh]
    go_on(fresh, few, STUDIO.layout, options)
    card = json.loads((folder / "city.json").read_text(encoding="utf-8"))
    words = f"--more-photos 8 --more-rounds 1 --more-free 0.5 --start lines --member {member} --seed 3"
    head = "free_" if member == "lines-free" else ""
    assert card[f"{head}ferries_trained_again"].endswith(f".city_ferries_again {words}")
    assert card[f"{head}line_figures"]["photos"] > 0
    assert CityReader(folder, (member,)).card[f"{head}line_temperature"] == card[f"{head}line_temperature"]
    changed = {path.name for path in folder.iterdir() if path.read_bytes() != before[path.name]}
    judge = {judge_path(folder, member).name}  # a step in half precision may leave it as it was
    assert changed - judge == {"city.json", path_of(member, folder).name}
    assert (changed & judge) == judge or member == "lines"
