"""A report drawn over its photo, written to a file."""

from __future__ import annotations

from pathlib import Path

from ontour_cv.scorer.report import Report


def save_overlay(report: Report, path: Path) -> None:
    """Write the overlay of ``report`` to ``path``; ``UsageError`` when that fails."""
    raise NotImplementedError
