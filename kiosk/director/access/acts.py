"""Record who did what: log in, admit a table, set a list aside; orders and notes carry their actor themselves."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from kiosk.director.access.schema import ACTS
from kiosk.director.storage.database import NOTES, ORDERS, Database

#: The act by which another machine goes on with the tournament.
TAKEN_OVER = "taken_over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One line of the record."""

    at: int  # ms since the epoch
    actor: str  # "": from a time when it was not noted, or the service itself
    address: str  # "": not noted
    kind: str  # "note", "order" or "access"
    what: str  # the note's, order's or act's name
    tournament: str  # "": of the service
    round: int | None
    table: int | None  # None: all, or none in particular
    body: Mapping[str, Any]
    number: int | None = None  # of the note or order

    def data(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


class Acts:
    """The record. Safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, actor: str, address: str, what: str, body: Mapping[str, Any]) -> None:
        """Record an act."""
        with self._db.failing(), self._db.engine.begin() as db:
            values = {"actor": actor, "address": address, "act": what, "body": json.dumps(dict(body))}
            db.execute(ACTS.insert().values(at=self._db.now(), **values))

    def count(self, what: str) -> int:
        """Count the acts of a kind."""
        with self._db.reading() as db:
            return int(db.scalar(sa.select(sa.func.count()).select_from(ACTS).where(ACTS.c.act == what)) or 0)

    def last(self, what: str) -> int:
        """Return when an act of a kind was done last, ms since the epoch; 0: never."""
        with self._db.reading() as db:
            return int(db.scalar(sa.select(sa.func.max(ACTS.c.at)).where(ACTS.c.act == what)) or 0)

    def all(self, tournament: str) -> list[Act]:
        """List all acts, notes and orders of a tournament, newest first, with what concerns the service as a whole."""
        with self._db.reading() as db:
            acts = db.execute(sa.select(ACTS)).mappings().all()
            notes = db.execute(sa.select(NOTES).where(NOTES.c.tournament == tournament)).mappings().all()
            orders = db.execute(sa.select(ORDERS).where(ORDERS.c.tournament == tournament)).mappings().all()
        found = [_of_act(dict(row)) for row in acts]
        found += [_of_note(dict(row)) for row in notes] + [_of_order(dict(row)) for row in orders]
        return sorted(found, key=lambda act: -act.at)


def chosen(acts: Iterable[Act], actor: str = "", kind: str = "", what: str = "") -> list[Act]:
    """Choose acts by who, kind and what; "" takes all."""
    return [act for act in acts if actor in ("", act.actor) and kind in ("", act.kind) and what in ("", act.what)]


def _of_act(row: Mapping[str, Any]) -> Act:
    body = json.loads(row["body"])
    return Act(
        at=row["at"],
        actor=row["actor"],
        address=row["address"],
        kind="access",
        what=row["act"],
        tournament=body.get("tournament", ""),
        round=body.get("round"),
        table=body.get("table"),
        body={key: value for key, value in body.items() if key not in ("tournament", "round", "table")},
    )


def _of_note(row: Mapping[str, Any]) -> Act:
    body = json.loads(row["body"])
    what = str(body.pop("note", ""))
    round_, table = (body.pop(name, None) if isinstance(body.get(name), int) else None for name in ("round", "table"))
    return _of_direction("note", what, row, body, (round_, table))


def _of_order(row: Mapping[str, Any]) -> Act:
    body = json.loads(row["body"])
    what = "call" if "call" in body else str(body.pop("event", ""))
    return _of_direction("order", what, row, body, (row["round"], row["table"]))


def _of_direction(
    kind: str, what: str, row: Mapping[str, Any], body: dict[str, Any], where: tuple[int | None, int | None]
) -> Act:
    """Make the act of a numbered row of a tournament; ``where``: its round and table, if it is about one."""
    return Act(
        at=row["at"],
        actor=str(body.pop("actor", "")),
        address="",
        kind=kind,
        what=what,
        tournament=row["tournament"],
        round=where[0],
        table=where[1],
        body=body,
        number=row["number"],
    )
