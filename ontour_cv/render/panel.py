"""The strip below an overlay: total, legend, doubts and problems in words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from ontour_cv.board import Kind, Mark
from ontour_cv.render import palette
from ontour_cv.render.findings import Findings
from ontour_cv.render.paint import Colour, Picture, mix
from ontour_cv.render.tags import font

FINE = 2
"""The panel is drawn this many times larger and then reduced: Pillow's shapes have hard edges."""

UNITS = 60.0
"""Width of the panel in the unit all its sizes are given in."""

SMALL, LINE, COLUMN = 0.95, 1.5, 28.0
"""Size of small letters, distance of lines, width of a column."""

ROOM = 28.0
"""Width of the lines beside the legend."""

MOST_NOTES = 8
"""Problems and doubts written out; of more only the count is told."""


@dataclass(frozen=True, slots=True)
class _Note:
    """A sentence with a bullet of some colour."""

    colour: Colour
    text: str


class _Pen:
    """Draws in panel units on an enlarged canvas."""

    def __init__(self, draw: ImageDraw.ImageDraw, unit: float) -> None:
        self._draw = draw
        self._unit = unit

    def text(
        self, x: float, y: float, text: str, size: float, colour: Colour, bold: bool = False, at: str = "lm"
    ) -> None:
        """One line; ``at`` is Pillow's anchor."""
        u, text = self._unit, plain(text)
        weight = max(1, round(0.035 * size * u)) if bold else 0
        face = font(max(4, round(size * u)))
        self._draw.text((x * u, y * u), text, colour, face, anchor=at, stroke_width=weight, stroke_fill=colour)

    def width(self, text: str, size: float) -> float:
        """How wide a line is, in units."""
        return float(font(max(4, round(size * self._unit))).getlength(plain(text))) / self._unit

    def ring(self, x: float, y: float, radius: float, colour: Colour, width: float, dashes: int = 0) -> None:
        """A ring, dashed when ``dashes`` is not 0."""
        u = self._unit
        box = ((x - radius) * u, (y - radius) * u, (x + radius) * u, (y + radius) * u)
        for i in range(max(dashes, 1)):
            start, end = (360 * i / dashes, 360 * (i + 0.6) / dashes) if dashes else (0, 360)
            self._draw.arc(box, start, end, fill=colour, width=max(1, round(width * u)))

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: Colour, width: float) -> None:
        """A straight line."""
        u = self._unit
        ends = (start[0] * u, start[1] * u, end[0] * u, end[1] * u)
        self._draw.line(ends, fill=colour, width=max(1, round(width * u)))

    def dot(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled circle."""
        u = self._unit
        self._draw.ellipse(((x - radius) * u, (y - radius) * u, (x + radius) * u, (y + radius) * u), fill=colour)


def add_panel(picture: Picture, findings: Findings) -> Picture:
    """``picture`` with the panel below it, as wide as the picture."""
    width = picture.shape[1]
    unit = width / UNITS
    rows = _rows(_Pen(ImageDraw.Draw(Image.new("RGB", (1, 1))), FINE * unit), _notes(findings))
    top = 8.2 if len(_entries(findings)) <= 4 else 9.8
    height = top + (LINE * len(rows) + 0.6 if rows else 0)
    canvas = Image.new("RGB", (width * FINE, round(height * unit * FINE)), palette.NIGHT)
    pen = _Pen(ImageDraw.Draw(canvas), FINE * unit)
    _badge(pen, findings)
    _headline(pen, findings)
    _legend(pen, findings)
    for number, row in enumerate(rows):
        y = top + 0.8 + LINE * number
        for x, (colour, line) in zip((2.6, 2.6 + COLUMN), row, strict=False):
            if colour is not None:
                pen.dot(x, y, 0.3, colour)
            pen.text(x + 0.9, y, line, SMALL, palette.MIST)
    panel = canvas.resize((width, max(1, round(height * unit))), Image.Resampling.LANCZOS)
    return np.vstack([picture, np.asarray(panel, dtype=np.uint8)[:, :, ::-1]])


def _rows(pen: _Pen, notes: list[_Note]) -> list[list[tuple[Colour | None, str]]]:
    """Lines of notes: short ones two to a row, long ones wrapped over the whole width."""
    rows: list[list[tuple[Colour | None, str]]] = []
    for note in notes:
        if pen.width(note.text, SMALL) <= COLUMN - 2:
            if not rows or len(rows[-1]) != 1 or pen.width(rows[-1][0][1], SMALL) > COLUMN - 2:
                rows.append([])
            rows[-1].append((note.colour, note.text))
        else:
            lines = _wrap(pen, note.text, SMALL, UNITS - 5)
            rows += [[(note.colour if i == 0 else None, line)] for i, line in enumerate(lines)]
            rows.append([])
    return [row for row in rows if row]


def _badge(pen: _Pen, findings: Findings) -> None:
    x, y, radius = 4.6, 4.2, 3.0
    parts = 60
    for i in range(parts):
        turn = 2 * np.pi * (np.array([i, i + 1.15]) / parts - 0.25)
        ends = [(float(x + radius * np.cos(t)), float(y + radius * np.sin(t))) for t in turn]
        pen.line(ends[0], ends[1], mix(palette.ROUTE, i / (parts - 1)), 0.5)
    pen.text(x, y + 0.08, str(findings.score.total), 3.2, palette.WHITE, bold=True, at="mm")


def _fitted(pen: _Pen, y: float, text: str, size: float, colour: Colour, bold: bool = True) -> None:
    """A line beside the badge, in letters so small that it leaves the legend its place."""
    size = min(size, size * ROOM / max(pen.width(text, size), 1e-6))
    pen.text(9.2, y, text, size, colour, bold=bold)


def _headline(pen: _Pen, findings: Findings) -> None:
    score = findings.score
    parts = findings.sum or f"{findings.visited} + {_count(score.circles, 'circle')}"
    _fitted(pen, 2.3, f"{parts} = {_count(score.total, 'point')}", 1.8, palette.WHITE)
    _fitted(pen, 4.4, findings.title, 0.95, palette.MIST, bold=False)
    low, high = findings.score_range
    if findings.ask:
        names = _join(findings.ask)
        text = f"{low} to {high}, until {names} settled{', and perhaps others' if findings.more else ''}"
        _fitted(pen, 6.2, text, 1.1, palette.DOUBT)
    elif findings.more:
        _fitted(pen, 6.2, "At least: what was not read can only add points", 1.1, palette.DOUBT)
    else:
        how = "; the doubts are unlikely to change that" if findings.doubts else ""
        _fitted(pen, 6.2, f"Proven: no route scores more{how}", 1.1, palette.GOOD)


def _entries(findings: Findings) -> dict[str, str]:
    """What the legend explains, and how: only what the picture shows, in the words of its game."""
    words = {
        "route": "best route",
        "circle": "circle on it: +1",
        "ferry": "ferry that was read",
        "water": "by ferry" if findings.sum else "by boat",
        "doubt": "in doubt",
        "problem": "breaks a rule",
        "drawn": "the drawn tour",
    }
    second = ["ferry"] * any(line in findings.lines for line in findings.beneath) if findings.sum else ["circle"]
    entries = ["route", *second] + ["water"] * bool(findings.by_water) + ["doubt"] * bool(findings.doubts)
    entries += ["problem"] * bool(findings.problems) + ["drawn"] * bool(findings.drawn)
    return {entry: words[entry] for entry in entries}


def _legend(pen: _Pen, findings: Findings) -> None:
    """In two columns at the right."""
    for i, (entry, words) in enumerate(_entries(findings).items()):
        x, y = 40.0 + 10.0 * (i % 2), 2.6 + 2.9 * (i // 2)
        if entry in ("route", "water", "ferry", "drawn"):
            _line_sample(pen, entry, x, y)
        elif entry == "circle":
            pen.ring(x, y, 0.8, palette.CIRCLE, 0.24)
        elif entry == "doubt":
            if findings.ask:
                pen.ring(x, y, 0.8, palette.DOUBT, 0.24, dashes=12)
            pen.text(x, y, "?", 1.0, palette.DOUBT, bold=True, at="mm")
        else:
            pen.ring(x, y, 0.8, palette.PROBLEM, 0.24, dashes=8)
            pen.text(x, y, "!", 1.0, palette.PROBLEM, bold=True, at="mm")
        pen.text(x + 1.5, y, words, 0.95, palette.MIST)


def _line_sample(pen: _Pen, entry: str, x: float, y: float) -> None:
    """A piece of a line as the picture shows it, about (x, y)."""
    if entry == "route":
        for step in range(20):
            at = x - 0.9 + 0.09 * step
            pen.line((at, y), (at + 0.12, y), mix(palette.ROUTE, step / 19), 0.5)
    elif entry == "drawn":
        pen.line((x - 0.9, y), (x + 0.9, y), palette.MIST, 0.16)
    else:
        colours, width = (palette.ROUTE[:2], 0.5) if entry == "water" else ((palette.FERRY, palette.FERRY), 0.35)
        for step, colour in enumerate(colours):
            pen.line((x - 0.9 + 1.1 * step, y), (x - 0.2 + 1.1 * step, y), colour, width)


def _read(findings: Findings, region: str) -> str:
    """A cell in words, its soloist's letter with it."""
    return f"{say(findings.marks[region])} {findings.beside.get(region, '')}".rstrip()


def _drawn(findings: Findings, line: tuple[str, str]) -> str:
    """As what a line in doubt was read, in words."""
    return "drawn" if line in findings.lines else "not drawn"


def _notes(findings: Findings) -> list[_Note]:
    """What needs words, what matters for the score first."""
    notes = []
    if findings.poor:
        advice = "Better take the photo again: from above, nearer, sharp, without glare."
        notes.append(_Note(palette.DOUBT, f"Most of this photo cannot be read for sure. {advice}"))
    asked = [region for region in findings.runners_up if region in findings.ask]
    unread = [region for region in asked if findings.marks[region].kind is Kind.UNREAD]
    if unread:
        notes.append(_Note(palette.DOUBT, f"Could not be read: {', '.join(unread)}"))
    for region in (region for region in asked if region not in unread):
        notes.append(_Note(palette.DOUBT, f"{region} read as {_read(findings, region)}{perhaps(findings, region)}"))
    for line in findings.ask_lines:
        notes.append(_Note(palette.DOUBT, f"Ferry {'-'.join(line)} read as {_drawn(findings, line)}"))
    others = [f"{region} {_read(findings, region)}" for region in findings.runners_up if region not in findings.ask]
    quiet = [line for line in findings.doubtful_lines if line not in findings.ask_lines]
    others += [f"ferry {'-'.join(line)} {_drawn(findings, line)}" for line in quiet]
    if others:
        listed = ", ".join(others)
        what = "and asked about later if need be" if findings.more else "but unlikely to matter for the score"
        notes.append(_Note(palette.DOUBT, f"In doubt, {what}: {listed}"))
    notes += [_Note(palette.PROBLEM, problem.text) for problem in findings.problems]
    if len(notes) > MOST_NOTES:
        left = len(notes) - MOST_NOTES + 1
        notes = [*notes[: MOST_NOTES - 1], _Note(palette.MIST, f"and {left} more")]
    return notes


def perhaps(findings: Findings, region: str) -> str:
    """What else a doubtful cell may be, and what its soloist, in words; nothing when that could be anything."""
    other, letter = findings.runners_up[region], findings.beside_else.get(region)
    mark = [] if other is None else [_other(findings.marks[region], other)]
    words = [*mark, *([] if letter is None else [letter])]
    return f", perhaps {' or '.join(words)}" if words else ""


def _other(read: Mark, other: Mark) -> str:
    """The runner-up in words; only the circle when that is all that differs."""
    if (read.kind, read.number) == (other.kind, other.number):
        return "circled" if other.circled else "not circled"
    return say(other)


def say(mark: Mark) -> str:
    """A mark in a word: ``31``, ``31 circled``, ``a star``, ``an X``, ``empty``."""
    words = {Kind.EMPTY: "empty", Kind.STAR: "a star", Kind.BLOCKED: "an X", Kind.UNREAD: "unread"}
    return (words.get(mark.kind) or f"{mark.number:02d}") + (" circled" if mark.circled else "")


def _wrap(pen: _Pen, text: str, size: float, room: float) -> list[str]:
    """``text`` in lines no wider than ``room`` units."""
    lines: list[str] = []
    for word in text.split():
        if lines and pen.width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _join(regions: Sequence[str]) -> str:
    shown = ", ".join(regions[:5]) + (f" and {len(regions) - 5} more" if len(regions) > 5 else "")
    return f"{shown} {'is' if len(regions) == 1 else 'are'}"


def plain(text: str) -> str:
    """``text`` in the letters Pillow's own font has, which are those of ASCII: accents and fancy signs are dropped."""
    simple = text.translate({0x2013: "-", 0x2014: "-", 0x2018: "'", 0x2019: "'", 0xDF: "ss"})
    return unicodedata.normalize("NFKD", simple).encode("ascii", "ignore").decode()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
