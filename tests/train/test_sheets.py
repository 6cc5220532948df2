"""Training crops of sheets: repeatable and labelled as written; the network exports to what cv2.dnn computes alike."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.maps.load import load_map
from ontour_cv.sheet import parse_sheet
from ontour_cv.synth.sheet_photo import render_sheet
from ontour_cv.train.hands import Hands
from ontour_cv.train.sheet_labels import COLUMNS, NONE, cell_label, count_label, sheet_labels
from ontour_cv.train.sheet_shards import Shard, make_flat_shard, make_photo_shard, true_place
from ontour_cv.vision.sheet_cells import cell_masks
from ontour_cv.vision.sheet_glyphs import SHEET_HEADS, ZOOMS, SheetNetwork, sheet_input, sheet_scores, zoomed
from ontour_cv.vision.sheet_model import sheet_model

TEMPLATE = load_map("rolling-america")
MODEL = sheet_model(TEMPLATE)
NOBODY = Hands([], [])


def test_a_flat_shard_is_repeatable_and_has_every_kind() -> None:
    one, other = (make_flat_shard((1, 2), NOBODY, TEMPLATE, MODEL, 130, 1.0) for _ in range(2))
    assert np.array_equal(one.images, other.images)
    assert np.array_equal(one.labels, other.labels)
    cells = one.places < MODEL.cells
    assert set(one.labels[cells, 0]) == {0, 1, 2}
    assert (one.labels[~cells, 0] == -1).all()


def test_a_photo_shard_is_repeatable(tmp_path: Path) -> None:
    one, other = (make_photo_shard((3,), NOBODY, MODEL, 70, 1.0, size=(800,)) for _ in range(2))
    assert np.array_equal(one.images, other.images)
    one.save(tmp_path / "a.npz")
    again = Shard.load(tmp_path / "a.npz")
    assert np.array_equal(again.labels, one.labels)


def test_labels_say_what_is_written() -> None:
    assert cell_label(Mark(Kind.NUMBER, 4, True)).tolist() == [1, 3, 1, -1, -1, -1]
    assert cell_label(Mark(Kind.BLOCKED)).tolist() == [2, -1, 0, -1, -1, -1]
    assert count_label(12).tolist()[-2:] == [1, 2]
    assert count_label(7).tolist()[-2:] == [NONE, 7]
    assert count_label(None).tolist()[-2:] == [NONE, NONE]
    rows = sheet_labels(parse_sheet("WA=3", TEMPLATE.ids), MODEL.ids, {"guard2"})
    crossed = COLUMNS.index("crossed")
    assert rows[MODEL.ids.index("guard2"), crossed] == 1
    assert rows[MODEL.ids.index("guard1"), crossed] == 0
    assert rows[MODEL.ids.index("WA"), :2].tolist() == [1, 2]


def test_the_true_place_of_a_cell_is_where_the_photo_has_it() -> None:
    shot = render_sheet(5, long_side=900)
    for k in (0, 20, 49, len(MODEL.ids) - 1):
        place = true_place(shot, MODEL, k)
        outline = np.asarray(shot.cells[MODEL.ids[k]] if k < MODEL.cells else shot.boxes[MODEL.ids[k]])
        low, high = outline.min(axis=0), outline.max(axis=0)
        assert (np.array(place.centre_photo) > low - 1).all()
        assert (np.array(place.centre_photo) < high + 1).all()


def test_exported_weights_give_the_same_logits_in_opencv(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from ontour_cv.train.sheet_finish import export
    from ontour_cv.train.sheet_network import SheetNet

    torch.manual_seed(1)
    net = SheetNet().eval()
    export(net, tmp_path / "sheet.onnx")
    heat = {name: 1.0 for name, _ in SHEET_HEADS}
    card = {"temperature": heat, "lapse": {}}
    (tmp_path / "sheet.json").write_text(json.dumps(card), encoding="utf-8")
    images = np.random.default_rng(0).integers(0, 256, (len(MODEL.ids), 64, 64, 3)).astype(np.uint8)
    with torch.no_grad():
        looks = [net(torch.from_numpy(sheet_input(zoomed(images, zoom), cell_masks(MODEL)))) for zoom in ZOOMS]
        wanted = torch.stack(looks).mean(0).double().numpy()
    got = SheetNetwork(MODEL, tmp_path).read(images)
    expected = sheet_scores(wanted, heat, {})
    for name, _ in SHEET_HEADS:
        assert np.abs(getattr(got, name) - getattr(expected, name)).max() < 0.02
    assert (tmp_path / "sheet.onnx").stat().st_size < 850_000


def test_the_network_begins_with_the_mark_networks_eyes() -> None:
    torch = pytest.importorskip("torch")
    onnx = pytest.importorskip("onnx")
    from ontour_cv.resources import models_dir
    from ontour_cv.train.sheet_fit import warm_start
    from ontour_cv.train.sheet_network import SheetNet

    net = SheetNet()
    warm_start(net)
    graph = onnx.load(models_dir() / "marks.onnx").graph
    kernels = [a for a in map(onnx.numpy_helper.to_array, graph.initializer) if a.ndim == 4]
    first = next(m for m in net.body.modules() if isinstance(m, torch.nn.Conv2d))
    assert np.abs(first.weight[:, :3].detach().numpy() - kernels[0].astype(np.float32)).max() < 1e-6
