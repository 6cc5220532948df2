"""The camera: where a point of a (slightly folded) board lands in a photo, and the way back."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.geometry import Points

_Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """How the phone was held.

    Attributes:
        size: ``(width, height)`` of the photo.
        focal: focal length in units of the photo's longer side (a phone's main camera has about 0.72-0.8).
        tilt_deg: angle between the view and the board's normal.
        azimuth_deg: direction the camera leans to.
        roll_deg: turn of the board in the picture.
        fill: share of the frame that the board spans along the tighter side; above 1 cuts its edges.
        shift: ``(x, y)`` of the board's middle off the frame's middle, in units of the frame.
        distortion: radial coefficients k1, k2 (of the squared radius in half diagonals).
    """

    size: tuple[int, int]
    focal: float
    tilt_deg: float
    azimuth_deg: float
    roll_deg: float
    fill: float
    shift: tuple[float, float]
    distortion: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A posed camera before a board made of flat strips hinged along vertical lines.

    Attributes:
        size: ``(width, height)`` of the photo.
        edges: ``(S + 1,)`` x of the strips' borders in the board frame.
        strips: ``(S, 3, 3)`` board frame to undistorted photo pixels, one homography per strip.
        distortion: k1, k2; undistorted = centre + (p - centre) * (1 + k1 r^2 + k2 r^4).
    """

    size: tuple[int, int]
    edges: NDArray[np.float64]
    strips: NDArray[np.float64]
    distortion: tuple[float, float]

    def board_to_photo(self, points_board: Points) -> Points:
        """Photo pixels ``(N, 2)`` of board points ``(N, 2)``."""
        strip = np.clip(np.searchsorted(self.edges, points_board[:, 0]) - 1, 0, len(self.strips) - 1)
        flat = np.column_stack([points_board, np.ones(len(points_board))])
        xyw = np.einsum("nij,nj->ni", self.strips[strip], flat)
        ideal = xyw[:, :2] / xyw[:, 2:]
        centre, unit = self._optics()
        seen = ideal.copy()
        for _ in range(12):  # the inverse of a mild polynomial: a fixed point reached in a few steps
            seen = centre + (ideal - centre) / self._stretch((seen - centre) / unit)
        return np.asarray(seen, dtype=np.float64)

    def photo_to_board(self, points_photo: Points) -> Points:
        """Board points ``(N, 2)`` of photo pixels ``(N, 2)``; exact inverse of :meth:`board_to_photo`."""
        centre, unit = self._optics()
        away = points_photo - centre
        ideal = np.column_stack([centre + away * self._stretch(away / unit), np.ones(len(away))])
        out = np.full_like(points_photo, -100.0)  # what lies behind the camera is far off the board
        for k, matrix in enumerate(self.strips):
            xyw = ideal @ np.linalg.inv(matrix).T
            flat = xyw[:, :2] / xyw[:, 2:]
            low = -np.inf if k == 0 else self.edges[k]
            high = np.inf if k == len(self.strips) - 1 else self.edges[k + 1]
            mine = (flat[:, 0] >= low) & (flat[:, 0] < high) & (xyw[:, 2] * matrix[2, 2] > 0)
            out[mine] = flat[mine]
        return out

    def maps_to(self, scale: float, offset: tuple[float, float]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For every photo pixel its place in a picture of the board, two ``(H, W)`` float32 maps for ``cv2.remap``.

        Exact on a grid of 8 px and bilinear between (under 0.05 px off at phone tilts).

        Args:
            scale: pixels of that picture per board width.
            offset: board point of that picture's top left corner.
        """
        width, height = self.size
        step = 8  # `cv2.resize` puts sample i of a coarse row at step * (i + 0.5) - 0.5
        columns, rows = -(-width // step) + 2, -(-height // step) + 2
        xs = step * (np.arange(columns) - 0.5) - 0.5
        ys = step * (np.arange(rows) - 0.5) - 0.5
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        coarse = (self.photo_to_board(grid) - np.array(offset)) * scale - 0.5
        fine = []
        for k in range(2):
            plane = coarse[:, k].reshape(rows, columns).astype(np.float32)
            grown = np.asarray(cv2.resize(plane, (columns * step, rows * step), interpolation=cv2.INTER_LINEAR))
            fine.append(np.ascontiguousarray(grown[step : step + height, step : step + width], dtype=np.float32))
        return fine[0], fine[1]

    def axes(self, centres_board: Points, radius_board: float) -> NDArray[np.float64]:
        """``(N, 2, 2)``: columns are the photo vectors of one radius along board x and y."""
        columns = []
        for step in (np.array([radius_board, 0.0]), np.array([0.0, radius_board])):
            columns.append((self.board_to_photo(centres_board + step) - self.board_to_photo(centres_board - step)) / 2)
        return np.stack(columns, axis=-1)

    def _optics(self) -> tuple[NDArray[np.float64], float]:
        centre = (np.array(self.size, dtype=np.float64) - 1) / 2
        return centre, float(np.linalg.norm(centre))

    def _stretch(self, away: Points) -> NDArray[np.float64]:
        r2 = np.sum(away * away, axis=1, keepdims=True)
        return np.asarray(1 + self.distortion[0] * r2 + self.distortion[1] * r2 * r2)


def place_camera(pose: Pose, aspect: float, profile: tuple[tuple[float, float], ...] = ()) -> Camera:
    """A camera that frames a board of width 1 and height ``aspect`` as the pose asks.

    Args:
        pose: how the phone was held.
        aspect: board height over width.
        profile: hinges ``(x, angle in radians)`` where the board bends out of its plane, by rising x.
    """
    edges = np.array([-10.0, *(x for x, _ in profile), 10.0])
    frames = _strip_frames(profile, aspect)
    turn = _rotation(pose)
    long_side = max(pose.size)
    focal = pose.focal * long_side
    corners = np.array([[0, 0], [1, 0], [1, aspect], [0, aspect]], dtype=np.float64)
    distance = 2.0
    aim = np.zeros(2)
    strips = np.empty((len(frames), 3, 3))
    for _ in range(25):
        intrinsics = np.array([[focal, 0, aim[0]], [0, focal, aim[1]], [0, 0, 1.0]])
        for k, frame in enumerate(frames):
            placed = turn @ frame
            placed[:, 2] += [0, 0, distance]
            strips[k] = intrinsics @ placed
        flat = Camera(pose.size, edges, strips, (0.0, 0.0)).board_to_photo(corners)
        span = np.ptp(flat, axis=0) / np.array(pose.size)
        distance *= float(np.clip(span.max() / pose.fill, 0.7, 1.4))
        middle = (flat.max(axis=0) + flat.min(axis=0)) / 2
        aim += (np.array([0.5, 0.5]) + np.array(pose.shift)) * np.array(pose.size) - middle
    return Camera(pose.size, edges, strips, pose.distortion)


def _rotation(pose: Pose) -> _Matrix:
    tilt, azimuth, roll = np.radians([pose.tilt_deg, pose.azimuth_deg, pose.roll_deg])
    axis = np.array([np.cos(azimuth), np.sin(azimuth), 0.0]) * tilt
    lean = np.asarray(cv2.Rodrigues(axis)[0], dtype=np.float64)
    return lean @ np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, roll]))[0], dtype=np.float64)


def _strip_frames(profile: tuple[tuple[float, float], ...], aspect: float) -> list[_Matrix]:
    """Each strip as a ``(3, 3)`` map from ``(x, y, 1)`` to space: hinged to the one before, centred as a whole."""
    angle, x0, at = 0.0, 0.0, np.zeros(2)
    mean_slope = sum(a * (1 - x) for x, a in profile)  # so that the board lies level as a whole
    angle = -mean_slope
    frames = []
    for x, bend in (*profile, (1.0, 0.0)):
        along = np.array([np.cos(angle), -np.sin(angle)])
        frames.append(
            np.array(
                [
                    [along[0], 0.0, at[0] - along[0] * x0 - 0.5],
                    [0.0, 1.0, -aspect / 2],
                    [along[1], 0.0, at[1] - along[1] * x0],
                ]
            )
        )
        at = at + along * (x - x0)
        x0, angle = x, angle + bend
    return frames
