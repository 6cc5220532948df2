"""python -m ontour_cv.train: what it is told is checked before anything is painted."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from ontour_cv.train.__main__ import main


def test_checkpoints_are_one_for_all_members_or_one_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "--out", str(tmp_path / "run"), "--members", "2", "--start", "a.pt", "b.pt", "c.pt"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit):
        main()
    assert "3 checkpoints for 2 members" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
