"""Store what tables have sent and may not decide by themselves, so that every director on the database can decide it.

Nothing of it need outlive anything: the table sends it again until it is taken. So it is in no backup.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from kiosk.director.key import ListKey
from kiosk.director.storage.database import HELD, TABLES, Database, as_text, key_columns, of_key
from kiosk.director.storage.news import tell


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """The rest of a table's message, from the first decision on that nobody has ordered."""

    after: int  # number of the event before
    chain: str  # of all events up to there
    events: tuple[Mapping[str, Any], ...]
    since: int  # ms since the epoch

    @property
    def last(self) -> int:
        """Number of the last event."""
        return self.after + len(self.events)


class HeldStore(Database):
    """What waits for the direction, at most one message a table."""

    def withhold(self, key: ListKey, held: Withheld) -> bool:
        """Keep this instead of what waited before; False: it was stored meanwhile, and nothing waits any more."""
        with self.failing(), self.engine.begin() as db:
            last = db.scalar(sa.select(TABLES.c.last).where(of_key(TABLES, key)).with_for_update())
            if last is not None and last > held.after:
                return False
            db.execute(HELD.delete().where(of_key(HELD, key)))
            body = "\n".join(as_text(event) for event in held.events)
            row = {"after": held.after, "last": held.last, "chain": held.chain, "since": held.since, "body": body}
            db.execute(HELD.insert().values(**key_columns(key), **row))
            tell(db, self.own, [["held", *key.parts]])
        return True

    def let_go(self, key: ListKey) -> None:
        """Let what waits go: it has come in meanwhile, or its list was put by."""
        with self.failing(), self.engine.begin() as db:
            self._let_go(db, key)

    def _let_go(self, db: sa.Connection, key: ListKey, last: int | None = None) -> bool:
        """Let what waits go; False: nothing waits, or not what ends with event ``last``."""
        meant = of_key(HELD, key) if last is None else sa.and_(of_key(HELD, key), HELD.c.last == last)
        gone = db.execute(HELD.delete().where(meant)).rowcount > 0
        if gone:
            tell(db, self.own, [["held", *key.parts]])
        return gone

    def withheld(self, key: ListKey | None = None) -> dict[ListKey, Withheld]:
        """Read what waits of this table, or of all."""
        query = sa.select(HELD) if key is None else sa.select(HELD).where(of_key(HELD, key))
        with self.reading() as db:
            return {
                ListKey(row["tournament"], row["round"], row["table"]): Withheld(
                    after=row["after"],
                    chain=row["chain"],
                    events=tuple(json.loads(line) for line in row["body"].split("\n")),
                    since=row["since"],
                )
                for row in db.execute(query).mappings()
            }
