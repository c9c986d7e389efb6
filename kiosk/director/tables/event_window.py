"""Take what many tables send together: one write to the disk and one message to each page for all of it.

In a large hall most of what an event costs is to wake up for it: to find code and data cold, to wait for the disk, to
write to a hundred pages. Events that wait for each other a moment share that.
"""

import asyncio
from collections.abc import Callable, Sized

#: Seconds from the first message that waits until all are taken: pages show an event within a tenth of a second.
WINDOW_S = 0.08

#: Tables from which on messages wait: fewer send so little that it is taken at once.
MANY = 50

#: Events of a message at most that waits: who sends more has a backlog, and goes on when it is answered.
_FEW = 4


class EventWindow:
    """What tables have sent and what is taken together. Lives on the event loop.

    :param lines: the open sockets of tables.
    """

    def __init__(self, lines: Sized) -> None:
        self._lines = lines
        self._waiting: list[Callable[[], None]] = []
        self._timer: asyncio.TimerHandle | None = None

    def add(self, take: Callable[[], None], events: object) -> None:
        """Call ``take`` soon, with what waits already; at once where somebody waits for it.

        :param events: of the message, as the table sent them.
        """
        self._waiting.append(take)
        if len(self._lines) < MANY or not _may_wait(events):
            self.take_all()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(WINDOW_S, self.take_all)

    def take_all(self) -> None:
        """Take all that waits now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, []
        for take in waiting:
            take()


def _may_wait(events: object) -> bool:
    """Whether nobody waits for the answer: some events of people at play, none that the direction has ordered."""
    if not isinstance(events, list) or not 0 < len(events) <= _FEW:
        return False
    return not any(isinstance(event, dict) and "order_number" in event for event in events)
