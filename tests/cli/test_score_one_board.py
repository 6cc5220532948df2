"""``score --same-board`` and ``score --camera``: options, output, exit codes. What is read is made up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
import readings

from ontour_cv.camera.watch import Caught
from ontour_cv.cli import main
from ontour_cv.cli.score_camera import _catch
from ontour_cv.errors import BadPhoto, BoardNotFound
from ontour_cv.vision.photo import Photo
from ontour_cv.vision.read import Reading

ANNA = readings.make_reading(readings.GOLDEN, {"WA": {"27": 0.2}}, width=300)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Photos are known by their file names; ``carl`` contradicts ``anna``; any other name shows no board."""

    def read(photo: Photo, *_: object) -> Reading:
        name = Path(photo.name).stem.partition("-")[0]
        if name not in ("anna", "carl"):
            raise BoardNotFound(f"{photo.name}: no known board in this picture.", "Take it from above.")
        return replace(ANNA, photo=photo)

    monkeypatch.setattr("ontour_cv.scorer.score.read_board", read)
    monkeypatch.setattr("ontour_cv.scorer.score.mark_reader", lambda: None)
    monkeypatch.setattr("ontour_cv.scorer.several.combine", lambda found, _: found[0])
    monkeypatch.setattr(
        "ontour_cv.scorer.several.another_board",
        lambda one, other: ("carl" in one.photo.name) != ("carl" in other.photo.name),
    )
    monkeypatch.setattr("ontour_cv.scorer.score.load_editions", lambda _: (readings.edition(),))
    monkeypatch.chdir(tmp_path)
    for name in ("anna-left", "anna-right", "carl", "desk"):
        cv2.imwrite(f"{name}.jpg", np.full((120, 160, 3), 90, np.uint8))
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["score", *arguments])
    return (end.value.code, *capsys.readouterr())


def test_photos_of_one_board_give_one_score(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "anna-left.jpg", "anna-right.jpg", "desk.jpg", "--same-board")
    assert code == 0
    assert out.count("30 points") == 1
    assert "anna-right.jpg: read together" in out
    assert "desk.jpg: left out: no known board in this picture." in out
    assert "Ranking" not in out
    assert "one more photo from nearer" in " ".join(out.split())


def test_the_json_tells_what_became_of_each_photo(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "anna-left.jpg", "none.jpg", "anna-right.jpg", "carl.jpg", "--same-board", "--json")
    (made,) = json.loads(out)
    assert code == 0
    assert [(use["photo"], use["used"], use.get("error", {}).get("code")) for use in made["photos"]] == [
        ("anna-left.jpg", True, None),
        ("none.jpg", False, "bad-photo"),
        ("anna-right.jpg", True, None),
        ("carl.jpg", False, "usage"),
    ]


def test_photos_of_two_boards_are_not_mixed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "anna-left.jpg", "carl.jpg", "--same-board")
    assert (code, out) == (2, "")
    assert "anna-left.jpg and carl.jpg show different boards" in err


def test_when_no_photo_can_be_used_the_first_one_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "desk.jpg", "none.jpg", "--same-board")[0] == 3
    code, out, _ = run(capsys, "none.jpg", "desk.jpg", "--same-board", "--json")
    assert (code, json.loads(out)[0]["error"]["code"]) == (4, "bad-photo")


def test_a_correction_and_an_overlay_belong_to_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["anna-left.jpg", "anna-right.jpg", "--same-board"]
    assert run(capsys, *given, "--overlay", "out.png")[0] == 0
    assert Path("out.png").is_file()
    assert run(capsys, *given, "--overlay", "anna-right.jpg")[0] == 2, "no photo is written over"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--same-board"],
        ["anna-left.jpg", "--camera", "0"],
        ["--camera", "0", "--same-board"],
        ["anna-left.jpg", "--save-photo", "got.jpg"],
        ["--camera", "0", "--save-photo", "got.txt"],
        ["--camera", "0", "--save-photo", "none/got.jpg"],
        ["--camera", "0", "--timeout", "nan"],
        ["anna-left.jpg", "--timeout", "5"],
    ],
)
def test_words_that_do_not_fit_together(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert "Traceback" not in err


def test_no_camera_no_video_and_no_board_have_their_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    Path("frames").mkdir()
    cv2.imwrite("frames/1.png", np.full((240, 320, 3), 90, np.uint8))
    for source, expected in (("97", 4), ("none.mp4", 4), ("desk.jpg", 3), ("frames", 3)):
        code, _, err = run(capsys, "--camera", source)
        assert (source, code) == (source, expected)
        assert "Not scored" in err
        assert source != "frames" or "in 1 frame." in err


@pytest.mark.parametrize("words", [["--camera"], ["--camera", "--map", "usa"], ["--camera", "0"]])
def test_a_lone_camera_option_is_the_first_camera(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(number: int) -> None:
        raise BadPhoto(f"Camera {number} cannot be opened.", "Plug it in.")

    monkeypatch.setattr("ontour_cv.camera.frames._open_camera", refused)
    code, _, err = run(capsys, *words)
    assert code == 4
    assert "Camera 0 cannot be opened" in err


def test_ctrl_c_ends_quietly(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ontour_cv.camera.watch.look_at", interrupted)
    monkeypatch.setattr("ontour_cv.camera.watch.watch", interrupted)
    code, out, err = run(capsys, "--camera", ".")
    assert (code, out) == (130, "")
    assert err.endswith("Stopped.\n")


@pytest.mark.parametrize(("count", "told"), [(1, "1 frame"), (2, "2 frames")])
def test_a_picture_taken_before_all_was_well_says_what_was_wanted(
    count: int, told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = Photo("camera", np.zeros((4, 4, 3), np.uint8))
    monkeypatch.setattr("ontour_cv.camera.frames.open_frames", lambda _: iter(()))
    assert _catch("0", lambda *_: Caught((photo,), count, False, "hold still"), None) == (photo,)
    assert capsys.readouterr().err == f"Took the best of {told}; the last advice was: hold still.\n"


def test_a_photo_that_cannot_be_saved_costs_no_score(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    caught = Caught((Photo("anna", np.zeros((120, 160, 3), np.uint8)),), 1, True, "hold still")
    monkeypatch.setattr("ontour_cv.camera.frames.open_frames", lambda _: iter(()))
    monkeypatch.setattr("ontour_cv.camera.watch.watch", lambda *_: caught)
    Path("got.jpg").mkdir()
    code, out, err = run(capsys, "--camera", "0", "--save-photo", "got.jpg")
    assert code == 4
    assert "30 points" in out
    assert "Choose another place for --save-photo.\n" in err
    assert run(capsys, "--camera", "0", "--save-photo", "new.png")[0] == 0
    assert cv2.imread("new.png").shape == (120, 160, 3)
