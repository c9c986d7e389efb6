"""Open the director's database: its tables, its connections, and the settings of SQLite.

SQLAlchemy Core: SQLite by default, PostgreSQL by its URL. Events are kept as the table sent them; nothing is ever
overwritten or deleted. ``aside`` is 0 for the list that counts and 1, 2, … for lists that were set aside.
"""

import json
import secrets
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from kiosk.director.key import ListKey
from kiosk.director.refusals import StoreFailed
from kiosk.director.storage import news
from kiosk.director.storage.news import News

METADATA = sa.MetaData()

#: Tables of what is lost without harm: in no backup.
PASSING = sa.MetaData()


def _key(*numbers: str, large: str = "") -> list[sa.Column[Any]]:
    """Make the columns of a primary key: the tournament, then whole numbers; ``large``: which has eight bytes."""
    return [
        sa.Column("tournament", sa.String(64), primary_key=True),
        *(
            sa.Column(name, sa.BigInteger if name == large else sa.Integer, primary_key=True, autoincrement=False)
            for name in numbers
        ),
    ]


TABLES = sa.Table(
    "tables",
    METADATA,
    *_key("round", "table"),
    sa.Column("last", sa.Integer, nullable=False),  # number of the last event, -1 for none
    sa.Column("chain", sa.String(32), nullable=False),
    sa.Column("heard", sa.BigInteger, nullable=False),  # ms since the epoch, by the director's clock
)

EVENTS = sa.Table(
    "events",
    METADATA,
    *_key("round", "table", "aside", "number"),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("received", sa.BigInteger, nullable=False),
)

ORDERS = sa.Table(
    "orders",
    METADATA,
    *_key("round", "number", large="number"),
    sa.Column("table", sa.Integer, nullable=True),  # NULL: every table of the round
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("withdrawn", sa.Boolean, nullable=False, default=False),  # the round began anew
)

ANSWERS = sa.Table(
    "answers",
    METADATA,
    *_key("round", "number", "table", large="number"),
    sa.Column("event", sa.Integer, nullable=True),  # the table's event that carries the order out
    sa.Column("refused", sa.Text, nullable=True),  # why the table did not carry it out
    sa.Column("at", sa.BigInteger, nullable=False),
)

NOTES = sa.Table(
    "notes",
    METADATA,
    *_key("number"),
    sa.Column("at", sa.BigInteger, nullable=False),  # ms since the epoch
    sa.Column("body", sa.Text, nullable=False),
)

PHOTOS = sa.Table(
    "photos",
    METADATA,
    *_key("round", "table", "number"),
    sa.Column("at", sa.BigInteger, nullable=False),  # ms since the epoch
    sa.Column("picture", sa.LargeBinary, nullable=False),  # JPEG
)

PARCELS = sa.Table(  # what tables are given (kiosk/parcel)
    "parcels",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("size", sa.Integer, nullable=False),  # bytes
    sa.Column("about", sa.Text, nullable=False),  # JSON: what is in it
    sa.Column("at", sa.BigInteger, nullable=False),  # ms since the epoch
    sa.Column("actor", sa.String(64), nullable=False),
    sa.Column("table", sa.Integer, nullable=False),  # that sent it; 0: none
    sa.Column("content", sa.LargeBinary, nullable=False),
    sqlite_autoincrement=True,  # a number is never another one's
)

GIFTS = sa.Table(
    "gifts",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.BigInteger, nullable=False),  # ms since the epoch
    sa.Column("actor", sa.String(64), nullable=False),
    sa.Column("table", sa.Integer, nullable=False),  # 0: all, those that come later too
    sa.Column("slot", sa.String(80), nullable=False),  # what it takes the place of at a table
    sa.Column("parcel", sa.Integer, nullable=False),  # its number; 0: what was given is taken back
    sqlite_autoincrement=True,
)

CLOCKS = sa.Table(
    "clocks",
    PASSING,
    *_key("round", "table", "of", large="of"),  # of: when the list was opened, ms since the epoch
    sa.Column("at", sa.BigInteger, nullable=False),  # ms since the epoch, when it was told
    sa.Column("body", sa.Text, nullable=False),  # the clock as the table told it
)

HELD = sa.Table(
    "held",
    PASSING,
    *_key("round", "table"),
    sa.Column("after", sa.Integer, nullable=False),  # number of the event before
    sa.Column("last", sa.Integer, nullable=False),  # number of the last event
    sa.Column("chain", sa.String(32), nullable=False),  # of all events up to ``after``
    sa.Column("since", sa.BigInteger, nullable=False),  # ms since the epoch
    sa.Column("body", sa.Text, nullable=False),  # an event a line
)

FOLDS = sa.Table(
    "folds",
    PASSING,
    *_key("round", "table"),
    sa.Column("last", sa.Integer, nullable=False),  # number of the last event that is folded
    sa.Column("chain", sa.String(32), nullable=False),  # over all events up to there
    sa.Column("version", sa.String(32), nullable=False),  # of all that folds
    sa.Column("body", sa.LargeBinary, nullable=False),
)


#: Mark of a connection of which ``Database.writing`` has begun the transaction.
_BEGUN = "stichwart_begun"

#: Key of the lock under which tables are made.
_MAKING = 0x537469636877


def now() -> int:
    """Return the milliseconds since the epoch by this machine's clock."""
    return time.time_ns() // 1_000_000


def _grown() -> int:
    """Milliseconds that only grow."""
    return time.monotonic_ns() // 1_000_000


class Database:
    """The database's connections. Safe to use from several threads.

    :param url: an SQLAlchemy URL, for example ``sqlite:////var/lib/stichwart/director.sqlite``.
    :raises StoreFailed: the database cannot be opened.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.own = secrets.token_hex(8)  # by which other processes on this database know this one
        self._writer: sa.Connection | None = None  # kept open, see ``writing``
        self._writes = threading.Lock()
        self._epoch: int | None = None  # ms since the epoch at 0 of what only grows, by the server's clock
        try:
            self.engine = sa.create_engine(url, pool_pre_ping=not url.startswith("sqlite"))  # a file does not hang up
            if self.engine.dialect.name == "sqlite":
                sa.event.listen(self.engine, "connect", _sqlite_connect)
                sa.event.listen(self.engine, "begin", _sqlite_begin)
            self.make(METADATA)
            self.make(PASSING)
            self.look_at_clock()
        except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ImportError) as error:
            raise StoreFailed(
                f"database {url!r}: {error}; give an SQLAlchemy URL such as sqlite:////var/lib/stichwart/director.sqlite"
            ) from None

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the database at the same time."""
        return self.engine.dialect.name == "postgresql"

    def now(self) -> int:
        """Return the milliseconds since the epoch, by the same clock for all directors on this database.

        Of a server its own, for the directors' own may be minutes apart; of a file this machine's.
        """
        return now() if self._epoch is None else self._epoch + _grown()

    def look_at_clock(self) -> None:
        """Learn what time it is by the server's clock, to within half of the way there and back.

        :raises StoreFailed: it does not answer.
        """
        if not self.shared:
            return
        with self.reading() as db:
            before = _grown()
            told = db.scalar(sa.text("SELECT extract(epoch FROM clock_timestamp()) * 1000"))
            self._epoch = int(told) - (before + _grown()) // 2

    def make(self, tables: sa.MetaData) -> None:
        """Make the tables that are not there yet."""
        with self.failing(), self.engine.begin() as db:
            if self.shared:  # two that find none at the same moment would both make them
                db.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MAKING})
            tables.create_all(db)

    def tell(self, told: Iterable[News]) -> None:
        """Tell the other processes on this database something that is not stored."""
        with self.failing(), self.engine.begin() as db:
            news.tell(db, self.own, told)

    def close(self) -> None:
        """Close all connections."""
        with self._writes:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
        self.engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Open a transaction for what tables send: some ten times a second, for which one connection is kept.

        To take one from the pool and put it back costs more than to write, and SQLAlchemy's way to begin and to end
        takes as long again. A server's connection can be lost, its pool knows how.
        """
        if self.shared:
            with self.engine.begin() as db:
                yield db
            return
        with self._writes:
            if self._writer is None:
                self._writer = self.engine.connect()
            db, plain = self._writer, self._writer.connection.cursor()
            plain.execute("BEGIN IMMEDIATE")
            db.info[_BEGUN] = True
            try:
                yield db
                plain.execute("COMMIT")
            except BaseException:
                if db.connection.dbapi_connection.in_transaction:  # type: ignore[union-attr]
                    plain.execute("ROLLBACK")
                raise
            finally:
                del db.info[_BEGUN]
                db.rollback()  # SQLAlchemy's own part of it, if it had one: what was stored is stored
                plain.close()

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Open a transaction that only reads."""
        with self.failing(), self.engine.connect().execution_options(stichwart_reads=True) as db:
            yield db

    @contextmanager
    def snapshot(self) -> Iterator[sa.Connection]:
        """Open a transaction that reads all as it is now, whatever others write meanwhile."""
        more = {"isolation_level": "REPEATABLE READ"} if self.shared else {}
        with self.failing(), self.engine.connect().execution_options(stichwart_reads=True, **more) as db:
            yield db

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Raise the database's failures as ``StoreFailed``."""
        try:
            yield
        except (sa.exc.DBAPIError, self.engine.dialect.loaded_dbapi.Error) as error:
            cause = getattr(error, "orig", None) or error
            raise StoreFailed(
                f"database {self.engine.url!r}: {cause}; nothing was stored. Look at the disk's free space and the "
                "folder's rights; the tables keep their lists and send again"
            ) from error


def identity(url: str) -> tuple[str, ...]:
    """Return what tells a database from others: the same for all spellings of one address.

    Of SQLite the file, wherever links lead to it; of a server its host, port and the name of the database, whoever logs
    in and by whichever driver. Two names of one host cannot be told from two hosts.

    :raises StoreFailed: that is no URL of a database.
    """
    try:
        parts = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        raise StoreFailed(f"database {url!r}: {error}; give an SQLAlchemy URL") from None
    kind = parts.get_backend_name()
    if kind == "sqlite":
        return kind, str(Path(parts.database or "").resolve())
    asked = {key: str(value) for key, value in parts.query.items()}
    host = asked.get("host", parts.host or "").lower().rstrip(".")
    here = host in ("", "localhost", "127.0.0.1", "::1") or host.startswith("/")
    port = asked.get("port", str(parts.port or _PORTS.get(kind, "")))
    return kind, "localhost" if here else host, port, asked.get("dbname", parts.database or parts.username or "")


#: Where a server listens unless its address says otherwise.
_PORTS = {"postgresql": "5432"}


def key_columns(key: ListKey) -> dict[str, Any]:
    return {"tournament": key.tournament, "round": key.round, "table": key.table}


def of_key(table: sa.Table, key: ListKey) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.tournament == key.tournament, table.c.round == key.round, table.c.table == key.table)


def as_text(event: Mapping[str, Any]) -> str:
    return _TEXT.encode(event)


_TEXT = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "))


def _sqlite_connect(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions begin where _sqlite_begin says so
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # what is acknowledged is on disk
    cursor.execute("PRAGMA busy_timeout=5000")
    cursor.close()


def _sqlite_begin(connection: sa.Connection) -> None:
    if connection.info.get(_BEGUN):
        return
    reads = connection.get_execution_options().get("stichwart_reads")
    cursor = connection.connection.cursor()  # the library's own way takes a tenth of a short transaction's time
    cursor.execute("BEGIN" if reads else "BEGIN IMMEDIATE")
    cursor.close()
