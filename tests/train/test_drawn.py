"""Training of drawn tours: what is trained is what reads, boards follow from the seed, kept boards are the same."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from ontour_cv.synth.printed import print_scene  # noqa: E402
from ontour_cv.synth.strokes import parametric_hand, sample_writer  # noqa: E402
from ontour_cv.train.drawn import Lessons, logits_of, varied  # noqa: E402
from ontour_cv.train.drawn_again import networks_in  # noqa: E402
from ontour_cv.train.drawn_boards import NEW_YORK, OWN_PRINTS, Workshop, play_on  # noqa: E402
from ontour_cv.train.drawn_nets import HIDDEN, BoardNet, LinkNet, export, features_of, put_on_card  # noqa: E402
from ontour_cv.vision.drawn import SHARED, LinkReader, ends_of  # noqa: E402
from ontour_cv.vision.drawn_board import board_features, passing  # noqa: E402
from ontour_cv.vision.drawn_lines import PLANES, view_links  # noqa: E402
from ontour_cv.vision.drawn_strips import ACROSS, ALONG  # noqa: E402


def test_the_features_learnt_from_are_those_read_with() -> None:
    rng = np.random.default_rng(1)
    seen = rng.normal(0, 3, (8, 1 + HIDDEN)).astype(np.float32)
    ends = np.array([[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [4, 1], [4, 3], [2, 4]])
    learnt = features_of(torch.from_numpy(seen), torch.from_numpy(ends)).numpy()
    assert learnt == pytest.approx(board_features(seen[:, 1:], seen[:, 0], ends), abs=1e-4)


def test_what_was_trained_reads_the_same_when_shipped(tmp_path: Path) -> None:
    """Weights in half precision move log-odds a little; no order of links does."""
    (board,) = Workshop(3).boards("flat", 1, None)
    lessons = Lessons([board])
    torch.manual_seed(5)
    known = lessons.features[0].numpy()
    net, board_net = LinkNet(), BoardNet(known.mean(axis=0), known.std(axis=0) + 1e-3)
    torch.nn.init.normal_(board_net.layers["leave"].weight, std=0.3)
    export(net, board_net, tmp_path)
    put_on_card(tmp_path, "drawn", {"temperature": 2.0})
    (wanted,) = logits_of(net, board_net, lessons)
    shared = np.where(passing(ends_of(board.strips.links), board.strips.steps), SHARED, 1.0)
    assert LinkReader(tmp_path).log_odds(board.strips) == pytest.approx(wanted / 2 * shared, abs=0.02)


def test_members_keep_to_their_own_files_and_go_on_learning_where_they_stopped(tmp_path: Path) -> None:
    (board,) = Workshop(3).boards("flat", 1, None)
    lessons = Lessons([board])
    known = lessons.features[0].numpy()
    wanted = []
    for seed, member, heat in ((5, "drawn", 2.0), (6, "drawn-free", 0.5)):
        torch.manual_seed(seed)
        net, board_net = LinkNet(), BoardNet(known.mean(axis=0), known.std(axis=0) + 1e-3)
        torch.nn.init.normal_(board_net.layers["leave"].weight, std=0.3)
        export(net, board_net, tmp_path, member)
        put_on_card(tmp_path, member, {"temperature": heat})
        (logits,) = logits_of(net, board_net, lessons)
        (again,) = logits_of(*networks_in(tmp_path, member), lessons)
        assert again == pytest.approx(logits, abs=0.05)
        wanted.append(logits / heat)
    put_on_card(tmp_path, "drawn-free", {"margin": 9.0})
    shared = np.where(passing(ends_of(board.strips.links), board.strips.steps), SHARED, 1.0)
    first, second = LinkReader(tmp_path).members
    view = view_links(board.strips)
    assert first.log_odds(board.strips, view) == pytest.approx(wanted[0] * shared, abs=0.03)
    assert second.log_odds(board.strips, view) == pytest.approx(wanted[1] * shared, abs=0.08)
    assert (first.margin, second.margin) == (1.7, 9.0)


def test_boards_follow_from_the_seed_and_kept_ones_are_the_same(tmp_path: Path) -> None:
    (made,) = Workshop(7).boards("flat", 1, tmp_path)
    (taken,) = Workshop(7).boards("flat", 1, tmp_path)
    (again,) = Workshop(7).boards("flat", 1, None)
    for other in (taken, again):
        assert np.array_equal(other.strips.images, made.strips.images)
        assert np.array_equal(other.drawn, made.drawn)
        assert other.strips.links == made.strips.links
    assert len(ends_of(made.strips.links)) == len(made.drawn)
    for workshop in (Workshop(8), Workshop(7, free=1.0)):
        (other,) = workshop.boards("flat", 1, tmp_path)
        assert not np.array_equal(other.strips.images, made.strips.images)


def test_tours_are_learnt_from_on_every_map_and_published_boards_are_the_most() -> None:
    shop, rng = Workshop(5), np.random.default_rng(5)
    chosen = [sheet.template.id if (sheet := shop.own_print(rng)) else "" for _ in range(400)]
    assert {name: chosen.count(name) / 400 for name in OWN_PRINTS} == pytest.approx(OWN_PRINTS, abs=0.06)
    assert chosen.count("") > 200


def test_on_new_york_ferries_are_drawn_before_the_tour_and_are_no_links() -> None:
    shop, rng = Workshop(5), np.random.default_rng(9)
    bare = shop.prints[NEW_YORK][0]
    sheet, board, drawer = play_on(bare, sample_writer(rng, parametric_hand(rng)), rng, False)
    assert set(board.marks) == set(bare.template.ids)
    assert (sheet.picture != bare.picture).any()
    tours = [drawer(print_scene(sheet, rng, 700), rng).places for _ in range(40)]
    links = {frozenset(link) for link in sheet.template.ways()}
    assert links == {frozenset(link) for link in sheet.template.edges()}
    assert any(frozenset(leg) not in links for places in tours for leg in pairwise(places))
    paris = shop.prints["paris-home"][0].template
    assert len(paris.ways()) > len(paris.edges())


KEPT = [0, 1, 2, PLANES - 1]


def test_varied_corridors_show_the_same_ink_turned_about() -> None:
    """Planes of ink and of the length keep their place and their values; colours may change places, hardly values."""
    rng = np.random.default_rng(3)
    crops = rng.random((6, PLANES, ALONG, ACROSS)).astype(np.float32)
    seen = varied(crops.copy(), rng).numpy()
    for k, (old, new) in enumerate(zip(crops, seen, strict=True)):
        turned = [np.flip(new, axes) for axes in ((), (1,), (2,), (1, 2))]
        (same,) = [one for one in turned if np.array_equal(one[KEPT], old[KEPT])]
        shares = same[3:9].reshape(6, -1).mean(axis=1) / old[3:9].reshape(6, -1).mean(axis=1)
        assert shares == pytest.approx(1, abs=0.12), f"corridor {k}"
