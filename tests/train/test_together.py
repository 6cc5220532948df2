"""together: context networks learn from what finished members say of fresh boards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from ontour_cv.train import together  # noqa: E402
from ontour_cv.train.context import look  # noqa: E402
from ontour_cv.train.fit import Reader  # noqa: E402
from ontour_cv.train.sets import save_sets  # noqa: E402
from ontour_cv.train.shards import save_shard  # noqa: E402


def heard(boards: int = 60, cells: int = 30, seed: int = 0) -> together.Heard:
    """Two members that leave a bent stroke open, 1 or 7; the writer's other cells of that digit show which it is."""
    rng = np.random.default_rng(seed)
    seven = rng.integers(0, 2, (boards, 1)) * np.ones((1, cells), int)
    shows = rng.random((boards, cells)) < 0.4
    hidden = rng.normal(0, 0.1, (boards, cells, 2, 192))
    hidden[..., 0] += ((seven * 2 - 1) * shows)[:, :, None]
    logits = rng.normal(0, 0.1, (boards, cells, 2, 26))
    labels = np.zeros((boards, cells, 4), int)
    labels[..., 0], labels[..., 1], labels[..., 2] = 1, 4, np.where(seven, 7, 1)
    return together.Heard(hidden.astype(np.float16), logits.astype(np.float32), labels.astype(np.int8))


def ones_right(net: torch.nn.Module, of: together.Heard) -> float:
    """Share of right ones digits."""
    with torch.no_grad():
        told = net(torch.from_numpy(of.hidden).float(), torch.from_numpy(of.logits))
    return float((told[..., 14:24].argmax(-1).numpy() == of.labels[..., 2]).mean())


def test_what_a_cell_leaves_open_is_learnt_from_the_board() -> None:
    net = together.fit([heard()], 150, 1, report=0)
    assert not net.training
    assert ones_right(net, heard(seed=1)) > 0.95


def test_the_same_seed_gives_the_same_network() -> None:
    first, again, other = (together.fit([heard(8)], 3, seed, report=0).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


def test_a_network_that_goes_on_begins_as_it_was() -> None:
    start = together.fit([heard()], 150, 1, report=0)
    after = together.fit([heard()], 1, 2, rate=1e-9, report=0, start=start)
    assert ones_right(after, heard(seed=1)) == ones_right(start, heard(seed=1)) > 0.95


@given(st.lists(st.tuples(st.sampled_from([-1, 0, 1, 1, 1, 2, 3]), st.integers(0, 9), st.integers(0, 9)), max_size=50))
def test_one_of_each_reversed_pair_comes_last(board: list[tuple[int, int, int]]) -> None:
    labels = np.array([(*mark, 0) for mark in board], np.int8).reshape(-1, 4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(together, "PARTNERS", 0.0)
        order, lone = together.partners_last(labels, np.random.default_rng(0))
    assert sorted(order) == list(range(len(board)))
    shown = [board[cell] for cell in order[:lone]]
    numbers = {(tens, ones) for kind, tens, ones in shown if kind == 1 and tens != ones}
    assert not any((ones, tens) in numbers for tens, ones in numbers)
    assert all(kind >= 0 for kind, _, _ in shown)
    left_out = [board[cell] for cell in order[lone:]]
    assert all(kind < 0 or (kind == 1 and (ones, tens) in numbers) for kind, tens, ones in left_out)


@given(
    st.lists(st.integers(0, 3), min_size=2, max_size=41).filter(lambda kinds: kinds.count(0) >= 1), st.integers(0, 99)
)
def test_an_emptied_board_shows_others_once_and_empty_cells_for_the_rest(kinds: list[int], seed: int) -> None:
    labels = np.array([(kind, cell // 10, cell % 10, 0) for cell, kind in enumerate(kinds)], np.int8)
    cells = together.emptied(labels, np.random.default_rng(seed))
    assert len(cells) == len(kinds)
    others = [cell for cell in cells if kinds[cell]]
    assert len(set(others)) == len(others) < len(kinds)


def test_boards_are_emptied_to_any_degree() -> None:
    labels = np.array([(int(cell >= 4), cell // 10, cell % 10, 0) for cell in range(40)], np.int8)
    seen = [together.emptied(labels, np.random.default_rng(seed)) for seed in range(60)]
    shares = sorted(np.mean([cell < 4 for cell in cells]) for cells in seen)
    assert shares[0] < 0.2 and shares[-1] > 0.95 and 0.3 < np.median(shares) < 0.7


def test_shards_are_heard_board_by_board(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    images, labels = rng.integers(0, 256, (64, 64, 64, 3), dtype=np.uint8), rng.integers(0, 2, (64, 4)).astype(np.int8)
    save_shard(tmp_path / "train-0003.npy", images, labels)
    torch.manual_seed(0)
    (out,) = together.sets_of([Reader().eval()], [tmp_path], 1, 0)
    assert out.hidden.shape == (2, 32, 1, 192)
    assert (out.labels.reshape(-1, 4) == labels).all()


def test_some_pairs_stay_so_that_a_partner_says_nothing() -> None:
    pairs = [(1, k // 9, k % 9 + 1, 0) for k in range(81) if k // 9 != k % 9 + 1]
    labels = np.array([*pairs, *((1, ones, tens, 0) for _, tens, ones, _ in pairs)], np.int8)
    shown = [together.partners_last(labels, np.random.default_rng(seed))[1] - len(pairs) for seed in range(20)]
    assert np.mean(shown) / len(pairs) == pytest.approx(together.PARTNERS, abs=0.05)


def test_from_boards_without_pairs_the_rest_is_learnt_all_the_same() -> None:
    net = together.fit([heard()], 150, 1, report=0, pairs=False)
    assert ones_right(net, heard(seed=1)) > 0.95


def test_members_are_heard_cell_by_cell_as_they_are() -> None:
    torch.manual_seed(0)
    members = [Reader().eval(), Reader().eval()]
    images = np.random.default_rng(0).integers(0, 256, (2, 5, 64, 64, 3), dtype=np.uint8)
    out = together.hear(members, images, np.zeros((2, 5, 4), np.int8))
    assert out.hidden.shape == (2, 5, 2, 192) and out.logits.shape == (2, 5, 2, 26)
    for k, member in enumerate(members):
        hidden, logits = look(member.marks, images[1])
        assert out.logits[1, :, k] == pytest.approx(logits.numpy(), abs=1e-4)
        assert out.hidden[1, :, k] == pytest.approx(hidden.numpy(), abs=1e-2)
    seen = together.hear(members, images, out.labels, np.random.default_rng(1))
    assert not np.allclose(seen.logits, out.logits, atol=1e-3)


def save_boards(folder: Path, label: int) -> None:
    """Two boards of noise, every label the same; the chance that networks are made by is set, too."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    labels = np.full((30, 4), label, np.int8)
    boards = [(rng.integers(0, 256, (30, 64, 64, 3), dtype=np.uint8), labels) for _ in range(2)]
    save_sets(folder / "boards-train-00000.npz", boards)


def test_one_command_from_boards_to_networks(tmp_path: Path) -> None:
    save_boards(tmp_path, 0)
    torch.save(Reader().state_dict(), tmp_path / "marks-0.pt")
    words = ["--sets", str(tmp_path), "--out", str(tmp_path / "out"), "--steps", "2", "--count", "1"]
    together.main([str(tmp_path / "marks-0.pt"), *words])
    net = together.load_context(tmp_path / "out" / "context-0.pt")
    assert net.enter.in_features == 192 + 26
    assert not net.training


def test_members_own_networks_go_on_and_the_members_stay(tmp_path: Path) -> None:
    save_boards(tmp_path, 1)
    paths = [tmp_path / f"marks-{k}.pt" for k in range(2)]
    for path in paths:
        torch.save(Reader().state_dict(), path)
    words = ["--own", "--sets", str(tmp_path), "--out", str(tmp_path / "out"), "--steps", "2"]
    together.main([*map(str, paths), *words])
    for k, path in enumerate(paths):
        before, after = (together.load_reader(p).state_dict() for p in (path, tmp_path / "out" / f"member-{k}.pt"))
        changed = {name for name in before if not torch.equal(before[name], after[name])}
        assert changed and all(name.startswith("context.") for name in changed)
    assert not list((tmp_path / "out").glob("context-*.pt"))


def test_what_stays_is_what_it_went_on_from(tmp_path: Path) -> None:
    save_boards(tmp_path, 1)
    torch.save(Reader().state_dict(), tmp_path / "marks.pt")
    words = [str(tmp_path / "marks.pt"), "--own", "--sets", str(tmp_path), "--steps", "3"]
    states = {}
    for stay in ("0", "0.25", "1"):
        together.main([*words, "--out", str(tmp_path / stay), "--stay", stay])
        states[stay] = together.load_reader(tmp_path / stay / "member-0.pt").state_dict()
    before = together.load_reader(tmp_path / "marks.pt").state_dict()
    for name, part in states["0.25"].items():
        assert torch.equal(states["1"][name], before[name])
        assert torch.allclose(part.float(), 0.75 * states["0"][name] + 0.25 * before[name], atol=1e-6)
    with pytest.raises(SystemExit):
        together.main([*words[:1], *words[2:], "--out", str(tmp_path), "--stay", "0.5"])


def test_a_folder_without_boards_says_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"train\.painter --boards"):
        together.sets_of([], [tmp_path], 1, 0)
