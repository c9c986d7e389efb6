"""Read cameras on the Raspberry Pi's ribbon through the program ``rpicam-vid``."""

import logging
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from vision.camera.jpeg import split_jpegs
from vision.camera.live import LIMITS, ExposureWatch, LiveCamera, LiveLimits
from vision.errors import BadSource, CameraError, CameraSilent, NoCameraProgram

log = logging.getLogger(__name__)

#: Half a wave of the mains of 50 Hz, in µs: lamps flicker at this period.
MAINS_HALF_WAVE_US = 10_000
#: Most bytes of the program's output without a JPEG picture; then it is not JPEG.
MAX_UNREAD_BYTES = 1 << 25
#: Bytes that are read of the program's notes, the last ones: those of about twenty pictures.
MAX_NOTES_BYTES = 1 << 16
#: Bytes that are kept of what the program says on standard error, the last ones.
MAX_WORDS_BYTES = 1 << 12


class RpiCamera(LiveCamera):
    """A camera on the Raspberry Pi's ribbon, through ``rpicam-vid`` writing MJPEG to a pipe.

    No Python binding: the system's libcamera binding wants the system's NumPy, which collides with OpenCV's. The
    program takes no commands while it runs; so it runs with automatic exposure and white balance first and writes its
    values to a file, and is then started again with the last of them fixed.
    """

    def __init__(self, spec: str, number: str, size: tuple[int, int], fps: float, limits: LiveLimits = LIMITS) -> None:
        super().__init__(spec, limits)
        if not re.fullmatch(r"\d*", number):
            raise BadSource(f"camera {spec!r}: {number!r} is no number of a camera; write rpicam:0")
        program = shutil.which("rpicam-vid") or shutil.which("libcamera-vid")
        if program is None:
            raise NoCameraProgram(
                f"camera {spec!r}: the program rpicam-vid is missing; install it with 'sudo apt install rpicam-apps'"
            )
        self._command = [
            program, "--camera", number or "0", "--timeout", "0", "--nopreview", "--codec", "mjpeg", "--quality", "90",
            "--width", str(size[0]), "--height", str(size[1]), "--framerate", f"{fps:g}", "--flush", "--output", "-",
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None
        self._notes = Path(tempfile.gettempdir()) / f"stichwart-{os.getpid()}-{secrets.token_hex(4)}.txt"
        self._fixed: list[str] = []  # options that hold exposure and white balance
        self._writes_notes = True
        self._settled_at: float | None = None
        self._buffer = bytearray()
        self._waiting: list[bytes] = []
        self._start()

    def _open(self) -> None:
        if self._writes_notes and not self._fixed:
            try:
                self._launch(["--metadata", str(self._notes), "--metadata-format", "txt"])
                self._settled_at = time.monotonic() + self.limits.settle_s
                return
            except CameraError as error:
                self._launch([])  # an older program without notes; a fault of the camera raises here
                log.info("camera %s does not tell its exposure: %s", self.name, error)
                self._writes_notes = False
                return
        self._launch(self._fixed)
        self._held = ExposureWatch(self.limits) if self._fixed else None

    def _launch(self, options: list[str]) -> None:
        self._buffer.clear()
        self._waiting.clear()
        self._held = None
        # An unread stderr would fill its pipe and block the program; its last lines matter only if it ends at once.
        self._process = subprocess.Popen(
            [*self._command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
        )
        self._errors = _ErrorTail(self._process)
        hung = threading.Timer(self.limits.first_picture_s, self._process.kill)
        hung.start()
        first = self._read()
        hung.cancel()
        if first is None:
            code = self._process.poll()
            self._release()
            raise CameraSilent(
                f"camera {self.name!r}: rpicam-vid gave no picture and ended (code {code}):"
                f" {self._errors.text() or 'no word why'}; check the ribbon cable and 'rpicam-hello --list-cameras'"
            )
        self._waiting.append(first)

    def _grab(self) -> bytes | None:
        if self._unsettle.is_set():
            self._unsettle.clear()
            if self._fixed:
                self._restart([])
        elif self._settled_at is not None and time.monotonic() >= self._settled_at:
            self._settled_at = None
            fixed = fixed_options(self._notes)
            if not fixed:
                log.info("camera %s does not tell its exposure; it stays automatic", self.name)
                self._writes_notes = False  # they would grow for as long as the program runs
            self._restart(fixed)
        return self._read()

    def _restart(self, fixed: list[str]) -> None:
        """Start the program again with these options, empty for automatics; a failure counts as a camera gone."""
        self._release()
        self._fixed = fixed
        try:
            self._open()
        except CameraError as error:
            log.warning("camera %s: %s", self.name, error)
            self._fixed = []

    def _read(self) -> bytes | None:
        process = self._process
        if self._waiting:
            return self._waiting.pop()
        if process is None or process.stdout is None:
            return None
        while True:
            data = process.stdout.read1(1 << 18)  # type: ignore[attr-defined]
            if not data:
                return None
            self._buffer += data
            pictures = split_jpegs(self._buffer)
            if pictures:
                return pictures[-1]
            if len(self._buffer) > MAX_UNREAD_BYTES:
                log.error("camera %s: 32 MB without a JPEG picture", self.name)
                return None

    def _release(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._errors.join()
        if process.stdout is not None:
            process.stdout.close()
        self._notes.unlink(missing_ok=True)

    def close(self) -> None:
        process = self._process
        self._closing.set()
        if process is not None:
            process.terminate()  # ends the read that the thread may be waiting in
        super().close()


def _whole_half_waves(shutter_us: float) -> int:
    return round(shutter_us / MAINS_HALF_WAVE_US) * MAINS_HALF_WAVE_US


def fixed_options(notes: Path) -> list[str]:
    """Derive the options of ``rpicam-vid`` that hold shutter, gain and white balance as last noted; none if not noted.

    A shutter above 10 ms is rounded to whole half waves of the mains of 50 Hz, so that lamps do not beat against it.
    """
    try:
        with notes.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - MAX_NOTES_BYTES))
            text = file.read(MAX_NOTES_BYTES).decode("ascii", errors="replace")
    except OSError:
        return []
    number = r"(\d+(?:\.\d+)?)"
    shutters = re.findall(rf"\bExposureTime\W+{number}", text)
    gains = re.findall(rf"\bAnalogueGain\W+{number}", text)
    digital = re.findall(rf"\bDigitalGain\W+{number}", text)
    whites = re.findall(rf"\bColourGains\W+{number}\s*,\s*{number}", text)
    if not (shutters and gains and whites):
        return []
    shutter, gain = float(shutters[-1]), float(gains[-1]) * (float(digital[-1]) if digital else 1.0)
    whole = _whole_half_waves(shutter) if shutter > MAINS_HALF_WAVE_US else shutter
    gain *= shutter / max(whole, 1.0)
    red, blue = whites[-1]
    return ["--shutter", f"{whole:.0f}", "--gain", f"{max(gain, 1.0):.3f}", "--awbgains", f"{red},{blue}"]


class _ErrorTail:
    """Reads a program's stderr, so that its pipe never fills, and keeps the last lines, however long they are."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._tail = b""
        self._stream = process.stderr
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if self._stream is not None:
            with self._stream:
                while said := self._stream.read1(MAX_WORDS_BYTES):  # type: ignore[attr-defined]
                    self._tail = (self._tail + said)[-MAX_WORDS_BYTES:]

    def join(self) -> None:
        self._thread.join(timeout=1.0)

    def text(self) -> str:
        self.join()
        lines = self._tail.decode("utf-8", "replace").splitlines()
        return " / ".join(line.strip() for line in lines[-3:] if line.strip())
