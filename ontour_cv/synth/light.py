"""Light on the table: lamp colour, falling off, shadows, reflections on the gloss. Fields at an eighth of the photo."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ontour_cv.synth.noise import Field, smooth_field
from ontour_cv.synth.shot import Shot

REDUCTION = 8
"""Light fields are drawn this many times smaller than the photo; light is smooth."""

BLOWN = 0.6
"""Glare (in full scale) that leaves less than 40 % of the contrast between ink and a pale disc."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """What light does to a photo.

    Attributes:
        gain: ``(h, w, 3)`` float32, multiplies the picture (BGR).
        shade: ``(h, w)`` float32, the part of the gain that is cast shadow, 0 (dark) to 1.
        glare: ``(h, w)`` float32, added to the glossy board, 1 = full scale.
    """

    gain: NDArray[np.float32]
    shade: Field
    glare: Field


def make_light(
    shot: Shot, centres_photo: NDArray[np.float64], radius_px: float, gloss: float, rng: np.random.Generator
) -> Light:
    """Light for a photo.

    Args:
        shot: how strong everything is.
        centres_photo: ``(N, 2)`` disc centres; glare is put on some of them and kept off the others.
        radius_px: a disc's mean radius.
        gloss: how shiny the board is, 0-1.
        rng: chance.
    """
    width, height = shot.pose.size
    shape = (-(-height // REDUCTION), -(-width // REDUCTION))
    ys, xs = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    u, v = xs / shape[1] - 0.5, ys / shape[0] - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    slope = (u * np.cos(angle) + v * np.sin(angle)) * 2
    level = 1 + shot.gradient * 0.6 * slope + 0.03 * smooth_field(shape, 3, rng)
    level *= 1 - shot.vignette * 2 * (u * u + v * v)
    shade = _shadows(shot, shape, rng)
    level = np.maximum(level, 0.15) * shade
    drift = shot.gradient * 0.25 * slope * rng.choice([-1, 1])
    gain = np.stack([level * shot.cast[0] * (1 - drift), level * shot.cast[1], level * shot.cast[2] * (1 + drift)], -1)
    glare = _glare(shot, centres_photo / REDUCTION, radius_px / REDUCTION, shape, rng)
    haze = shot.haze * gloss * np.clip(0.5 + 0.5 * smooth_field(shape, 2, rng), 0, 1.5)
    return Light(gain.astype(np.float32), shade, (glare + haze).astype(np.float32))


def glare_share(light: Light, centre: tuple[float, float], axes: NDArray[np.float64]) -> float:
    """Share of a disc's area that glare washed out, 0-1."""
    return float(np.mean(_sample(light.glare, _disc_points(centre, axes)) > BLOWN))


def shadow_depth(light: Light, centre: tuple[float, float], axes: NDArray[np.float64]) -> float:
    """How much of the light is missing at a disc: 0 none, 1 all."""
    level = light.gain.mean(axis=2)
    return float(np.clip(1 - np.mean(_sample(level, _disc_points(centre, axes))) / level.max(), 0, 1))


def _disc_points(centre: tuple[float, float], axes: NDArray[np.float64]) -> NDArray[np.float64]:
    """About sixty points spread evenly over a disc, photo pixels."""
    k = np.arange(60)
    radius, angle = np.sqrt((k + 0.5) / 60), k * 2.399963  # a sunflower: the golden angle
    return np.array(centre) + np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) @ axes.T


def _sample(field: NDArray[np.float32], points_photo: NDArray[np.float64]) -> NDArray[np.float32]:
    at = np.floor(points_photo / REDUCTION).astype(int)
    rows, columns = (np.clip(at[:, 1 - k], 0, field.shape[k] - 1) for k in (0, 1))
    return np.asarray(field[rows, columns], dtype=np.float32)


def _shadows(shot: Shot, shape: tuple[int, int], rng: np.random.Generator) -> Field:
    """Soft-edged shadows of hands, phones and lamps: big polygons from the frame's edge inwards."""
    shade = np.ones(shape, np.float32)
    reach = float(max(shape))
    for _ in range(shot.shadows):
        angle = rng.uniform(0, 2 * np.pi)
        root = np.array([shape[1] / 2, shape[0] / 2]) + 0.75 * reach * np.array([np.cos(angle), np.sin(angle)])
        t = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        radius = reach * rng.uniform(0.3, 0.85) * (1 + 0.25 * np.cos(2 * t + rng.uniform(0, 6)))
        blob = root + np.column_stack([radius * np.cos(t), radius * np.sin(t) * rng.uniform(0.3, 1.0)])
        if rng.random() < 0.4:  # a hand: fingers reach out of the palm
            blob[::2] += (np.array([shape[1], shape[0]]) / 2 - blob[::2]) * rng.uniform(0, 0.5)
        mask = np.zeros(shape, np.float32)
        cv2.fillPoly(mask, [np.round(blob * 8).astype(np.int32)], 1.0, cv2.LINE_AA, 3)
        penumbra = reach * float(np.exp(rng.uniform(np.log(0.004), np.log(0.06))))
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), penumbra), dtype=np.float32)
        shade *= 1 - shot.shadow * mask * float(rng.uniform(0.5, 1))
    return shade


def _glare(
    shot: Shot, spots: NDArray[np.float64], radius: float, shape: tuple[int, int], rng: np.random.Generator
) -> Field:
    """Reflections of lamps and windows; at most ``shot.glare_discs`` discs lose a good part of their area to them."""
    glare = np.zeros(shape, np.float32)
    if rng.random() < 0.5:  # a lamp somewhere, most often on the empty part of the board
        away = rng.uniform([0, 0], [shape[1], shape[0]])
        glare += _reflection(away, radius * rng.uniform(0.5, 3), shot.glare_peak, shape, rng)
        glare *= _mostly_off(spots, radius, shape)
    hit = 0
    for _ in range(shot.glare_discs):
        if hit >= shot.glare_discs:
            break
        aim = spots[int(rng.integers(len(spots)))] + rng.normal(0, 1.2 * radius, 2)
        size = radius * float(np.exp(rng.uniform(np.log(0.4), np.log(2.5))))
        for _ in range(6):
            trial = np.maximum(glare, _reflection(aim, size, shot.glare_peak * float(rng.uniform(0.5, 1)), shape, rng))
            count = _covered(trial, spots, radius)
            if count <= shot.glare_discs:
                glare, hit = trial, count
                break
            size *= 0.75
    return glare


def _reflection(
    aim: NDArray[np.float64], size: float, peak: float, shape: tuple[int, int], rng: np.random.Generator
) -> Field:
    """A bulb (round), a tube (long) or a window (a quadrangle with bars), with a soft halo."""
    mask = np.zeros(shape, np.float32)
    angle = rng.uniform(0, np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    kind = str(rng.choice(["bulb", "tube", "window"], p=[0.5, 0.2, 0.3]))
    long = {"bulb": rng.uniform(1, 1.8), "tube": rng.uniform(3, 7), "window": rng.uniform(1, 2.2)}[kind]
    if kind == "bulb":
        t = np.linspace(0, 2 * np.pi, 40)
        outline = np.column_stack([long * np.cos(t), np.sin(t)])
    else:
        outline = np.array([[-long, -1], [long, -1], [long, 1], [-long, 1]]) + rng.normal(0, 0.12, (4, 2))
    cv2.fillPoly(mask, [np.round((outline @ turn * size + aim) * 8).astype(np.int32)], 1.0, cv2.LINE_AA, 3)
    if kind == "window":
        for bar in (np.array([[0, -1.3], [0, 1.3]]), np.array([[-1.3 * long, 0], [1.3 * long, 0]])):
            ends = np.round((bar @ turn * size + aim) * 8).astype(np.int32)
            cv2.polylines(mask, [ends], False, 0.0, max(1, round(0.12 * size)), cv2.LINE_AA, 3)
    edge = size * float(np.exp(rng.uniform(np.log(0.06), np.log(0.8)))) + 0.6
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), edge))
    halo = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2.2 * size + 1))
    return np.asarray(peak * (soft + rng.uniform(0, 0.4) * halo), dtype=np.float32)


def _covered(glare: Field, spots: NDArray[np.float64], radius: float) -> int:
    """How many discs lose a good part of their area."""
    half = 0.7 * radius * np.array([[x, y] for x in (-1, -0.33, 0.33, 1) for y in (-1, -0.33, 0.33, 1)])
    at = np.round(spots[:, None, :] + half[None]).astype(int)
    ys, xs = np.clip(at[..., 1], 0, glare.shape[0] - 1), np.clip(at[..., 0], 0, glare.shape[1] - 1)
    return int(np.sum(np.mean(glare[ys, xs] > BLOWN, axis=1) >= 0.15))


def _mostly_off(spots: NDArray[np.float64], radius: float, shape: tuple[int, int]) -> Field:
    """1 away from the discs, 0.35 on them."""
    mask = np.zeros(shape, np.float32)
    for x, y in spots:
        cv2.circle(mask, (round(float(x)), round(float(y))), max(1, round(1.2 * radius)), 1.0, -1)
    return np.asarray(1 - 0.65 * cv2.GaussianBlur(mask, (0, 0), 0.5 * radius + 0.5), dtype=np.float32)
