"""``ontour-cv score --camera``: the camera photographs by itself, and tells what it waits for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ontour_cv.board import Mark
from ontour_cv.cli.score_options import PICTURE_TYPES
from ontour_cv.errors import UsageError
from ontour_cv.files import write_beside

if TYPE_CHECKING:
    from ontour_cv.camera.frames import Frame
    from ontour_cv.camera.gate import Gate
    from ontour_cv.camera.watch import Caught
    from ontour_cv.dealer.record import GameRecord
    from ontour_cv.scorer.city_drawn import Given
    from ontour_cv.scorer.city_report import CityReport
    from ontour_cv.scorer.report import Report
    from ontour_cv.scorer.sheet_report import SheetReport
    from ontour_cv.vision.photo import Photo

STOPPED = 130
"""Exit code after Ctrl-C, as shells have it."""


def score_camera(
    source: str,
    map_id: str,
    rules: str | None,
    corrections: Mapping[str, Mark],
    timeout_s: float,
    save_photo: Path | None = None,
    game: GameRecord | None = None,
) -> Report:
    """The report on the board that a camera, a video or a folder of frames shows; leaves with 130 after Ctrl-C.

    Args:
        source: number of a camera, path of a video, or path of a folder.
        map_id: id of the map, or ``"auto"``.
        rules: key of ``RULESETS``; None for the map's own.
        corrections: marks somebody vouches for.
        timeout_s: seconds of watching after which the best frame so far is taken.
        save_photo: where to write the best frame.
        game: what was rolled in the game the board comes from.

    Raises:
        BadPhoto: there is no such camera, file or folder, or it shows nothing.
        BoardNotFound: no board was seen.
        UsageError: ``save_photo`` is no picture's name, in no folder, or a frame.
        NotWritten: the photo cannot be saved, and nobody gathers that (:func:`ontour_cv.files.gathering`).
    """
    from ontour_cv.camera.watch import watch
    from ontour_cv.scorer.score import known_prints
    from ontour_cv.scorer.several import read_together, score_together

    _, editions = known_prints(map_id)
    with _stoppable():
        photos = _catch(source, lambda frames, tell: watch(frames, editions, tell, timeout_s), save_photo)
        return score_together(read_together(photos, map_id, rules), rules, corrections, game)


def score_camera_sheet(
    source: str,
    corrections: Mapping[str, Mark | int],
    timeout_s: float,
    save_photo: Path | None = None,
    game: GameRecord | None = None,
) -> SheetReport:
    """The same for a sheet of Rolling America."""
    from ontour_cv.camera.sheet_look import SHEETS, sheet_looker
    from ontour_cv.camera.watch import watch
    from ontour_cv.maps.load import load_map
    from ontour_cv.scorer.sheet_score import MAP
    from ontour_cv.scorer.sheet_several import score_sheet_photos
    from ontour_cv.vision.sheet_model import sheet_model

    look = sheet_looker(sheet_model(load_map(MAP)))
    with _stoppable():
        photos = _catch(source, lambda frames, tell: watch(frames, (), tell, timeout_s, SHEETS, look), save_photo)
        return score_sheet_photos(photos, corrections, game)


def score_camera_city(
    source: str,
    map_id: str,
    given: Given,
    timeout_s: float,
    save_photo: Path | None = None,
    game: GameRecord | None = None,
) -> CityReport:
    """The same for a board of New York."""
    from ontour_cv.camera.watch import watch
    from ontour_cv.maps.load import load_editions
    from ontour_cv.scorer.city_several import score_same_city

    editions = load_editions(map_id)
    with _stoppable():
        photos = _catch(source, lambda frames, tell: watch(frames, editions, tell, timeout_s), save_photo)
        return score_same_city(photos, map_id, given, game)


def _catch(
    source: str, watched: Callable[[Iterator[Frame], Callable[[Gate], None]], Caught], save_photo: Path | None
) -> tuple[Photo, ...]:
    """The photos worth reading, the best one saved."""
    from ontour_cv.camera.frames import open_frames
    from ontour_cv.cli.console import counted, make_console

    check_save(save_photo, source)
    with _status() as tell:
        caught = watched(open_frames(source), tell)
    _save(caught, save_photo)
    if not caught.settled:
        message = f"Took the best of {counted(caught.frames, 'frame')}; the last advice was: {caught.message}."
        make_console(stderr=True).print(message, markup=False, soft_wrap=True)
    return caught.photos


@contextmanager
def _stoppable() -> Iterator[None]:
    """Leaves with 130 after Ctrl-C."""
    from ontour_cv.cli.console import make_console

    try:
        yield
    except KeyboardInterrupt:
        make_console(stderr=True).print("Stopped.")
        sys.exit(STOPPED)


def check_save(save_photo: Path | None, source: str) -> None:
    """``UsageError`` when the photo could not be written there, found out before anybody holds a camera."""
    if save_photo is None:
        return
    if save_photo.suffix.lower() not in PICTURE_TYPES:
        raise UsageError(f"--save-photo {save_photo} is no picture's name", f"End it in {', '.join(PICTURE_TYPES)}.")
    if not save_photo.absolute().parent.is_dir():
        raise UsageError(f"the folder of --save-photo {save_photo} does not exist", "Make it first.")
    if save_photo.exists() and save_photo.resolve().is_relative_to(Path(source).resolve()):
        raise UsageError(f"--save-photo {save_photo} would write over a frame", "Choose another name.")


def _save(caught: Caught, path: Path | None) -> None:
    """Keep the best photo; where it cannot be written the board is scored all the same."""
    if path is None:
        return
    import cv2

    _, data = cv2.imencode(path.suffix.lower(), caught.photos[0].bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])
    write_beside(path, data.tobytes(), "Choose another place for --save-photo.")


@contextmanager
def _status() -> Iterator[Callable[[Gate], None]]:
    """What is waited for, on stderr: one live line where somebody looks, elsewhere a line for each change."""
    from ontour_cv.cli.console import make_console

    console = make_console(stderr=True)
    if console.is_terminal:
        with console.status("no board yet") as status:
            yield lambda gate: status.update(gate.message)
        return
    said = ""

    def tell(gate: Gate) -> None:
        nonlocal said
        if gate.wait.value != said:
            said = gate.wait.value
            console.print(gate.message, markup=False, soft_wrap=True)

    yield tell
