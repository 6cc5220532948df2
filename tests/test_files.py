"""Files are written whole or not at all."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from ontour_cv.errors import NotWritten
from ontour_cv.files import gathering, was_written, write_beside, write_file


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes a file's name and half of its content."""
    write = Path.write_bytes

    def fail(path: Path, data: bytes) -> int:
        write(path, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)


def test_what_is_written_replaces_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"one", b"two"):
        write_file(path, content, "")
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_file(tmp_path / "link", b"content", "")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"content"


@pytest.mark.usefixtures("full")
def test_a_full_disk_leaves_the_old_file_or_none(tmp_path: Path) -> None:
    (tmp_path / "old").touch()
    for name in ("old", "new"):
        with pytest.raises(NotWritten, match="No space left") as refusal:
            write_file(tmp_path / name, b"content", "Try again.")
        assert (refusal.value.exit_code, refusal.value.remedy) == (4, "Try again.")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_bytes() == b""


@pytest.mark.parametrize("name", [".", "missing/file", "file\0"])
def test_a_place_where_no_file_can_be_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotWritten, match="cannot be written"):
        write_file(tmp_path / name, b"content", "")


def test_where_there_is_no_folder_the_remedy_is_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(NotWritten, match=r"there is no folder .*new") as refusal:
        write_file(tmp_path / "new" / "board.pdf", b"content", "Choose another name.")
    assert refusal.value.remedy == "Make the folder first, or choose another name."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
def test_a_device_is_written_to_and_not_replaced() -> None:
    with pytest.raises(NotWritten):
        write_file(Path("/dev/full"), b"content", "")
    assert Path("/dev/full").is_char_device()


def test_files_beside_a_result_are_gathered_where_somebody_gathers(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "file"
    with pytest.raises(NotWritten):
        write_beside(path, b"content", "")
    with gathering() as failed:
        write_beside(path, b"content", "")
        assert list(failed) == [path]
        assert not was_written(path)
        path.parent.mkdir()
        write_beside(path, b"content", "")
        assert not failed
        assert was_written(path)


def test_an_old_file_that_could_not_be_replaced_was_not_written(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = tmp_path / "file"
    with gathering():
        write_beside(path, b"old", "")
        request.getfixturevalue("full")
        write_beside(path, b"new", "")
        assert path.is_file()
        assert not was_written(path)
