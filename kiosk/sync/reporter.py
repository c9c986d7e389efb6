"""Report how the line stands, from what is wrong with its two connections."""

import logging
from collections.abc import Callable

from kiosk.sync.outbox import Outbox
from kiosk.sync.state import LineMessage, LineState

log = logging.getLogger(__name__)


class StateReporter:
    """Joins the troubles of HTTP and socket to the line's state and delivers each new one.

    A trouble is a word of ``LineState.trouble`` with a detail for an administrator; "" is none.
    """

    def __init__(self, outbox: Outbox, deliver: Callable[[LineMessage], None], monotonic: Callable[[], float]) -> None:
        self._outbox, self._deliver, self._monotonic = outbox, deliver, monotonic
        self.http, self.socket = ("away", "not connected yet"), ("away", "not connected yet")
        self.state = LineState(connected=False, since=monotonic(), acknowledged=-1, waiting=0, trouble="away")

    def report(self, http: tuple[str, str] | None = None, socket: tuple[str, str] | None = None) -> None:
        """Note the trouble of one connection and deliver the state if it is a new one."""
        self.http = self.http if http is None else http
        self.socket = self.socket if socket is None else socket
        trouble, detail = self.http if self.http[0] not in ("", "away") else self.socket
        if not trouble:
            trouble, detail = self.http
        connected = not self.socket[0] and self.http[0] not in ("away", "certificate")
        state = LineState(
            connected=connected,
            since=self.state.since if connected == self.state.connected else self._monotonic(),
            acknowledged=-1 if self._outbox.acknowledged is None else self._outbox.acknowledged,
            waiting=self._outbox.waiting,
            trouble=trouble,
            detail=detail,
        )
        if state != self.state:
            if (state.connected, state.trouble) != (self.state.connected, self.state.trouble):
                log.info("line: %s %s", state.trouble or "connected", state.detail)
            self.state = state
            self._deliver(state)
