"""Send messages to the parent, ticks between them no oftener than wanted."""

from multiprocessing.connection import Connection

from vision.messages import Tick, VisionMessage, WorkerStatus


class MessagePipe:
    """The pipe to the parent; a tick that was left out is sent before the next message."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._ticked, self._unsent = -1e9, -1e9  # the last tick sent, and the last one there was

    def send(self, message: VisionMessage | WorkerStatus) -> None:
        """Send a message, after the tick that came before it."""
        if self._unsent > self._ticked:
            self._ticked = self._unsent
            self._pipe.send(Tick(at=self._ticked))
        self._pipe.send(message)

    def alive(self) -> None:
        """Send a sign of life."""
        self.send(WorkerStatus("alive"))

    def tick(self, at: float, interval_s: float) -> None:
        """Report that a frame has been processed, unless the last tick was less than ``interval_s`` before."""
        self._unsent = at
        if 0 <= at - self._ticked < interval_s - 1e-6:  # a film that starts again goes back in time
            return
        self._ticked = at
        self._pipe.send(Tick(at=at))
