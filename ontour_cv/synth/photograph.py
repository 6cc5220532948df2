"""A phone photo of a painted board on a table, and the truth about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.board import BoardState
from ontour_cv.maps.edition import Edition
from ontour_cv.maps.model import MapTemplate
from ontour_cv.press.editions import own_edition
from ontour_cv.synth import develop
from ontour_cv.synth.background import make_background
from ontour_cv.synth.camera import Camera, place_camera
from ontour_cv.synth.clutter import draw_thing
from ontour_cv.synth.counted import box_strokes, written_sums
from ontour_cv.synth.drawn import TourDrawer, draw_tour
from ontour_cv.synth.light import Light, glare_share, make_light, shadow_depth
from ontour_cv.synth.noise import Image, mix
from ontour_cv.synth.notes import ghost_strokes, mark_strokes, note_strokes, touching
from ontour_cv.synth.paint import FlatBoard, paint_board
from ontour_cv.synth.printed import Blank, Print, blank_scene, print_scene
from ontour_cv.synth.scene import Scene, sample_scene
from ontour_cv.synth.shot import TIERS, Shot, sample_shot
from ontour_cv.synth.strokes import Writer, sample_writer
from ontour_cv.synth.truth import CellHazards, Truth
from ontour_cv.vision.register import CellPlace


@dataclass(frozen=True, slots=True)
class Settings:
    """What to render.

    Attributes:
        tier: a key of ``shot.TIERS``.
        long_side: longer side of the photo in pixels; None lets the tier choose.
        jitter: probability that the edition is one nobody measured.
        notes: 0-1, how likely and how much the player drew besides the marks; None lets the tier choose.
        backgrounds: photos to lay boards on, beside the procedural tables.
        drawn: the player drew the tour (``drawn``), in place of the notes; the truth says which.
        sums: the player wrote into the score boxes, or did not (``counted.WAYS``); the truth says what.
        tight: probability that coasts and borders run close by the discs and under them (``Scene.tight``).
    """

    tier: str = "ordinary"
    long_side: int | None = None
    jitter: float = 0.3
    notes: float | None = None
    backgrounds: tuple[Path, ...] = ()
    drawn: bool = False
    sums: bool = False
    tight: float = 0.0


def render(
    template: MapTemplate,
    edition: Edition,
    board: BoardState,
    settings: Settings,
    rng: np.random.Generator,
    writer: Writer | None = None,
) -> tuple[Image, Truth]:
    """A photo of a filled board, ``(H, W, 3)`` uint8 BGR, and its truth.

    Args:
        template: the map.
        edition: where its discs lie.
        board: what is written, one mark for every region.
        settings: tier and options.
        rng: all chance; the same state gives the same photo.
        writer: whose hand; None takes a new one of our own shapes.
    """
    return next(render_again(template, edition, board, settings, rng, writer))


def render_print(
    sheet: Print, board: BoardState, settings: Settings, rng: np.random.Generator, writer: Writer | None = None,
    drawer: TourDrawer | None = None,
) -> tuple[Image, Truth]:  # fmt: skip
    """As :func:`render`, of a board this project printed; ``settings.jitter`` means nothing here.

    ``drawer`` draws the tour of ``settings.drawn``, where it is another than ``drawn.draw_tour`` draws.
    """
    edition = own_edition(sheet.template, sheet.design)
    return next(render_again(sheet.template, edition, board, settings, rng, writer, sheet, drawer))


def render_blank(
    template: MapTemplate,
    blank: Blank,
    board: BoardState,
    settings: Settings,
    rng: np.random.Generator,
    writer: Writer | None = None,
) -> tuple[Image, Truth]:
    """As :func:`render`, of a published board whose owner photographed it without ink."""
    return next(render_again(template, blank.edition, board, settings, rng, writer, blank))


def render_again(
    template: MapTemplate,
    edition: Edition,
    board: BoardState,
    settings: Settings,
    rng: np.random.Generator,
    writer: Writer | None = None,
    sheet: Print | Blank | None = None,
    drawer: TourDrawer | None = None,
) -> Iterator[tuple[Image, Truth]]:
    """Photos of one filled board without end: the same print and ink; camera, light and table by chance each time.

    The first is the one :func:`render` gives. The phone stays the same, so the photos are about equally large.
    """
    shot = sample_shot(settings.tier, rng, settings.long_side)
    width_px = int(np.clip(max(shot.pose.size) * 0.95, 1200, 2600))
    if sheet is None:
        tight = settings.tight > 0 and bool(rng.random() < settings.tight)
        scene = sample_scene(template, edition, rng, settings.jitter, width_px, settings.tier == "wild", tight)
    elif isinstance(sheet, Blank):
        scene = blank_scene(sheet, template, rng, width_px)
    else:
        scene = print_scene(sheet, rng, width_px)
    writer = writer if writer is not None else sample_writer(rng)
    strength = TIERS[settings.tier].notes if settings.notes is None else settings.notes
    ghosts = ghost_strokes(scene, writer, rng) if rng.random() < 0.5 * strength else []
    tour = (drawer or partial(draw_tour, board, template, writer))(scene, rng) if settings.drawn else None
    notes = tour.strokes if tour else note_strokes(board, template, scene, writer, rng, strength)
    strokes = ghosts + notes + mark_strokes(board, scene, writer, rng)
    if settings.sums:
        scene = replace(scene, furniture=max(1, scene.furniture) if sheet is None else 0)
    sums = written_sums(board, tour.places if tour else None, scene, settings.sums, rng)
    strokes += box_strokes(scene, sums, writer, rng)
    flat = paint_board(scene, template, strokes, rng, shot.smears, None if sheet is None else sheet.picture)
    clutter = touching(notes, scene)
    long_side = max(shot.pose.size)
    while True:
        image, camera, light, taken = photograph(flat, scene, shot, rng, settings.backgrounds)
        truth = _truth(template, scene, board, taken, camera, light, clutter)
        yield image, replace(truth, drawn=tour.places if tour else None, sums=sums if settings.sums or tour else None)
        shot = replace(sample_shot(settings.tier, rng, long_side), fixed_size=shot.fixed_size)


def photograph(
    flat: FlatBoard, scene: Scene, shot: Shot, rng: np.random.Generator, backgrounds: Sequence[Path] = ()
) -> tuple[Image, Camera, Light, Shot]:
    """Photograph a painted board: the picture, the camera, the light, and the shot as it was really taken.

    The pose's fill is lowered until every disc keeps the tier's distance from the frame's edge.
    """
    camera, shot = _framed(scene, shot, rng)
    centres = np.array(list(scene.cells.values()))
    radius_px = _radius_px(camera, scene)
    light = make_light(shot, camera.board_to_photo(centres), radius_px, scene.palette.gloss, rng)
    picture = make_background(shot.pose.size, rng, backgrounds)
    mask = _lay(picture, flat, camera, radius_px / scene.radius, rng)
    for _ in range(shot.things):
        _lay_thing(picture, camera, scene, radius_px, rng)
    picture = develop.blur(picture, shot, radius_px)
    picture = develop.expose(picture, light, mask, shot, rng)
    picture = develop.finish(picture, shot)
    picture = develop.decode(develop.encode(picture, shot.quality, shot.subsampled))
    if shot.forwarded:
        picture = develop.decode(develop.encode(picture, shot.forwarded, True))
    return picture, camera, light, shot


def _framed(scene: Scene, shot: Shot, rng: np.random.Generator) -> tuple[Camera, Shot]:
    """A camera that keeps the discs inside the frame as far as the tier asks."""
    profile = _profile(scene, shot, rng)
    centres = np.array(list(scene.cells.values()))
    room = TIERS[shot.tier].disc_room
    size = np.array(shot.pose.size)
    pose = shot.pose
    for _ in range(40):
        camera = place_camera(pose, scene.aspect, profile)
        spots = camera.board_to_photo(centres)
        reach = np.linalg.norm(camera.axes(centres, scene.radius), axis=1) * room
        if np.all(spots - reach >= 0) and np.all(spots + reach <= size - 1):
            break
        pose = replace(pose, fill=pose.fill * 0.96, shift=(pose.shift[0] * 0.93, pose.shift[1] * 0.93))
    short = TIERS[shot.tier].least_radius_px / _radius_px(camera, scene)
    if short > 1 and not shot.fixed_size:
        width, height = (round(v * min(short, 1.6)) for v in pose.size)
        pose = replace(pose, size=(width, height))
        camera = place_camera(pose, scene.aspect, profile)
    return camera, replace(shot, pose=pose)


def _radius_px(camera: Camera, scene: Scene) -> float:
    """Median disc radius in the photo."""
    axes = camera.axes(np.array(list(scene.cells.values())), scene.radius)
    return float(np.median(np.sqrt(np.abs(np.linalg.det(axes)))))


def _profile(scene: Scene, shot: Shot, rng: np.random.Generator) -> tuple[tuple[float, float], ...]:
    """Hinges: the folds, and for boards without folds a gentle curl in eight steps."""
    hinges = [(x, float(np.radians(rng.normal(0, shot.fold_deg)))) for x in scene.folds]
    if not hinges and shot.curl_deg:
        bend = float(np.radians(shot.curl_deg) * rng.choice([-1, 1])) / 8
        hinges = [(x, bend) for x in np.linspace(0.1, 0.9, 8).tolist()]
    return tuple(hinges)


def _lay(
    picture: Image, flat: FlatBoard, camera: Camera, px_per_board: float, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Warp the board onto the table, with its shadow; returns the board's coverage ``(H, W)`` uint8."""
    board, scale = flat.bgr, flat.scale
    shrink = px_per_board * 1.15 / scale
    if shrink < 0.8:  # area averaging first: sampling alone would alias thin strokes
        size = (round(board.shape[1] * shrink), round(board.shape[0] * shrink))
        board = np.asarray(cv2.resize(board, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        scale = scale * size[0] / flat.bgr.shape[1]
    xs, ys = camera.maps_to(scale, flat.offset)
    solid = np.full(board.shape[:2], 255, np.uint8)
    mask = np.asarray(cv2.remap(solid, xs, ys, cv2.INTER_LINEAR), dtype=np.uint8)
    warped = np.asarray(cv2.remap(board, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
    _drop_shadow(picture, mask, px_per_board, rng)
    np.copyto(picture, warped, where=(mask > 250)[..., None])
    rim = np.flatnonzero((mask > 0) & (mask <= 250))
    share = mask.reshape(-1, 1)[rim] / np.float32(255)
    flat_picture, flat_warped = picture.reshape(-1, 3), warped.reshape(-1, 3)
    flat_picture[rim] = (flat_picture[rim] * (1 - share) + flat_warped[rim] * share).astype(np.uint8)
    return mask


def _lay_thing(picture: Image, camera: Camera, scene: Scene, radius_px: float, rng: np.random.Generator) -> None:
    """A pen, die or card on the board where it hides no disc, or nowhere."""
    spots = camera.board_to_photo(np.array(list(scene.cells.values())))
    size = radius_px * float(rng.uniform(4, 14))
    for _ in range(12):
        at = camera.board_to_photo(rng.uniform([[-0.1, -0.1]], [[1.1, scene.aspect + 0.1]]))[0]
        if np.linalg.norm(spots - at, axis=1).min() > 0.64 * size + 1.5 * radius_px:
            draw_thing(picture, str(rng.choice(["pen", "die", "card", "tokens", "finger"])), at, size, rng)
            return


def _drop_shadow(picture: Image, mask: NDArray[np.uint8], px_per_board: float, rng: np.random.Generator) -> None:
    """The soft shadow of the board's edge on the table."""
    step = 8
    small = np.asarray(cv2.resize(mask, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA), np.float32) / 255
    reach = px_per_board * float(rng.uniform(0.002, 0.012)) / step
    move = np.array([[1, 0, rng.normal(0, 1) * reach], [0, 1, rng.normal(0, 1) * reach]])
    soft = np.asarray(cv2.GaussianBlur(cv2.warpAffine(small, move, small.shape[::-1]), (0, 0), reach + 0.5))
    alpha = np.asarray(cv2.resize(soft * float(rng.uniform(0.2, 0.7)), picture.shape[1::-1]), np.float32)
    mix(picture, (0, 0, 0), alpha)


def _truth(
    template: MapTemplate, scene: Scene, board: BoardState, shot: Shot, camera: Camera, light: Light,
    clutter: dict[str, int],
) -> Truth:  # fmt: skip
    width, height = camera.size
    ids = template.ids
    centres = np.array([scene.cells[i] for i in ids])
    spots, axes = camera.board_to_photo(centres), camera.axes(centres, scene.radius)
    cells, hazards = {}, {}
    typical_px = _radius_px(camera, scene)
    circle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = np.column_stack([np.cos(circle), np.sin(circle)])
    for k, region in enumerate(ids):
        centre = (float(spots[k, 0]), float(spots[k, 1]))
        points = np.vstack([share * rim @ axes[k].T + spots[k] for share in (0.35, 0.7, 1.0)])
        out = (points < -0.5) | (points > np.array([width, height]) - 0.5)
        outside = float(np.mean(out.any(axis=1)))
        radius_px = float(np.sqrt(abs(np.linalg.det(axes[k]))))
        cells[region] = CellPlace(centre, axes[k], outside < 0.5, outside == 0)
        hazards[region] = CellHazards(
            glare=glare_share(light, centre, axes[k]),
            shadow=shadow_depth(light, centre, axes[k]),
            blur_px=develop.blur_px(shot, typical_px, centre),
            clutter=clutter[region],
            outside=outside,
            radius_px=radius_px,
        )
    conditions: dict[str, float | str] = {
        "palette": scene.palette.name,
        "folds": len(scene.folds),
        "furniture": scene.furniture,
        "tilt_deg": shot.pose.tilt_deg,
        "roll_deg": shot.pose.roll_deg,
        "fill": shot.pose.fill,
        "blur_radii": float(np.hypot(shot.blur_radii, shot.motion_radii / np.sqrt(12))),
        "noise": shot.noise,
        "quality": shot.quality,
        "subsampled": int(shot.subsampled),
        "glare_discs": sum(h.glare >= 0.25 for h in hazards.values()),
        "haze": shot.haze,
        "shadow": max(h.shadow for h in hazards.values()),
        "notes": sum(clutter.values()),
    }
    return Truth(template.id, scene.edition, shot.tier, board, cells, hazards, conditions, camera.size)
