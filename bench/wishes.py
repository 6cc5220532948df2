"""Which fixture photos there are: the condition each has to show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ontour_cv.synth.shot import Shot
from ontour_cv.synth.truth import Truth


def _any(_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Wish:
    """One photo to render.

    Attributes:
        name: part of the file's name.
        words: the condition for people.
        tier: key of ``shot.TIERS``.
        long_side: longer side in pixels.
        shot: what the shot must be like (asked before rendering).
        photo: what the truth must be like (asked after rendering).
        jitter: probability of an edition nobody measured.
        notes: 0-1, how much the player drew besides the marks; None lets the tier choose.
        turns: how many turns were played; None for the whole game, 0 for a blank board.
        stars, blocked: at least so many on the board.
        format: ending of the file.
        exif: stored sideways, with an EXIF orientation.
    """

    name: str
    words: str
    tier: str = "ordinary"
    long_side: int = 1600
    shot: Callable[[Shot], bool] = _any
    photo: Callable[[Truth], bool] = _any
    jitter: float = 0.0
    notes: float | None = None
    turns: int | None = None
    stars: int = 0
    blocked: int = 0
    format: str = "jpg"
    exif: bool = False


def _palette(*names: str) -> Callable[[Truth], bool]:
    return lambda truth: truth.scene["palette"] in names


def _scene(name: str, least: float) -> Callable[[Truth], bool]:
    return lambda truth: float(truth.scene[name]) >= least


def _upright(shot: Shot) -> bool:
    return abs(shot.pose.roll_deg) < 10


def _turned(shot: Shot) -> bool:
    return abs(shot.pose.roll_deg) > 165


WISHES = (
    Wish("plain", "ordinary photo, glossy board", shot=_upright, photo=_palette("glossy")),
    Wish("plain-again", "ordinary photo, glossy board", shot=_upright, photo=_palette("glossy")),
    Wish("line-art", "printed line-art sheet", photo=_palette("line-art")),
    Wish("line-art-hard", "printed line-art sheet, hard", tier="hard", photo=_palette("line-art")),
    Wish("dark-board", "dark art", photo=_palette("night")),
    Wish("neon-board", "neon art", photo=_palette("neon")),
    Wish("pastel-board", "pastel art", photo=_palette("pastel")),
    Wish("muted-board", "muted art, hard", tier="hard", photo=_palette("muted")),
    Wish("dim", "dim light", tier="hard", shot=lambda s: s.exposure < 185),
    Wish("lamp", "warm lamp", tier="hard", shot=lambda s: s.cast[2] > 1.2),
    Wish("upside-down", "upside down", shot=_turned),
    Wish("upside-down-hard", "upside down, hard", tier="hard", shot=_turned),
    Wish("glare", "glare over three discs or more", tier="hard", photo=_scene("glare_discs", 3)),
    Wish("glare-1080", "glare, 1080 pixels", tier="hard", long_side=1080, photo=_scene("glare_discs", 2)),
    Wish("cut-edge", "the board's edge is cut off", tier="hard", long_side=1440, photo=_scene("fill", 1.05)),
    Wish("tilt", "tilted 40 degrees or more", tier="hard", shot=lambda s: s.pose.tilt_deg > 40),
    Wish("shadow", "deep shadow", tier="hard", photo=_scene("shadow", 0.55)),
    Wish("blur", "blurred", tier="hard", photo=_scene("blur_radii", 0.055)),
    Wish("forwarded", "1080 pixels, compressed twice", tier="hard", long_side=1080, shot=lambda s: s.forwarded > 0),
    Wish("small", "1280 pixels", long_side=1280),
    Wish("unknown-edition", "an edition nobody measured", jitter=1.0, format="heic"),
    Wish("unknown-edition-hard", "an edition nobody measured, hard", tier="hard", jitter=1.0),
    Wish("mid-game", "in the middle of a game", turns=9, long_side=1080, format="png"),
    Wish("blank", "nobody has written yet", turns=0, long_side=1280),
    Wish("stars", "four stars or more", stars=4, format="webp"),
    Wish("blocked", "two X or more", blocked=2, long_side=1280),
    Wish("route-drawn", "the player's route and notes drawn", notes=1.0, photo=_scene("notes", 25)),
    Wish("route-drawn-hard", "the player's route and notes drawn, hard", tier="hard", notes=1.0,
         photo=_scene("notes", 25)),
    Wish("sideways", "stored sideways, turned by EXIF", long_side=1800, exif=True),
)  # fmt: skip
"""The photos with a board, in the order of their numbers: odd ones may be tuned on, even ones are only measured on."""

DECOYS = (("chess", "ordinary"), ("sudoku", "hard"), ("disc-grid", "ordinary"), ("other-map", "ordinary"))
"""Pictures without the board: kind and tier."""
