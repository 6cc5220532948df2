"""How a sheet is photographed: as boards are, but on matt paper, and more often late at a kitchen table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ontour_cv.synth.shot import Shot, sample_shot

_SIZES = (1200, 1280, 1600, 2048, 2400, 3000)


def sample_sheet_shot(rng: np.random.Generator, hard: bool, long_side: int | None = None) -> Shot:
    """A way to photograph a sheet; ``hard`` widens everything."""
    side = long_side or int(rng.choice(_SIZES, p=[0.2, 0.15, 0.25, 0.25, 0.1, 0.05]))
    shot = sample_shot("hard" if hard else "ordinary", rng, side)
    shot = replace(
        shot, glare_discs=0, glare_peak=0.3 * shot.glare_peak, haze=0.5 * shot.haze, smears=0, things=0,
        pose=replace(shot.pose, fill=shot.pose.fill * float(rng.uniform(0.8, 1.0))),
    )  # fmt: skip
    if rng.random() < (0.4 if hard else 0.15):  # a dim warm lamp
        warm = float(rng.uniform(0.1, 0.45))
        cast = (float(np.exp(-1.1 * warm)), float(np.exp(-0.1 * warm)), float(np.exp(0.5 * warm)))
        shot = replace(
            shot, cast=cast, exposure=float(rng.uniform(120, 190)), gradient=float(rng.uniform(0.1, 0.5)),
            noise=shot.noise * float(rng.uniform(1.0, 2.0)),
        )  # fmt: skip
    return shot
