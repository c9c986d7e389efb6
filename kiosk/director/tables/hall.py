"""Keep the hall: all tables of the tournament, their devices, the copies of their lists and the orders to them.

Lives on the event loop; the store and the fold work in threads. What other directors write to the same database comes
in through ``others``.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from kiosk.director.key import ListKey
from kiosk.director.office import Change, Office
from kiosk.director.refusals import Contradiction, DirectorError, NothingHeld, StoreFailed
from kiosk.director.settings import Settings
from kiosk.director.storage.group_commit import GroupCommit
from kiosk.director.storage.order_store import GivenOrder
from kiosk.director.storage.store import Append, Store, StreamPosition
from kiosk.director.storage.threads import Threads
from kiosk.director.tables.clocks import Clocks
from kiosk.director.tables.copies import Copies
from kiosk.director.tables.desks import Desks, TableDesk
from kiosk.director.tables.device_logs import DeviceLogs
from kiosk.director.tables.devices import Devices
from kiosk.director.tables.event_window import EventWindow
from kiosk.director.tables.held_back import GoesOn, HeldBack, held_back, hold_back
from kiosk.director.tables.line_end import LineEnd
from kiosk.director.tables.open_lines import OpenLines
from kiosk.director.tables.orders import Orders
from kiosk.director.tables.parcels import Parcels
from kiosk.director.tables.releases import Releases
from kiosk.director.tables.rivals import Rival, rival
from kiosk.director.tables.table_pictures import TablePictures
from kiosk.tournament.berichtigung import ListNotes
from kiosk.tournament.mended_lists import mended_lists
from kiosk.tournament.notes import Noted
from kiosk.tournament.plan import plan_for

log = logging.getLogger(__name__)

#: Seconds after which alarms are looked at, and notes of other processes, though nothing came.
_LOOK_S = 5.0


#: Notes on lists by table and round, as ``kiosk.tournament.mended_lists`` makes them.
MendedLists: TypeAlias = Mapping[int, dict[str, list[dict[str, Any]]]]


class Watcher(Protocol):
    """Whoever shows the hall."""

    def changed(self, key: ListKey) -> None:
        """Take note that something else is to be shown of this list."""

    def noted(self) -> None:
        """Take note that something was noted of the tournament: the hall may have other tables now."""


class Hall:
    """All tables of the tournament; ``watchers`` are told what changes."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings, self.threads = store, settings, Threads()
        self.office = Office(store, settings)
        self.commits = GroupCommit(store, self.threads)
        self.desks = Desks()
        self.lines = OpenLines()
        self.window = EventWindow(self.lines)
        self.watchers: list[Watcher] = []
        self.devices = Devices(self.desks, self._changed, store.now)
        self.copies = Copies(store, self.threads, self.desks, self._changed)
        self.orders = Orders(store, self.threads, self.orders_changed)
        self.clocks = Clocks(store, self.threads)
        self.logs = DeviceLogs()
        self.pictures = TablePictures()
        self.releases = Releases(settings.releases, settings.installed)
        self.parcels = Parcels(store, self.threads)
        #: Addresses of all directors on this database that are there; empty where this one is alone.
        self.directors: list[str] = []
        self.stored_at = 0.0  # monotonic seconds when a table's events came last
        self.held_mark = 0  # another one whenever something begins to wait for the direction, or no longer does
        self._told: tuple[ListNotes, MendedLists] | None = None  # notes on lists, and as tables are told them
        self._noted_mark = self.office.mark  # how far pages and tables have been told what was noted
        self._gone: set[ListKey] = set()  # lists whose device went just now
        self._work: list[asyncio.Task[None]] = []

    @property
    def tournament(self) -> str:
        """Name of the tournament that is held now."""
        return self.office.tournament.name

    async def start(self) -> None:
        """Bring every table's copy up to the store, newest round first, and keep it so."""
        await self.threads.on_disk(self.office.catch_up)
        await self.parcels.read()
        self._noted_mark = self.office.mark
        self._seat_tables()
        self.orders.last = await self.threads.on_disk(self.store.last_orders)
        for key in sorted(await self.threads.on_disk(self.store.keys), key=lambda key: -key.round):
            desk = self.desk(key)
            desk.known, desk.away_since = True, (await self.threads.on_disk(self.store.stand, key)).heard
        await self.read_held()
        forever = self.copies.work_forever(), self._look_forever(), self.lines.look_forever()
        self._work = [asyncio.create_task(one) for one in forever]

    async def stop(self) -> None:
        """Stop the work."""
        for task in self._work:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self.clocks.stop()
        self.threads.stop()

    def desk(self, key: ListKey) -> TableDesk:
        """Return the table's desk, made when first needed."""
        desk = self.desks.get(key)
        if desk is None:
            desk = self.desks.add(key)
            self.copies.mark(key)
        return desk

    def desks_of(self, tournament: str, round_: int, table: int | None) -> list[TableDesk]:
        """Return the desks that an order is for; ``table`` None: all of the round."""
        if table is None:
            return self._of_round(tournament, round_)
        return [self.desk(ListKey(tournament, round_, table))]

    def keys(self, tournament: str, round_: int) -> list[ListKey]:
        """List the round's tables by number: those with events, and those with planned seats."""
        return [desk.key for desk in self._of_round(tournament, round_)]

    def orders_changed(self, key: ListKey) -> None:
        """Take in new orders and answers of this table from the store."""
        self.desk(key)
        self.copies.mark_orders(key)

    # the line

    async def append(self, key: ListKey, after: int, chain: str, events: Sequence[Mapping[str, Any]]) -> StreamPosition:
        """Store a table's events; see ``Store.append``."""
        desk = self.desk(key)
        desk.known, self.stored_at = True, time.monotonic()
        try:
            stand = await self.commits.append(key, after, chain, events)
        except Contradiction as error:
            await self._contradicted(desk, after, events, error)
            raise
        if desk.held is not None and stand.last > desk.held.after:
            await self._let_go(desk)
        await self._taken(desk, after, events, stand)
        return stand

    def append_soon(self, sent: Append, done: Callable[[StreamPosition | None], None]) -> bool:
        """Store what a table at play has sent, without a task; False where something of its list waits.

        :param done: called on the event loop when it is stored and folded; None: ``append`` has to take it.
        """
        desk = self.desk(sent.key)
        if desk.held is not None:
            return False
        desk.known, self.stored_at = True, time.monotonic()

        def stored(result: StreamPosition | DirectorError | None) -> None:
            stand = result if isinstance(result, StreamPosition) and desk.held is None else None
            try:
                if stand is not None:
                    self._grown(desk, sent.after, sent.events, stand)
            except Exception:
                log.exception("%s: what was stored could not be taken in", sent.key)
                stand = None
            done(stand)

        self.commits.put(sent, stored)
        return True

    async def _contradicted(
        self, desk: TableDesk, after: int, events: Sequence[Mapping[str, Any]], error: Contradiction
    ) -> None:
        if error.number is not None:
            if after < 0 and (desk.rival is None or desk.rival.events != tuple(events)):
                desk.rival = await self.threads.folding(rival, desk.key, events, error.number)
            self.devices.conflict(desk, str(error))

    async def _taken(
        self, desk: TableDesk, after: int, events: Sequence[Mapping[str, Any]], stand: StreamPosition
    ) -> None:
        """Take in that a table's events are stored, and send what was ordered before it had opened its list."""
        self._grown(desk, after, events, stand)
        if after < 0 and stand.last >= 0:
            await self.orders.send(desk)

    def _grown(self, desk: TableDesk, after: int, events: Sequence[Mapping[str, Any]], stand: StreamPosition) -> None:
        if desk.line is None:  # a list that is put by later leaves its table in the hall
            desk.away_since = self.store.now()
        if any("order_number" in event for event in events):
            desk.orders_changed = True
        if events:
            self.copies.take(desk.key, after, events, stand.chain if stand.last == after + len(events) else None)

    # what a table may not decide by itself

    async def hold_back(self, key: ListKey, after: int, chain: str, events: Sequence[Mapping[str, Any]]) -> None:
        """Keep what a table has sent and may not decide by itself, for the direction to see, at whichever director."""
        desk = self.desk(key)
        held = hold_back(desk.held, after, chain, events, self.store.now())
        desk.known = True
        if held is desk.held or not await self.threads.on_disk(self.store.withhold, key, held):
            return
        self._set_held(desk, held)
        log.warning("%s: %s events wait for the direction to take them", key, len(events))

    async def read_held(self, key: ListKey | None = None) -> None:
        """Take in what is stored as waiting of this table, or of all; a table of which nothing waits tries again."""
        stored = await self.threads.on_disk(self.store.withheld, key)
        held = [desk.key for desk in self.desks if desk.held is not None]
        for one in dict.fromkeys([*stored, *held]) if key is None else [key]:
            await self._now_held(self.desk(one), held_back(stored.get(one)))

    async def _now_held(self, desk: TableDesk, held: HeldBack | None) -> None:
        if desk.held == held:
            return
        desk.known = True
        self._set_held(desk, held)
        if held is None and desk.line is not None:
            await desk.line.send({"wake": True})

    async def _let_go(self, desk: TableDesk) -> None:
        if desk.held is not None:
            self._set_held(desk, None)
            await self.threads.on_disk(self.store.let_go, desk.key)

    def _set_held(self, desk: TableDesk, held: HeldBack | None) -> None:
        desk.held = held
        self.held_mark += 1
        self._changed(desk.key)

    def waiting(self) -> list[tuple[ListKey, HeldBack]]:
        """List what waits for the direction of all rounds of the tournament, with the lists that it is of."""
        return [(one.key, one.held) for one in self.desks.of_tournament(self.tournament) if one.held is not None]

    async def take_held(self, key: ListKey, last: int, stands: bool) -> list[str]:
        """Store what a table has decided by itself; it goes on then.

        :param last: number of the last event that the direction has seen: nothing else is taken.
        :param stands: True: what is behind it and has an order that is gone, too, follows for a minute (``GoesOn``);
            False: its decisions are taken back at once, by orders to the table.
        :returns: the decisions that no order takes back, where they shall not stand.
        :raises NothingHeld: there is nothing, or something else by now, or somebody else has just decided it.
        """
        desk = self.desk(key)
        held = desk.held
        if held is None or held.last != last:
            raise NothingHeld(f"{key}: nothing waits up to event {last} any more; look at the table again")
        bodies: list[dict[str, Any]] = []
        left: list[str] = []
        if not stands:
            before = await self.threads.on_disk(self.store.read, key)
            bodies, left = held.taken_back([*before[: held.after + 1], *held.events])
        try:
            stand, orders = await self.threads.on_disk(self.store.take_held, key, held, bodies)
        except Contradiction as error:
            await self._let_go(desk)
            await self._contradicted(desk, held.after, held.events, error)
            raise
        self._set_held(desk, None)
        if stands:
            desk.goes_on = GoesOn(self.store.now(), time.monotonic())
        await self._taken(desk, held.after, held.events, stand)
        for order in orders:
            await self.orders.deliver(order, key.parts, [desk])
        if desk.line is not None:
            await desk.line.send({"wake": True})
        return left

    # the line

    async def keep_stored(self, key: ListKey, last: int, chain: str) -> None:
        """Have the list that contradicts the stored one put by at the table, which takes the stored one over then.

        :param last: number of its last event as the direction has seen it, and the chain over all up to there.
        :raises NothingHeld: there is no such list any more, or its device is not connected to this director.
        """
        desk = self.desk(key)
        self._need_rival(desk, last, chain)
        # it may speak for a later round meanwhile
        end = next((one.line for one in self.desks.of_table(key.table) if one.line is not None), None)
        if end is None:
            raise NothingHeld(f"{key}: its device is not connected to this director; wait until it is")
        await end.send({"give_way": [key.tournament, key.round, last, chain]})
        log.warning("%s: its device is to put by its list of %s events", key, last + 1)
        self._decided(desk)

    async def keep_sent(self, key: ListKey, last: int, chain: str) -> int:
        """Put the stored list by, for the one that contradicts it; its number among those put by.

        :raises NothingHeld: see ``keep_stored``.
        """
        self._need_rival(self.desk(key), last, chain)
        self._decided(self.desk(key))
        return await self.set_aside(key)

    def _need_rival(self, desk: TableDesk, last: int, chain: str) -> Rival:
        found = desk.rival
        if found is None or not desk.conflict or (found.last, found.chain) != (last, chain):
            raise NothingHeld(f"{desk.key}: the two lists are not those any more; look at the table again")
        return found

    def _decided(self, desk: TableDesk) -> None:
        desk.conflict, desk.rival = "", None
        self._changed(desk.key)

    async def line_up(self, key: ListKey, end: LineEnd) -> None:
        """Register a table's open socket; an older one of the same table is closed."""
        desk = self.desk(key)
        await self.devices.up(desk, end)
        await self.orders.send(desk)

    async def line_down(self, key: ListKey, end: LineEnd) -> None:
        """Unregister a table's closed socket."""
        if self.devices.down(self.desk(key), end):
            self._gone.add(key)
            if len(self._gone) == 1:  # the others that go at this moment are written with it
                await asyncio.sleep(0.05)
                gone, self._gone = self._gone, set()
                with contextlib.suppress(StoreFailed, RuntimeError):  # else, or at the very end, only that time is lost
                    await self.threads.on_disk(self.store.heard, gone)

    async def close_lines(self, device: str, table: int | None) -> None:
        """Close the sockets of a device whose rights have changed, and the one before it: they come again."""
        ends = [(desk.key.table, desk.line) for desk in self.desks if desk.line is not None]
        for number, end in ends:
            if (end.holder == device or number == table) and end.close is not None:
                await end.close()

    async def close_all_lines(self) -> None:
        """Close the sockets of all tables: they come again, and are let in or not."""
        for end in [desk.line for desk in self.desks if desk.line is not None]:
            if end.close is not None:
                await end.close()

    # orders

    async def give(
        self, tournament: str, round_: int, table: int | None, body: Mapping[str, Any], since: int | None = None
    ) -> GivenOrder:
        """Give an order to one table, or to all of the round; it reaches those that are away when they return.

        :param since: see ``OrderStore.give``.
        """
        where = tournament, round_, table
        return await self.orders.give(where, self.desks_of(*where), body, since)

    async def set_aside(self, key: ListKey, opened: int | None = None) -> int:
        """Set the table's list aside so that it may begin anew; the table must ask again. See ``Store.set_aside``."""
        number = await self.threads.on_disk(self.store.set_aside, key, opened)
        log.warning("%s was set aside as list %s", key, number)
        await self.began_anew(self.desk(key))
        return number

    async def begin_anew(
        self, tournament: str, round_: int, opened: Mapping[int, object] | None = None
    ) -> list[ListKey]:
        """Set all lists of the round aside and withdraw its orders. See ``Store.begin_anew``."""
        put_by = await self.threads.on_disk(self.store.begin_anew, tournament, round_, opened)
        log.warning("%s, round %s began anew: %s lists were set aside", tournament, round_, len(put_by))
        for desk in self._of_round(tournament, round_):
            await self.began_anew(desk)
        return put_by

    async def began_anew(self, desk: TableDesk) -> None:
        """Take in that a table's list was set aside: it is folded from the beginning, and the table asks again."""
        desk.conflict, desk.anew = "", True
        await self._let_go(desk)
        self.orders_changed(desk.key)
        if desk.line is not None:
            await desk.line.send({"wake": True})

    # the tournament

    async def note(self, change: Mapping[str, Any] | Change, tournament: str | None = None) -> Noted:
        """Note a fact of a tournament and inform tables and pages. See ``Office.note``."""
        return (await self.note_and_order(change, tournament))[0]

    async def note_and_order(
        self, change: Mapping[str, Any] | Change, tournament: str | None = None
    ) -> tuple[Noted, list[GivenOrder]]:
        """Note a fact as ``note`` does, and give the orders that follow from it: both are stored, or none."""
        noted, orders = await self.threads.on_disk(self.office.note_and_order, change, tournament)
        log.info("noted: %s", noted.body)
        await self._noted(tournament)
        for order in orders:
            where = tournament or self.tournament, order.round, order.table
            await self.orders.deliver(order, where, self.desks_of(*where))
        return noted, orders

    async def begin(self, name: str, keep_people: bool, instead_of: object = None) -> None:
        """Begin another tournament. See ``Office.begin``."""
        await self.threads.on_disk(self.office.begin, name, keep_people, instead_of)
        log.warning("the tournament %r is held now", name)
        await self._noted()

    async def send_plan(self, key: ListKey, end: LineEnd) -> None:
        """Send a table its planned seats if it asks for them."""
        plan = plan_for(self.office.tournament, key.table)
        if end.plans and plan != end.plan:
            end.plan = plan
            await end.send({"plan": plan})

    async def send_lists(self, key: ListKey, end: LineEnd) -> None:
        """Send a table what was put right of its lists if it asks for it."""
        if end.lists:
            await _send_lists(key, end, await self._mended(key.tournament))

    async def _mended(self, tournament: str) -> MendedLists:
        """What was noted of the lists of a tournament, by table; made anew where that has changed."""
        if tournament == self.tournament:
            known = self.office.tournament
        else:
            known = await self.threads.on_disk(self.office.named, tournament)
        if self._told is None or self._told[0] is not known.lists:
            self._told = known.lists, mended_lists(known.lists)
        return self._told[1]

    async def name_directors(self, directors: list[str]) -> None:
        """Tell the tables here at which other directors they may be."""
        self.directors = directors
        ends = [desk.line for desk in self.desks if desk.line is not None and desk.line.plans]
        await asyncio.gather(*(self.send_directors(end) for end in ends))

    async def send_directors(self, end: LineEnd) -> None:
        """Tell a table at which directors it may be, where there are several."""
        if len(self.directors) > 1:
            await end.send({"directors": self.directors})

    async def offer_releases(self) -> None:
        """Tell the tables here which release they shall run, where that has changed."""
        ends = [(desk.key.table, desk.line) for desk in self.desks if desk.line is not None]
        await asyncio.gather(*(self.releases.offer(table, end) for table, end in ends))

    async def offer_parcels(self) -> None:
        """Tell the tables here what they shall have, where that has changed."""
        ends = [(desk.key.table, desk.line) for desk in self.desks if desk.line is not None]
        await asyncio.gather(*(self.parcels.offer(table, end) for table, end in ends))

    async def parcels_changed(self) -> None:
        """Take in what another process has done with the parcels."""
        await self.parcels.read()
        await self.offer_parcels()

    def planned(self, key: ListKey) -> tuple[str, ...]:
        """Return the planned seats; empty where nobody was planned."""
        plan = self.office.tournament.plans.get(key.round)
        ours = plan is not None and plan.published and key.tournament == self.tournament
        return plan.seats.get(key.table, ()) if plan is not None and ours else ()

    def busy_with(self, key: ListKey) -> ListKey | None:
        """Return the list that the table's device is still playing, where it has not come to this one."""
        if self.desk(key).copy.round is not None:
            return None
        others = (one for one in self.desks.of_table(key.table) if one.connected and one.key != key)
        return next((one.key for one in others if (now := one.copy.round) is not None and not now.closed), None)

    def _changed(self, key: ListKey) -> None:
        for watcher in self.watchers:
            watcher.changed(key)

    def _of_round(self, tournament: str, round_: int) -> list[TableDesk]:
        return [desk for desk in self.desks.of_round(tournament, round_) if desk.known or self.planned(desk.key)]

    async def _look_forever(self) -> None:
        """End old alarms, and look whether another process has noted something."""
        while True:
            await asyncio.sleep(_LOOK_S)
            self.devices.calm_down()
            await self.catch_up()

    async def catch_up(self) -> None:
        """Take in what other processes have noted."""
        try:
            await self.threads.on_disk(self.office.catch_up)
        except StoreFailed as error:
            log.error("%s", error)
        if self.office.mark != self._noted_mark:  # whoever asked for a standing may have taken it in already
            await self._noted()

    async def noted_elsewhere(self, tournament: str) -> None:
        """Take in that another process has noted something of this tournament, where it is not the one held."""
        if tournament != self.tournament and tournament in self.office.held:
            self.office.noted_elsewhere()
            await self._noted(tournament)

    async def _noted(self, tournament: str | None = None) -> None:
        """Tell pages and tables what was noted, of the tournament that is held or of an earlier one."""
        self._noted_mark = self.office.mark
        self._seat_tables()
        for watcher in self.watchers:
            watcher.noted()
        name = tournament or self.tournament
        mended = await self._mended(name)
        ends = [(desk.key, desk.line) for desk in self.desks if desk.line is not None]
        await asyncio.gather(
            *(self.send_plan(key, end) for key, end in ends),
            *(_send_lists(key, end, mended) for key, end in ends if end.lists and key.tournament == name),
        )

    def _seat_tables(self) -> None:
        """Every table of a plan that the tables have stands in the hall, whether it was heard of or not."""
        for plan in self.office.tournament.plans.values():
            for table in plan.seats if plan.published else ():
                self.desk(ListKey(self.tournament, plan.round, table))


async def _send_lists(key: ListKey, end: LineEnd, mended: MendedLists) -> None:
    rounds = mended.get(key.table, {})
    if rounds != end.told:
        end.told = rounds
        await end.send({"lists": {"tournament": key.tournament, "rounds": rounds}})
