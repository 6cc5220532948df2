"""What the documents say is what the program does."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_page_of_the_command_line_is_what_help_prints() -> None:
    """When this fails: python docs/make_cli.py."""
    spec = importlib.util.spec_from_file_location("make_cli", ROOT / "docs" / "make_cli.py")
    assert spec is not None
    assert spec.loader is not None
    make_cli = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_cli)
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == make_cli.page()
