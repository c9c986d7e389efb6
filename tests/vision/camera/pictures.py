"""Pictures that stand-ins of cameras give, and what is asked of them."""

import cv2
import numpy as np

from vision.camera.kept import CameraMemory
from vision.camera.source import SourceOptions


def picture(value: int) -> np.ndarray:
    return np.full((120, 160, 3), value, np.uint8)


def jpeg(value: int) -> bytes:
    return cv2.imencode(".jpg", picture(value))[1].tobytes()


def asked(size: tuple[int, int] = (1280, 720)) -> SourceOptions:
    return SourceOptions(size=size, fps=15.0, hold=1, memory=CameraMemory())
