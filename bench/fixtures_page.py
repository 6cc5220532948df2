"""The README beside the fixture photos, made from their truth files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.stats import table


def readme(truths: Sequence[dict[str, Any]], decoys: Sequence[tuple[str, str]]) -> str:
    """The whole page, Markdown.

    Args:
        truths: contents of the truth files, in the order of their names.
        decoys: kind and tier of each picture without a board.
    """
    lines = []
    for truth in truths:
        name, shown = truth["file"], truth["truth"]
        size = " x ".join(map(str, shown["size"]))
        board = f"`{shortened(truth['board'])}`"
        lines.append([f"[{name}]({name})", truth["condition"], shown["tier"], shown["edition"], size, board,
                      truth["score"]["total"], truth["use"]])  # fmt: skip
    head = ["photo", "condition", "tier", "edition", "pixels", "board", "score", "use"]
    empty = [[f"[no-board-{kind}.jpg](no-board-{kind}.jpg)", f"{kind}, {tier}"] for kind, tier in decoys]
    return f"""# Fixture photos

Rendered by `python -m bench.fixtures`, which also writes this page; own art, own pen shapes, own tables. Each photo is
the first of its series of chances that shows its condition; none was chosen by how well it is read.

Beside each photo lies its truth, `NAME.json`: the board in notation, the best score, and what every disc and every
hazard really is (`synth/truth.py`). Use: *tuned* photos may be looked at while the program is changed; *measured* ones
are for measuring only.

{table(head, lines)}
Pictures without a board, which have to be refused:

{table(["picture", "what it is"], empty)}"""


def shortened(board: str, most: int = 4) -> str:
    """The first few tokens of a board in notation."""
    tokens = board.split()
    return " ".join(tokens[:most]) + (" ..." if len(tokens) > most else "")
