"""A report drawn over its photo, written to a file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from ontour_cv.errors import UsageError
from ontour_cv.files import write_beside
from ontour_cv.maps.model import MapTemplate
from ontour_cv.render.findings import Findings
from ontour_cv.render.paint import Picture
from ontour_cv.rules import Problem
from ontour_cv.scorer.drawn import Drawn
from ontour_cv.scorer.report import Report
from ontour_cv.vision.overlay_tag import tag_overlay

JPEG_QUALITY = 92


def save_overlay(report: Report, path: Path) -> None:
    """Write the overlay of ``report`` to ``path``; as :func:`save_picture`."""
    save_picture(overlay_of(report), path)


def save_picture(picture: Picture, path: Path) -> None:
    """Write a picture ``(H, W, 3)`` uint8 BGR to ``path``, in the format of its ending, tagged as an overlay.

    Raises:
        UsageError: the ending is no picture's.
        NotWritten: it cannot be written, and nobody gathers that (:func:`ontour_cv.files.gathering`).
    """
    import cv2

    ending = path.suffix.lower()
    settings = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY] if ending in (".jpg", ".jpeg") else []
    done, data = cv2.imencode(ending, picture, settings)
    if not done:
        raise UsageError(f"{path} cannot be encoded", "Choose a name that ends in .jpg or .png.")
    write_beside(path, tag_overlay(data.tobytes()), "Choose another place for --overlay.")


def overlay_of(report: Report) -> Picture:
    """The annotated picture of ``report``, ``(H, W, 3)`` uint8 BGR."""
    from ontour_cv.render.overlay import draw_overlay

    return draw_overlay(report.reading.photo, report.reading.placement, findings_of(report))


def findings_of(report: Report) -> Findings:
    """What the overlay tells about ``report``."""
    least_sure_first = sorted(report.uncertain, key=lambda region: report.cells[region].confidence)
    doubtful = {region: report.cells[region] for region in least_sure_first}
    return Findings(
        title=f"{report.template.title}, {_edition(report)}, {report.variant.title}",
        marks=report.board.marks,
        score=report.score,
        score_range=report.score_range,
        runners_up={r: cell.alternatives[0][0] if cell.alternatives else None for r, cell in doubtful.items()},
        ask=report.ask,
        more=report.more,
        problems=_problems(report),
        visited=report.template.counted(report.score.visited),
        poor=report.poor,
        drawn=own_legs(report.drawn, report.score.route),
        by_water=water_legs(report.template, report.score.route),
    )


def own_legs(drawn: Drawn | None, route: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Legs of the drawn tour that the best route does not have, either way round."""
    best = {frozenset(leg) for leg in pairwise(route)}
    return tuple(leg for leg in pairwise(drawn.places if drawn else ()) if frozenset(leg) not in best)


def water_legs(template: MapTemplate, route: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Legs of a route that are no links of the map: by ferry or boat."""
    return tuple((here, there) for here, there in pairwise(route) if there not in template.region(here).neighbours)


def _problems(report: Report) -> tuple[Problem, ...]:
    """The log's slips when there is one, questions as such; else what the board alone shows."""
    if report.log is None or report.log.verdict is None or not report.log.verdict.complete:
        # Unread cells are told among the doubts already.
        return tuple(problem for problem in report.problems if problem.rule != "unread")
    return tuple(
        Problem(slip.kind, slip.regions, slip.text if sure else f"If that is read rightly: {slip.text}")
        for slip, sure in zip(report.log.verdict.slips, report.log.sure, strict=True)
    )


def _edition(report: Report) -> str:
    placement = report.reading.placement
    return "edition nobody measured" if placement.unmeasured else placement.edition.title
