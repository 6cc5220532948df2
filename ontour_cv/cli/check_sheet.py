"""``ontour-cv check`` on a sheet of Rolling America: what is wrong with it, and its score."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ontour_cv.board import Kind
from ontour_cv.cli.board_input import read_sheet
from ontour_cv.cli.console import counted, make_console, print_json, print_paragraph
from ontour_cv.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.maps.model import MapTemplate
    from ontour_cv.referee.sheet_verdict import SheetVerdict
    from ontour_cv.rules import Problem, Variant
    from ontour_cv.rules.rolling import SheetScore
    from ontour_cv.sheet import Sheet


def check_sheet(words: Sequence[str], template: MapTemplate, variant: Variant, as_json: bool) -> None:
    """Print the problems of the sheet that ``words`` spell, and what it scores."""
    from ontour_cv.rules.rolling import sheet_problems, sheet_score

    sheet = read_sheet(words, template)
    problems, score = sheet_problems(template, sheet), sheet_score(template, sheet)
    if as_json:
        head = {"map": template.id, "rules": variant.key, "sheet": str(sheet)}
        print_json(head | {"problems": listed_problems(problems), "score": score_document(score)})
        return
    console = make_console()
    if not problems:
        print_paragraph(f"No problem found: a game played {variant.title} can come to this.", console)
    for number, problem in enumerate(problems, start=1):
        print_paragraph(f"{number}. {problem.text}", console)
    print_paragraph(f"Score: {score_text(score)}{_unread_text(sheet)}.", console)


def check_sheet_game(
    words: Sequence[str],
    template: MapTemplate,
    game: tuple[Path, GameRecord],
    flags: tuple[bool, bool],
    as_json: bool,
) -> None:
    """Print the verdict on the sheet that ``words`` spell, by the log of its game, and what it scores.

    Args:
        words: the sheet.
        template: the map.
        game: the log's file and what it holds.
        flags: whether to tell what was done with every die, and whether to keep the score.
        as_json: JSON instead of text.
    """
    from ontour_cv.referee.sheet import verify_sheet
    from ontour_cv.rules.rolling import sheet_problems, sheet_score

    (path, record), (turns, keep) = game, flags
    sheet = read_sheet(words, template)
    verdict = verify_sheet(template, record, sheet)
    score = sheet_score(template, sheet, verdict.mistakes)
    kept = keep_solo(game, sheet, verdict, score) if keep else ""
    if as_json:
        head = {"map": template.id, "rules": record.rules, "game": str(path), "sheet": str(sheet)}
        problems = listed_problems(sheet_problems(template, sheet))
        print_json(head | _document(verdict) | {"problems": problems, "score": score_document(score)})
        return
    console = make_console()
    if turns:
        for deed in verdict.explanation:
            print_paragraph(f"{_turn(deed.roll)}, {deed.colour} {deed.number}: {deed.text}", console)
    _show(verdict, record, console)
    for problem in sheet_problems(template, sheet):
        if problem.rule == "boxes":
            print_paragraph(f"Note: {problem.text}", console)
    print_paragraph(f"Score: {score_text(score, verdict.settled)}{_unread_text(sheet)}.", console)
    if kept:
        print_paragraph(kept, console)


def _show(verdict: SheetVerdict, record: GameRecord, console: Console) -> None:
    print_paragraph(_head(verdict), console)
    for number, slip in enumerate(verdict.slips, start=1):
        print_paragraph(f"{number}. {slip.text}", console)
    for note in verdict.notes:
        print_paragraph(f"Note: {note}", console)
    if verdict.rolls < len(record.rolls):
        print_paragraph(f"The sheet shows the first {verdict.rolls} of the game's {len(record.rolls)} rolls.", console)


def _head(verdict: SheetVerdict) -> str:
    count = len(verdict.slips)
    mistakes = "1 mistake explains" if count == 1 else f"{count} mistakes explain"
    if verdict.legal:
        return "Legal: some order and use of the powers makes every die land where it had to."
    if verdict.slips and verdict.decided:
        return f"Not legal. {mistakes} the sheet:"
    if verdict.slips:
        return f"Not decided within the time allowed. {mistakes} the sheet; {verdict.at_least} or more are proved:"
    if verdict.decided:
        return f"Not legal: it takes {verdict.at_least} mistakes or more, so it is probably not from this game."
    proved = f"; {verdict.at_least} or more mistakes are proved" if verdict.at_least else ""
    return f"Not decided within the time allowed: no course of this game was found that gives this sheet{proved}."


def _turn(roll: int) -> str:
    from ontour_cv.dealer.tell_dice import dice_title

    return dice_title(roll)


def _document(verdict: SheetVerdict) -> dict[str, object]:
    return {
        "legal": verdict.legal,
        "decided": verdict.decided,
        "at_least": verdict.at_least,
        "slips": [
            {
                "kind": s.kind,
                "turn": None if s.roll is None else _turn(s.roll),
                "regions": list(s.regions),
                "text": s.text,
            }
            for s in verdict.slips
        ],
        "notes": list(verdict.notes),
        "rolls": verdict.rolls,
        "explanation": [
            {
                "turn": _turn(deed.roll),
                "colour": deed.colour,
                "number": deed.number,
                "kind": deed.kind,
                "regions": list(deed.regions),
                "changed": deed.changed,
            }
            for deed in verdict.explanation
        ],
    }


def keep_solo(game: tuple[Path, GameRecord], sheet: Sheet, verdict: SheetVerdict, score: SheetScore) -> str:
    """Keep the score, and tell how it stands among the others; ``UsageError`` when it cannot count.

    Args:
        game: the log's file and what it holds.
        sheet: what was scored.
        verdict: what the log says about it.
        score: what it is worth.
    """
    from ontour_cv.dealer.solo import SoloScore, best_score, keep_score, read_scores, solo_file

    path, record = game
    if len(record.players) > 1:
        raise UsageError(f"{len(record.players)} played this game; --keep is for games played alone.", "Leave it away.")
    if not record.over:
        raise UsageError("The game is not over yet.", "Keep its score once the last die is written.")
    if verdict.rolls < len(record.rolls):
        raise UsageError(
            f"The sheet shows the first {verdict.rolls} of the game's {len(record.rolls)} rolls, so it is not kept.",
            "Write the other dice, too, or name the log of its game.",
        )
    _refuse_unknown(sheet, verdict, score)
    before = read_scores(solo_file())
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    mine = SoloScore(record.map_id, path.stem, at, score.total, score.powers, record.id)
    torn = keep_score(solo_file(), mine)
    best = best_score([one for one in before if one.id != mine.id], record.map_id)
    told = "Kept, the first one."
    if best is not None:
        told = f"Kept. Best so far: {best.total} with {best.powers} powers ({best.game})."
        if (mine.total, mine.powers) < (best.total, best.powers):
            told = f"Kept: the best so far; before it {best.total} with {best.powers} powers ({best.game})."
    return told + f" The last line of {solo_file()} was cut off and is left out." * torn


def _refuse_unknown(sheet: Sheet, verdict: SheetVerdict, score: SheetScore) -> None:
    """``UsageError`` when only so much is known of the score that it may be another."""
    unread = _unread(sheet)
    if unread:
        raise UsageError(
            f"Not read, so the score is not known and not kept: {', '.join(unread)}.",
            "Say what stands there instead of ?.",
        )
    if verdict.decided and not verdict.settled:
        raise UsageError(
            f"It takes {verdict.at_least} mistakes or more: probably not from this game, so it is not kept.",
            "Name the log of its game, or look for what is typed or read wrongly.",
        )
    if not verdict.settled:
        raise UsageError(
            f"The log does not decide: the score is {score.total} or more, so it is not kept.",
            "Look for what is typed or read wrongly, and say what is crossed off (@change=2 @dupe=1), which helps.",
        )


def _unread(sheet: Sheet) -> tuple[str, ...]:
    return tuple(state for state, mark in sheet.marks.items() if mark.kind is Kind.UNREAD)


def _unread_text(sheet: Sheet) -> str:
    count = len(_unread(sheet))
    return f"; {count} unread {'state counts' if count == 1 else 'states count'} as blank" if count else ""


def listed_problems(problems: Sequence[Problem]) -> list[dict[str, object]]:
    """Problems as JSON has them."""
    return [{"rule": p.rule, "regions": list(p.regions), "text": p.text} for p in problems]


def score_document(score: SheetScore) -> dict[str, int]:
    """A score as JSON has it."""
    return {
        "total": score.total,
        "crossed": score.crossed,
        "blanks": score.blanks,
        "mistakes": score.mistakes,
        "powers": score.powers,
    }


def score_text(score: SheetScore, exact: bool = True) -> str:
    """A score in words: ``9 Xs = 6 written + 2 blank + 1 for a mistake; 5 powers used``.

    One that is not ``exact`` is a least: there may be more mistakes.
    """
    parts = [f"{score.crossed} written"]
    parts += [f"{score.blanks} blank"] * bool(score.blanks)
    if score.mistakes:
        parts.append(f"{score.mistakes} for {'a mistake' if score.mistakes == 1 else 'mistakes'}")
    powers = f"{counted(score.powers, 'power')} used"
    least = "" if exact else "at least "
    return f"{least}{counted(score.total, 'X')} = {' + '.join(parts)}; {powers}"
