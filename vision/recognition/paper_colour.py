"""Tell paper by its colour, the light's taken out: its saturation is little in any light.

The light's colour is that of the palest places. Where they are burnt out, in a patch of sun, they are white whatever
the light is; what lies beside them in a warm lamp's light is told by the white of the mat's marks.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.images import Picture

#: Share of a picture's places that are its palest. 0.01 … 0.1.
PALEST_SHARE = 0.03
#: Two lights are one if the white of the one has at most so much saturation in the other. 0.1 … 0.25.
SAME_LIGHT_SATURATION = 0.15


def paper_saturation(picture: Picture, mat_white: Array | None) -> Array:
    """Compute the saturation of a picture's places with the light's colour taken out: (h, w) float32, 0 … 1.

    Wood and most cloths have more than paper. Brightness is of no use here: shadow takes it and glare gives it.

    ``picture``: (h, w, 3) uint8. ``mat_white``: (3,), paper as it looks elsewhere on the mat; where its light is
    another, each place is seen in that of the two that gives it the less saturation.
    """
    weakest, _ = channel_bounds(picture)
    palest = picture[weakest >= np.percentile(weakest[::4, ::4], 100 * (1 - PALEST_SHARE))].reshape(-1, 3).mean(0)
    found = _saturation(picture, palest)
    if mat_white is not None and _saturation(mat_white.reshape(1, 1, 3), palest).item() > SAME_LIGHT_SATURATION:
        found = np.minimum(found, _saturation(picture, mat_white))
    return found


def channel_bounds(picture: Array) -> tuple[Array, Array]:
    """Find the weakest and the strongest of three channels, (h, w) each."""
    return _bounds(cv2.split(picture))


def _bounds(channels: Sequence[Array]) -> tuple[Array, Array]:
    one, two, three = channels
    return cv2.min(cv2.min(one, two), three), cv2.max(cv2.max(one, two), three)


def _saturation(picture: Array, white: Array) -> Array:
    gain = (float(white.max()) / np.maximum(white, 20)).astype(np.float32)
    # Channel by channel, for numpy is slow along an axis of three.
    least, most = _bounds([np.multiply(*one, dtype=np.float32) for one in zip(cv2.split(picture), gain, strict=True)])
    return np.asarray(1 - least / np.maximum(most, 1), np.float32)
