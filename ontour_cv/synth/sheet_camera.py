"""A sheet of paper before the camera: flat, curled about any line, or folded."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points
from ontour_cv.press.sheet import ASPECT
from ontour_cv.synth.camera import Camera, place_camera
from ontour_cv.synth.shot import Shot

_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, ASPECT], [0.0, ASPECT]])

Profile = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class SheetCamera(Camera):
    """A camera whose hinges run at an angle to the sheet.

    Attributes:
        turn: ``(2, 3)`` from the sheet's frame to the frame in which hinges are upright; a rotation and a shift.
    """

    turn: NDArray[np.float64]

    def board_to_photo(self, points_board: Points) -> Points:
        """Photo pixels ``(N, 2)`` of sheet points ``(N, 2)``."""
        return Camera.board_to_photo(self, points_board @ self.turn[:, :2].T + self.turn[:, 2])

    def photo_to_board(self, points_photo: Points) -> Points:
        """Sheet points ``(N, 2)`` of photo pixels ``(N, 2)``."""
        seen = Camera.photo_to_board(self, points_photo)
        return np.asarray((seen - self.turn[:, 2]) @ self.turn[:, :2], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Bend:
    """How the paper bends.

    Attributes:
        turn_deg: angle of the hinges to the sheet's upright.
        hinges: place (in the turned frame) and angle in radians of each.
        fold: whether it is one sharp fold.
    """

    turn_deg: float
    hinges: Profile
    fold: bool

    @property
    def total_deg(self) -> float:
        """All bends together, degrees."""
        return float(np.degrees(sum(abs(angle) for _, angle in self.hinges)))


def sample_bend(rng: np.random.Generator, hard: bool) -> Bend:
    """Flat (half of the papers; in hard pictures few), curled, wavy, or folded once."""
    kind = str(
        rng.choice(["flat", "curl", "wave", "fold"], p=[0.15, 0.5, 0.2, 0.15] if hard else [0.5, 0.35, 0.1, 0.05])
    )
    angle = float(rng.choice([0.0, 90.0, rng.uniform(0, 180)], p=[0.35, 0.25, 0.4]))
    if kind == "flat":
        return Bend(0.0, (), False)
    most = np.radians(55 if hard else 22)
    places = np.linspace(-0.05, 1.05, 23)
    if kind == "fold":
        at = 0.5 if rng.random() < 0.6 else float(rng.uniform(0.2, 0.8))
        return Bend(
            angle if rng.random() < 0.3 else 90.0 * (rng.random() < 0.5), ((at, 0.5 * most * _sign(rng)),), True
        )
    if kind == "curl":  # most at one end, as of a sheet torn off a pad, or all along
        middle = float(rng.choice([0.5, 0.05, 0.95]))
        share = np.exp(-(((places - middle) / rng.uniform(0.25, 0.8)) ** 2))
    else:
        share = np.sin(places * rng.uniform(5, 11) + rng.uniform(0, 6))
    bends = share / np.abs(share).sum() * float(rng.uniform(0.25, 1.0)) * most * _sign(rng)
    return Bend(angle, tuple(zip(places.tolist(), bends.tolist(), strict=True)), False)


def _sign(rng: np.random.Generator) -> float:
    return float(rng.choice([-1, 1]))


def frame_sheet(shot: Shot, bend: Bend, points: Points, room: float) -> tuple[SheetCamera, Shot]:
    """A camera that keeps ``points`` (sheet frame) ``room`` of the picture's shorter side off its edges.

    Returns:
        the camera, and the shot with the pose as it was really taken.
    """
    turn = _turn(bend.turn_deg)
    size = np.array(shot.pose.size)
    edge = room * size.min()
    pose = replace(shot.pose, roll_deg=shot.pose.roll_deg - bend.turn_deg)
    wanted = pose.fill
    for _ in range(2):  # the camera frames the turned sheet; what counts is the sheet
        plain = place_camera(pose, ASPECT, bend.hinges)
        camera = SheetCamera(plain.size, plain.edges, plain.strips, plain.distortion, turn)
        span = float((np.ptp(camera.board_to_photo(_CORNERS), axis=0) / size).max())
        pose = replace(pose, fill=pose.fill * float(np.clip(wanted / span, 0.6, 1.7)))
    for _ in range(40):
        plain = place_camera(pose, ASPECT, bend.hinges)
        camera = SheetCamera(plain.size, plain.edges, plain.strips, plain.distortion, turn)
        spots = camera.board_to_photo(points)
        if np.all(spots >= edge) and np.all(spots <= size - 1 - edge):
            break
        pose = replace(pose, fill=pose.fill * 0.95, shift=(pose.shift[0] * 0.92, pose.shift[1] * 0.92))
    return camera, replace(shot, pose=pose)


def shading(
    bend: Bend, shape: tuple[int, int], scale: float, shift: tuple[float, float], strength: float
) -> NDArray[np.float32]:
    """How bright each pixel of a flat sheet is because it leans to the lamp or away, ``shape`` float32 round 1.

    Args:
        bend: how the paper bends.
        shape: ``(height, width)`` of the picture.
        scale: its pixels per sheet width.
        shift: sheet point of its top left corner.
        strength: share of brightness per radian.
    """
    if not bend.hinges:
        return np.ones(shape, np.float32)
    places = np.array([place for place, _ in bend.hinges])
    slopes = np.cumsum([angle for _, angle in bend.hinges])
    if bend.fold:
        places, slopes = np.array([places[0] - 0.004, places[0] + 0.004]), np.array([0.0, slopes[0]])
    slopes = slopes - slopes.mean()
    along = _along(bend, shape, scale, shift)
    return np.asarray(np.clip(1 + strength * np.interp(along, places, slopes), 0.5, 1.5), dtype=np.float32)


def crease(bend: Bend, shape: tuple[int, int], scale: float, shift: tuple[float, float]) -> NDArray[np.float32]:
    """The line of a fold on a flat sheet, ``shape`` float32 0-1; arguments as :func:`shading`."""
    away = _along(bend, shape, scale, shift) - np.float32(bend.hinges[0][0])
    return np.asarray(np.exp(-((away / np.float32(0.0012)) ** 2)), dtype=np.float32)


def _along(bend: Bend, shape: tuple[int, int], scale: float, shift: tuple[float, float]) -> NDArray[np.float32]:
    """Each pixel's place across the hinges."""
    ys, xs = (np.arange(n, dtype=np.float32) / np.float32(scale) for n in shape)
    (a, b, c), _ = _turn(bend.turn_deg).astype(np.float32)
    return np.asarray(a * (xs[None] + np.float32(shift[0])) + b * (ys[:, None] + np.float32(shift[1])) + c)


def _turn(degrees: float) -> NDArray[np.float64]:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = np.array([[cos, -sin], [sin, cos]])
    middle = np.array([0.5, ASPECT / 2])
    return np.column_stack([turn, middle - turn @ middle])
