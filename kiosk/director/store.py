"""The director's store: every table's events, the orders given and what became of them.

SQLAlchemy Core: SQLite by default, PostgreSQL by its URL. Events are kept as the table sent them; nothing is ever
overwritten or deleted. ``aside`` is 0 for the list that counts and 1, 2, … for lists that were set aside.
"""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from kiosk.director.errors import Contradiction, Gap, NotAnEvent, StoreFailed
from kiosk.director.key import Key
from kiosk.table.chain import START, canonical, link

_meta = sa.MetaData()

_tables = sa.Table(
    "tables",
    _meta,
    sa.Column("tournament", sa.String(64), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("table", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("last", sa.Integer, nullable=False),  # number of the last event, -1 for none
    sa.Column("chain", sa.String(32), nullable=False),
    sa.Column("heard", sa.BigInteger, nullable=False),  # ms since the epoch, by the director's clock
)

_events = sa.Table(
    "events",
    _meta,
    sa.Column("tournament", sa.String(64), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("table", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("aside", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("received", sa.BigInteger, nullable=False),
)

_orders = sa.Table(
    "orders",
    _meta,
    sa.Column("tournament", sa.String(64), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table", sa.Integer, nullable=True),  # NULL: every table of the round
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("withdrawn", sa.Boolean, nullable=False, default=False),  # the round began anew
)

_answers = sa.Table(
    "answers",
    _meta,
    sa.Column("tournament", sa.String(64), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("event", sa.Integer, nullable=True),  # the table's event that carries the order out
    sa.Column("refused", sa.Text, nullable=True),  # why the table did not carry it out
    sa.Column("at", sa.BigInteger, nullable=False),
)

_notes = sa.Table(
    "notes",
    _meta,
    sa.Column("tournament", sa.String(64), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),  # ms since the epoch
    sa.Column("body", sa.Text, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Something that was noted of a tournament: people, seats, options, payments; ``body`` has the key ``note``."""

    number: int
    at: int  # ms since the epoch
    body: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An order as given: ``body`` is the event that the table shall append, or ``{"call": …}``."""

    number: int
    table: int | None  # None: every table of the round
    at: int  # ms since the epoch
    body: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of an order at one table."""

    number: int
    table: int
    event: int | None
    refused: str | None
    at: int  # ms since the epoch


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """How far a table's list has come here."""

    last: int  # number of the last event stored, -1 for none
    chain: str
    heard: int  # ms since the epoch; 0: never


NOTHING = Stand(last=-1, chain=START, heard=0)


def now() -> int:
    """Milliseconds since the epoch by the director's clock."""
    return time.time_ns() // 1_000_000


class Store:
    """Everything that must outlive the director's process. Safe to use from several threads.

    :param url: an SQLAlchemy URL, for example ``sqlite:////var/lib/stichwart/director.sqlite``.
    :raises StoreFailed: the database cannot be opened.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            self._engine = sa.create_engine(url)
            if self._engine.dialect.name == "sqlite":
                sa.event.listen(self._engine, "connect", _sqlite_connect)
                sa.event.listen(self._engine, "begin", _sqlite_begin)
            with self._failing():
                _meta.create_all(self._engine)
        except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ImportError) as error:
            raise StoreFailed(
                f"database {url!r}: {error}; give an SQLAlchemy URL such as sqlite:////var/lib/stichwart/director.sqlite"
            ) from None

    def close(self) -> None:
        """All connections are closed."""
        self._engine.dispose()

    # events

    def append(self, key: Key, after: int, chain: str, events: Sequence[Mapping[str, Any]]) -> Stand:
        """The table's stand after storing ``events``, which follow its event ``after``; all of them or none.

        What is stored already is compared and left as it is, so the same events may come any number of times.

        :param chain: the table's chain up to and with ``after`` (``kiosk.table.chain``).
        :raises Gap: events between the last stored one and ``after`` are missing.
        :raises Contradiction: an event, or the chain before, is stored otherwise.
        :raises NotAnEvent: an item is no event, or it opens another table or round.
        :raises StoreFailed: the disk or the database fails; nothing is stored.
        """
        checked = [_checked(key, after + 1 + i, event) for i, event in enumerate(events)]
        with self._failing(), self._engine.begin() as db:
            stand = self._locked(db, key)
            if after > stand.last:
                raise Gap(after, stand.last + 1)
            self._compare_chain(db, key, after, chain, stand)
            known = self._bodies(db, key, after, min(after + len(checked), stand.last))
            for i, (sent, stored) in enumerate(zip(checked, known, strict=False)):
                if canonical(sent) != canonical(stored):
                    raise Contradiction(after + 1 + i, stored, sent)
            new = checked[len(known) :]
            if not new and stand.heard:
                return stand
            head, number, at = stand.chain, stand.last, now()
            rows, answers = [], []
            for event in new:
                head, number = link(head, event), number + 1
                rows.append({**_where(key), "aside": 0, "number": number, "body": _text(event), "received": at})
                order = event.get("order_number")
                if isinstance(order, int) and not isinstance(order, bool):
                    answers.append((order, number))
            if rows:
                db.execute(_events.insert(), rows)
            db.execute(_tables.update().where(_is(_tables, key)).values(last=number, chain=head, heard=at))
            for order, event_number in answers:
                self._answer(db, key, order, event_number, None)
            return Stand(last=number, chain=head, heard=at)

    def stand(self, key: Key) -> Stand:
        """How far the table's list has come here."""
        with self._reading() as db:
            row = db.execute(sa.select(_tables).where(_is(_tables, key))).mappings().first()
        return Stand(last=row["last"], chain=row["chain"], heard=row["heard"]) if row else NOTHING

    def heard(self, key: Key) -> None:
        """Note that the table's device was heard of now."""
        with self._failing(), self._engine.begin() as db:
            self._locked(db, key)
            db.execute(_tables.update().where(_is(_tables, key)).values(heard=now()))

    def read(self, key: Key, after: int = -1, aside: int = 0) -> list[dict[str, Any]]:
        """The table's events with numbers above ``after``, in order."""
        query = (
            sa.select(_events.c.body)
            .where(_is(_events, key), _events.c.aside == aside, _events.c.number > after)
            .order_by(_events.c.number)
        )
        with self._reading() as db:
            return [json.loads(body) for body in db.scalars(query)]

    def keys(self, tournament: str | None = None) -> list[Key]:
        """Every table that was ever heard of."""
        query = sa.select(_tables.c.tournament, _tables.c.round, _tables.c.table)
        if tournament is not None:
            query = query.where(_tables.c.tournament == tournament)
        with self._reading() as db:
            return sorted(Key(*row) for row in db.execute(query))

    def set_aside(self, key: Key) -> int:
        """The table's list is put by under the number returned, and the table may begin anew. Nothing is deleted."""
        with self._failing(), self._engine.begin() as db:
            return self._set_aside(db, key)

    def begin_anew(self, tournament: str, round_: int) -> list[Key]:
        """The tables whose lists were put by, all of the round; orders of the round that still wait are withdrawn."""
        keys = [key for key in self.keys(tournament) if key.round == round_]
        with self._failing(), self._engine.begin() as db:
            put_by = [key for key in keys if self._locked(db, key).last >= 0]
            for key in put_by:
                self._set_aside(db, key)
            of_round = sa.and_(_orders.c.tournament == tournament, _orders.c.round == round_)
            db.execute(_orders.update().where(of_round).values(withdrawn=True))
        return put_by

    def asides(self, key: Key) -> list[int]:
        """Numbers of the lists of this table that were set aside."""
        query = sa.select(_events.c.aside).where(_is(_events, key), _events.c.aside > 0).distinct()
        with self._reading() as db:
            return sorted(db.scalars(query))

    # orders

    def give(self, tournament: str, round_: int, table: int | None, body: Mapping[str, Any]) -> Order:
        """A new order; ``table`` None: for every table of the round, later ones too.

        Numbers rise. They are the time in milliseconds, so that a store that was lost and began anew does not give a
        number again that a table has carried out already.
        """
        with self._failing(), self._engine.begin() as db:
            if db.dialect.name == "postgresql":  # SQLite's transaction is alone already
                db.execute(sa.text("LOCK TABLE orders IN EXCLUSIVE MODE"))
            highest = db.scalar(
                sa.select(sa.func.max(_orders.c.number)).where(
                    _orders.c.tournament == tournament, _orders.c.round == round_
                )
            )
            at = now()
            order = Order(number=max((highest or 0) + 1, at), table=table, at=at, body=dict(body))
            db.execute(
                _orders.insert().values(
                    tournament=tournament,
                    round=round_,
                    table=table,
                    number=order.number,
                    at=order.at,
                    body=_text(body),
                    withdrawn=False,
                )
            )
            return order

    def answer(self, key: Key, number: int, refused: str | None) -> None:
        """The table has carried the order out, or refused it; the first answer counts."""
        with self._failing(), self._engine.begin() as db:
            self._answer(db, key, number, None, refused)

    def pending(self, key: Key) -> list[Order]:
        """Orders to this table that it has not answered, oldest first."""
        answered = sa.select(_answers.c.number).where(_is(_answers, key))
        query = (
            sa.select(_orders)
            .where(
                _orders.c.tournament == key.tournament,
                _orders.c.round == key.round,
                sa.or_(_orders.c.table == key.table, _orders.c.table.is_(None)),
                _orders.c.number.not_in(answered),
                _orders.c.withdrawn.is_(False),
            )
            .order_by(_orders.c.number)
        )
        with self._reading() as db:
            return [
                Order(number=row["number"], table=row["table"], at=row["at"], body=json.loads(row["body"]))
                for row in db.execute(query).mappings()
            ]

    def orders(self, tournament: str, round_: int) -> list[Order]:
        """Every order given in the round, oldest first."""
        query = (
            sa.select(_orders)
            .where(_orders.c.tournament == tournament, _orders.c.round == round_)
            .order_by(_orders.c.number)
        )
        with self._reading() as db:
            return [
                Order(number=row["number"], table=row["table"], at=row["at"], body=json.loads(row["body"]))
                for row in db.execute(query).mappings()
            ]

    def answers(self, key: Key) -> list[Answer]:
        """What this table has answered."""
        query = sa.select(_answers).where(_is(_answers, key)).order_by(_answers.c.number)
        with self._reading() as db:
            return [
                Answer(
                    number=row["number"],
                    table=row["table"],
                    event=row["event"],
                    refused=row["refused"],
                    at=row["at"],
                )
                for row in db.execute(query).mappings()
            ]

    # the tournament itself

    def note(self, tournament: str, number: int, body: Mapping[str, Any], at: int | None = None) -> Noted | None:
        """The note as kept under ``number``, which follows on the last one; None if that number is taken."""
        noted = Noted(number=number, at=now() if at is None else at, body=dict(body))
        try:
            with self._failing(), self._engine.begin() as db:
                db.execute(_notes.insert().values(tournament=tournament, number=number, at=noted.at, body=_text(body)))
        except StoreFailed as error:
            if isinstance(error.__cause__, sa.exc.IntegrityError):  # another page or process was faster
                return None
            raise
        return noted

    def notes(self, tournament: str, after: int = -1) -> list[Noted]:
        """What was noted of the tournament with numbers above ``after``, in order; numbers count from 0."""
        query = (
            sa.select(_notes)
            .where(_notes.c.tournament == tournament, _notes.c.number > after)
            .order_by(_notes.c.number)
        )
        with self._reading() as db:
            return [
                Noted(number=row["number"], at=row["at"], body=json.loads(row["body"]))
                for row in db.execute(query).mappings()
            ]

    def tournaments(self) -> list[str]:
        """Names of all tournaments of which there is a list or a note."""
        query = sa.union(sa.select(_tables.c.tournament), sa.select(_notes.c.tournament))
        with self._reading() as db:
            return sorted(db.scalars(query))

    # within a transaction

    def _set_aside(self, db: sa.Connection, key: Key) -> int:
        self._locked(db, key)
        last = db.scalar(sa.select(sa.func.max(_events.c.aside)).where(_is(_events, key)))
        aside = (last or 0) + 1
        db.execute(_events.update().where(_is(_events, key), _events.c.aside == 0).values(aside=aside))
        db.execute(_tables.update().where(_is(_tables, key)).values(last=-1, chain=START, heard=now()))
        return int(aside)

    def _locked(self, db: sa.Connection, key: Key) -> Stand:
        """The table's row, locked to the end of the transaction and made if it is not there."""
        query = sa.select(_tables).where(_is(_tables, key)).with_for_update()
        row = db.execute(query).mappings().first()
        if row is None:
            try:
                with db.begin_nested():
                    db.execute(_tables.insert().values(**_where(key), last=-1, chain=START, heard=0))
            except sa.exc.IntegrityError:  # another process was faster (PostgreSQL)
                row = db.execute(query).mappings().one()
            else:
                return NOTHING
        return Stand(last=row["last"], chain=row["chain"], heard=row["heard"])

    def _compare_chain(self, db: sa.Connection, key: Key, after: int, chain: str, stand: Stand) -> None:
        head = stand.chain
        if after < stand.last:
            head = START
            for body in self._bodies(db, key, -1, after):
                head = link(head, body)
        if head != chain:
            raise Contradiction(
                None, None, None, f"the events up to {after} differ from those stored; send from 0 on to see where"
            )

    def _bodies(self, db: sa.Connection, key: Key, after: int, last: int) -> list[dict[str, Any]]:
        query = (
            sa.select(_events.c.body)
            .where(_is(_events, key), _events.c.aside == 0, _events.c.number > after, _events.c.number <= last)
            .order_by(_events.c.number)
        )
        return [json.loads(body) for body in db.scalars(query)] if last > after else []

    def _answer(self, db: sa.Connection, key: Key, number: int, event: int | None, refused: str | None) -> None:
        there = db.execute(sa.select(_answers.c.number).where(_is(_answers, key), _answers.c.number == number)).first()
        if there is None:
            db.execute(_answers.insert().values(**_where(key), number=number, event=event, refused=refused, at=now()))

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with self._failing(), self._engine.connect().execution_options(stichwart_reads=True) as db:
            yield db

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except (sa.exc.DBAPIError, sqlite3.Error) as error:
            cause = getattr(error, "orig", None) or error
            raise StoreFailed(
                f"database {self._engine.url!r}: {cause}; nothing was stored. Look at the disk's free space and the "
                "folder's rights; the tables keep their lists and send again"
            ) from error


def _where(key: Key) -> dict[str, Any]:
    return {"tournament": key.tournament, "round": key.round, "table": key.table}


def _is(table: sa.Table, key: Key) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.tournament == key.tournament, table.c.round == key.round, table.c.table == key.table)


def _text(event: Mapping[str, Any]) -> str:
    return json.dumps(event, ensure_ascii=False, separators=(", ", ": "))


def _checked(key: Key, number: int, event: object) -> dict[str, Any]:
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise NotAnEvent(f'event {number} of {key} is {event!r}; an object with the key "event" is wanted')
    try:
        canonical(event)
    except ValueError as error:
        raise NotAnEvent(f"event {number} of {key}: {error}") from None
    if number == 0:
        if event["event"] != "open":
            raise NotAnEvent(f"event 0 of {key} is {event['event']!r}; a list begins with 'open'")
        for name, wanted in (("table", key.table), ("round", key.round)):
            if event.get(name, wanted) != wanted:
                raise NotAnEvent(
                    f"event 0 opens {name} {event[name]!r}, but it was sent for {key}; "
                    "correct the table's number or the round in the table's configuration"
                )
    return event


def _sqlite_connect(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions begin where _sqlite_begin says so
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # what is acknowledged is on disk
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def _sqlite_begin(connection: sa.Connection) -> None:
    reads = connection.get_execution_options().get("stichwart_reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")
