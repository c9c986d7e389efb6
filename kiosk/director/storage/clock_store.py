"""Store each list's clock as its table told it last, for a spare device: the time between is counted."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from kiosk.director.key import ListKey
from kiosk.director.storage.database import CLOCKS, Database, key_columns, of_key
from kiosk.table.status import clock_by_now


@dataclass(frozen=True, slots=True)
class ToldClock:
    """A list's clock as its table told it."""

    key: ListKey
    of: int  # when its list was opened, ms since the epoch: another device may have begun another list
    at: int  # when it was told, ms since the epoch
    clock: Mapping[str, Any]


_AS_TOLD = {
    "of_tournament": CLOCKS.c.tournament,
    "of_round": CLOCKS.c.round,
    "of_table": CLOCKS.c.table,
    "of_list": CLOCKS.c.of,
}
_FORGET = CLOCKS.delete().where(*(column == sa.bindparam(name) for name, column in _AS_TOLD.items()))


class ClockStore(Database):
    """The clocks of the lists. A table tells its own anew whenever it comes, so they are in no backup."""

    def keep_clocks(self, told: Sequence[ToldClock]) -> None:
        """Keep these clocks, in one transaction: after a start all tables tell theirs at once."""
        with self.failing(), self.engine.begin() as db:
            db.execute(_FORGET, [dict(zip(_AS_TOLD, (*one.key.parts, one.of), strict=True)) for one in told])
            rows = [
                {**key_columns(one.key), "of": one.of, "at": one.at, "body": json.dumps(dict(one.clock))}
                for one in told
            ]
            db.execute(CLOCKS.insert(), rows)

    def clock(self, key: ListKey, of: int) -> dict[str, Any] | None:
        """Return a list's clock as it shows by now; None where it was never told."""
        meant = sa.and_(of_key(CLOCKS, key), CLOCKS.c.of == of)
        with self.reading() as db:
            row = db.execute(sa.select(CLOCKS.c.at, CLOCKS.c.body).where(meant)).first()
        return None if row is None else clock_by_now(json.loads(row.body), max(0, self.now() - row.at) / 1000)
