"""What is shipped works: the wheel, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from boards import GOLDEN

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(unpacked: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(unpacked)}
    command = [sys.executable, "-m", "ontour_cv", *arguments]
    return subprocess.run(
        command, cwd=unpacked, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=120
    )


def test_it_carries_the_maps_the_calibrations_and_the_models(unpacked: Path) -> None:
    def names(folder: Path, pattern: str) -> set[str]:
        return {path.name for path in folder.glob(pattern)}

    package = unpacked / "ontour_cv"
    assert names(package / "templates", "*.toml") == names(ROOT / "templates", "*.toml") != set()
    assert names(package / "templates" / "rules", "*.toml") == names(ROOT / "templates" / "rules", "*.toml") != set()
    assert names(package / "calibration", "*.json") == names(ROOT / "calibration", "*.json") != set()
    assert names(package / "models", "*") >= names(ROOT / "ontour_cv" / "models", "*.onnx") != set()
    assert (package / "py.typed").is_file()
    assert not list(unpacked.rglob("*.jpg"))


def test_its_own_copies_of_the_data_are_used(unpacked: Path) -> None:
    template = unpacked / "ontour_cv" / "templates" / "usa.toml"
    template.write_text(
        template.read_text(encoding="utf-8").replace('title = "USA"', 'title = "Unpacked"'), encoding="utf-8"
    )
    done = run(unpacked, "maps")
    assert done.returncode == 0, done.stderr
    assert "Unpacked" in done.stdout


def test_it_solves_a_board(unpacked: Path) -> None:
    done = run(unpacked, "solve", GOLDEN)
    assert done.stdout.startswith("30 points"), done.stderr
