"""Send the table's events to the director until they are acknowledged: over the socket where it can be, or by HTTP."""

import asyncio
import logging
import threading
from collections.abc import Callable

import httpx

from kiosk.errors import LineError
from kiosk.sync.address import TROUBLE_OF_STATUS, answered_object, stored_of
from kiosk.sync.directors import Directors
from kiosk.sync.outbox import Outbox, Post
from kiosk.sync.reporter import StateReporter
from kiosk.sync.socket_way import Answer, SocketWay
from kiosk.sync.takeover import HeldList, fetch_list
from kiosk.sync.trust import is_another
from kiosk.sync.waiting import TIMES, Backoff, either

log = logging.getLogger(__name__)


class EventSender:
    """Sends what the outbox holds. ``count_wake`` and ``wait`` are for any thread, the rest for the loop's.

    :param changed: called when what is wrong with the events has changed.
    :param held: called with the director's list where it is longer, and the number of the last event here.
    :param slowest: seconds between two tries at most while the director is away.
    """

    def __init__(
        self,
        directors: Directors,
        outbox: Outbox,
        reporter: StateReporter,
        changed: Callable[[], None],
        held: Callable[[HeldList, int], None],
        slowest: float,
    ) -> None:
        self._directors, self._outbox, self._reporter, self._changed = directors, outbox, reporter, changed
        self._held, self._slowest = held, slowest
        self.asked = False  # the director has said what it holds, and that is not more than is here
        #: The socket, for events.
        self.way = SocketWay()
        self._grown, self._again = asyncio.Event(), asyncio.Event()
        self._sent = threading.Condition()
        self._woken = self._settled_for = 0  # the last wake, and the last one for which everything was sent

    def count_wake(self) -> None:
        """Count one more wake: the log has grown."""
        with self._sent:
            self._woken += 1

    def wait(self, timeout: float) -> bool:
        """Wait until everything up to the last wake was sent, at most ``timeout`` seconds; whether it was."""
        with self._sent:
            mine = self._woken
            return self._sent.wait_for(lambda: self._settled_for >= mine, timeout)

    def read_log_now(self) -> None:
        """Read the log without waiting any longer."""
        self._grown.set()

    def try_again(self) -> None:
        """End a wait after a failure: the director is there."""
        self._again.set()

    def ask(self) -> None:
        """Ask the director now what it holds."""
        self._outbox.ask()
        self._again.set()

    def trouble(self, trouble: str, detail: str) -> None:
        """Report what is wrong with the events, "" if nothing is."""
        if trouble != self._reporter.http[0]:
            self._changed()
        self._reporter.report(http=(trouble, detail))

    async def send_forever(self, http: httpx.AsyncClient) -> None:
        """Send whatever the log brings; only cancelling ends it."""
        backoff = Backoff(self._slowest)
        while True:
            self._grown.clear()
            self._again.clear()
            woken = self._woken
            try:
                post = self._outbox.post()
                if post is None:
                    self._settled(woken)
                    await either(self._grown, self._again, TIMES.log_check)
                    continue
                await self.way.settled()
                answer = await self.way.post(post) or await _by_http(http, self._directors.now.events, post)
                wait = self._answered(answer)
                if self._outbox.missing_here:
                    wait = await self._fetch(http)
            except httpx.TransportError as error:
                another = is_another(error)
                self.trouble("certificate" if another else "away", f"{type(error).__name__}: {error}")
                wait = TIMES.stuck if another else backoff.next()
            except Exception as error:  # the line must outlive whatever the log or an answer brings
                log.exception("the line failed, it will be tried again")
                self.trouble("director", repr(error))
                wait = backoff.next()
            else:
                if not wait:
                    backoff.reset()
            if wait:
                await either(self._again, None, wait)

    def _answered(self, answer: Answer) -> float:
        """Work the director's answer in; seconds to wait before the next message."""
        body, status = answer.body, answer.status
        if status == 200:
            self._outbox.took(*stored_of(body))
            if not self._outbox.missing_here:
                self.asked = True
                self.trouble("", "")
            return 0.0
        detail = str(body.get("message", answer.text[:200]))
        if body.get("error") == "gap":
            self._outbox.ask()
            return 0.05
        if body.get("error") == "contradiction":
            if body.get("number") is None:  # it began differently; asking leads to sending all, which tells where
                self._outbox.ask()
                return 0.05
            self.asked, trouble, wait = True, "contradiction", TIMES.stuck
        elif status in TROUBLE_OF_STATUS:
            trouble, wait = TROUBLE_OF_STATUS[status], TIMES.stuck
            self.asked |= trouble == "tournament"  # then it holds no list of it either
        elif status < 500:
            trouble, wait = "rejected", TIMES.stuck
        else:
            trouble, wait = "director", min(2.0, self._slowest)
        if self._reporter.http[0] != trouble:
            log.error("the director refused the events (%s): %s", status, detail)
        self.trouble(trouble, detail)
        self._outbox.ask()
        return wait

    async def _fetch(self, http: httpx.AsyncClient) -> float:
        """Fetch what the director holds beyond the end of the log; seconds to wait until the log has it."""
        missing, after = self._outbox.missing_here, self._outbox.last
        detail = f"the director holds {missing} events more than this table's log"
        waits = self._reporter.http[0] in ("fetching", "behind")  # the table did not take them, or nobody has said yes
        self.trouble("behind" if waits and after >= 0 else "fetching", detail)
        try:
            held = await fetch_list(http, self._directors.now.events)
        except LineError as error:
            self.trouble("behind", str(error))
        else:
            if not self._outbox.begins(held.events):
                return 0.05  # it is another list: all is sent, so that the director can tell where it differs
            self._held(held, after)
        self._outbox.ask()
        return TIMES.stuck

    def _settled(self, woken: int) -> None:
        self.trouble("", "")
        with self._sent:
            self._settled_for = woken
            self._sent.notify_all()


async def _by_http(http: httpx.AsyncClient, url: str, post: Post) -> Answer:
    response = await http.post(url, json=post.json())
    return Answer(response.status_code, answered_object(response), response.text)
