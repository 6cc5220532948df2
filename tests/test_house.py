"""The house's own rules: small modules, small functions, nothing heavy where it does not belong."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ontour_cv"
MODULES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES, MOST_FUNCTION_LINES = 300, 60


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_no_module_is_longer_than_300_lines() -> None:
    sizes = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES} == {}


def test_no_function_is_longer_than_60_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {function.name}"
        for path in MODULES
        for function in functions(path)
        if (function.end_lineno or 0) - function.lineno + 1 > MOST_FUNCTION_LINES
    ]
    assert long == []


@pytest.mark.parametrize(
    "module", ["board", "maps.load", "maps.check", "rules", "route", "referee", "dealer.play", "dealer.shelf"]
)
def test_the_game_runs_without_camera_or_numbers_library(module: str) -> None:
    code = (
        f"import sys, ontour_cv.{module}\n"
        "print([name for name in ('cv2', 'numpy', 'typer', 'rich', 'skimage', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_committed_files_name_no_package_index() -> None:
    address = re.compile(r"https?://\S*(simple|whl)\b|--(extra-)?index-url|--find-links")
    for name in ("pyproject.toml", "constraints.txt", "Makefile", ".ci/run"):
        assert not address.search((ROOT / name).read_text(encoding="utf-8")), name


def test_every_constraint_pins_one_public_version() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*", pin)] == []
