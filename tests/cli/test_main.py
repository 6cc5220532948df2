"""The edge: errors become a message, a remedy and an exit code; bugs stay visible; help comes at once."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from boards import GOLDEN

from ontour_cv import __version__, cli
from ontour_cv.cli import app as app_module
from ontour_cv.errors import (
    BadBoard,
    BadPhoto,
    BadTemplate,
    BoardNotFound,
    MissingTool,
    NotWritten,
    OnTourError,
    OutOfReach,
    UsageError,
)


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ontour_cv", *arguments]
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False, timeout=60)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("m", "r"), 2),
        (MissingTool("m", "r"), 2),
        (BoardNotFound("m", "r"), 3),
        (BadPhoto("m", "r"), 4),
        (NotWritten("m", "r"), 4),
        (BadBoard("m", "r"), 5),
        (BadTemplate("m", "r"), 5),
    ],
)
def test_every_expected_error_leaves_with_its_code_message_and_remedy(
    error: OnTourError, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(app_module, "app", fail)
    with pytest.raises(SystemExit) as leaving:
        cli.main([])
    assert leaving.value.code == code
    assert capsys.readouterr().err == "Error: m\nr\n"


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(app_module, "app", fail)
    with pytest.raises(ZeroDivisionError):
        cli.main([])


def test_the_module_runs_as_a_program_and_tells_its_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"ontour-cv {__version__}\n", "")


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENAMETOOLONG, errno.ELOOP])
def test_a_file_that_cannot_even_be_asked_for_is_told(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder somebody else closed, a name nothing can have, a link in a ring: no traceback, wherever it comes up."""

    def fail(**_: object) -> None:
        raise OSError(number, os.strerror(number), "games/evening.jsonl")

    monkeypatch.setattr(app_module, "app", fail)
    with pytest.raises(SystemExit) as leaving:
        cli.main([])
    assert leaving.value.code == 4
    assert f"Error: games/evening.jsonl cannot be reached: {os.strerror(number)}\n" in capsys.readouterr().err


def test_a_name_that_is_far_too_long_is_told_in_short() -> None:
    ran = run("deal", "--resume", "a" * 3000)
    assert ran.returncode == 4
    assert "cannot be reached" in ran.stderr
    assert len(ran.stderr) < 600


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
@pytest.mark.parametrize("words", [(), ("--json",)], ids=["for people", "as JSON"])
def test_names_of_files_that_are_not_utf_8_are_spelled_out(words: tuple[str, ...], tmp_path: Path) -> None:
    """``café.jsonl`` from an old disk, in a terminal that is strict about its UTF-8."""
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl")).write_text("{}\n", encoding="utf-8")
    command = [sys.executable, "-m", "ontour_cv", "games", "--dir", str(tmp_path), *words]
    strict = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    ran = subprocess.run(command, env=strict, capture_output=True, encoding="utf-8", check=False, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "caf\\udce9" in ran.stdout
    if words:
        assert json.loads(ran.stdout)[0]["name"] == "caf\udce9"


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["solve"], ["--nonsense"], ["check", "WA=1", "--map"]])
def test_wrong_usage_leaves_with_two_and_no_traceback(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert any(word in done.stderr + done.stdout for word in ("Usage", "Error"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", [("solve", "CA=12"), ("maps", "--json"), ("--version",)], ids=" ".join)
def test_an_output_that_cannot_be_written_is_told(words: tuple[str, ...], buffered: str) -> None:
    command = [sys.executable, "-m", "ontour_cv", *words]
    with Path("/dev/full").open("w") as full:
        environment = os.environ | {"PYTHONUNBUFFERED": buffered}
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, check=False, timeout=60)
    assert done.returncode == 4
    assert done.stderr.decode().splitlines()[0] == "Error: the output cannot be written: No space left on device"
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.skipif(os.name == "nt", reason="a folder that somebody stands in cannot be removed there")
def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = "import os, sys; os.rmdir(os.getcwd()); from ontour_cv.cli import main; main(['score', 'board.jpg'])"
    command = [sys.executable, "-c", script]
    paths = os.pathsep.join([str(Path(cli.__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": paths}
    done = subprocess.run(command, cwd=gone, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (OutOfReach.exit_code, "")
    assert done.stderr == "Error: the folder you are in is no longer there\nGo to one that is, such as: cd ~\n"


def test_other_trouble_with_files_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise FileNotFoundError(2, "No such file", "somewhere")

    monkeypatch.setattr(app_module, "app", fail)
    with pytest.raises(FileNotFoundError):
        cli.main([])


def test_ctrl_c_leaves_with_130_and_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(app_module, "app", interrupted)
    with pytest.raises(SystemExit) as leaving:
        cli.main([])
    assert (leaving.value.code, capsys.readouterr()) == (130, ("", ""))


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", [("maps",), ("maps", "--json"), ("--version",)], ids=" ".join)
def test_a_reader_who_has_seen_enough_is_no_failure(words: tuple[str, ...], buffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "ontour_cv", *words]
    environment = os.environ | {"PYTHONUNBUFFERED": buffered}
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=environment, check=False, timeout=60)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="there is no such shell")
def test_a_closed_input_is_an_empty_one(tmp_path: Path) -> None:
    words = ["deal", "--players", "2", "--dir", str(tmp_path)]
    command = ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "ontour_cv", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Saved: " in done.stdout


def test_a_board_can_come_from_a_pipe() -> None:
    done = run("solve", "-", text=f"# Anna\n{GOLDEN}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("30 points = 23 states + 7 circles\n")
    assert len(done.stdout.splitlines()) == 2


def test_help_loads_neither_the_eyes_nor_numpy() -> None:
    code = (
        "import sys\nfrom ontour_cv import cli\n"
        "try:\n    cli.main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('cv2', 'numpy', 'networkx', 'skimage', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


def test_linear_algebra_stays_on_one_thread_unless_the_caller_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, expected in ((None, "1"), ("3", "3")):
        monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
        if said:
            monkeypatch.setenv("OPENBLAS_NUM_THREADS", said)
        with pytest.raises(SystemExit):
            cli.main(["--version"])
        assert os.environ["OPENBLAS_NUM_THREADS"] == expected
