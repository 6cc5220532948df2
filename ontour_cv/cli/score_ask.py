"""``ontour-cv score --ask``: what can change the score is shown and asked about at the terminal, one thing at a time.

Nothing is looked at anew: an answer is what ``--set`` would say, and the board is scored again with it. What that
settles beside it is not asked any more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontour_cv.board import Kind, Mark, format_mark, parse_board, tokens
from ontour_cv.cli.console import make_console, percent, printable
from ontour_cv.cli.score_city import place_answers, read_given
from ontour_cv.cli.score_jobs import AnyJob, drawn_anew
from ontour_cv.cli.score_sheet import read_sheet_corrections
from ontour_cv.cli.score_table import with_one_another
from ontour_cv.errors import OnTourError, UsageError
from ontour_cv.sheet import format_cell

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.cli.score_jobs import AnyReport
    from ontour_cv.scorer.report import Failure
    from ontour_cv.vision.decode import CellReading

    AnyOutcome = AnyReport | Failure

AskOption = Annotated[
    bool,
    typer.Option("--ask", help="Ask at the terminal about what can change the score, each shown, and score with that."),
]

LETTERS = "abcdefgh"
"""What the likeliest answers are chosen by: no mark is written with one of these."""

MOST = 4
"""So many answers are listed; anything may be typed."""

STOP, LEAVE, HELP = "q", "", "?"
"""What is typed for no more questions, to leave one open, and to be told so."""

KEYS = "Enter leaves a question open, q ends them."


@dataclass(frozen=True, slots=True)
class Answer:
    """A likely answer.

    Attributes:
        text: as ``--set`` takes it.
        words: as people read it.
    """

    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        name: region, or ferry as ``~SOHO-STG``.
        words: what it is, for people.
        answers: the likeliest ones, the likeliest first.
        examples: of what may stand there, as it is typed; empty where nothing but an answer can be.
    """

    name: str
    words: str
    answers: tuple[Answer, ...]
    examples: str = ""

    @property
    def prompt(self) -> str:
        """What is asked for."""
        letters = "/".join(LETTERS[: len(self.answers)])
        typed = f"what stands there ({self.examples})" * bool(self.examples)
        return " or ".join(filter(None, (letters, typed)))


def check_ask(wanted: bool, as_json: bool) -> None:
    """``UsageError`` where nobody would see a question."""
    if wanted and as_json:
        raise UsageError("--ask talks to people, --json to programs", "Leave one of them out; ask is in the JSON.")


def ask_all(outcomes: Sequence[AnyOutcome], jobs: Sequence[AnyJob]) -> list[AnyOutcome]:
    """The outcomes with what was answered, their overlays drawn anew.

    Args:
        outcomes: what became of each board, each by itself.
        jobs: how each was scored.
    """
    from ontour_cv.scorer.report import Failure

    console = make_console(stderr=True)
    out = list(outcomes)
    said: dict[int, dict[str, str]] = {}
    left: set[tuple[int, str]] = set()
    while (found := _next(out, left)) is not None:
        board, own, seen, question = found
        if not left and not said:
            console.print(KEYS, style="dim")
        reply, anew = ask(seen, question, console, partial(answered, own))
        if reply == STOP:
            break
        texts = {_about(text): text for text in tokens(reply)}
        if anew is None or _about(question.name) in texts:  # else it was about other places: this one is asked again
            left.add((board, question.name))
        if anew is not None:
            out[board] = anew
            said.setdefault(board, {}).update(texts)
    for board in said:
        final = out[board]
        if not isinstance(final, Failure):
            out[board] = drawn_anew(final, jobs[board])
    _repeat(out, said, console)
    return out


def answered(report: AnyReport, text: str) -> AnyReport:
    """The report with an answer as ``--set`` takes it.

    Raises:
        BadBoard, UsageError: it cannot be an answer.
    """
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.city_score import score_city_again
    from ontour_cv.scorer.report import Report
    from ontour_cv.scorer.score import score_again
    from ontour_cv.scorer.sheet_score import score_sheet_again

    photo = Path(report.photo)
    if isinstance(report, Report):
        return score_again(report, parse_board(text).marks)
    if isinstance(report, CityReport):
        return score_city_again(report, read_given([text], [photo], report.template.id)[photo])
    return score_sheet_again(report, read_sheet_corrections([text], [photo], report.template.id)[photo])


def _next(
    outcomes: Sequence[AnyOutcome], left: set[tuple[int, str]]
) -> tuple[int, AnyReport, AnyReport, Question] | None:
    """The next question, the least sure one of the first board that has any, and that board's place among all.

    Between them the board by itself, and as the others of its game see it, which is what is asked about.
    """
    from ontour_cv.scorer.report import Failure

    for board, (own, seen) in enumerate(zip(outcomes, with_one_another(outcomes), strict=True)):
        if isinstance(own, Failure) or isinstance(seen, Failure):
            continue
        names = [name for name in seen.ask if (board, name) not in left]
        if names:
            name = min(names, key=lambda one: _confidence(seen, one))
            return board, own, seen, question_of(seen, name)
    return None


def _confidence(report: AnyReport, name: str) -> float:
    return report.cells[name].confidence if name in report.cells else 1.0


def question_of(report: AnyReport, name: str) -> Question:
    """The question about what is in doubt on a board under the name ``name``."""
    from ontour_cv.cli.marks import say
    from ontour_cv.cli.score_sheet_view import say as say_digit
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.report import Report

    if name.startswith("~"):
        return Question(name, f"The ferry {name[1:]}", (Answer(name, "drawn"), Answer(f"{name}=.", "not drawn")))
    where = f"{name} {report.template.region(name).name}"
    if isinstance(report, Report | CityReport) and not report.reading.placement.cells[name].inside:
        where += ", which the photo does not show"
    if isinstance(report, CityReport):
        texts = place_answers(report, name)
        return Question(name, where, tuple(Answer(f"{name}={text}", text) for text in texts[:MOST]), "31, 31s, *, x, .")
    if isinstance(report, Report):
        return Question(name, where, _likely(report.cells[name], name, say, format_mark), "31, 31o, *, x, .")
    return Question(name, where, _likely(report.cells[name], name, say_digit, format_cell), "3, 3o, x, .")


def _likely(
    cell: CellReading, name: str, say: Callable[[Mark], str], text: Callable[[Mark], str]
) -> tuple[Answer, ...]:
    """The likeliest marks of a cell, in words and as ``--set`` takes them."""
    every = [(mark, p) for mark, p in ((cell.mark, cell.confidence), *cell.alternatives) if mark.kind != Kind.UNREAD]
    return tuple(Answer(f"{name}={text(mark)}", f"{say(mark)} ({percent(p)})") for mark, p in every[:MOST])


def ask(
    report: AnyReport, question: Question, console: Console, give: Callable[[str], AnyReport]
) -> tuple[str, AnyReport | None]:
    """The answer as ``--set`` takes it and the report with it, or ``LEAVE`` or ``STOP`` and None.

    Args:
        report: of the board that is asked about.
        question: what is asked, until something is typed that can be an answer.
        console: where.
        give: scores a board with an answer (:func:`answered`).
    """
    console.print()
    console.print(_told(report), markup=False, soft_wrap=True)
    _show(report, question.name, console)
    console.print(question.words, style="bold", markup=False)
    for letter, answer in zip(LETTERS, question.answers, strict=False):
        console.print(f"  {letter}  {answer.words}", markup=False)
    while True:
        reply = typed(question.prompt, console)
        if reply.lower() in (STOP, LEAVE):
            return reply.lower(), None
        if reply == HELP:
            console.print(f"  A letter takes that answer. {KEYS}", style="dim")
            continue
        text = _meant(reply, question)
        try:
            return text, give(text)
        except OnTourError as error:
            for told in filter(None, (error.message, error.remedy)):
                console.print(f"  {told}", style="yellow", markup=False, soft_wrap=True)


def _told(report: AnyReport) -> str:
    """Whose score it is, and what it may be."""
    from ontour_cv.cli.score_city_view import beyond
    from ontour_cv.scorer.city_report import CityReport

    low, high = report.score_range
    more = beyond(report) if isinstance(report, CityReport) else ""
    return f"{printable(report.photo)}: the score is {low} to {high}{more}"


def typed(prompt: str, console: Console) -> str:
    """A line typed at the terminal; ``STOP`` where there is none. The prompt goes where the console does."""
    console.print(f"{prompt}: ", end="", markup=False)
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        line = ""
    if not line or not sys.stdin.isatty():  # nobody ended the line on the screen
        console.print()
    return line.strip() if line else STOP


def _meant(reply: str, question: Question) -> str:
    """A reply as ``--set`` takes it."""
    if len(reply) == 1 and reply.lower() in LETTERS[: len(question.answers)]:
        return question.answers[LETTERS.index(reply.lower())].text
    if question.name.startswith("~"):
        return reply if reply.startswith("~") else f"{question.name}={reply}"
    return reply if "=" in reply else f"{question.name}={reply}"


def _about(text: str) -> str:
    """What an answer is about: whoever thinks better of one names the place again."""
    name = text.partition("=")[0].strip().upper()
    return "~" + "-".join(sorted(name[1:].split("-"))) if name.startswith("~") else name


def _show(report: AnyReport, name: str, console: Console) -> None:
    """The part of the photo that is asked about, where the terminal can show it."""
    from ontour_cv.cli.blocks import blocks, can_show, fitted
    from ontour_cv.scorer.closeup import closeup

    if can_show(console):
        picture = closeup(report.reading, name)
        if picture is not None:
            console.print(blocks(fitted(picture, console.width)), end="")


def _repeat(outcomes: Sequence[AnyOutcome], said: dict[int, dict[str, str]], console: Console) -> None:
    """How the answers are given on the command line, for the next time."""
    if not said:
        return
    several = len(outcomes) > 1
    words = [
        f"--set '{outcomes[board].photo}:{text}'" if several else f"--set '{text}'"
        for board, texts in said.items()
        for text in texts.values()
    ]
    console.print(f"Answered: {printable(' '.join(words))}", style="dim", markup=False, soft_wrap=True)
    console.print()
