"""Calls of the command line: what they printed and how they ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from ontour_cv.cli import main


class Run:
    """One call of ``ontour-cv score``."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        with pytest.raises(SystemExit) as end:
            main(["score", *arguments])
        self.code = end.value.code
        self.out, self.err = capsys.readouterr()

    @property
    def documents(self) -> list[dict[str, Any]]:
        """The objects of ``--json``."""
        made = json.loads(self.out)
        assert isinstance(made, list)
        return made


def grey_photos(folder: Path, *names: str) -> None:
    """Pictures that show nothing, known by their names."""
    for name in names:
        cv2.imwrite(str(folder / f"{name}.jpg"), np.full((120, 160, 3), 90, np.uint8))
