"""Keep every table's copy up to the store, whoever wrote there."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kiosk.director.key import ListKey
from kiosk.director.refusals import StoreFailed
from kiosk.director.storage.fold_store import KeptFold
from kiosk.director.storage.store import Store
from kiosk.director.storage.threads import Threads
from kiosk.director.tables import folds
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.desks import Desks, TableDesk
from kiosk.director.tables.fold_beside import FoldBeside
from kiosk.table.events.chain import link
from kiosk.table.round.packed import compact

log = logging.getLogger(__name__)

#: Events that are folded at once: a thread that is asked to do it costs more than they do.
_FEW = 4

#: What folds a whole game anew, or more: that takes a thread.
_LONG = ("correct", "strike")

#: Lists that are read before pages hear of them: the fold of a whole one takes a twentieth of a second.
_AT_ONCE = 16

#: Lists of a hall from which on they are held in little room, and their folds kept: fewer are folded in a few seconds.
MANY = 100

#: Lists that are to be folded from their beginning from which on other processes help: one takes a second to start.
BESIDE = 50

#: Events after which a list's fold is kept anew; so many have to be folded after a start. It takes as long as 300.
_KEPT_EVERY = 200

#: Lists whose folds are written together.
_WRITTEN = 8

#: Seconds for which is folded before others have their turn.
_TURN_S = 0.002

#: So many times as long as the others' turn took they have it, at most so many seconds: who connects waits five for it.
_YIELD, _LONGEST_YIELD_S = 3, 0.05


@dataclass(slots=True)
class _News:
    """What is new of one list."""

    after: int = -1  # number of the event before ``events``
    events: tuple[Mapping[str, Any], ...] = ()  # stored just now by this process
    look: bool = False  # the list is to be read from the store


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read for a desk's copy; ``copy`` takes its place when all is folded: nobody sees half a list."""

    desk: TableDesk
    copy: Copy
    events: Sequence[Mapping[str, Any]]
    kept: KeptFold | None = None  # the list up to ``events``, instead of ``copy``


class Copies:
    """Brings the copies of lists of which there is something new up to the store, some at a time.

    :param refreshed: called on the event loop with each list that was brought up.
    """

    def __init__(self, store: Store, threads: Threads, desks: Desks, refreshed: Callable[[ListKey], None]) -> None:
        self._store, self._threads, self._desks, self._refreshed = store, threads, desks, refreshed
        self._news: dict[ListKey, _News] = {}
        self._in_work: Collection[ListKey] = ()  # lists that the thread has now
        self._ripe: dict[ListKey, None] = {}  # lists that have grown so much that their folds are to be kept
        self._kept: dict[ListKey, KeptFold] = {}  # not written yet
        self._wake = asyncio.Event()
        self._beside = FoldBeside(store.url, self._wake.set)
        self._unread: set[ListKey] = set()  # of the lists that were there at the start
        self.caught_up = asyncio.Event()  # those are read

    @property
    def busy(self) -> bool:
        """Whether something is new that is not folded, or grown that is not kept."""
        return bool(self._news or self._in_work or self._ripe or self._kept)

    def mark(self, key: ListKey) -> None:
        """Mark a list of which there is something new in the store."""
        self._news.setdefault(key, _News()).look = True
        self._wake.set()

    def mark_orders(self, key: ListKey) -> None:
        """Mark a list of whose orders or answers there is something new in the store."""
        self._desks[key].orders_changed = True
        self._news.setdefault(key, _News())
        self._wake.set()

    def take(self, key: ListKey, after: int, events: Sequence[Mapping[str, Any]], chain: str | None = None) -> None:
        """Take events that follow event ``after`` and were stored just now: the store need not be read for them.

        :param chain: over all events with them, where it is known.
        """
        if self._folded_at_once(key, after, events, chain):
            self._refreshed(key)
            return
        news = self._news.setdefault(key, _News(after))
        if not news.events:
            news.after = after
        if news.look or after != news.after + len(news.events):
            news.look = True
        else:
            news.events += tuple(events)
        self._wake.set()

    def _folded_at_once(self, key: ListKey, after: int, events: Sequence[Mapping[str, Any]], chain: str | None) -> bool:
        """Fold the next events if there is little to it and nothing else to be done for the list."""
        desk = self._desks[key]
        if key in self._news or key in self._in_work or desk.anew or desk.orders_changed:
            return False
        if len(events) > _FEW or after != desk.copy.count - 1 or any(one.get("event") in _LONG for one in events):
            return False
        desk.copy.add(events, chain)
        self._look_whether_ripe(desk)
        return True

    @property
    def _many(self) -> bool:
        return len(self._desks) >= MANY

    def _look_whether_ripe(self, desk: TableDesk) -> None:
        if self._many and _ripe(desk.copy):
            self._ripe[desk.key] = None
            self._wake.set()

    async def work_forever(self) -> None:
        """Refresh what is marked; only cancelling ends it."""
        self._unread = set(self._news)
        self._note_read(())
        await self._give_beside()
        beside = asyncio.create_task(self._beside.work())
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while (lists := self._next()) or self._ripe or self._kept:
                    await (self._refresh(lists) if lists else self._keep())
        finally:
            beside.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beside

    async def _give_beside(self) -> None:
        """Give the lists of which this version has kept nothing to other processes, where there are many."""
        if not self._many:
            return
        try:
            fresh = await self._threads.on_disk(self._store.not_kept, folds.version(), _KEPT_EVERY)
        except StoreFailed as error:
            log.error("all lists are folded by the service itself: %s", error)
            return
        if len(fresh) >= BESIDE:
            log.info("%s lists are folded anew", len(fresh))
            self._beside.give(key for key in self._news if key in fresh)

    def first(self, key: ListKey) -> None:
        """Fold this list before others: somebody looks at it."""
        self._beside.take_back(key)

    def _next(self) -> list[ListKey]:
        """The lists that are brought up next."""
        # one card goes before whole lists: at a start there are hundreds of them to be folded
        here = sorted((key for key in self._news if key not in self._beside), key=lambda key: self._news[key].look)
        if here:
            return here[:_AT_ONCE]
        last = self._beside.take_back()  # so that this process does not stand by
        return [last] if last in self._news else []

    def _note_read(self, lists: Collection[ListKey]) -> None:
        self._unread.difference_update(lists)
        if not self._unread:
            self.caught_up.set()

    async def _refresh(self, lists: Sequence[ListKey]) -> None:
        """Bring some lists up to the store."""
        batch = {key: self._news.pop(key) for key in lists}
        desks = [self._desks[key] for key in batch]
        self._in_work = batch
        read, failed = await self._threads.folding(self._read_all, list(zip(desks, batch.values(), strict=True)))
        for one in read:
            try:
                await self._fold(one)
            except StoreFailed as error:
                log.error("%s: %s", one.desk.key, error)
                one.desk.anew = True
                failed.append(one.desk)
        self._in_work = ()
        for key in batch:
            self._refreshed(key)
        self._note_read(batch.keys() - {desk.key for desk in failed})
        for desk in failed:
            desk.orders_changed = True
            self.mark(desk.key)
        if failed:
            await asyncio.sleep(1)
        if len(self._kept) >= _WRITTEN:
            await self._write_kept()

    async def _keep(self) -> None:
        """Hold some lists in less room, and keep their folds for the next start."""
        while self._ripe and len(self._kept) < _WRITTEN and all(key in self._beside for key in self._news):
            desk = self._desks[self._ripe.popitem()[0]]
            if _ripe(desk.copy):
                self._keep_fold(desk, desk.copy)
                await _others_turn()
        await self._write_kept()

    def _keep_fold(self, desk: TableDesk, copy: Copy) -> None:
        copy.kept = copy.count
        try:
            copy.round = copy.round and compact(copy.round)
            # else the director that has its table keeps it
            if desk.elsewhere is None and (kept := folds.keep(copy)) is not None:
                self._kept[desk.key] = kept
        except Exception:  # a list of which nothing can be kept is a list all the same
            log.exception("%s: its fold cannot be kept", desk.key)

    async def _write_kept(self) -> None:
        written = sorted(self._kept.values(), key=lambda kept: kept.key)  # so that two directors never wait in a circle
        try:
            if written:
                await self._threads.on_disk(self._store.keep_folds, written)
        except StoreFailed as error:  # another director was faster, or the disk is full
            log.info("%s lists will be folded from further back after a start: %s", len(written), error)
        self._kept.clear()

    async def _fold(self, read: _Read) -> None:
        """Fold what was read, in short turns.

        A thread would have every other turn of the interpreter: each word of a table waited for it, and a thousand
        that came after a start gave up and came again.
        """
        desk, copy, events, turn = read.desk, read.copy, read.events, time.monotonic()
        if read.kept is not None:
            taken = folds.take(read.kept)
            if taken is None:
                events = await self._threads.on_disk(self._store.read, desk.key)
            else:
                copy = taken
        for place, event in enumerate(events):
            if event.get("event") in _LONG:
                await self._threads.folding(copy.add, [event])
            else:
                copy.add([event])
            # a whole list near its end, in the middle of a game it cannot be kept; all else waits until there is time
            if _KEPT_EVERY >= len(events) - place > 1 and self._many and _ripe(copy):
                self._keep_fold(desk, copy)
            if time.monotonic() - turn > _TURN_S:
                turn = await _others_turn()
        if self._many and copy.round is not None and copy.round.closed and _ripe(copy):
            copy.round = compact(copy.round)  # its fold is kept later, but at a start a thousand are held by then
        desk.copy = copy
        self._look_whether_ripe(desk)

    def _read_all(self, batch: list[tuple[TableDesk, _News]]) -> tuple[list[_Read], list[TableDesk]]:
        """Read what is new of these copies; also return those of which the store could not be read."""
        read: list[_Read] = []
        failed: list[TableDesk] = []
        ordered: dict[tuple[str, int], list[TableDesk]] = {}
        for desk, news in batch:
            anew = desk.anew
            try:
                read.append(self._read(desk, news))
                if desk.orders_changed:
                    ordered.setdefault((desk.key.tournament, desk.key.round), []).append(desk)
            except StoreFailed as error:
                log.error("%s: %s", desk.key, error)
                desk.anew = desk.anew or anew
                failed.append(desk)
            except Exception:  # one table that cannot be shown must not stop the others
                log.exception("%s cannot be shown", desk.key)
        for round_, desks in ordered.items():
            try:
                self._read_orders(round_, desks)
            except StoreFailed as error:
                log.error("%s, round %s: %s", *round_, error)
                failed += desks
        return read, failed

    def _read(self, desk: TableDesk, news: _News) -> _Read:
        copy, key = desk.copy, desk.key
        if not news.look and not desk.anew and (not news.events or news.after == copy.count - 1):
            return _Read(desk, _own(copy), news.events)
        if desk.anew or (copy.count and self._store.stand(key).last < copy.count - 1):
            desk.anew, copy = False, Copy(key)
        if not copy.count and (kept := self._store.kept_fold(key, folds.version())) is not None:
            stand = self._store.stand(key)
            events = self._store.read(key, kept.last)[: max(0, stand.last - kept.last)]
            if _chain_after(kept, events) == stand.chain:
                return _Read(desk, copy, events, kept)
        return _Read(desk, _own(copy), self._store.read(key, copy.count - 1))

    def _read_orders(self, round_: tuple[str, int], desks: Sequence[TableDesk]) -> None:
        """Read what is pending and refused at these tables of a round."""
        for desk in desks:
            desk.orders_changed = False
        found = self._store.of_tables(*round_, [desk.key.table for desk in desks])
        for desk in desks:
            orders = found[desk.key.table]
            desk.pending = list(orders.pending)
            desk.refused = [
                {"number": order.number, "body": order.body, "at": said.at, "why": said.refused, "reason": said.why}
                for order, said in orders.refused[-3:]
            ]


def _own(copy: Copy) -> Copy:
    return replace(copy, names=set(copy.names))


def _ripe(copy: Copy) -> bool:
    """Whether a list's fold is to be kept now."""
    round_ = copy.round
    if round_ is None or copy.count == copy.kept:
        return False
    return (round_.closed or copy.count - copy.kept >= _KEPT_EVERY) and folds.may_keep(round_)


def _chain_after(kept: KeptFold, events: Sequence[Mapping[str, Any]]) -> str:
    """The chain over a list that begins with what was kept and goes on with ``events``."""
    chain = kept.chain
    for event in events:
        chain = link(chain, event)
    return chain


async def _others_turn() -> float:
    """Let others have their turn, and another one where they had much to do; monotonic seconds afterwards."""
    begun = time.monotonic()
    await asyncio.sleep(0)
    took = time.monotonic() - begun
    if took > _TURN_S:
        await asyncio.sleep(min(_YIELD * took, _LONGEST_YIELD_S))
    return time.monotonic()
