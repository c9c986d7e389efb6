"""Compare quadrilaterals in the picture."""

import cv2
import numpy as np

from vision.geometry.projection import Array


def iou(one: Array, other: Array) -> float:
    """Compute the intersection over union (Jaccard index, 0 … 1) of two convex quads, (4, 2) each."""
    one, other = one.astype(np.float32), other.astype(np.float32)
    common = float(cv2.intersectConvexConvex(one, other)[0])
    return common / max(cv2.contourArea(one) + cv2.contourArea(other) - common, 1e-6)
