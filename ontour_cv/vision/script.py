"""What a board must hold when the rolls of its game are known, as plain data: the camera does not know the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Place:
    """One faultless way to put a writing on the board.

    Attributes:
        cell: id of the cell.
        circled: whether it is circled there.
        means: bit set of what allows it (the cards, on a table); at least one bit.
        declined: the means that would have given a circle here and was not used; 0 when there was none.
        weight: log-weight of this place, against 0 for an ordinary one.
    """

    cell: str
    circled: bool
    means: int = 1
    weight: float = 0.0
    declined: int = 0


@dataclass(frozen=True, slots=True)
class Writing:
    """One mark that everybody at the table had to write.

    Attributes:
        number: the number; None for a star.
        places: where it may stand.
        turn: writings of one turn must be put down by different means.
        skipped: log-weight of an X in its place, against 0 for writing it.
        after: place in the script of a writing that is the same in all but its turn, and by agreement is found first:
            so no board is counted twice.
    """

    number: int | None
    places: tuple[Place, ...]
    turn: int
    skipped: float
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Slips:
    """How rare each slip of an honest hand is: log-weight of one way to make it, against 0 for one faultless way.

    Attributes:
        place: written in a cell where it may not stand.
        circle: the circle forgotten.
        ring: a circle drawn where none belongs; dearer to miss than to ask about, since a ring is rarely imagined.
        means: both writings of a turn by the same means.
        swapped: the two digits exchanged.
        stranger: some number that is none of the writings; for one given number.
        double: the same for 00, 11 ... 99, which are harder to mistake.
        star: a star that is none of the writings.
        blocked: an X although nothing is left to be replaced by it.
        forgotten: a cell left empty although the writing for it was due.
    """

    place: float = -8.0
    circle: float = -6.5
    ring: float = -4.5
    means: float = -8.0
    swapped: float = -8.0
    stranger: float = -10.5
    double: float = -14.0
    star: float = -13.0
    blocked: float = -8.0
    forgotten: float = -9.0


@dataclass(frozen=True, slots=True)
class Blunders:
    """How often the eyes are wrong however sure they are: the least likelihood of what they rule out.

    Without it a cell misread with great confidence would look like a player's slip.

    Attributes:
        kind: of another kind of mark; of 19,637 cells of validation writers none was given less than 1e-2.
        digit: of a given other digit in one place of a number; of 35,848 digits two were given less than 1e-4.
        missed: of a circle where they see none; of 5,571 circles of validation writers none was given less than 1e-3.
        imagined: of no circle where they see one.
    """

    kind: float = 5e-5
    digit: float = 2e-5
    missed: float = 1e-4
    imagined: float = 1e-4


Judge = Callable[[Mapping[str, tuple[int, int]]], tuple[int, int] | None]
"""Label and circle (0 or 1) of each cell -> how many slips the board takes, and how many of them are X marks that need
not have been; None when that cannot be told."""


@dataclass(frozen=True, slots=True)
class Script:
    """Everything a board should hold: each writing once, in one of its places.

    Attributes:
        writings: in the order of the game.
        due: how many marks should stand on the board; the other cells are empty.
        early: with at least so many of the last writings missing, the board may have been photographed before they
            were due; a few empty cells are more likely forgotten, or washed out by glare.
        ending: places in ``writings`` of those that may have found too few cells in the end; None: those of the last
            turn.
        declined: log-weight of giving up a means that would have given a circle, although the turn's other writing did
            not need it.
        judge: knows the order of play, and judges a whole board with X marks; None when nobody can.
        slips: what else a player may have done.
        blunders: what else the eyes may have done.
    """

    writings: tuple[Writing, ...]
    due: int
    early: int = 4
    ending: tuple[int, ...] | None = None
    declined: float = -5.0
    judge: Judge | None = None
    slips: Slips = field(default_factory=Slips)
    blunders: Blunders = field(default_factory=Blunders)
