"""Nothing that was shown is ever lost, and nothing is shown that is not on the disk."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dealt import opening

from ontour_cv.dealer import play, store
from ontour_cv.dealer.log import load_game, read_log
from ontour_cv.dealer.store import create_game
from ontour_cv.errors import BadLog, NotSaved, StaleGame, UsageError

POSIX = pytest.mark.skipif(os.name == "nt", reason="signals and tmpfs of POSIX")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    create_game(path, opening())
    return path


def test_a_new_game_is_there_as_a_whole_and_replaces_nothing(path: Path) -> None:
    assert load_game(path).done == 0
    assert [p.name for p in path.parent.iterdir()] == ["game.jsonl"]
    before = path.read_bytes()
    with pytest.raises(UsageError, match="is there already"):
        create_game(path, opening("2"))
    assert path.read_bytes() == before


def test_where_systems_tell_texts_apart_logs_are_opened_as_bytes() -> None:
    """Windows turns every line break into two bytes else, and lengths no longer say where a line ends."""
    told = "import os; os.O_BINARY = 0x8000; from ontour_cv.dealer.store import BINARY; print(BINARY)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert int(done.stdout) == 0x8000


def test_a_file_system_without_hard_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    create_game(tmp_path / "a" / "game.jsonl", opening())
    assert load_game(tmp_path / "a" / "game.jsonl").done == 0


def test_every_event_is_synced_before_it_is_returned(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bytes] = []
    real = store.flush_to_disk
    monkeypatch.setattr(store, "flush_to_disk", lambda d: (synced.append(path.read_bytes()), real(d)))
    for step in (play.deal_next, play.deal_next, play.undo, play.redo):
        log = step(path)
        assert synced[-1] == path.read_bytes()
        assert read_log(path) == log
    assert len(synced) == 4


def test_lines_are_only_ever_added(path: Path) -> None:
    before = path.read_bytes()
    for step in (play.deal_next, play.deal_next, play.undo, play.deal_next, play.undo, play.redo):
        step(path)
        assert path.read_bytes().startswith(before)
        before = path.read_bytes()
    assert before.count(b"\n") == 7


def test_a_cut_off_line_is_dropped_by_the_next_event_and_a_whole_one_kept(path: Path) -> None:
    play.deal_next(path)
    good = path.read_bytes()
    path.write_bytes(good + b'{"n": 2, "event": "se')
    log = read_log(path)
    assert (log.game.done, log.torn) == (1, 21)
    after = play.deal_next(path)
    assert (after.game.done, after.torn) == (2, 0)
    assert path.read_bytes().startswith(good + b'{"n": 2, "event": "setup"')
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert play.deal_next(path).game.done == 3
    assert path.read_bytes().startswith(whole)


def test_a_stale_screen_deals_nothing(path: Path) -> None:
    seen = play.deal_next(path).game.events
    play.deal_next(path, seen)
    before = path.read_bytes()
    for step in (play.deal_next, play.undo):
        with pytest.raises(StaleGame, match="stands at event 2 and not at 1"):
            step(path, seen=seen)
    assert path.read_bytes() == before


def test_what_cannot_happen_is_refused_and_written_nowhere(path: Path) -> None:
    before = path.read_bytes()
    for step in (play.undo, play.redo):
        with pytest.raises(UsageError):
            step(path)
    assert path.read_bytes() == before
    while not play.deal_next(path).game.now.over:
        pass
    before = path.read_bytes()
    with pytest.raises(UsageError, match="over"):
        play.deal_next(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("fault", ["write", "half", "sync"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_failed_write_leaves_the_game_as_it_was(
    path: Path, fault: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.deal_next(path)
    before = path.read_bytes()
    real = os.write

    def write(descriptor: int, data: bytes) -> int:
        if fault == "half" and len(data) > 20:
            return real(descriptor, data[:20])
        raise OSError(code, os.strerror(code))

    def sync(_: int) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as broken:
        if fault == "sync":
            broken.setattr(store, "flush_to_disk", sync)
        else:
            broken.setattr(os, "write", write)
        with pytest.raises(NotSaved, match="disk is full" if code == errno.ENOSPC else "Input/output") as caught:
            play.deal_next(path)
    assert caught.value.exit_code == 4
    assert path.read_bytes() == before
    assert play.deal_next(path).game.done == 2


@POSIX
def test_a_disk_that_is_really_full_loses_nothing(tmp_path: Path) -> None:
    """On a file system of 64 KiB, filled to the last byte; only where it may be mounted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("no right to mount a small disk here")
    try:
        path = disk / "game.jsonl"
        create_game(path, opening())
        play.deal_next(path)
        filler = disk / "filler"
        with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            while True:
                file.write(b"x" * 1024)
        with pytest.raises(NotSaved):
            create_game(disk / "other.jsonl", opening())
        done = 1
        with pytest.raises(NotSaved, match="disk is full"):
            for _ in range(100):  # a page of the file itself is still free
                play.deal_next(path)
                play.undo(path)
                done += 2
        kept = load_game(path)
        assert kept.events in (done, done + 1)
        filler.unlink()
        assert play.deal_next(path).game.events == kept.events + 1
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_game_that_may_not_be_written_is_a_clear_error(path: Path) -> None:
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("root may write everything")
    path.chmod(0o444)
    with pytest.raises(NotSaved, match="Permission"):
        play.deal_next(path)


def test_no_game_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadLog, match="there is no game"):
        play.deal_next(tmp_path / "none.jsonl")


HAMMER = """
import sys
from pathlib import Path
from ontour_cv.dealer import play
from ontour_cv.errors import UsageError
path, mine = Path(sys.argv[1]), 0
for turn in range(int(sys.argv[2])):
    try:
        log = play.undo(path) if turn % 3 == 2 else play.deal_next(path)
        mine += 1
    except UsageError:
        pass
    print(log.game.events, flush=True)
print("done", mine)
"""


def test_two_processes_on_one_game_do_not_corrupt_it(path: Path) -> None:
    """Each adds forty events as fast as it can; every one of them is there once, in one order."""
    command = [sys.executable, "-c", HAMMER, str(path), "40"]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    written = sum(int(run.communicate(timeout=120)[0].split()[-1]) for run in runs)
    game = load_game(path)
    assert game.events == written
    assert path.read_bytes().count(b"\n") == written + 1


@POSIX
@pytest.mark.parametrize("wait", [0.0, 0.005, 0.02, 0.04])
def test_what_was_shown_before_kill_9_is_there_afterwards(path: Path, wait: float) -> None:
    command = [sys.executable, "-c", HAMMER, str(path), "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        run.stdout.readline()
        time.sleep(wait)
        run.send_signal(signal.SIGKILL)
        shown = [line for line in run.stdout.read().split("\n")[:-1] if line]
    game = load_game(path)
    assert game.events >= (int(shown[-1]) if shown else 1)
    assert play.undo(path).game.events == game.events + 1


@POSIX
@pytest.mark.parametrize(("fault", "refused"), [(errno.EINVAL, False), (errno.ENOTSUP, False), (errno.EIO, True)])
def test_a_share_that_cannot_flush_folders_can_still_be_dealt_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int, refused: bool
) -> None:
    """It writes names in their order anyway; a disk that fails is told."""

    def fsync(descriptor: int) -> None:
        raise OSError(fault, "no")

    monkeypatch.setattr("ontour_cv.dealer.store.os.fsync", fsync)
    if refused:
        with pytest.raises(OSError, match="no"):
            store.flush_folder(tmp_path)
    else:
        store.flush_folder(tmp_path)
