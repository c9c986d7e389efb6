"""Tell the other processes on one PostgreSQL what has changed, by NOTIFY, and hear it by LISTEN.

A piece of news is a JSON list that begins with its kind; docs/several-directors.md lists them. It says where to look,
with a few events of a list that has grown, so that nothing is lost with it: who was away reads everything again.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import sqlalchemy as sa

from kiosk.errors import shorten

log = logging.getLogger(__name__)

News: TypeAlias = Sequence[Any]

_CHANNEL = "stichwart"

#: Bytes of one message: PostgreSQL takes less than 8,000.
_LARGEST = 7000

#: Seconds until a lost connection is opened again.
_PAUSE_S = 0.5

#: How soon a dead connection is noticed.
_KEEPALIVE = {"keepalives": 1, "keepalives_idle": 3, "keepalives_interval": 1, "keepalives_count": 3}


def tell(db: sa.Connection, teller: str, news: Iterable[News]) -> None:
    """Send news from ``teller`` when the transaction is committed; on SQLite, which is one process' own, to nobody."""
    if db.dialect.name == "postgresql":
        for text in packed(teller, news):
            db.execute(sa.text("SELECT pg_notify(:channel, :text)"), {"channel": _CHANNEL, "text": text})


def packed(teller: str, news: Iterable[News]) -> Iterator[str]:
    """Pack news into as few messages as they fit in; one that fits in none is left out and logged."""
    head = json.dumps(teller)
    some: list[str] = []
    size = 0
    for one in news:
        text = json.dumps(one, ensure_ascii=False, separators=(",", ":"))
        length = len(text.encode()) + 1
        if length > _LARGEST:
            log.error("news of %s bytes is too long to be told: %s", length, text[:120])
            continue
        if size + length > _LARGEST:
            yield f"[{head},[{','.join(some)}]]"
            some, size = [], 0
        some.append(text)
        size += length
    if some:
        yield f"[{head},[{','.join(some)}]]"


def unpacked(text: str) -> tuple[str, list[News]]:
    """Return who tells what.

    :raises ValueError: this is no message of ours.
    """
    match json.loads(text):
        case [str(teller), list(news)] if all(isinstance(one, list) and one for one in news):
            return teller, news
    raise ValueError(f"{shorten(text)} is no news")


async def listen_forever(url: sa.URL, back: Callable[[], None], hear: Callable[[str, News], None]) -> None:
    """Listen to the news of a PostgreSQL database; only cancelling ends it.

    :param back: called each time when it listens from now on: what was told before is lost.
    :param hear: called with each piece of news and its teller.
    """
    import psycopg  # 9 MB, which a service on SQLite does without
    from psycopg.conninfo import make_conninfo

    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    address = make_conninfo(plain, **_KEEPALIVE)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
                await connection.execute(f"LISTEN {_CHANNEL}")
                back()
                async for message in connection.notifies():
                    _hear(message.payload, hear)
        except (psycopg.Error, OSError) as error:
            log.error("the database's news cannot be heard, it is tried again: %s", error)
        await asyncio.sleep(_PAUSE_S)


def _hear(text: str, hear: Callable[[str, News], None]) -> None:
    try:
        teller, news = unpacked(text)
    except ValueError as error:
        log.error("%s", error)
        return
    for one in news:
        try:
            hear(teller, one)
        except Exception:  # of a newer or older version: the next one may be understood
            log.exception("news %s of %s cannot be understood", one, teller)
