"""QR codes before the camera: read while somebody wants it, told when they change."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import segno

from tests.vision.service.worker_run import messages_over
from vision.camera.frame import Frame
from vision.messages import CodesRead, WatchCodes
from vision.service.code_reader import LOOK_S, CodeReader, codes_in

TEXT = r"WIFI:T:WPA;S:Vereinsheim Gastzugang;P:geheim\;1234567890;H:false;;"


def seen(text: str, px: float, degrees: float = 0.0) -> np.ndarray:
    """A picture of 1280 × 720 with a code, turned, blurred and noisy as a camera's."""
    code = np.array([[0 if dark else 255 for dark in row] for row in segno.make(text, error="m").matrix_iter(border=4)])
    side = len(code) * px
    turn = cv2.getRotationMatrix2D((len(code) / 2, len(code) / 2), degrees, px)
    turn[:, 2] += (640 - len(code) / 2, 360 - len(code) / 2)
    picture = cv2.warpAffine(
        code.astype(np.uint8),
        turn,
        (1280, 720),
        flags=cv2.INTER_AREA if side < 90 else cv2.INTER_LINEAR,
        borderValue=150,
    )
    noise = np.random.default_rng(1).normal(0, 4, picture.shape)
    blurred = cv2.GaussianBlur(picture, (0, 0), 0.8) * 0.7 + 30 + noise
    return cv2.cvtColor(np.clip(blurred, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize("degrees", [0, 17, 90, 200])
@pytest.mark.parametrize("px", [3, 5, 9])
def test_a_code_is_read_however_it_is_held(px, degrees):
    assert codes_in(Frame(seen(TEXT, px, degrees), 0.0)) == (TEXT,)


def test_no_code_is_none():
    assert codes_in(Frame(np.full((720, 1280, 3), 120, np.uint8), 0.0)) == ()


def test_codes_are_told_when_they_change():
    now = 0.0
    reader = CodeReader(lambda: now)
    empty, shown = Frame(np.full((720, 1280, 3), 120, np.uint8), 1.0), Frame(seen(TEXT, 5), 2.0)
    assert reader.read(empty) == CodesRead(at=1.0, texts=())
    assert reader.read(shown) is None, "it is too early to look again"
    now = LOOK_S
    assert reader.read(shown) == CodesRead(at=2.0, texts=(TEXT,))
    now = 2 * LOOK_S
    assert reader.read(shown) is None, "it is held still"
    now = 3 * LOOK_S
    assert reader.read(empty) == CodesRead(at=1.0, texts=())


@pytest.mark.parametrize(("commands", "sent"), [((WatchCodes(),), True), ((WatchCodes(), WatchCodes(on=False)), False)])
def test_a_worker_reads_them_while_it_is_asked_to(tmp_path: Path, commands: tuple[WatchCodes, ...], sent: bool) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), seen(TEXT, 6))
    heard = messages_over(tmp_path, commands)
    assert [one.texts for one in heard if isinstance(one, CodesRead)] == ([(TEXT,)] if sent else [])
