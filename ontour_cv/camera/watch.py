"""Watching a stream of frames until there is a photo worth reading."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from ontour_cv.camera.frames import Frame
from ontour_cv.camera.gate import Gate, GateSettings, step
from ontour_cv.camera.look import Look, look_at
from ontour_cv.errors import BoardNotFound
from ontour_cv.maps.edition import Edition
from ontour_cv.vision.photo import Photo

THOROUGH_EVERY = 8
"""Every so many frames without a board one is searched as long as a photo is."""


@dataclass(frozen=True, slots=True, eq=False)
class Caught:
    """The photos of a board.

    Attributes:
        photos: the frames worth reading, the sharpest first.
        frames: how many frames were looked at.
        settled: False when no frame was all that was asked for and these are the best there were.
        message: what was still being waited for then.
    """

    photos: tuple[Photo, ...]
    frames: int
    settled: bool
    message: str


def watch(
    frames: Iterator[Frame],
    editions: Sequence[Edition],
    tell: Callable[[Gate], None],
    timeout_s: float,
    settings: GateSettings | None = None,
    look: Callable[[Photo, Sequence[Edition], bool], Look | None] = look_at,
    clock: Callable[[], float] = time.monotonic,
) -> Caught:
    """The best frames of a stream, as soon as they are good enough, or at its end or the timeout the best there were.

    Args:
        frames: the stream; it is closed at the end.
        editions: every edition it may show.
        tell: is called after every frame with what is waited for.
        timeout_s: seconds after which no more frames are looked at.
        settings: what a good frame is.
        look: how a frame is looked at.
        clock: seconds.

    Raises:
        BoardNotFound: no frame showed a board.
        BadPhoto: a frame cannot be read.
    """
    gate, count, blind = Gate(), 0, 0
    pictures: dict[int, Photo] = {}
    spare: tuple[int, Look, Photo] | None = None
    began = clock()
    with closing(_closable(frames)) as stream:
        for frame in stream:
            count += 1
            photo = Photo(frame.name, frame.bgr)
            seen = look(photo, editions, blind % THOROUGH_EVERY == THOROUGH_EVERY - 1)
            blind = 0 if seen is not None else blind + 1
            gate = step(gate, count, seen, settings)
            pictures[count] = photo
            pictures = {number: pictures[number] for number, _ in gate.kept}
            if seen is not None and (spare is None or _better(seen, spare[1])):
                spare = count, seen, photo
            tell(gate)
            if gate.done or clock() - began > timeout_s:
                break
    if gate.kept:
        return Caught(tuple(pictures[number] for number, _ in gate.kept), count, gate.done, gate.message)
    if spare is None:
        raise BoardNotFound(
            f"No board was seen in {count} frame{'' if count == 1 else 's'}.",
            "Point the camera at the whole board from above, in even light.",
        )
    return Caught((spare[2],), count, False, gate.message)


def _better(one: Look, other: Look) -> bool:
    """True when a frame that is not good enough is still better than another: more cells, then sharper ones."""
    return (len(one.outside), one.width / one.radius_px) < (len(other.outside), other.width / other.radius_px)


def _closable(frames: Iterator[Frame]) -> Generator[Frame, None, None]:
    """The same frames; closing them closes the stream, also after an error."""
    yield from frames
