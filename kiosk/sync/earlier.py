"""Compare every round that a table keeps with what the director holds of it, and send what that lacks."""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

import httpx

from kiosk.errors import KioskError
from kiosk.sync.address import answered_object, stored_of
from kiosk.sync.outbox import EventSource, Outbox
from kiosk.sync.state import LineMessage, ListHeld
from kiosk.sync.takeover import fetch_list
from kiosk.sync.waiting import TIMES
from kiosk.table.events.log_file import Stand

log = logging.getLogger(__name__)

#: Rounds that are told of at most, the last ones begun: more than a long weekend has.
_MOST = 200


class KeptLists(Protocol):
    """The lists that a table keeps; safe to be read from another thread."""

    def stands(self) -> Sequence[Stand]:
        """List how far each has come, oldest first."""

    def events(self, tournament: str, round: int) -> EventSource:
        """Open the events of one."""


class EarlierLists:
    """The lists of a table but the one that its line speaks for. Belongs to the line's loop.

    :param own: tournament and round of that one.
    :param url: where the events of a list are exchanged now.
    :param deliver: called with what the director holds beyond the end of one.
    """

    def __init__(
        self,
        kept: KeptLists | None,
        own: tuple[str, int],
        url: Callable[[str, int], str],
        deliver: Callable[[LineMessage], None],
    ) -> None:
        self._kept, self._own, self._url, self._deliver = kept, own, url, deliver
        self._wanted: asyncio.Queue[Collection[tuple[str, int]]] = asyncio.Queue()
        self._contested: set[tuple[str, int]] = set()  # the director holds another list: it is to be seen until decided

    def have(self) -> list[list[Any]]:
        """Say of each list its tournament, round, number of the last event, chain over all, chain over the first."""
        if self._kept is None:
            return []
        stands = [one for one in self._kept.stands() if (one.tournament, one.round) != self._own]
        return [[one.tournament, one.round, one.last, one.chain, one.first] for one in stands[-_MOST:]]

    def want(self, lists: Collection[tuple[str, int]]) -> None:
        """Take which of them the director has otherwise: tournament and round of each."""
        self._wanted.put_nowait(lists)

    async def send_forever(self, http: httpx.AsyncClient) -> None:
        """Send what the director wants; only cancelling ends it.

        What fails is compared anew with the next connection.
        """
        while True:
            for tournament, round_ in await self._next():
                try:
                    await self._send(http, tournament, round_)
                except (httpx.TransportError, KioskError) as error:
                    log.warning("round %s of %r is not sent: %s", round_, tournament, error)
                except Exception:  # one list that cannot be read must not stop the others
                    log.exception("round %s of %r is not sent", round_, tournament)

    async def _next(self) -> Collection[tuple[str, int]]:
        """Wait for lists that are wanted, or until those that are contested are due again."""
        if not self._contested:
            return await self._wanted.get()
        try:
            async with asyncio.timeout(TIMES.stuck):
                return await self._wanted.get()
        except TimeoutError:
            contested, self._contested = self._contested, set()
            return contested

    async def _send(self, http: httpx.AsyncClient, tournament: str, round_: int) -> None:
        assert self._kept is not None
        url, outbox = self._url(tournament, round_), Outbox(self._kept.events(tournament, round_))
        while (post := outbox.post()) is not None:
            response = await http.post(url, json=post.json())
            body = answered_object(response)
            if response.status_code != 200:
                if body.get("number") is None and body.get("error") == "contradiction" and post.events:
                    outbox.ask()
                    continue
                if body.get("error") == "contradiction":
                    self._contested.add((tournament, round_))
                log.warning("round %s of %r is refused: %s", round_, tournament, body.get("message", ""))
                return
            outbox.took(*stored_of(body))
            if outbox.missing_here:
                held = await fetch_list(http, url)
                if outbox.begins(held.events):
                    after = outbox.last
                    self._deliver(ListHeld(tournament, round_, after, held.events[after + 1 :], held.clock))
                    return
        log.info("round %s of %r: the director has all of it", round_, tournament)
