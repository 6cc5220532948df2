"""The two commands a newcomer types, as far as they can be tried without installing anything."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "--no-print-directory", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=60
    )


def test_make_alone_lists_what_can_be_made() -> None:
    done = make()
    assert done.returncode == 0
    assert all(f"make {target}" in done.stdout for target in ("score", "test", "lint", "bench", "train"))


def test_make_score_takes_ones_own_photo_with_blanks_in_its_name() -> None:
    done = make("--dry-run", "score", "PHOTO=my table.jpg", "ARGS=--json")
    assert '/bin/ontour-cv score "my table.jpg" --json' in done.stdout


def test_make_score_has_a_fixture_to_score_when_no_photo_is_named() -> None:
    assert "tests/fixtures/photos/" in make("--dry-run", "score").stdout


def test_make_test_lints_and_runs_the_suite() -> None:
    commands = make("--dry-run", "test").stdout
    assert all(tool in commands for tool in ("ruff check", "mypy", "lint-imports", "pytest", "tesseract"))


def test_make_without_a_python_says_what_is_needed(tmp_path: Path) -> None:
    done = make("score", "PYTHON=", f"VENV={tmp_path / 'venv'}")
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed" in done.stderr


def test_continuous_integration_runs_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text(encoding="utf-8")
