"""``ontour-cv print`` on the command line: sheets are ordered as such, and what does not fit them is refused."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from typer.testing import CliRunner

from ontour_cv.cli.app import app
from ontour_cv.errors import OnTourError


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
    with pytest.raises(OnTourError):
        order(*words, "-o", str(path))
    assert not path.exists()
