"""Store every table's events, the orders given, and the notes of the tournament."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
import sqlalchemy as sa

from kiosk.director.key import ListKey
from kiosk.director.refusals import Contradiction, DirectorError, Gap, NotAnEvent, NothingHeld
from kiosk.director.storage.clock_store import ClockStore
from kiosk.director.storage.database import EVENTS, ORDERS, TABLES, as_text, key_columns, of_key
from kiosk.director.storage.fold_store import FoldStore
from kiosk.director.storage.held_store import HeldStore, Withheld
from kiosk.director.storage.news import News, tell
from kiosk.director.storage.note_store import NoteStore
from kiosk.director.storage.order_store import GivenOrder
from kiosk.director.storage.parcel_store import ParcelStore
from kiosk.director.storage.photo_store import PhotoStore
from kiosk.director.storage.prepared import Prepared
from kiosk.errors import BadNote, shorten
from kiosk.table.events.chain import START, canonical, link, link_canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamPosition:
    """Number and chain of a table's last stored event."""

    last: int  # number of the last event stored, -1 for none
    chain: str
    heard: int  # ms since the epoch; 0: never


NOTHING = StreamPosition(last=-1, chain=START, heard=0)


@dataclass(frozen=True, slots=True)
class Append:
    """A table's message: ``events`` follow event ``after``, ``chain`` is that of all up to ``after``."""

    key: ListKey
    after: int
    chain: str
    events: Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class _Batch:
    """What one transaction adds."""

    at: int  # ms since the epoch
    rows: list[dict[str, Any]] = field(default_factory=list)
    changed: dict[ListKey, None] = field(default_factory=dict)
    answers: list[tuple[ListKey, int, int]] = field(default_factory=list)  # list, order, event
    told: dict[ListKey, tuple[int, list[Mapping[str, Any]]]] = field(
        default_factory=dict
    )  # what is new, and after which


_OF_TABLE = sa.and_(
    TABLES.c.tournament == sa.bindparam("of_tournament"),
    TABLES.c.round == sa.bindparam("of_round"),
    TABLES.c.table == sa.bindparam("of_table"),
)

# what each message of a table needs
_POSITION = Prepared(sa.select(TABLES).where(_OF_TABLE).with_for_update())
_ADD = Prepared(EVENTS.insert())
_MOVE_ON = Prepared(
    TABLES.update()
    .where(_OF_TABLE)
    .values(last=sa.bindparam("to_last"), chain=sa.bindparam("to_chain"), heard=sa.bindparam("to_heard"))
)

#: Tables that are looked up one by one: more of them go into one statement.
_FEW = 8

#: Events of a list that are told with the news of it at most, and letters of them.
_FEW_TOLD, _LITTLE = 4, 1500


def _named(key: ListKey) -> dict[str, Any]:
    return {"of_tournament": key.tournament, "of_round": key.round, "of_table": key.table}


def _moved(key: ListKey, to: StreamPosition) -> dict[str, Any]:
    return {
        **_named(key),
        "to_last": to.last,
        "to_chain": to.chain,
        "to_heard": to.heard,
    }


class Store(NoteStore, PhotoStore, ParcelStore, HeldStore, ClockStore, FoldStore):
    """Everything that must outlive the director's process: here the tables' lists."""

    def append(self, key: ListKey, after: int, chain: str, events: Sequence[Mapping[str, Any]]) -> StreamPosition:
        """Store ``events``, which follow the table's event ``after``, all or none; return its position then.

        What is stored already is compared and left as it is, so the same events may come any number of times.

        :param chain: the table's chain up to and with ``after`` (``kiosk.table.events.chain``).
        :raises Gap: events between the last stored one and ``after`` are missing.
        :raises Contradiction: an event, or the chain before, is stored otherwise.
        :raises NotAnEvent: an item is no event, or it opens another table or round.
        :raises StoreFailed: the disk or the database fails; nothing is stored.
        """
        (result,) = self.append_all([Append(key, after, chain, events)])
        if isinstance(result, DirectorError):
            raise result
        return result

    def append_all(self, appends: Sequence["Append"]) -> list[StreamPosition | DirectorError]:
        """Store what several tables have sent, in one transaction; what is wrong with one message concerns it alone.

        :returns: for each message the table's position then, or its refusal (``append``).
        :raises StoreFailed: the disk or the database fails; nothing is stored.
        """
        with self.failing(), self.writing() as db:
            return self._append_all(db, appends)

    def take_held(
        self, key: ListKey, held: Withheld, orders: Sequence[Mapping[str, Any]]
    ) -> tuple[StreamPosition, list[GivenOrder]]:
        """Store what has waited for the direction, with orders to its table: all of it or nothing.

        :raises NothingHeld: it does not wait any more; somebody else has just decided it.
        :raises DirectorError: see ``append``; it waits on.
        """
        with self.failing(), self.writing() as db:
            (result,) = self._append_all(db, [Append(key, held.after, held.chain, held.events)])
            if isinstance(result, DirectorError):
                raise result
            if not self._let_go(db, key, held.last):
                raise NothingHeld(f"{key}: nothing waits up to event {held.last} any more; look at the table again")
            return result, [self._give(db, key.parts, body) for body in orders]

    def _append_all(self, db: sa.Connection, appends: Sequence["Append"]) -> list[StreamPosition | DirectorError]:
        positions = self._lock_all(db, sorted({one.key for one in appends}))
        batch = _Batch(self.now())
        found: list[StreamPosition | DirectorError] = []
        for one in appends:
            try:
                positions[one.key] = self._take(db, one, positions[one.key], batch)
            except DirectorError as error:
                found.append(error)
            else:
                found.append(positions[one.key])
        if batch.rows:
            _ADD.run(db, batch.rows)
        if batch.changed:
            _MOVE_ON.run(db, [_moved(key, positions[key]) for key in batch.changed])
        for key, order, event_number in batch.answers:
            self._answer(db, key, order, event_number, None)
        if self.shared:
            tell(db, self.own, self._grown(batch, positions))
        return found

    def _grown(self, batch: "_Batch", positions: Mapping[ListKey, StreamPosition]) -> Iterator[News]:
        """The news of lists that have grown: with what is new, so that nobody has to read it, where that is little."""
        answered = {key for key, _, _ in batch.answers}
        for key in batch.changed:
            head = ["events", *key.parts, key in answered]
            after, events = batch.told.get(key, (-1, []))
            little = 0 < len(events) <= _FEW_TOLD and sum(len(as_text(event)) for event in events) <= _LITTLE
            yield [*head, after, positions[key].chain, events] if little else head

    def _take(self, db: sa.Connection, one: "Append", stand: StreamPosition, batch: "_Batch") -> StreamPosition:
        """Note in the batch what one message adds; return the table's position then."""
        key, after = one.key, one.after
        checked = [(event, _checked(key, after + 1 + i, event)) for i, event in enumerate(one.events)]
        if after > stand.last:
            raise Gap(after, stand.last + 1)
        if after < stand.last and batch.rows:  # what is compared may be in the batch
            _ADD.run(db, batch.rows)
            batch.rows = []
        self._compare_chain(db, key, after, one.chain, stand)
        known = self._bodies(db, key, after, min(after + len(checked), stand.last))
        for i, ((sent, text), stored) in enumerate(zip(checked, known, strict=False)):
            if text != canonical(stored):
                raise Contradiction(after + 1 + i, stored, sent)
        new = checked[len(known) :]
        if not new and stand.heard:
            return stand
        head, number = stand.chain, stand.last
        for event, text in new:
            head, number = link_canonical(head, text), number + 1
            batch.rows.append(
                {**key_columns(key), "aside": 0, "number": number, "body": as_text(event), "received": batch.at}
            )
            batch.told.setdefault(key, (number - 1, []))[1].append(event)
            order = event.get("order_number")
            if isinstance(order, int) and not isinstance(order, bool):
                batch.answers.append((key, order, number))
        batch.changed[key] = None
        return StreamPosition(last=number, chain=head, heard=batch.at)

    def stand(self, key: ListKey) -> StreamPosition:
        """Return how far the table's list has come here."""
        with self.reading() as db:
            row = db.execute(sa.select(TABLES).where(of_key(TABLES, key))).mappings().first()
        return StreamPosition(last=row["last"], chain=row["chain"], heard=row["heard"]) if row else NOTHING

    def heard(self, keys: Collection[ListKey]) -> None:
        """Note that the devices of these tables were heard of now."""
        with self.failing(), self.engine.begin() as db:
            self._lock_all(db, sorted(keys))
            for key in keys:
                db.execute(TABLES.update().where(of_key(TABLES, key)).values(heard=self.now()))

    def read(self, key: ListKey, after: int = -1, aside: int = 0) -> list[dict[str, Any]]:
        """Read the table's events with numbers above ``after``, in order."""
        query = (
            sa.select(EVENTS.c.body)
            .where(of_key(EVENTS, key), EVENTS.c.aside == aside, EVENTS.c.number > after)
            .order_by(EVENTS.c.number)
        )
        with self.reading() as db:
            return [orjson.loads(body) for body in db.scalars(query)]

    def keys(self, tournament: str | None = None) -> list[ListKey]:
        """List every table that ever reported."""
        query = sa.select(TABLES.c.tournament, TABLES.c.round, TABLES.c.table)
        if tournament is not None:
            query = query.where(TABLES.c.tournament == tournament)
        with self.reading() as db:
            return sorted(ListKey(*row) for row in db.execute(query))

    def set_aside(self, key: ListKey, opened: int | None = None) -> int:
        """Set the table's list aside under the number returned; the table may begin anew. Nothing is deleted.

        :param opened: when the list was opened that is meant (``at`` of its first event); None: whichever is there.
        :raises BadNote: the table has another list by now, or none: it was set aside already.
        """
        with self.failing(), self.engine.begin() as db:
            if opened is not None and self._opened(db, key) != opened:
                raise BadNote("aside_already", f"{key}: its list was set aside already; look at the table again")
            tell(db, self.own, [["anew", *key.parts]])
            return self._set_aside(db, key)

    def begin_anew(self, tournament: str, round_: int, opened: Mapping[int, object] | None = None) -> list[ListKey]:
        """Set aside all lists of the round and withdraw its waiting orders; return the tables.

        :param opened: for each table when the list was opened that was seen; None: whichever are there.
        :raises BadNote: none of those is there any more: the round was begun anew already.
        """
        keys = [key for key in self.keys(tournament) if key.round == round_]
        with self.failing(), self.engine.begin() as db:
            put_by = [key for key in keys if self._locked(db, key).last >= 0]
            if opened and not any(self._opened(db, key) == opened.get(key.table) for key in put_by):
                raise BadNote("aside_already", f"{tournament}, round {round_}: it was begun anew already; look again")
            for key in put_by:
                self._set_aside(db, key)
            of_round = sa.and_(ORDERS.c.tournament == tournament, ORDERS.c.round == round_)
            db.execute(ORDERS.update().where(of_round).values(withdrawn=True))
            tell(db, self.own, (["anew", *key.parts] for key in put_by))
        return put_by

    def asides(self, key: ListKey) -> list[int]:
        """List numbers of the lists of this table that were set aside."""
        query = sa.select(EVENTS.c.aside).where(of_key(EVENTS, key), EVENTS.c.aside > 0).distinct()
        with self.reading() as db:
            return sorted(db.scalars(query))

    # within a transaction

    def _opened(self, db: sa.Connection, key: ListKey) -> object:
        """When the table's list was opened, ms since the epoch; None where there is none."""
        self._locked(db, key)
        first = self._bodies(db, key, -1, 0)
        return first[0].get("at") if first else None

    def _set_aside(self, db: sa.Connection, key: ListKey) -> int:
        self._locked(db, key)
        last = db.scalar(sa.select(sa.func.max(EVENTS.c.aside)).where(of_key(EVENTS, key)))
        aside = (last or 0) + 1
        db.execute(EVENTS.update().where(of_key(EVENTS, key), EVENTS.c.aside == 0).values(aside=aside))
        db.execute(TABLES.update().where(of_key(TABLES, key)).values(last=-1, chain=START, heard=self.now()))
        return int(aside)

    def _locked(self, db: sa.Connection, key: ListKey) -> StreamPosition:
        return self._lock_all(db, [key])[key]

    def _lock_all(self, db: sa.Connection, keys: Sequence[ListKey]) -> dict[ListKey, StreamPosition]:
        """The tables' rows, locked to the end of the transaction and made where they are not there.

        :param keys: in order, so that two processes never wait for each other.
        """
        found = self._positions(db, keys)
        missing = [key for key in keys if key not in found]
        for key in missing:
            try:
                with db.begin_nested():
                    db.execute(TABLES.insert().values(**key_columns(key), last=-1, chain=START, heard=0))
            except sa.exc.IntegrityError:  # another process was faster (PostgreSQL)
                found |= self._positions(db, [key])
            else:
                found[key] = NOTHING
        return found

    def _positions(self, db: sa.Connection, keys: Sequence[ListKey]) -> dict[ListKey, StreamPosition]:
        columns = (TABLES.c.tournament, TABLES.c.round, TABLES.c.table)
        rows: Iterable[Any]
        if len(keys) <= _FEW:
            rows = [row for key in keys for row in _POSITION.rows(db, _named(key))]
        else:
            where = sa.tuple_(*columns).in_([(key.tournament, key.round, key.table) for key in keys])
            rows = db.execute(sa.select(TABLES).where(where).order_by(*columns).with_for_update())
        return {
            ListKey(tournament, round_, table): StreamPosition(last=last, chain=chain, heard=heard)
            for tournament, round_, table, last, chain, heard in rows
        }

    def _compare_chain(self, db: sa.Connection, key: ListKey, after: int, chain: str, stand: StreamPosition) -> None:
        head = stand.chain
        if after < stand.last:
            head = START
            for body in self._bodies(db, key, -1, after):
                head = link(head, body)
        if head != chain:
            raise Contradiction(
                None, None, None, f"the events up to {after} differ from those stored; send from 0 on to see where"
            )

    def _bodies(self, db: sa.Connection, key: ListKey, after: int, last: int) -> list[dict[str, Any]]:
        if last <= after:
            return []
        query = (
            sa.select(EVENTS.c.body)
            .where(of_key(EVENTS, key), EVENTS.c.aside == 0, EVENTS.c.number > after, EVENTS.c.number <= last)
            .order_by(EVENTS.c.number)
        )
        return [json.loads(body) for body in db.scalars(query)]


def _checked(key: ListKey, number: int, event: object) -> str:
    """The event as its chain is computed from it."""
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise NotAnEvent(f'event {number} of {key} is {shorten(event)}; an object with the key "event" is wanted')
    try:
        text = canonical(event)
    except ValueError as error:
        raise NotAnEvent(f"event {number} of {key}: {error}") from None
    if number == 0:
        if event["event"] != "open":
            raise NotAnEvent(f"event 0 of {key} is {shorten(event['event'])}; a list begins with 'open'")
        for name, wanted in (("table", key.table), ("round", key.round)):
            if event.get(name, wanted) != wanted:
                raise NotAnEvent(
                    f"event 0 opens {name} {shorten(event[name])}, but it was sent for {key}; "
                    "correct the table's number or the round in the table's configuration"
                )
    return text
