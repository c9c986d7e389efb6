"""Store how far lists were folded, so that a director that starts need not fold them from the beginning.

Nothing of it need outlive anything: what is missing, or of another version, is folded from the events. So it is in no
backup.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from kiosk.director.key import ListKey
from kiosk.director.storage.database import FOLDS, TABLES, Database, key_columns, of_key

_KEY = ("tournament", "round", "table")
_AS_KEPT = {"of_tournament": FOLDS.c.tournament, "of_round": FOLDS.c.round, "of_table": FOLDS.c.table}
_FORGET = FOLDS.delete().where(*(column == sa.bindparam(name) for name, column in _AS_KEPT.items()))


@dataclass(frozen=True, slots=True)
class KeptFold:
    """A list as it was folded up to an event."""

    key: ListKey
    last: int  # number of that event
    chain: str  # over all events up to there: it counts only for a list that begins so
    version: str  # of the program that folded it
    body: bytes


class FoldStore(Database):
    """The folds of lists, at most one each: the last one that was kept."""

    def keep_folds(self, folds: Sequence[KeptFold]) -> None:
        """Keep these instead of what was kept of their lists."""
        with self.failing(), self.engine.begin() as db:
            db.execute(_FORGET, [dict(zip(_AS_KEPT, one.key.parts, strict=True)) for one in folds])
            rows = [
                {
                    **key_columns(one.key),
                    "last": one.last,
                    "chain": one.chain,
                    "version": one.version,
                    "body": one.body,
                }
                for one in folds
            ]
            db.execute(FOLDS.insert(), rows)

    def kept_fold(self, key: ListKey, version: str) -> KeptFold | None:
        """Return what this version has kept of a list; whether the list still begins so, its chain says."""
        query = sa.select(FOLDS).where(of_key(FOLDS, key), FOLDS.c.version == version)
        with self.reading() as db:
            row = db.execute(query).first()
        return None if row is None else KeptFold(key, row.last, row.chain, row.version, bytes(row.body))

    def not_kept(self, version: str, least: int) -> set[ListKey]:
        """Return the lists of at least so many events of which this version has kept nothing."""
        ours = sa.and_(FOLDS.c.version == version, *(FOLDS.c[name] == TABLES.c[name] for name in _KEY))
        query = sa.select(*(TABLES.c[name] for name in _KEY)).where(
            TABLES.c.last >= least - 1, ~sa.exists().where(ours)
        )
        with self.reading() as db:
            return {ListKey(*row) for row in db.execute(query)}

    def folds_kept(self) -> int:
        """Count the lists of which something is kept."""
        with self.reading() as db:
            return int(db.scalar(sa.select(sa.func.count()).select_from(FOLDS)) or 0)
