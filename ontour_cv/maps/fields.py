"""Reading typed fields out of TOML and JSON tables, with errors that name the file and the field."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from typing import Any

from ontour_cv.errors import BadTemplate

Table = Mapping[str, Any]
_REMEDY = "Correct the file; templates/ and calibration/ of the project show the form."


class Fields:
    """The fields of one table; each may be taken once, and :meth:`done` refuses what nobody took."""

    def __init__(self, table: object, where: str) -> None:
        """Start on ``table``, which messages call ``where``; ``BadTemplate`` when it is not a table."""
        self.where = where
        if not isinstance(table, Mapping):
            raise self.wrong(f"expected a table, found {_found(table)}")
        self._left = dict(table)

    def wrong(self, what: str) -> BadTemplate:
        """The error to raise for ``what``."""
        return BadTemplate(f"{self.where}: {what}", _REMEDY)

    def take(self, key: str, kind: type | tuple[type, ...], expected: str) -> Any:
        """The value of ``key``, which must be of ``kind`` (a bool is never a number)."""
        if key not in self._left:
            raise self.wrong(f"{key!r} is missing; expected {expected}")
        value = self._left.pop(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(f"{key!r} is {_found(value)}; expected {expected}")
        return value

    def has(self, key: str) -> bool:
        """True when ``key`` is there and was not taken yet."""
        return key in self._left

    def text(self, key: str) -> str:
        """A non-empty text on one line."""
        value = str(self.take(key, str, "a text"))
        if not value.strip():
            raise self.wrong(f"{key!r} is empty; expected a text")
        return self.on_one_line(key, value)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts without repeats, each on one line."""
        values = self.take(key, list, "a list of texts")
        for value in values:
            if not isinstance(value, str) or not value:
                raise self.wrong(f"{key!r} holds {_found(value)}; expected a list of texts")
            if values.count(value) > 1:
                raise self.wrong(f"{key!r} names {value!r} twice")
            self.on_one_line(key, value)
        return tuple(values)

    def flag(self, key: str) -> bool:
        """A yes or no."""
        return bool(self.take(key, bool, "true or false"))

    def integer(self, key: str) -> int:
        """A whole number, zero or more."""
        value = int(self.take(key, int, "a whole number"))
        if value < 0:
            raise self.wrong(f"{key!r} is {value}; expected zero or more")
        return value

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers, zero or more each."""
        values = self.take(key, list, "a list of whole numbers")
        for value in values:
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise self.wrong(f"{key!r} holds {_found(value)}; expected a list of whole numbers, zero or more")
        return tuple(values)

    def number(self, key: str) -> float:
        """A finite number."""
        return self._finite(key, self.take(key, (int, float), "a number"))

    def point(self, key: str) -> tuple[float, float]:
        """Two finite numbers, x and y."""
        value = self.take(key, list, "a pair [x, y]")
        if len(value) != 2:
            raise self.wrong(f"{key!r} holds {len(value)} values; expected a pair [x, y]")
        return self._finite(key, value[0]), self._finite(key, value[1])

    def points(self, key: str) -> tuple[tuple[float, float], ...]:
        """A list of at least three points, such as the corners of a polygon."""
        values = self.take(key, list, "a list of pairs [x, y]")
        if len(values) < 3 or any(not isinstance(value, list) or len(value) != 2 for value in values):
            raise self.wrong(f"{key!r} holds {_found(values)}; expected three pairs [x, y] or more")
        return tuple((self._finite(key, x), self._finite(key, y)) for x, y in values)

    def rectangle(self, key: str) -> tuple[float, float, float, float]:
        """Four finite numbers: left, top, right, bottom, in that order and not turned over."""
        value = self.take(key, list, "a rectangle [left, top, right, bottom]")
        if len(value) != 4:
            raise self.wrong(f"{key!r} holds {len(value)} values; expected [left, top, right, bottom]")
        left, top, right, bottom = (self._finite(key, number) for number in value)
        if left >= right or top >= bottom:
            raise self.wrong(f"{key!r} is {_found(value)}; expected left < right and top < bottom")
        return left, top, right, bottom

    def rest(self) -> tuple[str, ...]:
        """The names of the fields nobody took yet."""
        return tuple(self._left)

    def done(self) -> None:
        """``BadTemplate`` when fields are left that nobody knows."""
        if self._left:
            raise self.wrong(f"unknown field {', '.join(repr(key) for key in self._left)}")

    def on_one_line(self, key: str, value: str) -> str:
        """The value; ``BadTemplate`` when it holds a line break or a control character."""
        if not one_line(value):
            raise self.wrong(f"{key!r} is {_found(value)}; expected a text without line breaks or control characters")
        return value

    def _finite(self, key: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(f"{key!r} holds {_found(value)}; expected a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.wrong(f"{key!r} holds {_found(value)}; expected a finite number")
        return number


def one_line(text: str) -> bool:
    """Whether a text holds no line break, no control character and no half of a character, so that it can be shown."""
    return not any(unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} for letter in text)


def _found(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
