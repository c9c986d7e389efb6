"""Whole pictures are decoded only where something is read, and the one before while it is still waited for."""

import cv2
import pytest

from tests.vision.taught import taught
from vision.camera.frame import JpegFrame
from vision.camera.jpeg import encode_jpeg
from vision.mat.layout import MatLayout
from vision.messages import CardLaid
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.tracking.tracker import Tracker

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("fps", [15.0, 30.0], ids=str)
def test_a_card_is_read_with_one_more_picture_decoded(fps: float, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[float] = []
    decode = JpegFrame._decoded

    def count(self: JpegFrame, how: int) -> object:
        if how == cv2.IMREAD_COLOR:
            decoded.append(self.at)
        return decode(self, how)

    monkeypatch.setattr(JpegFrame, "_decoded", count)
    camera = SimCamera(load_art("stichwart"), MatLayout(), 3, fps=fps)
    tracker = Tracker(taught(labels=("HA", "ST")), camera.layout)
    camera.wait(1.0)
    camera.lay("ST", 1)
    camera.wait(1.0)
    told = None
    pictures = 0
    while camera.busy:
        frame = next(camera)
        pictures += 1
        before = len(decoded)
        for report in tracker.process(JpegFrame(encode_jpeg(frame.image, 90), frame.at, "film")):
            if isinstance(report, CardLaid) and told is None:
                told = report.label, decoded[before:], frame.at
    assert told is not None and told[0] == "ST"
    assert told[1] == [told[2]], "the picture before was not decoded ahead"
    assert len(decoded) < pictures / 3
