"""``ontour-cv check`` on a sheet of Rolling America: what is wrong with it, and its score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ontour_cv.cli.board_input import read_sheet
from ontour_cv.cli.console import make_console, print_json, print_paragraph

if TYPE_CHECKING:
    from ontour_cv.maps.model import MapTemplate
    from ontour_cv.rules import Problem, Variant
    from ontour_cv.rules.rolling import SheetScore


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
        print_paragraph(f"No problem found: a game played {variant.title} can end like this.", console)
    for number, problem in enumerate(problems, start=1):
        print_paragraph(f"{number}. {problem.text}", console)
    print_paragraph(f"Score: {score_text(score)}.", console)


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


def score_text(score: SheetScore) -> str:
    """A score in words: ``9 Xs = 6 + 2 blank + 1 for a mistake; 5 powers used``."""
    parts = [f"{score.crossed} written"]
    parts += [f"{score.blanks} blank"] * bool(score.blanks)
    if score.mistakes:
        parts.append(f"{score.mistakes} for {'a mistake' if score.mistakes == 1 else 'mistakes'}")
    powers = f"{score.powers} {'power' if score.powers == 1 else 'powers'} used"
    return f"{score.total} {'X' if score.total == 1 else 'Xs'} = {' + '.join(parts)}; {powers}"
