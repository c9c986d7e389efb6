"""A webcam at the kernel's own driver for such: its pictures, and what of it is held after the automatics."""

from pathlib import Path

import pytest

from vision.camera.source import open_source
from vision.errors import CameraSilent
from vision.messages import CameraSetting

WEBCAMS = [
    f"/dev/{node.name}"
    for node in sorted(Path("/sys/class/video4linux").glob("video*"))
    if (node / "device" / "driver").resolve().name == "uvcvideo" and (node / "index").read_text().strip() == "0"
]


@pytest.mark.skipif(not WEBCAMS, reason="no webcam of uvcvideo here")
def test_pictures_come_and_focus_exposure_and_mains_are_held_by_the_driver() -> None:
    told: dict[str, CameraSetting] = {}
    with open_source(f"v4l2:{WEBCAMS[0]}") as source:
        for _ in range(900):
            try:
                frame = next(source)
            except CameraSilent:  # while an emulated machine sets a control, which takes it seconds
                continue
            assert frame.size == (1280, 720)
            state = source.state
            told = {one.code: one for one in state.settings} if state is not None else {}
            if told and all(one.held for one in told.values()):
                assert frame.image.shape == (720, 1280, 3)
                break
    assert told.keys() >= {"exposure", "mains"} and all(one.held for one in told.values())
    assert told["mains"].value == 50
    exposure = told["exposure"].value
    assert exposure is not None and (exposure < 7.7 or exposure % 10 == 0), (
        "milliseconds: whole half waves of the mains"
    )
