"""Training crops of sheets: repeatable and labelled as written; the network exports to what cv2.dnn computes alike."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from ontour_cv.board import Kind, Mark
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.load import load_map
from ontour_cv.sheet import parse_sheet
from ontour_cv.synth.sheet_hand import PENCIL, sample_sheet_writer
from ontour_cv.synth.sheet_photo import render_sheet
from ontour_cv.synth.signs import CROSSES
from ontour_cv.train.hands import Hands
from ontour_cv.train.sheet_as_read import make_read_shard
from ontour_cv.train.sheet_hands import FAINT_COVER, MENDING, ODD_CROSSES, FootedOnes, Menders, SheetHands
from ontour_cv.train.sheet_labels import NONE, cell_label, count_label, sheet_labels
from ontour_cv.train.sheet_pool import BATCH, Pool, looks_of
from ontour_cv.train.sheet_shards import Shard, make_flat_shard, make_photo_shard, spot_in, true_place
from ontour_cv.vision.cells import crop_cell
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.register import CellPlace
from ontour_cv.vision.sheet_cells import ROOM, WHOLE, cell_masks
from ontour_cv.vision.sheet_glyphs import CLASSES, SHEET_HEADS, ZOOMS, SheetNetwork, sheet_input, sheet_scores, zoomed
from ontour_cv.vision.sheet_model import SheetModel, sheet_model
from ontour_cv.vision.sheet_place import SheetPlacement, locate_sheet

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
    assert np.array_equal(again.windows, other.windows)


def test_close_looks_follow_the_crop_they_are_taken_of_and_hold_the_writing() -> None:
    shard = make_photo_shard((4,), NOBODY, MODEL, 120, 1.0, size=(1100,))
    close = np.flatnonzero((shard.windows != np.array(WHOLE, np.float32)).any(axis=1))
    assert len(close) > 30
    assert np.array_equal(shard.places[close], shard.places[close - 1])
    assert np.array_equal(shard.labels[close], shard.labels[close - 1])
    written = close[shard.labels[close, 0] != 0]
    assert np.isfinite(shard.spots[written]).all()
    assert (np.abs(shard.spots[written, :2]) < 0.6).all()
    assert np.median(shard.spots[written, 2]) == pytest.approx(1 / ROOM, abs=0.12)
    blank = shard.labels[:, 0] == 0
    assert np.isnan(shard.spots[blank]).all()


def test_shards_as_read_are_cut_where_the_reader_finds_the_cells(tmp_path: Path) -> None:
    """The crops are those that reading gets, so that its network learns from what it will see."""
    network = SheetNetwork(MODEL)
    one, other = (make_read_shard((6,), NOBODY, network, 150, 1.0, size=(1100,)) for _ in range(2))
    assert np.array_equal(one.images, other.images)
    assert np.array_equal(one.spots, other.spots, equal_nan=True)
    close = np.flatnonzero((one.windows != np.array(WHOLE, np.float32)).any(axis=1))
    assert 50 < len(close) < 100
    assert np.array_equal(one.places[close], one.places[close - 1])
    written = close[one.labels[close, 0] != 0]
    inside = (np.abs(one.spots[written, :2]) + one.spots[written, 2:] < 1.1).all(axis=1)
    assert inside.mean() > 0.8


def test_a_photo_without_a_sheet_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader finds nothing in the first photo; the next one makes the shard."""
    from ontour_cv.train import sheet_as_read

    tried = []

    def locate(photo: Photo, model: SheetModel) -> SheetPlacement:
        tried.append(photo)
        if len(tried) == 1:
            raise BoardNotFound("nothing", "take another")
        return locate_sheet(photo, model)

    monkeypatch.setattr(sheet_as_read, "locate_sheet", locate)
    shard = make_read_shard((7,), NOBODY, SheetNetwork(MODEL), 20, 1.0, size=(1100,))
    assert len(tried) > 1
    assert len(shard.places) == 20


def test_a_spot_is_where_the_crop_shows_the_writing() -> None:
    """Ink drawn in the box alone is in the crop where the spot says."""
    picture = np.full((400, 400, 3), 255, np.uint8)
    box = np.array([[210.0, 150.0], [230.0, 150.0], [230.0, 200.0], [210.0, 200.0]])
    cv2.rectangle(picture, (210, 150), (230, 200), (0, 0, 0), -1)
    place = CellPlace((200.0, 200.0), np.array([[40.0, 0.0], [0.0, 40.0]]), True, True)
    x, y, half = spot_in(place, box)
    crop = crop_cell(picture, place).mean(axis=2) < 128
    rows, columns = np.nonzero(crop)
    side = len(crop)
    assert (columns.mean() + 0.5) / side * 2 - 1 == pytest.approx(x, abs=0.03)
    assert (rows.mean() + 0.5) / side * 2 - 1 == pytest.approx(y, abs=0.03)
    assert np.ptp(rows) / side == pytest.approx(half, abs=0.03)


def test_a_few_hands_write_their_1s_upside_down_but_none_that_is_held_out() -> None:
    hands, rng = SheetHands(NOBODY), np.random.default_rng(0)
    assert 5 < sum(isinstance(hands.pick(rng, 1.0), FootedOnes) for _ in range(300)) < 40
    assert not any(isinstance(hands.pick(rng, 0.0), FootedOnes) for _ in range(50))
    hand = hands.pick(rng, 0.0)
    plain, turned = hand.glyph("1", np.random.default_rng(1)), FootedOnes(hand).glyph("1", np.random.default_rng(1))
    assert np.allclose(np.concatenate(turned), -np.concatenate(plain)[::-1])
    four, same = hand.glyph("4", np.random.default_rng(1)), FootedOnes(hand).glyph("4", np.random.default_rng(1))
    assert np.allclose(np.concatenate(four), np.concatenate(same))


def test_as_many_writers_as_asked_for_mend_much_of_what_they_write() -> None:
    hand, rng = NOBODY.pick(np.random.default_rng(0), 1.0), np.random.default_rng(1)
    some = [Menders(0.5)(rng, hand, k % 2 == 0).mending >= MENDING[0] for k in range(200)]
    assert 70 < sum(some) < 130
    usual = Menders(0.0)(np.random.default_rng(2), hand, True)
    expected = sample_sheet_writer(np.random.default_rng(2), hand, True)
    assert all(getattr(usual, n) == getattr(expected, n) for n in usual.__slots__)
    shots = [render_sheet(9, long_side=600, writers=Menders(share)) for share in (1.0, 0.0)]
    often, seldom = (sum(how != "plain" for how in shot.ink.values()) for shot in shots)
    assert often > 5 + seldom


def test_some_training_writers_make_xs_of_any_form() -> None:
    hand, rng = NOBODY.pick(np.random.default_rng(0), 1.0), np.random.default_rng(1)
    forms = [Menders(0.0, ODD_CROSSES)(rng, hand, False).cross_form for _ in range(400)]
    assert set(forms) == {None, *CROSSES}
    assert np.mean([form is not None for form in forms]) == pytest.approx(ODD_CROSSES, abs=0.07)


def test_some_training_writers_hardly_press_on_their_pencil() -> None:
    hand = NOBODY.pick(np.random.default_rng(0), 1.0)
    for seed in range(20):
        usual = Menders(0.0)(np.random.default_rng(seed), hand, False)
        faint = Menders(0.0, faint=1.0)(np.random.default_rng(seed), hand, False)
        assert faint.tool == PENCIL
        assert FAINT_COVER[0] <= faint.dark <= FAINT_COVER[1]
        assert faint.pen == usual.pen, "only the pencil is another"
    some = [Menders(0.0, faint=0.5)(np.random.default_rng(seed), hand, False).tool == PENCIL for seed in range(200)]
    assert np.mean(some) == pytest.approx(0.5 + 0.5 * 0.55, abs=0.09)


def test_labels_say_what_is_written() -> None:
    assert cell_label(Mark(Kind.NUMBER, 4, True)).tolist() == [1, 3, 1, -1, -1, -1]
    assert cell_label(Mark(Kind.BLOCKED)).tolist() == [2, -1, 0, -1, -1, -1]
    assert count_label(12).tolist()[-2:] == [1, 2]
    assert count_label(7).tolist()[-2:] == [NONE, 7]
    assert count_label(None).tolist()[-2:] == [NONE, NONE]
    rows = sheet_labels(parse_sheet("WA=3", TEMPLATE.ids), MODEL.ids, {"guard2"})
    crossed = [name for name, _ in SHEET_HEADS].index("crossed")
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


def test_members_answer_in_the_mean_and_tell_each_what_they_saw() -> None:
    torch = pytest.importorskip("torch")
    from ontour_cv.train.sheet_network import SheetNet, SheetNets
    from ontour_cv.vision.sheet_glyphs import FEATURES, FEATURES_FROM

    one, other = SheetNet().eval(), SheetNet().eval()
    x = torch.randn(3, 4, 64, 64)
    with torch.no_grad():
        told, first, second = SheetNets([one, other]).eval()(x), one(x), other(x)
    assert told.shape == (3, FEATURES_FROM + 2 * FEATURES)
    assert torch.allclose(told[:, :FEATURES_FROM], (first + second)[:, :FEATURES_FROM] / 2, atol=1e-5)
    assert torch.equal(told[:, FEATURES_FROM : FEATURES_FROM + FEATURES], first[:, FEATURES_FROM:])
    assert torch.equal(told[:, FEATURES_FROM + FEATURES :], second[:, FEATURES_FROM:])


def test_exported_weights_give_the_same_logits_in_opencv(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from ontour_cv.train.sheet_finish import export
    from ontour_cv.train.sheet_network import SheetNet

    torch.manual_seed(1)
    net = SheetNet().eval()
    for name in ("sheet", "sheet-close"):
        export(net, tmp_path / f"{name}.onnx")
    heat = {name: 1.0 for name, _ in SHEET_HEADS}
    card = {"temperature": heat, "lapse": {}}
    (tmp_path / "sheet.json").write_text(json.dumps(card), encoding="utf-8")
    images = np.random.default_rng(0).integers(0, 256, (len(MODEL.ids), 64, 64, 3)).astype(np.uint8)
    with torch.no_grad():
        looks = [net(torch.from_numpy(sheet_input(zoomed(images, zoom), cell_masks(MODEL)))) for zoom in ZOOMS]
        wanted = torch.stack(looks).mean(0)[:, :CLASSES].double().numpy()
    got = SheetNetwork(MODEL, tmp_path).read(images)
    expected = sheet_scores(wanted, heat, {})
    for name, _ in SHEET_HEADS:
        rows = slice(MODEL.cells if name == "digit" else 0, None)  # what digits say of one another is tested elsewhere
        assert np.abs(getattr(got, name) - getattr(expected, name))[rows].max() < 0.02
    assert (tmp_path / "sheet.onnx").stat().st_size < 850_000


def test_bent_crops_take_mask_and_spot_along() -> None:
    """A dark square, its mask and its spot stay together however the crop is moved."""
    pytest.importorskip("torch")
    from ontour_cv.train.sheet_fit import varied

    count, side = 40, 64
    images = np.full((count, side, side, 3), 230, np.uint8)
    images[:, 20:36, 30:46] = 10
    masks = np.where(images[..., 0] < 128, 255, 0).astype(np.uint8)
    spot = np.array([38, 28, 8], np.float32) * 2 / side - [1, 1, 0]
    labels = np.full((count, 6), -1, np.int8)
    whole = np.tile(np.array(WHOLE, np.float32), (count, 1))
    shard = Shard(images, np.zeros(count, np.uint8), labels, whole, np.tile(spot, (count, 1)).astype(np.float32))
    seen, shown, spots = varied(shard, masks, np.random.default_rng(2))
    for image, mask, (x, y, half) in zip(seen, shown, spots, strict=True):
        dark = mask > 127
        assert image[dark].mean() < 100 < image[~dark].mean()
        rows, columns = np.nonzero(dark)
        assert (columns.mean() + 0.5) / side * 2 - 1 == pytest.approx(x, abs=0.03)
        assert (rows.mean() + 0.5) / side * 2 - 1 == pytest.approx(y, abs=0.03)
        assert np.sqrt(dark.sum()) / side == pytest.approx(half, abs=0.03)


def test_rows_read_badly_come_more_often_until_the_pool_is_level(tmp_path: Path) -> None:
    shard = make_photo_shard((5,), NOBODY, MODEL, 60, 1.0, size=(800,))
    shard.save(tmp_path / "photo-train-000.npz")
    pool, rng = Pool(tmp_path, {"photo": 1, "flat": 0}), np.random.default_rng(0)
    pool.grow(1.0)
    every = [("photo", 0, np.arange(60))]
    pool.note(every, np.where(np.arange(60) == 7, 5.0, 0.0))
    often = [sum((rows == 7).sum() for _, _, rows in pool.batch(rng, level)[1]) for level in (True, False) * 30]
    fair, hard = sum(often[::2]), sum(often[1::2])
    assert 2.5 * fair < hard < 8 * fair
    assert len(pool.batch(rng)[0].places) == BATCH


def test_a_network_learns_from_the_looks_it_is_for(tmp_path: Path) -> None:
    shard = make_photo_shard((6,), NOBODY, MODEL, 60, 1.0, size=(800,))
    whole, close = looks_of(shard, "whole"), looks_of(shard, "close")
    assert (whole.windows == np.array(WHOLE, np.float32)).all()
    assert not (close.windows == np.array(WHOLE, np.float32)).all(axis=1).any()
    assert len(whole.places) + len(close.places) == len(looks_of(shard, "all").places) == 60
    shard.save(tmp_path / "photo-train-000.npz")
    whole.save(tmp_path / "flat-train-000.npz")
    pool = Pool(tmp_path, {"photo": 1, "flat": 1}, "close")
    pool.grow(1.0)
    batch, _ = pool.batch(np.random.default_rng(0))
    assert not (batch.windows == np.array(WHOLE, np.float32)).all(axis=1).any()


def test_what_stays_of_the_start_is_a_share_of_every_weight() -> None:
    torch = pytest.importorskip("torch")
    from ontour_cv.train.sheet_fit import blended
    from ontour_cv.train.sheet_network import SheetNet

    before, after = SheetNet().state_dict(), SheetNet()
    for stay in (0.0, 0.25, 1.0):
        found = blended(after, before, stay).state_dict()
        for name, part in after.state_dict().items():
            if part.is_floating_point():
                assert torch.allclose(found[name], (1 - stay) * part + stay * before[name], atol=1e-6)


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
