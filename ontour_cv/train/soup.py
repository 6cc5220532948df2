"""Weights between two states of one network: what it began with and what it became."""

from __future__ import annotations

from collections.abc import Mapping

import torch

State = Mapping[str, torch.Tensor]


def between(after: State, before: State, stay: float) -> dict[str, torch.Tensor]:
    """``(1 - stay) * after + stay * before``, weight by weight; counts are those of ``after``.

    Where a trained network went on from new crops, weights between before and after forget less than the one and know
    more than the other (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").

    Args:
        after: a state dict.
        before: of the same network.
        stay: share of ``before``, 0 to 1.
    """
    return {
        name: torch.lerp(part, before[name], stay) if part.is_floating_point() else part for name, part in after.items()
    }
