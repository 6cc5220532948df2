"""The dealer at a real terminal: one key drives it, and whatever ends it, the game is saved."""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ontour_cv.dealer import play
from ontour_cv.dealer.log import load_game

pty = pytest.importorskip("pty")
WAIT = 60.0
INTERRUPTS, AGAIN = 5, 5.0


class Terminal:
    """The program on a pseudo-terminal."""

    def __init__(
        self, *arguments: str, games: Path, size: tuple[int, int] = (80, 24), term: str = "xterm-256color"
    ) -> None:
        self.master, slave = pty.openpty()
        self.resize(*size)
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        environ = kept | {
            "TERM": term,
            "ONTOUR_CV_GAMES": str(games),
            "PYTHONUTF8": "1",
            "HOME": str(games),
        }
        command = [sys.executable, "-m", "ontour_cv", "deal", *arguments]
        self.program = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environ, process_group=0,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a suite in the background ignores it
        )  # fmt: skip
        os.close(slave)
        self.output = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    def resize(self, width: int, height: int) -> None:
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def wait_for(self, pattern: str) -> str:
        """Read until ``pattern`` stands in what came since the last wait."""
        return self._read_until(lambda output: re.search(pattern, bare(output), re.DOTALL), pattern)

    def wait_for_signs(self, *signs: str) -> str:
        """Read until every control sequence of ``signs`` came: a terminal hands on in pieces what was written."""
        return self._read_until(lambda output: all(sign in output for sign in signs), repr(signs))

    def _read_until(self, found: Callable[[str], object], pattern: str, wait: float = WAIT) -> str:
        end = time.monotonic() + wait
        while not found(self.output):
            left = end - time.monotonic()
            assert left > 0, f"no {pattern!r} in:\n{bare(self.output)}"
            if select.select([self.master], [], [], min(left, 0.2))[0]:
                try:
                    self.output += self.decoder.decode(os.read(self.master, 1 << 16))
                except OSError as gone:
                    raise AssertionError(f"ended without {pattern!r}:\n{bare(self.output)}") from gone
        seen, self.output = self.output, ""
        return seen

    def press(self, keys: str, pattern: str) -> str:
        os.write(self.master, keys.encode())
        return self.wait_for(pattern)

    def interrupt(self, pattern: str) -> str:
        """Ctrl-C until ``pattern`` comes: one that arrives just before a line is waited for is seen with the next."""
        for _ in range(INTERRUPTS - 1):
            self.program.send_signal(signal.SIGINT)
            with suppress(AssertionError):
                return self._read_until(lambda output: re.search(pattern, bare(output), re.DOTALL), pattern, AGAIN)
        self.program.send_signal(signal.SIGINT)
        return self.wait_for(pattern)

    def leave(self) -> int:
        return self.program.wait(WAIT)


def bare(output: str) -> str:
    return re.sub(r"\x1b[\[\]()][0-9;?]*[A-Za-z]?", "", output)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.program.kill()
        terminal.program.wait()
        os.close(terminal.master)


@pytest.fixture
def start(tmp_path: Path, terminals: list[Terminal]):
    def starting(*arguments: str, size: tuple[int, int] = (80, 24), term: str = "xterm-256color") -> Terminal:
        terminals.append(Terminal(*arguments, games=tmp_path, size=size, term=term))
        return terminals[-1]

    return starting


def the_game(folder: Path) -> Path:
    (found,) = folder.glob("*.jsonl")
    return found


def test_an_evening_by_single_keys(start, tmp_path: Path) -> None:
    """Space deals, u takes back, space and r show again, h and ? tell, q saves and quits."""
    screen = start("--players", "Anna,Ben", "--seed", "1")
    screen.wait_for("Anna rolls first.*Q quit")
    screen.press(" ", r"SETUP 1 OF 2.*Write 79 in NV")
    screen.press("\r", r"SETUP 2 OF 2")
    screen.press(" ", r"TURN 1 .*Missouri.*Turn 2, Ben rolls")
    screen.press("u", r"SETUP 2 OF 2.*1 taken back.*SPACE shows Turn 1 again")
    screen.press("U", r"SETUP 1 OF 2.*2 taken back")
    screen.press(" ", r"SETUP 2 OF 2")
    screen.press("r", r"TURN 1 .*Missouri")
    screen.press("h", r"History.*Setup 1.*Turn 1 +Anna +2 8")
    screen.press(" ", r"TURN 1 .*Missouri")
    screen.press("?", r"Help.*undo: take the latest roll back")
    screen.press("x", r"TURN 1 .*Missouri")
    screen.press("\x1b[6~", r"TURN 2 .*Idaho")
    screen.press("q", r"Saved: .*Go on: ontour-cv deal --resume")
    assert screen.leave() == 0
    assert load_game(the_game(tmp_path)).done == 4


def test_a_long_history_is_scrolled(start, tmp_path: Path) -> None:
    screen = start("--players", "Anna,Ben", "--map", "new", "--seed", "1", size=(80, 20))
    screen.wait_for("Q quit")
    for _ in range(20):
        play.deal_next(the_game(tmp_path))
    screen.wait_for("TURN 20 ")
    screen.press("h", "History .*3 more before these.*Turn 20 .*↑ or U earlier  any other key")
    screen.press("\x1b[A", "History .*2 more before these.*Turn 19 .*↑ or U earlier  ↓ or SPACE later")
    screen.press("\x1b[5~", r"History .*Turn 1 .* ↓ or SPACE later")
    screen.press("q", "TURN 20 ")
    screen.press("q", "Saved")


def test_a_fresh_roll_in_place_of_one_taken_back_is_asked_about(start, tmp_path: Path) -> None:
    screen = start("--players", "2", "--seed", "1")
    screen.wait_for("Q quit")
    screen.press(" ", "Nevada")
    screen.press("u", "rolls first")
    screen.press("n", "Press N again")
    screen.press("r", "Nevada")
    screen.press("u", "rolls first")
    screen.press("n", "Press N again")
    screen.press("n", "SETUP 1 OF 2")
    assert load_game(the_game(tmp_path)).record.rolls[0].cards != ("NV", "OK")
    screen.press("q", "Saved")


@pytest.mark.parametrize("ending", ["ctrl-c", "ctrl-d", "term", "kill"])
def test_however_it_ends_the_game_resumes_where_it_stood(start, tmp_path: Path, ending: str) -> None:
    screen = start("--players", "Anna", "--seed", "1")
    screen.wait_for("Q quit")
    screen.press(" ", "Oklahoma")
    if ending in ("term", "kill"):
        screen.program.send_signal(signal.SIGTERM if ending == "term" else signal.SIGKILL)
    else:
        os.write(screen.master, b"\x03" if ending == "ctrl-c" else b"\x04")
        if ending == "ctrl-c":  # the pseudo-terminal controls nobody here, so its interrupt is sent by hand
            screen.program.send_signal(signal.SIGINT)
    if ending != "kill":
        screen.wait_for("Saved: ")
    assert screen.leave() == (-signal.SIGKILL if ending == "kill" else 0)
    again = start("--resume")
    again.wait_for("SETUP 1 OF 2.*Oklahoma")
    again.press(" ", "SETUP 2 OF 2")
    again.press("q", "Saved")


def test_enter_and_enter_starts_a_game(start, tmp_path: Path) -> None:
    screen = start()
    screen.wait_for(r"Who plays\?.*\[2\]")
    screen.press("\n", r"USA, as in the rulebook, no seed.*Enter starts")
    screen.press("\n", r"Player 1 rolls first, then Player 2")
    screen.press("q", "Saved")
    assert load_game(the_game(tmp_path)).opening.seed is None


@pytest.mark.parametrize("key", ["ctrl-c", "ctrl-d"])
def test_a_question_that_is_left_starts_no_game(start, tmp_path: Path, key: str) -> None:
    screen = start()
    screen.wait_for(r"Who plays\?")
    if key == "ctrl-c":
        screen.interrupt("Aborted")
    else:
        screen.press("\x04", "Aborted")
    assert screen.leave() == 130
    assert not list(tmp_path.glob("*.jsonl"))


def test_a_slip_in_the_names_changes_neither_map_nor_rules_nor_seed(start, tmp_path: Path) -> None:
    screen = start("--map", "europe-home", "--rules", "strict-x", "--seed", "tour")
    screen.wait_for("Who plays")
    screen.press("Anna, anna\n", r"two players are called.*Who plays[^:]*\[2\]")
    screen.press("\n", "Europe.*seed tour.*Enter starts")
    screen.press("\n", "Player 1 rolls first")
    screen.press("q", "Saved")
    opening = load_game(the_game(tmp_path)).opening
    assert (opening.template.id, opening.rules, opening.seed) == ("europe-home", "strict-x", "tour")


def test_a_seed_that_cannot_be_is_dropped_and_the_rest_kept(start, tmp_path: Path) -> None:
    screen = start("--map", "europe-home")
    screen.wait_for("Who plays")
    screen.press("Anna, Ben\n", "Enter starts")
    screen.press("c\n", "Map")
    screen.press("\n", "Rules")
    screen.press("\n", "Seed")
    screen.press("x" * 50 + "\n", r"seed has 50 letters.*Who plays[^:]*\[Anna, Ben\]")
    screen.press("\n", "Europe.*no seed.*Enter starts")
    screen.press("\n", "Anna rolls first")
    screen.press("q", "Saved")
    assert load_game(the_game(tmp_path)).opening.template.id == "europe-home"


def test_a_new_game_can_be_changed_before_it_starts(start, tmp_path: Path) -> None:
    screen = start()
    screen.wait_for("Who plays")
    screen.press("Anna, anna\n", "two players are called.*Who plays")
    screen.press("Anna, Ben\n", "Enter starts")
    screen.press("anna\n", "Enter starts, c changes")
    screen.press("c\n", r"Map \(.*usa")
    screen.press("usaa\n", r"no map called 'usaa'. Did you mean usa.*Map \(.*usa")
    screen.press("us\n", r"Rules \(rulebook, bga[^)]*\)")
    screen.press("bga\n", "Seed")
    screen.press("tour\n", "Board Game Arena, seed tour.*Enter starts")
    screen.press("\n", "Anna rolls first")
    screen.press("q", "Saved")
    game = load_game(the_game(tmp_path))
    assert (game.opening.rules, game.opening.seed, game.opening.players) == ("bga", "tour", ("Anna", "Ben"))


def test_the_screen_follows_its_terminals_size(start) -> None:
    screen = start("--players", "2", "--seed", "1")
    screen.wait_for("Q quit")
    small = screen.press(" ", "Nevada.*Q quit")
    assert shape(small) == (80, 24)
    screen.resize(160, 45)
    assert shape(screen.wait_for("Nevada.*Q quit")) == (160, 45)
    screen.resize(40, 10)
    screen.wait_for("Card: SOUTH, NV Nevada.*SPACE or Enter next  . help  Q quit")
    screen.press("?", "undo: take.*Any key: back to the game")
    screen.press("x", "Card: SOUTH, NV Nevada")
    screen.press("q", "Saved")


def test_a_small_screen_shows_the_latest_history_scrolls_it_and_says_what_it_has_no_room_for(
    start, tmp_path: Path
) -> None:
    screen = start("--players", "Anna,Ben", "--seed", "1", size=(40, 10))
    screen.wait_for("Q quit")
    for _ in range(20):
        play.deal_next(the_game(tmp_path))
    screen.wait_for("Turn 18.*Q quit")
    screen.press("h", "Turn 15.*Turn 18.*Any key")
    assert "Turn 18" not in screen.press("\x1b[A", "Turn 14.*Turn 17.*Any key")
    for _ in range(14):
        screen.press("\x1b[A", "Any key")
    screen.press("\x1b[A", "Setup 1.*Setup 2.*Turn 2.*Any key")
    screen.press("x", "Turn 18.*Q quit")
    screen.resize(20, 5)
    screen.wait_for("Turn 18.*enlarge window")
    screen.press("q", "Saved")


def shape(output: str) -> tuple[int, int]:
    """Columns and rows of the last frame."""
    rows = bare(output[output.rindex("\x1b[H") :]).replace("\r", "").split("\n")
    return max(map(len, rows)), len(rows)


def test_a_second_screen_follows_and_deals_nothing_unseen(start, tmp_path: Path) -> None:
    screen = start("--players", "2", "--seed", "1")
    screen.wait_for("Q quit")
    play.deal_next(the_game(tmp_path))
    screen.wait_for("SETUP 1 OF 2.*Nevada")
    screen.press("q", "Saved")


def test_plain_lines_need_no_screen(start) -> None:
    screen = start("--players", "Anna", "--seed", "1", "--plain")
    screen.wait_for("Next: Setup 1 of 2, Anna rolls.*SPACE or Enter next  . help  Q quit")
    seen = screen.press(" ", "Write 79 in NV")
    assert "\x1b[?1049h" not in seen
    assert "█" not in seen
    screen.press("h", "Setup 1 +Anna")
    screen.press("q", "Saved")


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_z_gives_the_terminal_back_and_going_on_draws_the_game_again(start, times: int) -> None:
    termios = pytest.importorskip("termios")
    screen = start("--players", "Anna", "--seed", "1")
    screen.wait_for("Q quit")
    screen.press(" ", "Oklahoma.*Q quit")
    for _ in range(times):
        screen.program.send_signal(signal.SIGTSTP)  # as the terminal does at Ctrl-Z
        assert os.WIFSTOPPED(os.waitpid(screen.program.pid, os.WUNTRACED)[1])
        screen.wait_for_signs("\x1b[?1049l", "\x1b[?25h")  # it stands still: all of it was written before
        modes = termios.tcgetattr(screen.master)[3]
        assert modes & termios.ECHO
        assert modes & termios.ICANON
        screen.program.send_signal(signal.SIGCONT)
        again = screen.wait_for("Oklahoma.*Q quit")
        assert "\x1b[?1049h" in again
        assert "\x1b[?25l" in again
    screen.press(" ", "SETUP 2 OF 2")
    screen.press("q", "Saved")
    assert screen.leave() == 0


def test_a_key_that_comes_in_pieces_is_one_key(start, tmp_path: Path) -> None:
    """On slow lines the escape sign comes first: F2 is no Q, F4 no S, and End ends no game of New York."""
    screen = start("--players", "Anna", "--seed", "1", "--map", "new-york-home")
    screen.wait_for("Q quit")
    for _ in range(22):
        play.deal_next(the_game(tmp_path))
    screen.wait_for("TURN 22 .*F map is full")
    for first, rest in (("\x1b", "OQ"), ("\x1bO", "S"), ("\x1b[", "F"), ("\x1b[1", "5~"), ("\x1b", "[C")):
        os.write(screen.master, first.encode())
        time.sleep(0.01)
        os.write(screen.master, rest.encode())
    screen.wait_for("TURN 23 ")
    screen.press("q", "Saved")
    assert load_game(the_game(tmp_path)).done == 23


def test_a_dumb_terminal_shows_lines(start) -> None:
    screen = start("--players", "Anna", "--seed", "1", term="dumb")
    screen.wait_for("Next: Setup 1 of 2, Anna rolls.*Q quit")
    assert "\x1b" not in screen.press(" ", "Write 79 in NV.*Next: ")
    screen.press("q", "Saved")


def test_without_a_terminal_lines_drive_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ontour_cv", "deal", "--players", "A,B", "--seed", "1", "--dir", str(tmp_path)]
    done = subprocess.run(
        command, input="\n\nu\nr\nhistory\n?\n", capture_output=True, encoding="utf-8", check=True, timeout=120
    )
    for words in ("Write 79 in NV (Nevada) and 97 in OK (Oklahoma).", "1 roll is taken back", "Setup 2  B", "Saved: "):
        assert words in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
    assert load_game(the_game(tmp_path)).events == 4
