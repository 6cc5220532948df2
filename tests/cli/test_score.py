"""``ontour-cv score``: options, output, exit codes. What is read is made up; files and everything behind are real."""

from __future__ import annotations

import shutil
import struct
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
import readings
from calls import Run, grey_photos

from ontour_cv.errors import BoardNotFound
from ontour_cv.vision.drawn import DrawnTour
from ontour_cv.vision.photo import Photo

BOARDS = {
    "anna": (readings.GOLDEN, {"WA": {"27": 0.2}, "MC": {"16": 0.3}}),
    "bert": (readings.GOLDEN.replace("NV=31", "NV=30"), {}),
    "carl": (readings.GOLDEN, {}),
}


@pytest.fixture(autouse=True)
def made_up_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Photos are known by their file names; any other name shows no board."""

    def read(photo: Photo, *_: object) -> object:
        name = Path(photo.name).stem.partition("-")[0]
        if name not in BOARDS:
            raise BoardNotFound(f"No board was found in {photo.name}.", "Take it from above.")
        return readings.make_reading(*BOARDS[name], width=300)

    monkeypatch.setattr("ontour_cv.scorer.score.read_board", read)
    monkeypatch.setattr("ontour_cv.scorer.score.mark_reader", lambda: None)
    monkeypatch.setattr("ontour_cv.scorer.score.load_editions", lambda _: (readings.edition(),))
    monkeypatch.setattr("ontour_cv.scorer.score.decode", lambda *_: readings.make_reading(*BOARDS["anna"]).decoded)
    monkeypatch.setattr("ontour_cv.scorer.score.pin_scores", lambda *_: None)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    grey_photos(tmp_path, *BOARDS, "desk")
    return tmp_path


def test_one_photo_gives_total_route_and_doubts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "anna.jpg")
    assert run.code == 0
    assert "30 points = 23 states + 7 circles  (29 to 30, until WA is answered)" in run.out
    assert "SD *o → MN 12 → ND 13" in run.out
    assert "WA=21o or WA=27" in run.out
    assert "Ranking" not in run.out
    assert "\x1b" not in run.out + run.err, "plain where nobody looks"


def test_the_drawn_tour_is_told_beside_the_best(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And changes nothing else; without --drawn nobody looks for one."""
    monkeypatch.setattr("ontour_cv.scorer.drawn.link_reader", lambda: None)
    tour = DrawnTour(True, ("NV", "OR", "WA"), 9.0)
    monkeypatch.setattr("ontour_cv.scorer.drawn.read_drawn", lambda *_: tour)
    told = Run(capsys, "carl.jpg", "--drawn")
    assert "You drew 4, the best is 30: " in told.out
    assert (
        told.out.replace(next(line for line in told.out.splitlines() if "You drew" in line) + "\n", "")
        == (plain := Run(capsys, "carl.jpg")).out
    )
    assert "You drew" not in plain.out
    (with_tour,), (without,) = (Run(capsys, "carl.jpg", "--json", *more).documents for more in (["--drawn"], []))
    assert with_tour.pop("drawn")["route"] == ["WA", "OR", "NV"]
    assert with_tour.pop("written") == {"read": False, "visited": None, "circles": None, "total": None, "text": ""}
    assert {"drawn", "written"} <= with_tour.pop("timings_ms").keys()
    del without["timings_ms"]
    assert with_tour == without


def test_somebody_who_asks_for_the_drawn_tour_is_told_when_none_was_read(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ontour_cv.scorer.drawn.link_reader", lambda: None)
    monkeypatch.setattr("ontour_cv.scorer.drawn.read_drawn", lambda *_: DrawnTour(True, (), 9.0))
    assert "No drawn tour was read." in Run(capsys, "carl.jpg", "--drawn").out
    assert "drawn tour" not in Run(capsys, "carl.jpg").out


def test_tours_are_not_read_where_there_are_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "anna.jpg", "--drawn", "--map", "rolling-america")
    assert run.code == 2
    assert "tours drawn on" in run.err


def test_problems_are_told_in_plain_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "bert.jpg")
    assert run.code == 0
    assert "Problems" in run.out
    assert "NV 30 has no 03" in run.out


def test_several_photos_make_a_ranking_with_ties(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "bert.jpg", "carl.jpg", "anna.jpg")
    places = [line.split()[:2] for line in run.out[run.out.index("Ranking") :].splitlines()[2:5]]
    assert run.code == 0
    assert places == [["1=", "bert.jpg"], ["1=", "carl.jpg"], ["1=", "anna.jpg"]]


def test_a_photo_named_twice_is_one_photo(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Twice it would be another board of its game, and settle its own doubts."""
    (folder / "anna-too.jpg").symlink_to(folder / "anna.jpg")
    run = Run(capsys, "bert.jpg", "anna.jpg", "./bert.jpg", "anna-too.jpg", "--json")
    assert run.code == 0
    assert [Path(document["photo"]).name for document in run.documents] == ["bert.jpg", "anna.jpg"]
    assert "Ranking" not in Run(capsys, "anna.jpg", "anna.jpg").out


def test_one_bad_photo_does_not_stop_the_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "desk.jpg", "none.jpg", "carl.jpg", "--json")
    assert run.code == 3, "that of the first photo that failed"
    assert [outcome.get("error", {}).get("code") for outcome in run.documents] == ["no-board", "bad-photo", None]
    assert run.documents[2]["score"]["total"] == 30
    run = Run(capsys, "none.jpg", "desk.jpg", "carl.jpg")
    assert run.code == 4
    assert "30 points" in run.out
    assert "Not scored: none.jpg" in run.err
    assert "Traceback" not in run.err


def _png(width: int, height: int, colour_type: int, depth: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.jpg", b""),
        ("text.jpg", b"this is no picture at all\n" * 20),
        ("cut.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF"),
        ("dot.png", cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1].tobytes()),
        ("hollow.png", _png(4000, 3000, 2, 8)),
        ("huge.png", _png(60_000, 60_000, 6, 16)),
    ],
)
def test_bad_files_are_refused_in_plain_words(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes
) -> None:
    Path(name).write_bytes(data)
    run = Run(capsys, name)
    assert run.code == 4
    assert name in run.err
    assert "Traceback" not in run.err
    assert run.out == ""


def test_a_correction_changes_the_score(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "anna.jpg", "--set", "WA=27", "--set", "mc=16", "--json")
    assert run.code == 0
    (made,) = run.documents
    assert made["regions"]["WA"] == {"mark": "27", "circled": False, "confidence": 1.0, "alternatives": []}
    assert (made["score"]["total"], made["score_range"], made["uncertain"]) == (29, [29, 29], [])


def test_with_several_photos_a_correction_names_its_photo(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "anna.jpg", "carl.jpg", "--set", "anna.jpg:WA=27", "--set", "carl:MC=11", "--json")
    assert run.code == 0
    assert [outcome["score"]["total"] for outcome in run.documents] == [29, 30]
    assert run.documents[1]["regions"]["MC"]["mark"] == "11"
    run = Run(capsys, "anna.jpg", "carl.jpg", "--set", "WA=27")
    assert run.code == 2
    assert "--set anna.jpg:WA=27" in run.err
    assert Run(capsys, "anna.jpg", "--set", "dora:WA=27").code == 2


@pytest.mark.parametrize("text", ["WA=101", "WA", "WA=#", "ZZ=31", "=", ""])
def test_a_correction_that_makes_no_sense_is_bad_board_text(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    run = Run(capsys, "anna.jpg", "--set", text)
    assert run.code == 5
    assert "Traceback" not in run.err


def test_a_state_corrected_by_its_name_is_told_its_letters(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "anna.jpg", "--set", "Wyoming=84")
    assert run.code == 5
    assert "'WYOMING'; did you mean WY?" in run.err


@pytest.mark.skipif(sys.platform == "win32", reason="no file can be called so")
def test_a_files_name_cannot_steer_the_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["anna-\x1b[31m.jpg", "bert-\n2.jpg", "desk-\x1b[2J.jpg"]
    for name in names:
        shutil.copy("desk.jpg", name)
    run = Run(capsys, *names)
    assert "\x1b" not in run.out + run.err
    for told in ("anna-?[31m.jpg", "bert-?2.jpg", "desk-?[2J.jpg"):
        assert told in run.out[run.out.index("Ranking") :]
    assert "Not scored: No board was found in desk-?[2J.jpg." in run.err
    assert [one["photo"] for one in Run(capsys, *names, "--json").documents] == names, "programs get them as they are"


def test_unknown_rules_and_maps(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "anna.jpg", "--rules", "house")
    assert run.code == 2
    assert "rulebook" in run.err
    run = Run(capsys, "anna.jpg", "--map", "mars")
    assert run.code == 5
    assert "usa" in run.err
    assert Run(capsys, "anna.jpg", "--rules", "bga", "--json").documents[0]["rules"] == "bga"


def test_no_photo_at_all_is_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys).code == 2


def test_the_overlay_of_one_photo_goes_to_the_file_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "anna.jpg", "--overlay", "new/folder/drawn.png")
    assert run.code == 0
    drawn = cv2.imread("new/folder/drawn.png")
    assert drawn is not None
    assert "drawn.png" in run.err


def test_overlays_of_several_photos_go_to_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("other").mkdir()
    Path("other/anna.jpg").write_bytes(Path("anna.jpg").read_bytes())
    run = Run(capsys, "anna.jpg", "other/anna.jpg", "desk.jpg", "--overlay", "drawn")
    assert run.code == 3
    assert sorted(path.name for path in Path("drawn").iterdir()) == ["anna-route-2.jpg", "anna-route.jpg"]


def test_an_overlay_never_replaces_a_photo(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("anna.jpg").read_bytes()
    Path("link.jpg").hardlink_to("anna.jpg")
    for target in ("anna.jpg", "./anna.jpg", "link.jpg", str(folder / "anna.jpg")):
        run = Run(capsys, "anna.jpg", "--overlay", target)
        assert run.code == 2
        assert "write over" in run.err
    Path("anna-route.jpg").write_bytes(before)
    assert Run(capsys, "anna.jpg", "anna-route.jpg", "--overlay", ".").code == 0
    assert Path("anna.jpg").read_bytes() == Path("anna-route.jpg").read_bytes() == before
    assert Path("anna-route-2.jpg").is_file()
    assert Path("anna-route-route.jpg").is_file()


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_the_score_is_told_when_only_its_overlay_cannot_be_written(
    words: tuple[str, ...],
    there: bool,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A full disk: the exit code says that something is missing, and what was there stays."""

    def fail(path: Path, data: bytes) -> int:
        path.touch()
        raise OSError(28, "No space left on device")

    target = folder / "drawn.png"
    if there:
        target.write_bytes(b"older")
    monkeypatch.setattr(Path, "write_bytes", fail)
    run = Run(capsys, "anna.jpg", "--overlay", "drawn.png", *words)
    assert run.code == 4
    assert "Error: drawn.png cannot be written: No space left on device" in run.err
    assert "Overlay:" not in run.err
    if words:
        assert run.documents[0]["score"]["total"] == 30
    else:
        assert "30 points" in run.out
    assert (target.read_bytes() if target.exists() else None) == (b"older" if there else None)
    assert not list(folder.glob("*.part"))
    assert Run(capsys, "desk.jpg", "--overlay", "drawn.png").code == 3, "what was not scored counts more"


def test_an_overlay_that_cannot_be_written_is_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("in the way")
    for target in ("file", "file/drawn.jpg", "file/folder", "drawn.tiff", "drawn.txt", "drawn.html"):
        run = Run(capsys, "anna.jpg", "--overlay", target)
        assert run.code == 2, target
        assert "Traceback" not in run.err
        assert target == "file" or not Path(target).exists()
    assert Run(capsys, "anna.jpg", "carl.jpg", "--overlay", "one.png").code == 2
    assert Run(capsys, "anna.jpg", "--overlay", "drawn.v2").code == 0, "a folder may be called so"
