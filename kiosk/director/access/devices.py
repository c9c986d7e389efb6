"""Keep the devices that are tables, each with a secret of its own, and those that wait to be admitted.

A device makes its secret itself and shows a code: who types the code in says with it which device is meant
(``kiosk/table/enrolment.py``).
"""

import dataclasses
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from kiosk.director.access.accounts import digest
from kiosk.director.access.names import is_plain
from kiosk.director.access.refusals import NotAllowed, TooMany, Unknown
from kiosk.director.access.schema import DEVICES, ENCRYPTED, WAITING
from kiosk.director.storage.database import Database
from kiosk.errors import shorten
from kiosk.table.enrolment import code_keys, enrolment_code

#: Milliseconds after which a device that has stopped asking is not waited for any more; it asks every two seconds.
_PATIENCE_MS = 60_000

#: Devices that may wait at once: in all, and from one address.
_MOST, _MOST_OF_ADDRESS = 1500, 40

_LARGEST_TOLD = 4000  # bytes

_KNOWN = sa.select(DEVICES, ENCRYPTED.c.proof).outerjoin(ENCRYPTED, ENCRYPTED.c.id == DEVICES.c.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device that is, or was, a table."""

    id: str
    table: int | None  # its number in the hall; None: withdrawn
    name: str
    rulings: bool
    admitted: int  # ms since the epoch
    heard: int  # ms since the epoch; 0: never since it was admitted
    told: Mapping[str, Any]  # what it said of itself: version, mat, …
    encrypted: bool = False  # it shows its secret over encrypted connections only
    proof: str = ""  # that the direction knows the code of its screen


@dataclass(frozen=True, slots=True)
class Wish:
    """A device's wish to be admitted, as it came."""

    id: object
    digest: object  # SHA-256 of its secret
    told: object  # what it says of itself
    check: str = ""  # of its code, over an encrypted line; "": the code follows from the digest


class KnownDevices:
    """Devices by their secret. Safe to use from several threads; each call is a transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> list[Device]:
        """List all devices, those that are tables first, by number."""
        with self._db.reading() as db:
            rows = db.execute(_KNOWN).mappings().all()
        return sorted(
            (_device(dict(row)) for row in rows), key=lambda one: (one.table is None, one.table or 0, -one.admitted)
        )

    def waiting(self) -> list[dict[str, Any]]:
        """List the devices that wait to be admitted, without their codes: these are read from their screens."""
        query = sa.select(WAITING).where(WAITING.c.heard > self._db.now() - _PATIENCE_MS).order_by(WAITING.c.since)
        with self._db.reading() as db:
            return [
                {"address": row["address"], "since": row["since"], "told": json.loads(row["told"])}
                for row in db.execute(query).mappings()
            ]

    def ask(self, wish: Wish, address: str) -> Device | None:
        """Take a device's wish to be admitted; return it once it is.

        :raises NotAllowed: what it says cannot be.
        :raises TooMany: too many wait already.
        """
        id_, secret_digest, told = wish.id, wish.digest, wish.told
        if wish.check and not _is_hex(wish.check, 16):
            raise NotAllowed("odd_device", "a code's check is 16 hexadecimal signs")
        if not _is_hex(id_, 32) or not _is_hex(secret_digest, 64):
            raise NotAllowed(
                "odd_device", "a device says its number (32) and its secret's digest (64 hexadecimal signs)"
            )
        text = _told(told)
        found = self._find(str(id_))
        if found is not None and hmac.compare_digest(found[1], str(secret_digest)):
            if found[0].table is not None:
                return found[0]
            raise NotAllowed("withdrawn", "this device was withdrawn; it takes a new secret and asks again")
        at = self._db.now()
        with self._db.failing(), self._db.engine.begin() as db:
            db.execute(WAITING.delete().where(WAITING.c.heard < at - _PATIENCE_MS))
            known = db.execute(sa.select(WAITING.c.digest).where(WAITING.c.id == id_)).scalar()
            if known == secret_digest:
                check = {"code": wish.check} if wish.check else {}  # it draws a new code when it begins anew
                db.execute(WAITING.update().where(WAITING.c.id == id_).values(heard=at, told=text, **check))
                return None
            total = db.scalar(sa.select(sa.func.count()).select_from(WAITING)) or 0
            ours = db.scalar(sa.select(sa.func.count()).select_from(WAITING).where(WAITING.c.address == address)) or 0
            if known is not None or total >= _MOST or ours >= _MOST_OF_ADDRESS:
                raise TooMany("many_devices", "too many devices wait to be admitted; admit some, or wait a minute")
        code = wish.check or enrolment_code(str(secret_digest))  # takes a while: outside the transaction
        values = {"id": id_, "digest": secret_digest, "code": code, "address": address, "told": text}
        with self._db.failing(), self._db.engine.begin() as db:
            if db.execute(sa.select(WAITING.c.id).where(WAITING.c.id == id_)).first() is None:
                db.execute(WAITING.insert().values(**values, since=at, heard=at))
        return None

    def admit(self, code: str, table: object, replace: bool = False, authority: str = "") -> Device:
        """Admit the device that shows this code as a table.

        :param replace: the device that is this table now is withdrawn.
        :param authority: by which devices recognise this service, a fingerprint or ``PUBLIC``; "": not encrypted.
        :raises Unknown: no device that waits shows it.
        :raises NotAllowed: the number cannot be, or another device has it.
        """
        number = _number(table)
        wanted = "".join(sign for sign in code.upper() if sign.isalnum())
        keys = code_keys(wanted, authority) if authority else None  # takes a while: outside the transaction
        shown = [text.encode() for text in (wanted, keys.check if keys is not None else "") if text]
        with self._db.failing(), self._db.engine.begin() as db:
            patient = WAITING.c.heard > self._db.now() - _PATIENCE_MS
            rows = db.execute(sa.select(WAITING).where(patient)).mappings().all()
            found = (row for row in rows for one in shown if hmac.compare_digest(row["code"].encode(), one))
            row = next(found, None)
            if row is None:
                raise Unknown("no_device", "no device that waits shows this code; read it from its screen again")
            device = self._put(db, row["id"], row["digest"], number, replace, row["told"])
            if keys is not None and row["code"] == keys.check:
                proof = keys.proof(row["id"], row["digest"], number)
                db.execute(ENCRYPTED.insert().values(id=row["id"], proof=proof))
                device = dataclasses.replace(device, encrypted=True, proof=proof)
            db.execute(WAITING.delete().where(WAITING.c.id == row["id"]))
        return device

    def issue(self, table: object, replace: bool = False, secret: str = "") -> tuple[Device, str]:
        """Make a device's secret here, for a table that is set up by a program; return both.

        :param secret: the whole secret, where it is known already; "": a random one.

        :raises NotAllowed: the number cannot be, or another device has it.
        """
        id_, _, own = (secret or f"{secrets.token_hex(16)}.{secrets.token_urlsafe(32)}").partition(".")
        with self._db.failing(), self._db.engine.begin() as db:
            device = self._put(db, id_, digest(own), _number(table), replace, "{}")
        return device, f"{id_}.{own}"

    def change(self, id_: str, wish: Mapping[str, Any]) -> Device:
        """Rename a device, say whether rulings are given on its screen, or withdraw it.

        :param wish: ``name``, ``rulings`` or ``withdrawn``; ``was``, where it is there, is its name as it was shown.
        :raises Unknown: there is no such device.
        :raises NotAllowed: the name cannot be, or somebody else has given it another one meanwhile.
        """
        name, rulings, withdrawn = wish.get("name"), wish.get("rulings"), wish.get("withdrawn") is True
        values: dict[str, Any] = {}
        if name is not None:
            if not isinstance(name, str) or not is_plain(name):
                raise NotAllowed("odd_device_name", "a device's name is at most 60 letters in one line")
            values["name"] = name.strip()
        if isinstance(rulings, bool):
            values["rulings"] = rulings
        if withdrawn:
            values["table"] = None
        if values:
            with self._db.failing(), self._db.engine.begin() as db:
                shown = sa.select(DEVICES.c.name).where(DEVICES.c.id == id_).with_for_update()
                now_ = db.scalar(shown)
                if name is not None and now_ is not None and wish.get("was", now_) not in (now_, values["name"]):
                    raise NotAllowed("renamed", f"the device is called {now_!r} by now; look at it again", name=now_)
                db.execute(DEVICES.update().where(DEVICES.c.id == id_).values(**values))
        found = self._find(id_)
        if found is None:
            raise Unknown("no_device", f"device {shorten(id_)}: there is none")
        return found[0]

    def who(self, shown: str) -> Device | None:
        """Return the table whose secret this is; None: no device has it, or it was withdrawn."""
        id_, _, secret = shown.partition(".")
        found = self._find(id_)
        if found is None or found[0].table is None or not hmac.compare_digest(found[1], digest(secret)):
            return None
        return found[0]

    def tables(self) -> dict[str, tuple[Device, str]]:
        """Return the devices that are tables by their id, each with the digest of its secret."""
        with self._db.reading() as db:
            rows = db.execute(_KNOWN.where(DEVICES.c.table.is_not(None))).mappings().all()
        return {row["id"]: (_device(dict(row)), row["digest"]) for row in rows}

    def shows_encrypted(self, id_: str) -> None:
        """Note that a device of before shows its secret over an encrypted line: from now on it counts there alone."""
        with self._db.failing(), self._db.engine.begin() as db:
            if db.execute(sa.select(ENCRYPTED.c.id).where(ENCRYPTED.c.id == id_)).first() is None:
                db.execute(ENCRYPTED.insert().values(id=id_, proof=""))

    def heard(self, id_: str, told: Mapping[str, Any]) -> None:
        """Keep what a table's device says of itself."""
        with self._db.failing(), self._db.engine.begin() as db:
            db.execute(DEVICES.update().where(DEVICES.c.id == id_).values(heard=self._db.now(), told=_told(told)))

    def _find(self, id_: str) -> tuple[Device, str] | None:
        with self._db.reading() as db:
            row = db.execute(_KNOWN.where(DEVICES.c.id == id_)).mappings().first()
        return (_device(dict(row)), row["digest"]) if row is not None else None

    def _put(self, db: sa.Connection, id_: str, kept: str, table: int, replace: bool, told: str) -> Device:
        if self._db.shared:  # SQLite's transaction is alone already; else two could get one number at one moment
            db.execute(sa.text("LOCK TABLE devices IN SHARE ROW EXCLUSIVE MODE"))
        holder = db.execute(sa.select(DEVICES).where(DEVICES.c.table == table)).mappings().first()
        if holder is not None and not replace:
            raise NotAllowed("number_taken", f"table {table}: another device has this number", table=table)
        name = holder["name"] if holder is not None else ""
        db.execute(DEVICES.update().where(DEVICES.c.table == table).values(table=None))
        values = {"digest": kept, "table": table, "name": name, "admitted": self._db.now(), "told": told, "heard": 0}
        rulings = holder is not None and holder["rulings"]
        db.execute(DEVICES.delete().where(DEVICES.c.id == id_))
        db.execute(ENCRYPTED.delete().where(ENCRYPTED.c.id == id_))
        db.execute(DEVICES.insert().values(id=id_, rulings=rulings, **values))
        return _device({"id": id_, "rulings": rulings, **values})


def _device(row: Mapping[str, Any]) -> Device:
    return Device(
        id=row["id"],
        table=row["table"],
        name=row["name"],
        rulings=bool(row["rulings"]),
        admitted=row["admitted"],
        heard=row["heard"],
        told=json.loads(row["told"]),
        encrypted=row.get("proof") is not None,
        proof=row.get("proof") or "",
    )


def _number(table: object) -> int:
    if not isinstance(table, int) or isinstance(table, bool) or not 1 <= table <= 9999:
        raise NotAllowed("odd_table", f"table {shorten(table)}: a number from 1 to 9999 is wanted")
    return table


def _told(told: object) -> str:
    """What a device says of itself as it is kept: short plain texts and numbers by name."""
    if not isinstance(told, dict):
        return "{}"
    kept = {
        key: value
        for key, value in told.items()
        if is_plain(key) and (value is None or isinstance(value, bool | int | float) or is_plain(value, 120))
    }
    text = json.dumps(kept, ensure_ascii=False)
    return text if len(text.encode()) <= _LARGEST_TOLD else "{}"


def _is_hex(text: object, length: int) -> bool:
    return isinstance(text, str) and len(text) == length and all(sign in "0123456789abcdef" for sign in text)
