"""The least any program of this kind must do: decode the JPEG, warp 41 known cells, run the network, print.

Usage: python bench/floor.py PHOTO PLACES.json MODEL.onnx

It finds nothing, decodes nothing and knows no rules; ``bench.speed`` runs it beside ``ontour-cv score`` and reports
the ratio. It imports nothing of ontour-cv on purpose. ``PLACES.json`` holds the 41 affine maps ``(2, 3)`` from crop to
photo pixels.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np

CROP_PX = 64


def main() -> None:
    """Run once."""
    photo, places, model = sys.argv[1:4]
    bgr = cv2.imdecode(np.frombuffer(Path(photo).read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if bgr is None:
        raise SystemExit(f"{photo} is no picture")
    matrices = np.array(json.loads(Path(places).read_text(encoding="utf-8")))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crops = np.stack([cv2.warpAffine(bgr, m, (CROP_PX, CROP_PX), flags=flags) for m in matrices]).astype(np.float32)
    crops -= crops.mean(axis=(1, 2, 3), keepdims=True)
    crops /= np.maximum(crops.std(axis=(1, 2, 3), keepdims=True), 8.0)
    net = cv2.dnn.readNetFromONNX(model, cv2.dnn.ENGINE_CLASSIC)
    net.setInput(np.ascontiguousarray(crops.transpose(0, 3, 1, 2)))
    outputs = net.forward(net.getUnconnectedOutLayersNames())
    print(json.dumps(np.asarray(outputs[0]).argmax(axis=1).tolist()))


if __name__ == "__main__":
    main()
