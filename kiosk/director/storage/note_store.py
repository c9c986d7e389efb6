"""Store the notes of a tournament, and the orders to tables that follow from them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from kiosk.director.refusals import StoreFailed
from kiosk.director.storage.actor import signed
from kiosk.director.storage.database import NOTES, TABLES, as_text
from kiosk.director.storage.news import tell
from kiosk.director.storage.order_store import GivenOrder, OrderStore
from kiosk.tournament.notes import Noted


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """An order to a table that follows from a note."""

    round: int
    table: int
    body: Mapping[str, Any]


class NoteStore(OrderStore):
    """Notes by tournament and number."""

    def note(self, tournament: str, number: int, body: Mapping[str, Any], at: int | None = None) -> Noted | None:
        """Store the note, signed, under ``number``; None if that is taken, or does not follow on the last one."""
        stored = self.note_and_order(tournament, number, body, at)
        return None if stored is None else stored[0]

    def note_and_order(
        self,
        tournament: str,
        number: int,
        body: Mapping[str, Any],
        at: int | None = None,
        following: Sequence[Following] = (),
    ) -> tuple[Noted, list[GivenOrder]] | None:
        """Store the note as ``note`` does, and with it the orders that follow from it: both or none."""
        noted = Noted(number=number, at=self.now() if at is None else at, body=signed(body))
        try:
            with self.failing(), self.engine.begin() as db:
                last = db.scalar(sa.select(sa.func.max(NOTES.c.number)).where(NOTES.c.tournament == tournament))
                if number > (-1 if last is None else last) + 1:  # a backup was put back under it
                    return None
                text = as_text(noted.body)
                db.execute(NOTES.insert().values(tournament=tournament, number=number, at=noted.at, body=text))
                tell(db, self.own, [["notes"], ["noted", tournament]])
                # the note first, everywhere: so two directors never wait for each other
                given = [self._give(db, (tournament, one.round, one.table), one.body) for one in following]
        except StoreFailed as error:
            if isinstance(error.__cause__, sa.exc.IntegrityError):  # another page or process was faster
                return None
            raise
        return noted, given

    def notes(self, tournament: str, after: int = -1) -> list[Noted]:
        """Read the notes of the tournament with numbers above ``after``, in order; numbers count from 0."""
        query = (
            sa.select(NOTES).where(NOTES.c.tournament == tournament, NOTES.c.number > after).order_by(NOTES.c.number)
        )
        with self.reading() as db:
            return [
                Noted(number=row["number"], at=row["at"], body=json.loads(row["body"]))
                for row in db.execute(query).mappings()
            ]

    def tournaments(self) -> list[str]:
        """List names of all tournaments of which there is a list or a note."""
        query = sa.union(sa.select(TABLES.c.tournament), sa.select(NOTES.c.tournament))
        with self.reading() as db:
            return sorted(db.scalars(query))
