"""Store each list's clock as its table told it last, for a spare device: the time between is counted."""

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from kiosk.director.key import ListKey
from kiosk.director.storage.database import CLOCKS, Database, key_columns, now, of_key
from kiosk.table.status import clock_by_now


class ClockStore(Database):
    """The clocks of the lists. A table tells its own anew whenever it comes, so they are in no backup."""

    def keep_clock(self, key: ListKey, of: int, clock: Mapping[str, Any]) -> None:
        """Keep a clock as it is now.

        :param of: when its list was opened, ms since the epoch: another device may have begun another list.
        """
        meant = sa.and_(of_key(CLOCKS, key), CLOCKS.c.of == of)
        with self.failing(), self.engine.begin() as db:
            db.execute(CLOCKS.delete().where(meant))
            db.execute(CLOCKS.insert().values(**key_columns(key), of=of, at=now(), body=json.dumps(dict(clock))))

    def clock(self, key: ListKey, of: int) -> dict[str, Any] | None:
        """Return a list's clock as it shows by now; None where it was never told."""
        meant = sa.and_(of_key(CLOCKS, key), CLOCKS.c.of == of)
        with self.reading() as db:
            row = db.execute(sa.select(CLOCKS.c.at, CLOCKS.c.body).where(meant)).first()
        return None if row is None else clock_by_now(json.loads(row.body), max(0, now() - row.at) / 1000)
