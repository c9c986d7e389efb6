"""Keep the accounts of people, and the sessions of those who have logged in."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import cast

import sqlalchemy as sa

from kiosk.director.access.names import is_plain
from kiosk.director.access.passwords import bad_password, fits, hashed
from kiosk.director.access.refusals import NotAllowed, Unknown
from kiosk.director.access.roles import ROLES, Role
from kiosk.director.access.schema import ACCOUNTS, SESSIONS
from kiosk.director.storage.database import Database
from kiosk.errors import cut, shorten

#: Hours until a session ends by itself.
HOURS = 12

#: Whose PIN stands in the director's file.
OF_FILE = "PIN"

_NOBODY = hashed(secrets.token_hex(16))  # a wrong name takes as long as a wrong password


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A person's account; a closed one lets nobody in and keeps its name in the record."""

    name: str
    role: Role
    made: int  # ms since the epoch
    closed: bool


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks."""

    name: str
    role: Role


class Accounts:
    """Accounts and sessions. Safe to use from several threads; each call is a transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def keep_pin(self, pin: str) -> None:
        """Keep the account of the file's PIN as the file says.

        :param pin: a hash, the PIN itself as older files have it, or "": that account is closed.
        """
        with self._db.failing(), self._db.engine.begin() as db:
            before = self._hash(db, OF_FILE)
            if pin.startswith("$"):
                kept = pin
            elif pin and before and fits(pin, before):
                kept = before  # who has logged in by it stays so over a restart
            else:
                kept = hashed(pin) if pin else ""
            if before is None and kept:
                db.execute(ACCOUNTS.insert().values(name=OF_FILE, role="director", hash=kept, made=self._db.now()))
            elif before is not None and before != kept:
                db.execute(ACCOUNTS.update().where(ACCOUNTS.c.name == OF_FILE).values(hash=kept))

    def all(self) -> list[Account]:
        """List all accounts by name."""
        with self._db.reading() as db:
            rows = db.execute(sa.select(ACCOUNTS).order_by(ACCOUNTS.c.name)).mappings().all()
        return [
            Account(name=row["name"], role=cast(Role, row["role"]), made=row["made"], closed=not row["hash"])
            for row in rows
        ]

    def directed(self) -> bool:
        """Report whether somebody can log in as the director."""
        return any(one.role == "director" and not one.closed for one in self.all())

    def make(self, name: object, role: object, password: object) -> Account:
        """Make an account.

        :raises NotAllowed: its name, kind or password cannot be.
        """
        name, role = _name(name), _role(role)
        with self._db.failing(), self._db.engine.begin() as db:
            self._alone(db)
            others = db.scalars(sa.select(ACCOUNTS.c.name)).all()
            if any(other.casefold() == name.casefold() for other in others):
                raise NotAllowed("same_account", f"account {shorten(name)}: there is one of that name", name=name)
            at = self._db.now()
            db.execute(ACCOUNTS.insert().values(name=name, role=role, hash=hashed(_password(password)), made=at))
        return Account(name=name, role=role, made=at, closed=False)

    def change(self, name: str, role: object = None, password: object = None, closed: bool = False) -> None:
        """Change an account's kind or password, or close it; its sessions end by a new password and by closing.

        :raises Unknown: there is no such account.
        :raises NotAllowed: it cannot be, or nobody would be left who may direct.
        """
        values: dict[str, str] = {}
        if role is not None:
            values["role"] = _role(role)
        if password is not None:
            values["hash"] = hashed(_password(password))
        if closed:
            values["hash"] = ""
        with self._db.failing(), self._db.engine.begin() as db:
            self._alone(db)
            if self._hash(db, name) is None:
                raise Unknown("no_account", f"account {shorten(name)}: there is none of that name", name=cut(name))
            if values:
                db.execute(ACCOUNTS.update().where(ACCOUNTS.c.name == name).values(**values))
            directors = sa.select(sa.func.count()).where(ACCOUNTS.c.role == "director", ACCOUNTS.c.hash != "")
            if not db.scalar(directors):
                raise NotAllowed(
                    "last_director",
                    f"account {shorten(name)}: nobody else may direct; make another director first",
                    name=name,
                )

    def check(self, name: str, password: str) -> str | None:
        """Check a password; return the secret of a new session, or None: it is wrong, or there is no such account."""
        with self._db.reading() as db:
            kept = self._hash(db, name)
        right = fits(password, kept or _NOBODY) and bool(kept)
        return self._begin(name, str(kept)) if right else None

    def _begin(self, name: str, kept: str) -> str:
        secret, at = secrets.token_urlsafe(32), self._db.now()
        with self._db.failing(), self._db.engine.begin() as db:
            db.execute(SESSIONS.delete().where(SESSIONS.c.expires < at))
            values = {"digest": digest(secret), "account": name, "hash": kept, "expires": at + HOURS * 3_600_000}
            db.execute(SESSIONS.insert().values(**values))
        return secret

    def who(self, secret: str) -> Actor | None:
        """Return whose session this is; None: nobody's, or it is over."""
        query = (
            sa.select(ACCOUNTS.c.name, ACCOUNTS.c.role)
            .join(SESSIONS, sa.and_(SESSIONS.c.account == ACCOUNTS.c.name, SESSIONS.c.hash == ACCOUNTS.c.hash))
            .where(SESSIONS.c.digest == digest(secret), SESSIONS.c.expires > self._db.now())
        )
        with self._db.reading() as db:
            row = db.execute(query).first()
        return Actor(row[0], cast(Role, row[1])) if row is not None else None

    def end(self, secret: str) -> None:
        """End a session."""
        with self._db.failing(), self._db.engine.begin() as db:
            db.execute(SESSIONS.delete().where(SESSIONS.c.digest == digest(secret)))

    def _alone(self, db: sa.Connection) -> None:
        """Let no other process change accounts meanwhile: two directors could close each other, and nobody directs."""
        if self._db.shared:  # SQLite's transaction is alone already
            db.execute(sa.text("LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE"))

    @staticmethod
    def _hash(db: sa.Connection, name: str) -> str | None:
        found = db.scalar(sa.select(ACCOUNTS.c.hash).where(ACCOUNTS.c.name == name))
        return None if found is None else str(found)


def digest(secret: str) -> str:
    """Return what is kept of a random secret: its SHA-256, which cannot be turned back."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def _name(name: object) -> str:
    text = " ".join(name.split()) if isinstance(name, str) else ""
    if not text or not is_plain(text):
        raise NotAllowed("odd_account", f"account {shorten(text)}: a name of at most 60 letters is wanted")
    return text


def _role(role: object) -> Role:
    if role not in ROLES:
        raise NotAllowed("odd_role", f"kind of account {shorten(role)}: one of {', '.join(ROLES)} is wanted")
    return role


def _password(password: object) -> str:
    wrong = bad_password(password)
    if wrong is not None or not isinstance(password, str):
        raise NotAllowed(wrong or "odd_password", "this password will not do: 6 signs at least, and none to guess")
    return password
