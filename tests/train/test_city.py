"""Training for New York: a shot's labels are what was drawn, and exported networks answer as the trained ones do."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from ontour_cv.scorer.city_layout import city_layout  # noqa: E402
from ontour_cv.synth.city_ink import CityInk  # noqa: E402
from ontour_cv.synth.ink import Stroke  # noqa: E402
from ontour_cv.train.city_boxes import Boxes, BoxNet, boxes_of, calibrated  # noqa: E402
from ontour_cv.train.city_boxes import measured as measured_boxes  # noqa: E402
from ontour_cv.train.city_files import path_of, write  # noqa: E402
from ontour_cv.train.city_letters import LetterNet, measured, spots_of  # noqa: E402
from ontour_cv.train.city_lines import LineNet  # noqa: E402
from ontour_cv.train.city_nets import InkNet  # noqa: E402
from ontour_cv.train.city_photos import CityStudio, line_map  # noqa: E402
from ontour_cv.train.hands import Hands  # noqa: E402
from ontour_cv.vision.city_boxes import BOX_PX, PLANES  # noqa: E402
from ontour_cv.vision.city_letters import CLASSES, SPOT_PX  # noqa: E402
from ontour_cv.vision.city_paths import ACROSS, ALONG, INK_PX  # noqa: E402
from ontour_cv.vision.city_read import PARTS  # noqa: E402


def test_exported_networks_answer_as_the_trained_ones_for_any_batch_and_size(tmp_path: Path) -> None:
    torch.manual_seed(1)
    nets = {
        "ink": InkNet().eval(), "boxes": BoxNet().eval(), "lines": LineNet().eval(), "lines-free": LineNet().eval(),
        "letters": LetterNet().eval(),
    }  # fmt: skip
    write(nets, tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 550_000
    shapes = {
        "ink": (1, 6, 98, 130), "boxes": (5, PLANES, BOX_PX, BOX_PX), "lines": (3, 6, ALONG, ACROSS),
        "lines-free": (2, 6, ALONG, ACROSS), "letters": (2, 6, SPOT_PX, SPOT_PX),
    }  # fmt: skip
    rng = np.random.default_rng(2)
    assert list(nets) == list(PARTS)
    for part, net in nets.items():
        path = path_of(part, tmp_path)
        value = rng.normal(0, 1, shapes[part]).astype(np.float32)
        onnx = cv2.dnn.readNetFromONNX(str(path), cv2.dnn.ENGINE_CLASSIC)
        onnx.setInput(value)
        with torch.no_grad():
            wanted = net(torch.from_numpy(value)).numpy()
        assert np.abs(onnx.forward() - wanted).max() < 0.02


def test_a_fresh_line_is_a_line_a_faint_one_is_none_and_discs_are_left_open() -> None:
    layout = city_layout(CityStudio(1, Hands([], [])).template)
    (ax, ay), (bx, by) = layout.discs["STG"], layout.discs["FIDI"]
    line = np.array([(ax, ay), (bx, by)])
    strokes = [Stroke(line, 0.15 * layout.radius, 1.0, (0, 0, 0))]
    seen = line_map(CityInk(strokes, []), layout)
    middle = (round((ax + bx) / 2 / layout.radius * INK_PX), round((ay + by) / 2 / layout.radius * INK_PX))
    assert seen[middle[1] - 1 : middle[1] + 2, middle[0] - 1 : middle[0] + 2].max() == 1
    assert seen[round(ay / layout.radius * INK_PX), round(ax / layout.radius * INK_PX)] == 255
    assert (line_map(CityInk([], strokes), layout) == 1).sum() == 0


def test_a_shot_is_labelled_with_what_its_board_has_and_comes_again_from_its_seed() -> None:
    studio = CityStudio(7, Hands([], []))
    shot, again = studio.shoot(3), studio.shoot(3)
    assert shot is not None
    assert again is not None
    assert np.array_equal(shot.ink, again.ink)
    assert shot.ink.shape[1] == 2 * shot.dark.shape[0]
    assert shot.drawn.sum() > 0


def test_every_second_photo_has_letters_and_the_others_none() -> None:
    studio = CityStudio(4, Hands([], []))
    written, _ = studio.photograph(0, letters=True), studio.photograph(0)
    spots = spots_of(studio, 2)
    images, classes = spots.images, spots.classes
    assert images.shape[1:] == (6, SPOT_PX, SPOT_PX)
    assert spots.blocks.shape == (len(images), 4, 4)
    assert written is not None
    assert (classes > 0).sum() == len(written[1].soloists)
    assert set(classes.tolist()) <= set(range(len(CLASSES)))


def test_the_figures_of_letters_add_up() -> None:
    class Sure(LetterNet):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return 5.0 * x[:, :5, 0, 0]

    images = np.zeros((5, 6, 4, 4), np.float16)
    said, true = [0, 1, 2, 0, 3], np.array([0, 1, 0, 4, 2])
    images[np.arange(5), said, 0, 0] = 1
    told = measured(Sure(), images, true)["letter_figures"]
    assert told == {"discs": 5, "letters": 3, "imagined": 1, "missed": 1, "mistaken": 1}


def test_boxes_are_labelled_with_what_was_marked_in_whatever_manner() -> None:
    studio = CityStudio(11, Hands([], []), free_boxes=1.0)
    boxes = boxes_of(studio, 2)
    boards = [found[1] for k in range(2) if (found := studio.photograph(k)) is not None]
    marked = sum(len(board.soloists) + sum(board.tracks.values()) for board in boards)
    assert boxes.images.shape == (len(boxes.marked), PLANES, BOX_PX, BOX_PX)
    assert 0 < boxes.marked.sum() <= marked
    away = np.abs(boxes.images[:, :3].astype(float) - boxes.images[:, 3:6]).mean(axis=(1, 2, 3))
    assert np.median(away[boxes.marked == 1]) > 1.3 * np.median(away[boxes.marked == 0])


def test_the_card_counts_boxes_missed_and_imagined() -> None:
    class Dark(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return 40 * (0.5 - x[:, 0].mean(dim=(1, 2)))[:, None]

    def flat(*shades: float) -> np.ndarray:
        return np.stack([np.full((PLANES, BOX_PX, BOX_PX), shade, np.float16) for shade in shades])

    usual = Boxes(flat(*[0.1] * 9, *[0.9] * 9, 0.1, 0.9), np.array([1] * 9 + [0] * 10 + [1]), np.ones(20, bool))
    anyhow = Boxes(flat(0.1, 0.1, 0.9, 0.9), np.array([1, 0, 0, 0]), np.zeros(4, bool))
    card = measured_boxes(Dark(), usual, anyhow)
    assert card["box_figures"]["usual"] == {"boxes": 20, "marked": 10, "missed": 1, "imagined": 1}
    assert card["box_figures"]["anyhow"] == {"boxes": 4, "marked": 1, "missed": 0, "imagined": 1}


def test_calibration_finds_the_line_that_logits_were_made_by() -> None:
    rng = np.random.default_rng(5)
    odds = rng.normal(0, 3, 20000)
    marked = (rng.random(20000) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    heat, bias = calibrated([1.7 * odds + 0.8], [marked], (1.0,))
    assert heat == pytest.approx(1.7, rel=0.05)
    assert bias == pytest.approx(0.8, abs=0.1)
