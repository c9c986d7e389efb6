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
from vision.camera.kept import KeptCamera
from vision.camera.live import LIMITS, ExposureWatch, LiveCamera, LiveLimits
from vision.camera.rpicam_notes import Noted, lens_options, read_notes
from vision.camera.source import SourceOptions
from vision.errors import BadSource, CameraError, CameraSilent, NoCameraProgram
from vision.messages import CameraState

log = logging.getLogger(__name__)

#: Most bytes of the program's output without a JPEG picture; then it is not JPEG.
MAX_UNREAD_BYTES = 1 << 25
#: Bytes that are kept of what the program says on standard error, the last ones.
MAX_WORDS_BYTES = 1 << 12


class RpiCamera(LiveCamera):
    """A camera on the Raspberry Pi's ribbon, through ``rpicam-vid`` writing MJPEG to a pipe.

    No Python binding: the system's libcamera binding wants the system's NumPy, which collides with OpenCV's. The
    program takes no commands while it runs; so it runs with automatic focus, exposure and white balance first and
    writes its values to a file, and is then started again with the last of them fixed. A focus that was kept is fixed
    at once.
    """

    def __init__(self, spec: str, number: str, asked: SourceOptions, limits: LiveLimits = LIMITS) -> None:
        super().__init__(spec, limits)
        self._asked = asked
        if not re.fullmatch(r"\d*", number):
            raise BadSource(f"camera {spec!r}: {number!r} is no number of a camera; write rpicam:0")
        program = shutil.which("rpicam-vid") or shutil.which("libcamera-vid")
        if program is None:
            raise NoCameraProgram(
                f"camera {spec!r}: the program rpicam-vid is missing; install it with 'sudo apt install rpicam-apps'"
            )
        self._command = [
            program, "--camera", number or "0", "--timeout", "0", "--nopreview", "--codec", "mjpeg", "--quality", "90",
            "--width", str(asked.size[0]), "--height", str(asked.size[1]), "--framerate", f"{asked.fps:g}",
            "--flush", "--output", "-",
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None
        self._notes = Path(tempfile.gettempdir()) / f"stichwart-{os.getpid()}-{secrets.token_hex(4)}.txt"
        self._lens = asked.memory.of(spec).focus
        self._fixed: list[str] = []  # options that hold focus, exposure and white balance
        self._writes_notes = True
        self._settled_at: float | None = None
        self._buffer = bytearray()
        self._waiting: list[bytes] = []
        self._start()

    def _open(self) -> None:
        if self._writes_notes and not self._fixed:
            try:
                self._launch(["--metadata", str(self._notes), "--metadata-format", "txt", *lens_options(self._lens)])
                self._settled_at = time.monotonic() + self.limits.settle_s
                self._tell(Noted(lens=self._lens))
                return
            except CameraError as error:
                self._launch([])  # an older program without notes; a fault of the camera raises here
                log.info("camera %s does not tell its exposure: %s", self.name, error)
                self._writes_notes = False
                self._tell(Noted())
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
            if self._refocus.is_set():  # else the light has changed, not the distance
                self._refocus.clear()
                self._lens = None
            if self._fixed:
                self._restart([])
        elif self._settled_at is not None and time.monotonic() >= self._settled_at:
            self._settled_at = None
            self._hold(read_notes(self._notes))
        return self._read()

    def _hold(self, noted: Noted) -> None:
        """Start the program again with what its automatics found, and keep the lens's place."""
        fixed = noted.options(1e6 / self._asked.fps)
        if not fixed:
            log.info("camera %s does not tell its exposure; it stays automatic", self.name)
            self._writes_notes = False  # they would grow for as long as the program runs
        if noted.lens is not None:
            self._lens = noted.lens
            self._asked.memory.keep(self.name, KeptCamera(focus=self._lens))
        self._restart(fixed)
        self._tell(noted)

    def _tell(self, noted: Noted) -> None:
        """Tell how the camera is set; the program tells no more once its values are fixed."""
        settings = noted.settings(1e6 / self._asked.fps)
        self._state = CameraState(name=self.name, size=self._asked.size, settings=settings)

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
