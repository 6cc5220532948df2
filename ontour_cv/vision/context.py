"""All cells of a board at once: what one cell leaves open, the writer's other cells may settle.

A person who cannot tell a 1 from a 7 looks at the writer's other ones; a ring is printed or drawn depending on what the
other discs look like. A small attention network (Vaswani et al. 2017; no positions, so it serves any map) hears what
mark networks think of every cell and adds a correction to their mean. Two layers over some forty cells are a few
small matrix products: numpy runs them in a millisecond, so no second network file and no engine is needed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

HEADS = 4
"""Attention heads per layer."""


SCALE = ".scale"
"""Ending of the name of what the rows of a matrix of whole numbers are multiplied by."""


def weights_in(path: Path, prefix: str = "") -> dict[str, Array]:
    """The parameters in an ``.npz`` whose names begin with ``prefix``, by the rest of their names, in single precision.

    Matrices are kept as whole numbers of 8 bits with a scale for each row, half as large as half precision; that moves
    a log-probability by a hundredth or two.
    """
    with np.load(path, allow_pickle=False) as store:
        held = {n.removeprefix(prefix): store[n].astype(np.float32) for n in store.files if n.startswith(prefix)}
    scales = {name: held.pop(name) for name in list(held) if name.endswith(SCALE)}
    return {n: v * scales[n + SCALE][:, None] if n + SCALE in scales else v for n, v in held.items()}


class ContextNet:
    """The trained context network (``train.context``), for reading.

    Args:
        path: ``.npz`` with the parameters by name.
        prefix: what the names begin with, where a file holds several networks.

    Raises:
        OSError, ValueError, KeyError: the file is missing or not such a network.
    """

    def __init__(self, path: Path, prefix: str = "") -> None:
        self._weights = weights_in(path, prefix)
        self._depth = sum(name.endswith("qkv.weight") for name in self._weights)
        self._linear("leave", np.zeros((1, self._weights["leave.weight"].shape[1]), np.float32))
        self._share = self._weights["share"]

    def correct(self, hidden: Array, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """One opinion of a board's cells, logits ``(N, K)``.

        Args:
            hidden: last hidden layer of each member it hears, ``(M, N, F)``.
            logits: what each makes of it, ``(M, N, K)``.
        """
        parts = [*hidden, *(logits.astype(np.float32) / 4)]
        x = self._linear("enter", np.concatenate(parts, axis=1))
        for k in range(self._depth):
            x = x + self._attention(f"blocks.{k}", self._norm(f"blocks.{k}.norm1", x))
            up = np.maximum(self._linear(f"blocks.{k}.up", self._norm(f"blocks.{k}.norm2", x)), 0)
            x = x + self._linear(f"blocks.{k}.down", up)
        leave = self._linear("leave", self._norm("norm", x))
        return np.asarray(self._share * logits.mean(axis=0) + leave, dtype=np.float64)

    def _attention(self, name: str, x: Array) -> Array:
        count, width = x.shape
        parts = self._linear(f"{name}.qkv", x).reshape(count, 3, HEADS, width // HEADS)
        query, key, value = (parts[:, k].transpose(1, 0, 2) for k in range(3))
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(width // HEADS))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return self._linear(f"{name}.out", (weights @ value).transpose(1, 0, 2).reshape(count, width))

    def _linear(self, name: str, x: Array) -> Array:
        return np.asarray(x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"], dtype=np.float32)

    def _norm(self, name: str, x: Array) -> Array:
        centred = x - x.mean(axis=1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
        return np.asarray(scaled * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"], dtype=np.float32)
