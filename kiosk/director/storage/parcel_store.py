"""Store what tables are given, decks, words, sounds, settings and books, and to which tables it was given.

Of a club's book each state is a parcel; the last one counts, and one without content says that the book is gone.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import sqlalchemy as sa

from kiosk.director.storage.actor import ACTOR
from kiosk.director.storage.database import GIFTS, PARCELS, Database, now
from kiosk.director.storage.news import tell
from kiosk.tournament.overtaken import Overtaken

#: The table's number of a gift to all of them, those that come later too.
ALL = 0

#: The number of a parcel that is none: what was given for this slot is taken back.
NONE = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptParcel:
    """A parcel that is here."""

    number: int
    kind: str
    name: str
    sha256: str
    size: int  # bytes
    about: Mapping[str, Any]  # what is in it
    at: int  # ms since the epoch
    actor: str  # who brought it; "": a table
    table: int  # that sent it; 0: none

    @property
    def gone(self) -> bool:
        """Whether it says that there is no such book any more."""
        return self.kind == "book" and self.size == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gift:
    """A parcel given to a table or to all for a slot, or taken back; a later one counts before an earlier one."""

    number: int
    table: int  # ``ALL``: all
    slot: str
    parcel: int  # its number; ``NONE``: taken back


#: Earlier states of a club's book that are kept beside those that are given to tables.
KEPT_STATES = 30

#: Key of the lock under which two directors on one server decide whose state of a book is the next one.
_NEXT_STATE = 0x626F6F6B73

_TOLD = [column for column in PARCELS.columns if column.name != "content"]


class ParcelStore(Database):
    """Parcels and gifts. A gift is never changed, a later one takes its place."""

    def parcels(self) -> list[KeptParcel]:
        """List the parcels, the oldest first."""
        with self.reading() as db:
            rows = db.execute(sa.select(*_TOLD).order_by(PARCELS.c.number)).mappings().all()
        return [KeptParcel(**{**row, "about": json.loads(row["about"])}) for row in rows]

    def gifts(self) -> list[Gift]:
        """List all gifts in the order in which they were made."""
        query = sa.select(GIFTS.c.number, GIFTS.c.table, GIFTS.c.slot, GIFTS.c.parcel).order_by(GIFTS.c.number)
        with self.reading() as db:
            return [Gift(**row) for row in db.execute(query).mappings()]

    def add_parcel(
        self, kind: str, name: str, sha256: str, content: bytes, about: Mapping[str, Any], table: int = 0
    ) -> int:
        """Store a parcel and return its number; one of the same name and content keeps the number that it has."""
        same = sa.and_(PARCELS.c.kind == kind, PARCELS.c.name == name, PARCELS.c.sha256 == sha256)
        values = {"kind": kind, "name": name, "sha256": sha256, "size": len(content), "about": json.dumps(about)}
        values |= {"at": now(), "actor": ACTOR.get(), "table": table, "content": content}
        with self.failing(), self.engine.begin() as db:
            there = db.scalar(sa.select(PARCELS.c.number).where(same))
            if there is not None:
                return int(there)
            made = db.execute(PARCELS.insert().values(**values)).inserted_primary_key
            tell(db, self.own, [["parcels"]])
        assert made is not None
        return int(made[0])

    def keep_books(self, states: Mapping[str, tuple[bytes, Mapping[str, Any]]], seen: Mapping[str, int | None]) -> None:
        """Store the next states of clubs' books, all or none; what is as it was already is left alone.

        :param states: name → content and what people are told of it; b"": there is no such book any more.
        :param seen: name → number of the state that this one follows, 0: there is none; None: whichever it is.
        :raises Overtaken: somebody else has stored another one.
        """
        with self.failing(), self.engine.begin() as db:
            if self.shared:
                db.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _NEXT_STATE})
            for name, (content, about) in states.items():
                mine = sa.and_(PARCELS.c.kind == "book", PARCELS.c.name == name)
                rows = db.execute(sa.select(*_TOLD).where(mine).order_by(PARCELS.c.number.desc())).mappings().all()
                last, digest = rows[0]["number"] if rows else 0, sha256(content).hexdigest()
                follows = seen.get(name) in (None, last)
                if rows and rows[0]["sha256"] == digest and (content or follows):  # pressed twice
                    continue
                if not follows:
                    actor, at = (rows[0]["actor"], rows[0]["at"]) if rows else ("", 0)
                    text = f"book {name}: {actor or 'somebody'} has saved another state (number {last}); look at it"
                    values = {"name": actor, "at": at, "number": last, "undone": False}
                    raise Overtaken("overtaken", text, what="book", **values)
                values = {"kind": "book", "name": name, "sha256": digest, "size": len(content), "at": now()}
                values |= {"about": json.dumps(about), "actor": ACTOR.get(), "table": 0, "content": content}
                db.execute(PARCELS.insert().values(**values))
                old = [row["number"] for row in rows[KEPT_STATES - 1 :]]
                given = sa.select(GIFTS.c.parcel)
                db.execute(PARCELS.delete().where(PARCELS.c.number.in_(old), PARCELS.c.number.not_in(given)))
            tell(db, self.own, [["parcels"]])

    def parcel(self, sha256: str) -> bytes | None:
        """Return the content of a parcel; None: there is none such."""
        query = sa.select(PARCELS.c.content).where(PARCELS.c.sha256 == sha256).limit(1)
        with self.reading() as db:
            found = db.scalar(query)
        return None if found is None else bytes(found)

    def remove_parcel(self, number: int) -> None:
        """Remove a parcel; one that is not there is removed already."""
        with self.failing(), self.engine.begin() as db:
            db.execute(PARCELS.delete().where(PARCELS.c.number == number))
            tell(db, self.own, [["parcels"]])

    def note_gifts(self, gifts: Iterable[tuple[int, str, int]]) -> None:
        """Note gifts, all or none: table, slot and parcel of each."""
        rows = [
            {"at": now(), "actor": ACTOR.get(), "table": table, "slot": slot, "parcel": parcel}
            for table, slot, parcel in gifts
        ]
        with self.failing(), self.engine.begin() as db:
            for row in rows:
                db.execute(GIFTS.insert().values(**row))
            tell(db, self.own, [["parcels"]])
