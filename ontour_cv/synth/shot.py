"""How a photo is taken: everything about camera and light that is drawn by chance, per tier of difficulty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ontour_cv.synth.camera import Pose

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tier:
    """Bounds of one tier; every value of a :class:`Shot` is drawn between them.

    Attributes:
        tilt_deg: camera off the board's normal.
        any_roll: every rotation alike; else about upright, sometimes a quarter turn.
        fill: share of the frame the board takes before discs are made to fit.
        shift: how far off the middle, in frames.
        disc_room: disc radii every disc keeps from the frame's edge; negative lets discs be cut.
        least_radius_px: median disc radius below which the photo is taken with more pixels.
        fold_deg: bend of each fold.
        blur_radii: standard deviation of defocus, in disc radii.
        motion_radii: length of motion blur, in disc radii.
        noise: standard deviation of sensor noise, grey levels.
        quality: JPEG quality.
        glare_discs: how many discs glare may cover.
        glare_peak: strength of glare; 1 blows out.
        shadow: depth of cast shadows.
        cast: spread of white balance errors (log gain).
        exposure: where the bright end of the picture lands, grey levels.
        notes: how likely and how much the player drew besides the marks, 0-1.
        sizes: choices of the photo's longer side, with chances.
    """

    tilt_deg: Range
    any_roll: bool
    fill: Range
    shift: float
    disc_room: float
    least_radius_px: float
    fold_deg: float
    blur_radii: Range
    motion_radii: Range
    noise: Range
    quality: tuple[int, int]
    glare_discs: int
    glare_peak: Range
    shadow: Range
    cast: float
    exposure: Range
    notes: float
    sizes: tuple[tuple[int, float], ...]


TIERS = {
    "ordinary": Tier(
        tilt_deg=(0, 25), any_roll=False, fill=(0.75, 0.98), shift=0.05, disc_room=1.6, least_radius_px=16,
        fold_deg=1.2, blur_radii=(0, 0.035), motion_radii=(0, 0.03), noise=(0.5, 5), quality=(70, 96), glare_discs=1,
        glare_peak=(0.1, 0.55), shadow=(0, 0.3), cast=0.07, exposure=(205, 250), notes=0.4,
        sizes=((1600, 0.3), (2048, 0.4), (3024, 0.15), (4000, 0.15)),
    ),
    "hard": Tier(
        tilt_deg=(12, 45), any_roll=True, fill=(0.9, 1.2), shift=0.1, disc_room=1.2, least_radius_px=13.5,
        fold_deg=3.5, blur_radii=(0.01, 0.06), motion_radii=(0, 0.09), noise=(1, 8), quality=(40, 92), glare_discs=4,
        glare_peak=(0.35, 1.1), shadow=(0.1, 0.6), cast=0.16, exposure=(175, 255), notes=0.6,
        sizes=((1080, 0.45), (1600, 0.25), (2048, 0.2), (4000, 0.1)),
    ),
    "wild": Tier(
        tilt_deg=(0, 55), any_roll=True, fill=(0.5, 1.3), shift=0.16, disc_room=-0.3, least_radius_px=8,
        fold_deg=6.0, blur_radii=(0, 0.12), motion_radii=(0, 0.16), noise=(0.3, 15), quality=(25, 97), glare_discs=7,
        glare_peak=(0.1, 1.5), shadow=(0, 0.75), cast=0.3, exposure=(120, 290), notes=0.7,
        sizes=((900, 0.15), (1080, 0.3), (1600, 0.3), (2048, 0.2), (3024, 0.05)),
    ),
}  # fmt: skip
"""The tiers accuracy is reported for, and the wilder one training uses."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One way of taking a photo; see :class:`Tier` for units.

    Attributes not named there: ``fixed_size`` the size was asked for and stays; ``curl_deg`` bend of a board without
    folds; ``focus_slope`` how much sharper the near side is, 0-1; ``noise_grain`` how far denoising smeared the noise,
    px; ``subsampled`` chroma at half resolution; ``forwarded`` JPEG quality of a second compression, 0 for none;
    ``haze`` a broad reflection that lifts the blacks; ``shadows`` how many are cast; ``cast`` gains of B, G, R;
    ``gradient`` and ``vignette`` falling off of light; ``local_contrast`` a phone's HDR look; ``smears`` of ink;
    ``things`` lying on the board's edge.
    """

    tier: str
    pose: Pose
    fixed_size: bool
    fold_deg: float
    curl_deg: float
    blur_radii: float
    focus_slope: float
    motion_radii: float
    motion_deg: float
    noise: float
    noise_grain: float
    quality: int
    subsampled: bool
    forwarded: int
    glare_discs: int
    glare_peak: float
    haze: float
    shadows: int
    shadow: float
    cast: tuple[float, float, float]
    exposure: float
    gradient: float
    vignette: float
    contrast: float
    saturation: float
    local_contrast: float
    sharpening: float
    smears: int
    things: int


def sample_shot(tier: str, rng: np.random.Generator, long_side: int | None = None) -> Shot:
    """A way to photograph a board, inside the bounds of a tier (a key of ``TIERS``)."""
    t = TIERS[tier]
    mild = tier == "ordinary"
    side = long_side or int(rng.choice([s for s, _ in t.sizes], p=[p for _, p in t.sizes]))
    roll = _roll(t, rng)
    lying = abs(np.sin(np.radians(roll))) < np.sqrt(0.5)
    portrait = bool(lying == (rng.random() < 0.2))  # most people turn the phone the way the board lies
    ratio = float(rng.choice([3 / 4, 9 / 16, 2 / 3, 1.0], p=[0.65, 0.2, 0.1, 0.05]))
    size = (round(side * ratio), side) if portrait else (side, round(side * ratio))
    warmth = rng.normal(0.35 * t.cast, t.cast)
    tint = rng.normal(0, 0.3 * t.cast)
    pose = Pose(
        size=size,
        focal=float(rng.choice([rng.uniform(0.68, 0.85), rng.uniform(0.85, 1.6)], p=[0.75, 0.25])),
        tilt_deg=_between(rng, t.tilt_deg),
        azimuth_deg=float(rng.uniform(0, 360)),
        roll_deg=roll,
        fill=_between(rng, t.fill),
        shift=(float(rng.uniform(-t.shift, t.shift)), float(rng.uniform(-t.shift, t.shift))),
        distortion=(float(rng.normal(0, 0.012 if mild else 0.025)), float(rng.normal(0, 0.004 if mild else 0.01))),
    )
    return Shot(
        tier=tier,
        pose=pose,
        fixed_size=long_side is not None,
        fold_deg=t.fold_deg,
        curl_deg=float(rng.choice([0.0, rng.uniform(0, 2.5 * t.fold_deg)], p=[0.6, 0.4])),
        blur_radii=_between(rng, t.blur_radii),
        focus_slope=float(rng.choice([0.0, rng.uniform(0, 1)])),
        motion_radii=float(rng.choice([0.0, _between(rng, t.motion_radii)], p=[0.6, 0.4])),
        motion_deg=float(rng.uniform(0, 180)),
        noise=float(np.exp(rng.uniform(*np.log(t.noise)))),
        noise_grain=float(rng.uniform(0.0, 1.1)),
        quality=int(rng.integers(t.quality[0], t.quality[1] + 1)),
        subsampled=bool(rng.random() < 0.75),
        forwarded=0 if mild or rng.random() < 0.7 else int(rng.integers(t.quality[0], 90)),
        glare_discs=int(rng.integers(0, t.glare_discs + 1)),
        glare_peak=_between(rng, t.glare_peak),
        haze=float(rng.choice([0.0, rng.uniform(0, 0.08 if mild else 0.2)], p=[0.4, 0.6])),
        shadows=int(rng.choice([0, 1, 2], p=[0.4, 0.4, 0.2])),
        shadow=_between(rng, t.shadow),
        cast=(float(np.exp(-warmth)), float(np.exp(tint)), float(np.exp(warmth))),
        exposure=_between(rng, t.exposure),
        gradient=float(rng.uniform(0, 0.25 if mild else 0.5)),
        vignette=float(rng.uniform(0, 0.2 if mild else 0.4)),
        contrast=float(rng.normal(1.05, 0.08 if mild else 0.16)),
        saturation=float(np.clip(rng.normal(1.0, 0.15 if mild else 0.3), 0.1, 1.7)),
        sharpening=float(rng.choice([0.0, rng.uniform(0, 0.7 if mild else 1.4)], p=[0.4, 0.6])),
        local_contrast=float(rng.choice([0.0, rng.uniform(0, 0.25 if mild else 0.45)], p=[0.6, 0.4])),
        smears=int(rng.integers(1, 5)) * int(rng.random() < 0.4),
        things=int(rng.choice([0, 1, 2], p=[0.75, 0.2, 0.05])),
    )


def _roll(tier: Tier, rng: np.random.Generator) -> float:
    """Rotation of the board in the picture, degrees."""
    if tier.any_roll:
        return float(rng.uniform(-180, 180))
    quarter = int(rng.choice([0, 1, 2, 3], p=[0.85, 0.05, 0.05, 0.05]))
    return 90.0 * quarter + float(np.clip(rng.normal(0, 6), -25, 25))


def _between(rng: np.random.Generator, bounds: Range) -> float:
    return float(rng.uniform(*bounds))
