"""``ontour-cv print`` on the command line: sheets are ordered as such, and what does not fit them is refused."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from typer.testing import CliRunner

from ontour_cv import resources
from ontour_cv.cli.app import app
from ontour_cv.errors import BadTemplate, NotWritten, UsageError


def order(*words: str) -> int:
    return CliRunner().invoke(app, ["print", *words], catch_exceptions=False).exit_code


@pytest.mark.parametrize(("wish", "upright"), [((), True), (("--per-page", "1"), False)])
def test_sheets_are_written_two_on_an_upright_page_or_one_on_its_side(
    tmp_path: Path, wish: tuple[str, ...], upright: bool
) -> None:
    path = tmp_path / "sheets.pdf"
    assert order("rolling-america", *wish, "-o", str(path)) == 0
    document = pypdfium2.PdfDocument(path.read_bytes())
    assert len(document) == 1
    width, height = document[0].get_size()
    assert (height > width) == upright
    assert document[0].get_textpage().get_text_bounded().count("Number of Xs") == 1 + upright


@pytest.mark.parametrize(
    "words",
    [
        ("rolling-america", "--per-page", "3"),
        ("rolling-america", "--calibration", "."),
        ("rolling-america", "--tiled"),
        ("rolling-america", "--cards"),
        ("usa", "--per-page", "1"),
    ],
    ids=" ".join,
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "sheets.pdf"
    with pytest.raises(UsageError):
        order(*words, "-o", str(path))
    assert not path.exists()


def test_a_paper_is_known_in_small_letters_or_large(tmp_path: Path) -> None:
    for paper in ("A3", "a3", "Letter"):
        assert order("rolling-america", "--paper", paper, "-o", str(tmp_path / f"{paper}.pdf")) == 0
    with pytest.raises(UsageError, match="A5"):
        order("rolling-america", "--paper", "A5", "-o", str(tmp_path / "sheets.pdf"))


@pytest.mark.parametrize("name", ["", "-", "board", "board.png", "board.pdf.txt"])
def test_only_a_pdf_is_written(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"PDF|names no file"):
        order("usa", "-o", name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("there", "goes"), [(b"WA=21o", False), (b"%PDF-1.4 of yesterday", True), (b"", True)])
def test_only_a_pdf_is_written_over(there: bytes, goes: bool, tmp_path: Path) -> None:
    path = tmp_path / "board.PDF"
    path.write_bytes(there)
    if goes:
        assert order("rolling-america", "-o", str(path)) == 0
        assert len(pypdfium2.PdfDocument(path.read_bytes())) == 1
    else:
        with pytest.raises(UsageError, match="no PDF"):
            order("rolling-america", "-o", str(path))
        assert path.read_bytes() == there
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_missing_is_told_with_the_option_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(NotWritten) as refusal:
        order("rolling-america", "-o", str(tmp_path / "none" / "sheets.pdf"))
    assert "-o" in refusal.value.remedy
    with pytest.raises(NotWritten) as refusal:
        order("usa", "-o", str(tmp_path / "usa.pdf"), "--calibration", str(tmp_path / "none"))
    assert "--calibration" in refusal.value.remedy


@pytest.mark.parametrize("far", ["0.101, 0.1", "900.0, 0.1"], ids=["too near", "not in board widths"])
def test_a_layout_whose_calibration_no_command_takes_is_told_before_anything_is_written(
    far: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'id = "pair"\ntitle = "Pair"\npublished = false\nrules = "rulebook"\nareas = ["North"]\n'
    text += "[printed]\nregions = 2\nlinks = 1\ncards = 0\n"
    for one, other, place in (("A", "B", "0.1, 0.1"), ("B", "A", far)):
        text += f'[[region]]\nid = "{one}"\nname = "{one}"\nlabel = "{one}"\nareas = ["North"]\n'
        text += f'neighbours = ["{other}"]\nlayout = [{place}]\n'
    (tmp_path / "pair.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv(resources.MAPS_VARIABLE, str(tmp_path))
    with pytest.raises(BadTemplate, match="layout") as refusal:
        order("pair", "-o", str(tmp_path / "pair.pdf"), "--calibration", str(tmp_path))
    assert "pair.toml" in refusal.value.remedy
    assert [path.name for path in tmp_path.iterdir()] == ["pair.toml"]


def test_a_calibration_of_another_board_is_replaced_only_when_told_to(tmp_path: Path) -> None:
    pdf, there = tmp_path / "usa.pdf", tmp_path / "usa-own.json"
    wish = ("usa", "-o", str(pdf), "--calibration", str(tmp_path))
    there.write_text("another board's")
    with pytest.raises(UsageError, match=r"usa-own\.json") as refusal:
        order(*wish)
    assert "--replace" in refusal.value.remedy
    assert (there.read_text(), pdf.exists()) == ("another board's", False)
    assert order(*wish, "--replace") == 0
    assert there.read_bytes() == (resources.calibration_dir() / "usa-own.json").read_bytes()
    assert order(*wish) == 0  # the same again
    with pytest.raises(UsageError, match="--replace"):
        order("usa", "-o", str(pdf), "--replace")
