"""Read QR codes that people hold before the camera.

By zxing-cpp: of simulated codes of 45 modules, turned and tilted in a picture of 1280 × 720, it reads 11 of 12 at
2.5 px a module and all from 3 px on, in 7 ms; OpenCV's reader none below 6 px (35 to 220 ms).
"""

from collections.abc import Callable

import cv2

from vision.camera.frame import Frame
from vision.messages import CodesRead

#: Seconds between two looks: a hand holds a code for a second at least.
LOOK_S = 0.3

#: Signs of a code, and codes, that are told at most.
_LONGEST, _MOST = 2000, 4


class CodeReader:
    """Reads the codes of frames, and tells them whenever they have changed; the first look always.

    :param clock: seconds; how often is looked depends on this alone.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._due = clock, float("-inf")
        self._told: tuple[str, ...] | None = None

    def read(self, frame: Frame) -> CodesRead | None:
        """Look at a frame; None while there is nothing new to tell."""
        now = self._clock()
        if now < self._due:
            return None
        self._due = now + LOOK_S
        texts = codes_in(frame)
        if texts == self._told:
            return None
        self._told = texts
        return CodesRead(at=frame.at, texts=texts)


def codes_in(frame: Frame) -> tuple[str, ...]:
    """Read the QR codes of a frame, sorted."""
    import zxingcpp  # not loaded by a table that is set up

    grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
    found = zxingcpp.read_barcodes(grey, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
    return tuple(sorted(one.text[:_LONGEST] for one in found))[:_MOST]
