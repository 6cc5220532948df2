"""ontour-cv calibrate: an edition measured from a drawn blank board, what it asks, and what it refuses."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import typer
from sheets import Sheet, pose, shoot

from ontour_cv import cli, resources
from ontour_cv.calibrate import labels as labels_module
from ontour_cv.calibrate import settle as settle_module
from ontour_cv.calibrate.settle import parse_assignments
from ontour_cv.errors import UsageError
from ontour_cv.maps.load import load_editions, load_map, read_edition
from ontour_cv.vision.fits import fit_robust

cv2.setNumThreads(1)

USA = load_map("usa")
MOVED = {"CO": (0.012, -0.006), "OK": (-0.009, 0.015)}
SIZE = (2000, 1400)
LABELS = {region.id: region.label for region in USA.regions}


def blank(labels: dict[str, str] = LABELS, radius: float = 0.021) -> Sheet:
    """A blank board like the rough layout, finer placed, with two discs elsewhere."""
    rng = np.random.default_rng(4)
    cells = {}
    for region in USA.regions:
        fine = rng.uniform(-0.004, 0.004, 2) + MOVED.get(region.id, (0.0, 0.0))
        cells[region.id] = (region.layout[0] + fine[0], region.layout[1] + fine[1])
    return Sheet(cells, radius, width=1800, marks=False, labels=labels, disc=(225, 240, 245))


def save(sheet: Sheet, path: Path) -> np.ndarray:
    """The blank board's photo into ``path``; its true disc centres."""
    photo, centres, _ = shoot(sheet, pose(sheet, SIZE, 8, 70, 3), SIZE)
    cv2.imwrite(str(path), photo)
    return centres


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            cli.main([str(one) for one in ("calibrate", *arguments)])
        output = capsys.readouterr()
        return int(leaving.value.code or 0), output.out, " ".join(output.err.split())

    return call


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    save(blank(), tmp_path / "blank.png")
    return tmp_path / "blank.png"


def reads(monkeypatch: pytest.MonkeyPatch, wrong: dict[str, str | None]) -> None:
    """Labels are read without Tesseract: rightly, but for ``wrong``. They are asked for in the map's order."""
    answers = iter([wrong.get(region.id, region.label) for region in USA.regions])
    monkeypatch.setattr(settle_module, "read_label", lambda *_: next(answers))


def test_an_edition_is_measured_with_tesseract(tmp_path: Path, run: Any) -> None:
    """The whole command: most labels are read, every disc lies where it was drawn, the report is a picture."""
    path = tmp_path / "blank.png"
    sheet = blank()
    save(sheet, path)
    report = tmp_path / "report.png"
    options = ("--map", "usa", "--name", "mine", "--title", "My board", "--output", tmp_path, "--report", report)
    code, out, err = run(path, *options)
    assert (code, err) == (0, "")
    assert "usa-mine.json" in out
    edition = read_edition(tmp_path / "usa-mine.json", USA)
    assert edition.title == "My board"
    assert int(edition.measured.split("discs: ")[1].split()[0]) >= 28, "labels read"
    assert edition.radius == pytest.approx(0.021, abs=0.001)
    truth, found = np.array(list(sheet.cells.values())), np.array(list(edition.cells.values()))
    matrix = fit_robust(truth, found, np.ones(41), rounds=1)
    assert matrix is not None
    mapped = np.column_stack([truth, np.ones(41)]) @ matrix.T
    assert np.hypot(*(mapped[:, :2] / mapped[:, 2:] - found).T).max() < 0.06 * 0.021
    # All editions lie in the frame of the rough layout, moved discs apart.
    off = np.hypot(*(found - [region.layout for region in USA.regions]).T)
    assert np.median(off) < 0.005
    assert off[[USA.ids.index(region) for region in MOVED]].min() > 0.01
    picture = cv2.imread(str(report))
    assert picture is not None
    assert picture.shape[1] == 1800


def test_the_file_says_how_it_was_measured(
    tmp_path: Path, photo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch, {"WY": None})
    assert run(photo, "--map", "usa", "--name", "mine", "--output", tmp_path)[0] == 0
    data = json.loads((tmp_path / "usa-mine.json").read_text(encoding="utf-8"))
    assert data["version"] == 1
    assert list(data["cells"]) == list(USA.ids)
    assert data["measured"].endswith("41 discs: 40 by label read, 1 by layout")
    assert 0 < data["residuals"]["median"] < data["residuals"]["largest"] < 1.2


def test_a_label_of_another_region_is_asked_about(
    tmp_path: Path, photo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a terminal: the question with a proposal, and nothing is written."""
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    reads(monkeypatch, {"WY": "MT"})
    code, _, err = run(photo, "--map", "usa", "--name", "mine", "--output", tmp_path)
    assert code == 2
    assert "WY: the label reads MT" in err
    assert "--assign WY=" in err
    assert not (tmp_path / "usa-mine.json").exists()


def test_an_assigned_disc_is_settled_and_snaps_to_its_own(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "blank.png"
    centres = save(blank(), path)
    x, y = centres[USA.ids.index("WY")]
    results = []
    for dx, dy in ((0, 0), (9, -7)):
        reads(monkeypatch, {"WY": "MT"})
        name = f"near{dx}"
        assign = f"WY={x + dx:.0f},{y + dy:.0f}"
        assert run(path, "--map", "usa", "--name", name, "--output", tmp_path, "--assign", assign)[0] == 0
        results.append(read_edition(tmp_path / f"usa-{name}.json", USA).cells["WY"])
    assert results[0] == pytest.approx(results[1], abs=0.05 * 0.021)


def test_at_a_terminal_it_is_asked_and_the_proposal_can_be_taken(
    tmp_path: Path, photo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def prompt(question: str, default: str) -> str:
        asked.append(question)
        return default

    monkeypatch.setattr(typer, "prompt", prompt)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    reads(monkeypatch, {"WY": "MT"})
    assert run(photo, "--map", "usa", "--name", "mine", "--output", tmp_path)[0] == 0
    assert len(asked) == 1
    assert "Wyoming" in asked[0]


def test_a_slip_in_an_answer_is_told_and_asked_about_again(
    tmp_path: Path, photo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended the command, and the answers before it were lost."""
    asked = []

    def prompt(question: str, default: str) -> str:
        asked.append(question.split(" (")[0])
        return {2: "232 149", 3: "9000,9000"}.get(len(asked), default)

    monkeypatch.setattr(typer, "prompt", prompt)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    reads(monkeypatch, {"OK": "TX", "WY": "MT"})
    code, out, err = run(photo, "--map", "usa", "--name", "mine", "--output", tmp_path)
    assert (code, err) == (0, "")
    assert len(asked) == 4
    assert len(set(asked[1:])) == 1 != len(set(asked))
    assert "is no assignment" in out
    assert "lies outside the photo" in out
    assert (tmp_path / "usa-mine.json").exists()


def test_a_report_that_cannot_be_written_costs_no_edition(
    tmp_path: Path, photo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch, {})
    report = tmp_path / "none" / "report.png"
    code, out, err = run(photo, "--map", "usa", "--name", "mine", "--output", tmp_path, "--report", report)
    assert code == 4
    assert "there is no folder" in err
    assert "usa-mine.json" in out
    assert (tmp_path / "usa-mine.json").exists()
    wrong = ("--map", "usa", "--name", "bad", "--output", tmp_path, "--report", report, "--assign", "IN=100,100")
    reads(monkeypatch, {})
    code, _, err = run(photo, *wrong)
    assert code == 2
    assert "IN lies" in err
    assert "there is no folder" in err


def test_a_report_is_not_drawn_over_the_photo(photo: Path, run: Any) -> None:
    before = photo.read_bytes()
    code, _, err = run(photo, "--map", "usa", "--name", "mine", "--report", photo)
    assert code == 2
    assert "over the photo" in err
    assert photo.read_bytes() == before


@pytest.mark.parametrize("title", ["My\nboard", "My \x1b[31mboard", "My\u2028board"])
def test_a_title_that_cannot_be_printed_is_refused_before_anything_is_measured(
    title: str, photo: Path, tmp_path: Path, run: Any
) -> None:
    code, _, err = run(photo, "--map", "usa", "--name", "mine", "--title", title, "--output", tmp_path)
    assert code == 2
    assert "--title" in err and "\x1b" not in err
    assert not list(tmp_path.glob("*.json"))


def test_a_board_of_another_map_is_refused(
    photo: Path, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The discs fit but the labels do not."""
    reads(monkeypatch, {region: USA.regions[k - 7].label for k, region in enumerate(USA.ids)})
    code, _, err = run(photo, "--map", "usa", "--name", "mine", "--output", tmp_path)
    assert code == 3
    assert "labels" in err


def test_without_tesseract_it_says_what_to_install(
    photo: Path, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pytesseract

    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", "/nowhere/tesseract")
    code, _, err = run(photo, "--map", "usa", "--name", "mine", "--output", tmp_path)
    assert code == 2
    assert "apt install tesseract-ocr" in err


@pytest.mark.parametrize("text", ["WA", "WA=", "WA=1", "WA=1,2,3", "WA=x,y", "=1,2", "ZZ=1,2", "wa=1,2"])
def test_an_assignment_that_does_not_parse_is_quoted(text: str) -> None:
    with pytest.raises(UsageError) as refusal:
        parse_assignments([text], USA)
    assert repr(text) in refusal.value.message or repr(text.split("=")[0]) in refusal.value.message


def test_a_disc_that_is_assigned_twice_is_refused() -> None:
    """Of two places the last one counted, without a word."""
    with pytest.raises(UsageError, match="WA is assigned twice"):
        parse_assignments(["WA=1,2", "OR=3,4", "WA=5,6"], USA)


@pytest.mark.parametrize("text", ["WA=nan,5", "WA=5,inf", "WA=-inf,5"])
def test_a_place_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no place"):
        parse_assignments([text], USA)


@pytest.mark.parametrize("place", ["810,3560", "-1,20", "2000,20"])
def test_a_place_outside_the_photo_is_refused_before_the_discs_are_looked_for(
    place: str, tmp_path: Path, photo: Path, run: Any
) -> None:
    code, _, err = run(photo, "--map", "usa", "--name", "mine", "--output", tmp_path, "--assign", f"IN={place}")
    assert code == 2
    assert f"IN={place} lies outside the photo, which has 2000 x 1400 pixels" in err
    assert not (tmp_path / "usa-mine.json").exists()


def test_what_score_would_refuse_is_not_written_but_drawn(
    tmp_path: Path, photo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch, {})
    report = tmp_path / "report.png"
    options = ("--map", "usa", "--name", "mine", "--output", tmp_path, "--report", report, "--assign", "IN=100,100")
    code, out, err = run(photo, *options)
    assert (code, out) == (2, "")
    assert "IN lies" in err
    assert "--assign" in err
    assert not (tmp_path / "usa-mine.json").exists()
    assert report.exists()


def test_without_a_folder_the_first_of_the_players_own_is_taken(
    tmp_path: Path, photo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the program looks for editions, too: what was calibrated is known at once."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(resources.MAPS_VARIABLE, raising=False)
    for name in ("users", "listed"):
        reads(monkeypatch, {})
        assert run(photo, "--map", "usa", "--name", name)[0] == 0
        assert name in [edition.name for edition in load_editions("usa")]
        assert (resources.own_maps_dir() / f"usa-{name}.json").exists()
        monkeypatch.setenv(resources.MAPS_VARIABLE, str(tmp_path / "listed"))
    assert not (resources.calibration_dir() / "usa-users.json").exists()


def test_a_name_that_is_taken_is_refused_until_it_is_to_be_replaced(
    tmp_path: Path, photo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a file is written over nor an edition that comes with the program hidden."""
    options = ("--map", "usa", "--output", tmp_path)
    code, _, err = run("nothing.jpg", "--name", "2019", *options)
    assert code == 2
    assert "an edition '2019' already" in err
    mine = tmp_path / "usa-mine.json"
    mine.write_text("kept", encoding="utf-8")
    code, _, err = run("nothing.jpg", "--name", "mine", *options)
    assert (code, mine.read_text(encoding="utf-8")) == (2, "kept")
    assert "--replace" in err
    reads(monkeypatch, {})
    assert run(photo, "--name", "mine", "--replace", *options)[0] == 0
    assert read_edition(mine, USA).name == "mine"


def test_a_sheet_needs_no_calibration(run: Any) -> None:
    code, _, err = run("nothing.jpg", "--map", "rolling-america", "--name", "mine")
    assert code == 2
    assert "score --map rolling-america" in err


def test_a_board_of_new_york_may_be_calibrated(run: Any) -> None:
    """As docs/cities.md has it: its discs are like others."""
    code, _, err = run("nothing.jpg", "--map", "new-york-home", "--name", "mine", "--output", ".")
    assert code == 4
    assert "nothing.jpg" in err


@pytest.mark.parametrize("option", ["--report", "--output"])
def test_a_folder_that_is_missing_leaves_with_four(
    option: str, tmp_path: Path, photo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads(monkeypatch, {})
    options = {"--output": tmp_path} | {option: tmp_path / "none" / "there"}
    words = [word for pair in options.items() for word in pair]
    code, _, err = run(photo, "--map", "usa", "--name", "mine", *words)
    assert code == 4
    assert option in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--name", "My Board"), "My Board"),
        (("--name", "mine", "--output", "no-such-folder"), "no-such-folder"),
        (("--name", "mine", "--map", "atlantis"), "atlantis"),
    ],
)
def test_wrong_options_are_refused_before_the_photo_is_read(options: tuple[str, ...], words: str, run: Any) -> None:
    code, _, err = run("nothing.jpg", *(() if "--map" in options else ("--map", "usa")), *options)
    assert code in (2, 4, 5)
    assert words in err


def test_labels_are_read_in_discs_much_smaller_than_those_of_the_published_boards(tmp_path: Path, run: Any) -> None:
    """A map of one's own may have small discs: looked at too wide, a label stands among its ring and cannot be read."""
    save(blank(radius=0.013), tmp_path / "blank.png")
    code, _, err = run(tmp_path / "blank.png", "--map", "usa", "--name", "small", "--output", tmp_path)
    assert (code, err) == (0, "")
    edition = read_edition(tmp_path / "usa-small.json", USA)
    assert int(edition.measured.split(" by label read")[0].split()[-1]) >= 30
    assert edition.radius == pytest.approx(0.013, rel=0.08)


def test_when_no_label_can_be_read_that_is_said(photo: Path, tmp_path: Path, run: Any, monkeypatch: Any) -> None:
    """It said that the labels are those of another map, "0 of 0 agree"."""
    reads(monkeypatch, dict.fromkeys(USA.ids))
    code, _, err = run(photo, "--map", "usa", "--name", "none", "--output", tmp_path)
    assert code == 3
    assert "none of the printed labels could be read" in err
    assert "not those" not in err


def test_figures_and_small_letters_of_a_maps_own_labels_are_looked_for() -> None:
    """19e could never be read; a map of capitals is read as before."""
    assert labels_module._characters(["19e", "1er", ""]) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ19er"
    assert labels_module._characters(LABELS.values()) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
