"""Frames in, photos out: folders and videos stand in for a camera."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from ontour_cv.camera.frames import Frame, is_device, open_frames
from ontour_cv.camera.gate import Gate
from ontour_cv.camera.look import Look, look_at
from ontour_cv.camera.watch import watch
from ontour_cv.errors import BadPhoto, BoardNotFound
from ontour_cv.maps.load import load_editions
from ontour_cv.vision.photo import Photo, load_photo

PHOTO = Path(__file__).parents[1] / "fixtures" / "photos" / "20-small.jpg"
EDITIONS = tuple(load_editions("usa"))


@pytest.fixture(scope="module")
def frames() -> list[np.ndarray]:
    """Nothing, a moving blur, then the board held still."""
    board = cv2.resize(load_photo(PHOTO).bgr, (960, 720), interpolation=cv2.INTER_AREA)
    moving = [cv2.GaussianBlur(np.roll(board, shift, axis=1), (0, 0), 7) for shift in (60, 25)]
    return [np.full_like(board, 90), *moving, *[board] * 5]


def test_a_folder_of_frames_is_watched_until_the_board_is_still(frames: list[np.ndarray], tmp_path: Path) -> None:
    for number, frame in enumerate(frames):
        cv2.imwrite(str(tmp_path / f"{number:02d}.png"), frame)
    said: list[str] = []
    caught = watch(open_frames(str(tmp_path)), EDITIONS, lambda gate: said.append(gate.message), 600)
    assert caught.settled
    assert caught.photos[0].name >= str(tmp_path / "03.png")
    assert said[0] == "no board yet"
    assert said[-1] == "got it"


def test_a_video_file_is_watched_the_same_way(frames: list[np.ndarray], tmp_path: Path) -> None:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 8, (960, 720))
    for frame in frames:
        writer.write(frame)
    writer.release()
    caught = watch(open_frames(str(path)), EDITIONS, lambda _: None, 600)
    assert caught.settled
    assert caught.frames <= len(frames)


def test_blur_is_seen_as_blur(frames: list[np.ndarray]) -> None:
    sharp, blurred = (look_at(Photo("x", frame), EDITIONS, True) for frame in (frames[-1], frames[1]))
    assert sharp is not None
    assert sharp.width < 0.22
    assert blurred is None or blurred.width > 0.22


def stream(count: int, closed: list[bool]) -> Iterator[Frame]:
    try:
        for number in range(count):
            yield Frame(f"frame {number}", np.zeros((90, 90, 3), np.uint8))
    finally:
        closed.append(True)


def seen(_: Photo, __: object, ___: bool) -> Look:
    """A board that is always blurred."""
    return Look(("WA",), np.zeros((1, 2)), 20.0, 0.5, (), ())


def test_when_nothing_is_good_enough_the_best_is_taken_and_said_so() -> None:
    caught = watch(stream(4, []), EDITIONS, lambda _: None, 600, look=seen)
    assert not caught.settled
    assert len(caught.photos) == 1
    assert caught.message == "too blurred"


def test_a_timeout_ends_the_watching() -> None:
    ticks = iter(range(1000))
    caught = watch(stream(10**6, []), EDITIONS, lambda _: None, 5, look=seen, clock=lambda: next(ticks))
    assert caught.frames == 6


def test_without_a_board_there_is_none_and_the_stream_is_closed() -> None:
    closed: list[bool] = []
    with pytest.raises(BoardNotFound):
        watch(stream(3, closed), EDITIONS, lambda _: None, 600, look=lambda *_: None)
    assert closed


def test_ctrl_c_closes_the_stream() -> None:
    closed: list[bool] = []

    def interrupt(_: Gate) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watch(stream(3, closed), EDITIONS, interrupt, 600, look=seen)
    assert closed


@pytest.mark.parametrize("source", ["97", "none.mp4", "text.mp4", "empty.mp4", "folder"])
def test_what_gives_no_pictures_is_refused_with_a_remedy(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.mp4").write_text("no video")
    Path("empty.mp4").touch()
    Path("folder").mkdir()
    with pytest.raises(BadPhoto) as caught:
        list(open_frames(source))
    assert caught.value.remedy


def test_numbers_are_cameras() -> None:
    assert is_device("0")
    assert not is_device("0.jpg")
    assert not is_device("²")
