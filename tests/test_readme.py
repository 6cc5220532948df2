"""What the README shows is what the program prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ontour_cv.cli import main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ ontour-cv ([^\n]+)\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_examples_print_what_is_shown(command: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every console example of the README, run as it stands."""
    try:
        main(shlex.split(command))
    except SystemExit as leave:
        assert not leave.code
    text = capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ")
    printed = [line.rstrip() for line in text.strip().splitlines()]
    assert printed == [line.rstrip() for line in shown.strip().splitlines()]


def test_there_are_examples() -> None:
    """The pattern above still finds them."""
    assert len(EXAMPLES) >= 2


def test_every_link_leads_somewhere() -> None:
    """Relative links and pictures of the README exist."""
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
