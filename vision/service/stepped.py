"""Pull a vision process's messages instead of having them delivered: simulated time in step, benchmarks, tests."""

import queue
import time
from collections.abc import Iterator

from vision.errors import CameraError
from vision.messages import CameraTrouble, Tick, VisionMessage, VisionSettings
from vision.service.process import SIM_PATIENCE_S, VisionProcess

#: Seconds without a sign of life after which the child counts as hung: who measures and tests may keep all cores busy.
SILENT_S = 60.0


class SteppedVision(VisionProcess):
    """A vision process whose messages wait in ``messages`` until they are read; trouble stands in ``trouble`` alone."""

    def __init__(self, settings: VisionSettings) -> None:
        super().__init__(settings, self._keep, SILENT_S)
        self.messages: queue.SimpleQueue[VisionMessage] = queue.SimpleQueue()

    def _keep(self, message: VisionMessage) -> None:
        if not isinstance(message, CameraTrouble):
            self.messages.put(message)

    def until(self, at: float, timeout: float = SIM_PATIENCE_S) -> Iterator[VisionMessage]:
        """Read messages up to and with the tick of the first frame at or after ``at`` (to a frame's precision).

        :raises CameraError: if nothing comes for ``timeout`` seconds, or the source has ended
        """
        step, heard = 1.0 / self.settings.fps, time.monotonic()
        while True:
            try:
                message = self.messages.get(timeout=0.2)
            except queue.Empty:
                if not self.ended and time.monotonic() - heard < timeout:
                    continue
                raise CameraError(
                    self.trouble or f"vision gave no word for {timeout:.0f} s; restart Stichwart"
                ) from None
            heard = time.monotonic()
            yield message
            if isinstance(message, Tick) and message.at > at - step + 1e-6:
                return
