"""Letters and digits so large that they can be read from across the room, drawn with half blocks."""

from __future__ import annotations

WIDE, HIGH = 5, 7
"""Size of a letter in dots; a dot is one column wide and half a row high at scale 1, so it is about square."""

_DOTS = {
    "0": ".###. #...# #...# #...# #...# #...# .###.",
    "1": "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    "2": ".###. #...# ....# ...#. ..#.. .#... #####",
    "3": ".###. #...# ....# ..##. ....# #...# .###.",
    "4": "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "5": "##### #.... ####. ....# ....# #...# .###.",
    "6": "..##. .#... #.... ####. #...# #...# .###.",
    "7": "##### ....# ...#. ..#.. .#... .#... .#...",
    "8": ".###. #...# #...# .###. #...# #...# .###.",
    "9": ".###. #...# #...# .#### ....# ...#. .##..",
    "A": "..#.. .#.#. #...# #...# ##### #...# #...#",
    "B": "####. #...# #...# ####. #...# #...# ####.",
    "C": ".###. #...# #.... #.... #.... #...# .###.",
    "D": "####. #...# #...# #...# #...# #...# ####.",
    "E": "##### #.... #.... ####. #.... #.... #####",
    "F": "##### #.... #.... ####. #.... #.... #....",
    "G": ".###. #...# #.... #.### #...# #...# .####",
    "H": "#...# #...# #...# ##### #...# #...# #...#",
    "I": ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.",
    "J": "..### ...#. ...#. ...#. ...#. #..#. .##..",
    "K": "#...# #..#. #.#.. ##... #.#.. #..#. #...#",
    "L": "#.... #.... #.... #.... #.... #.... #####",
    "M": "#...# ##.## #.#.# #.#.# #...# #...# #...#",
    "N": "#...# #...# ##..# #.#.# #..## #...# #...#",
    "O": ".###. #...# #...# #...# #...# #...# .###.",
    "P": "####. #...# #...# ####. #.... #.... #....",
    "Q": ".###. #...# #...# #...# #.#.# #..#. .##.#",
    "R": "####. #...# #...# ####. #.#.. #..#. #...#",
    "S": ".###. #...# #.... .###. ....# #...# .###.",
    "T": "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..",
    "U": "#...# #...# #...# #...# #...# #...# .###.",
    "V": "#...# #...# #...# #...# #...# .#.#. ..#..",
    "W": "#...# #...# #...# #.#.# #.#.# #.#.# .#.#.",
    "X": "#...# #...# .#.#. ..#.. .#.#. #...# #...#",
    "Y": "#...# #...# #...# .#.#. ..#.. ..#.. ..#..",
    "Z": "##### ....# ...#. ..#.. .#... #.... #####",
}
_NOTHING = " ".join(["." * WIDE] * HIGH)


def big_rows(text: str, across: int, down: int) -> list[str]:
    """``text`` in large letters, as rows of equal width.

    Args:
        text: capital letters, digits and blanks; anything else is left blank.
        across: columns a dot.
        down: half rows a dot.
    """
    letters = [_DOTS.get(letter, _NOTHING).split() for letter in text]
    lines = []
    for row in range(HIGH):
        dots = ".".join(letter[row] for letter in letters)
        lines += ["".join(dot * across for dot in dots)] * down
    lines += ["." * len(lines[0])] * (len(lines) % 2)
    return [
        "".join(" ▄▀█"[2 * (above == "#") + (below == "#")] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip(lines[::2], lines[1::2], strict=True)
    ]


def big_width(letters: int, across: int) -> int:
    """Columns that so many letters take."""
    return across * (letters * (WIDE + 1) - 1)


def big_height(down: int) -> int:
    """Rows that a line of large letters takes."""
    return (HIGH * down + 1) // 2


def most_across(letters: int, room: int, most: int) -> int:
    """The widest dots, up to ``most``, with which so many letters fit into ``room`` columns; at least 1."""
    return max(1, min(most, room // (letters * (WIDE + 1) - 1)))
