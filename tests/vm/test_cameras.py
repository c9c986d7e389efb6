"""A webcam at 10, 15, 25 and 30 pictures a second, by the kernel's own driver for such, as the table reads it."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk.bench.vm.machine import Machine
from kiosk.bench.vm.webcam import Webcam
from tests.vm.booted import IMAGE, START, UP, WHY_NOT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]

RATES = (10, 15, 25, 30)
#: So small that a machine without acceleration keeps up with most of thirty a second.
SIZE = (320, 240)
PICTURES = 60
#: Bits of a picture's number, each a bar of the picture, and their greys: a mean that changes would be another light.
BITS, DARK, BRIGHT = 10, 110, 140
#: Seconds by which a picture's time may be beside that at which it was taken: the driver has a few that wait.
LATE_S = 1.5
#: Reads pictures at each rate as the table does; says what the driver has agreed to, which pictures came and when.
READER = f"""
import json, subprocess
from vision.camera.source import open_source
from vision.errors import CameraSilent
for rate in {RATES}:
    frames = []
    with open_source("v4l2:/dev/video0", size={SIZE}, fps=rate) as source:
        said = subprocess.check_output(["v4l2-ctl", "-d", "/dev/video0", "--get-parm"], text=True)
        while len(frames) < {PICTURES}:
            try:
                frames.append(next(source))
            except CameraSilent:  # while an emulated machine sets a control, which takes it seconds
                continue
        fps = source.state.fps
    rows = [frame.image[{SIZE[1] // 2}, {SIZE[0] // BITS // 2}::{SIZE[0] // BITS}, 0] > {(DARK + BRIGHT) // 2}
            for frame in frames]
    numbers = [sum(int(bit) << place for place, bit in enumerate(row)) for row in rows]
    told = {{"rate": rate, "said": said, "fps": fps, "size": frames[0].size, "numbers": numbers}}
    print(json.dumps({{**told, "at": [frame.at for frame in frames]}}), flush=True)
"""


class Counted:
    """Pictures that bear their number, and when each was taken."""

    def __init__(self) -> None:
        self._lock, self._next = threading.Lock(), 0
        self.taken_at: dict[int, float] = {}

    def picture(self) -> bytes:
        """Return the next one as JPEG."""
        with self._lock:
            number, self._next = self._next, (self._next + 1) % (1 << BITS)
        self.taken_at[number] = time.monotonic()
        greys = [BRIGHT if number >> place & 1 else DARK for place in range(BITS)]
        row = np.repeat(np.array(greys, np.uint8), SIZE[0] // BITS)
        return cv2.imencode(".jpg", np.broadcast_to(row[None, :, None], (SIZE[1], SIZE[0], 3)).copy())[1].tobytes()


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory, started: Path) -> Iterator[dict[int, dict[str, Any]]]:
    """What the machine read at each rate, and what the webcam knows of it."""
    counted, found = Counted(), {}
    with Machine(IMAGE, tmp_path_factory.mktemp("machine"), like=started) as machine:
        machine.on()
        machine.go_back(UP)
        shell = machine.shell
        shell.run("systemctl stop stichwart-table", timeout=START)
        webcam = Webcam(machine.plug_in_program("webcam"), counted.picture, size=SIZE)
        shell.run("until v4l2-ctl -d /dev/video0 --all 2>/dev/null | grep -q uvcvideo; do sleep 0.5; done")
        shell.run(f"cat >/tmp/reader.py <<'END'\n{READER}\nEND")
        run = "cd /opt/stichwart/current && PYTHONPATH=. .venv/bin/python /tmp/reader.py 2>/dev/null"
        for line in shell.follow(run, timeout=START):
            told = json.loads(line)
            taken = [counted.taken_at[number] for number in told["numbers"]]
            found[told["rate"]] = {**told, "agreed": webcam.agreed, "taken_at": taken}
        webcam.close()
    yield found


@pytest.mark.parametrize("rate", RATES)
def test_a_rate_is_agreed_on_and_pictures_have_the_times_at_which_they_were_taken(
    read: dict[int, dict[str, Any]], rate: int
) -> None:
    told = read[rate]
    at, taken, numbers = np.array(told["at"]), np.array(told["taken_at"]), np.array(told["numbers"])
    skipped = np.diff(numbers) % (1 << BITS) - 1
    span = at[-1] - at[0]
    print(f"{rate}: {len(at)} in {span:.1f} s, {skipped.sum()} left out, {told['fps']} a second told")
    assert told["agreed"] == rate and f"Frames per second: {rate}.000" in told["said"]
    assert tuple(told["size"]) == SIZE
    assert np.all(np.diff(at) > 0) and np.all(skipped >= 0)
    # The clocks of both machines begin elsewhere.
    late = (at - at[0]) - (taken - taken[0])
    assert np.all(np.abs(late - np.median(late)) < LATE_S), late
