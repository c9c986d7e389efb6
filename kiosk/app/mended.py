"""Take what the direction has put right of this table's lists, and tell the people there."""

import logging
from collections.abc import Callable
from typing import Protocol

from kiosk.app.desk import Desk
from kiosk.errors import KioskError
from kiosk.language import say
from kiosk.sync.state import ListsMended
from kiosk.table.evenings import RoundKey, kept_rounds
from kiosk.table.events.codec import decode
from kiosk.table.events.log_file import LogFile
from kiosk.table.mending import keep_notes, kept_notes
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.berichtigung import ListNote, counted
from kiosk.table.scoresheet.counted import CountedList
from kiosk.table.scoresheet.spielliste import mend_data
from kiosk.table.scoresheet.written import mended_line
from kiosk.table.table import Table

log = logging.getLogger(__name__)

#: The kind of the notice by which the people at the table learn of it.
NOTICE = "mended"


class Telling(Protocol):
    """Where notices are shown, as ``kiosk.app.outputs.Outputs``."""

    language: str

    def notice(self, kind: str, text: str) -> None: ...


class MendedDesk(Desk):
    """Keeps the direction's notes on the lists of this table's file; told of them in the loop that owns the table.

    :param table: the one that is played at now.
    :param up: its round in the file.
    """

    hears = (ListsMended,)

    def __init__(
        self,
        file: LogFile,
        number: int,
        outputs: Telling,
        *,
        table: Callable[[], Table | None],
        up: Callable[[], RoundKey | None],
    ) -> None:
        self._file, self._number, self._outputs = file, number, outputs
        self._table, self._up = table, up

    def heard(self, message: ListsMended) -> None:
        """Take all that the direction says of a tournament's lists; a round that it does not name has nothing noted."""
        told: list[Callable[[str], str]] = []
        for one in kept_rounds(self._file):
            if one.key.evening == message.tournament and one.key.table == self._number:
                told += self._take(one.key, message.rounds.get(one.key.round, ()))
        if told:
            self._outputs.notice(NOTICE, "\n".join(line(self._outputs.language) for line in told))

    def _take(self, key: RoundKey, notes: tuple[ListNote, ...]) -> list[Callable[[str], str]]:
        """Keep the notes on one list; return what has changed by them, each to be said in a language."""
        table = self._table() if key == self._up() else None
        events = self._file.log(key.evening, key.table, key.round)
        before = kept_notes(events) if table is None else table.notes
        if notes == before:
            return []
        if table is not None:
            table.put_right(notes)
            return _changes(table.round, before, notes, "")
        keep_notes(events, notes)
        try:
            written = fold(decode(body) for _, body in events.read())
        except KioskError as error:
            log.error("the list of %s cannot be shown: %s", key, error)
            return []
        return _changes(written, before, notes, str(key.round))


def _changes(
    written: Round, before: tuple[ListNote, ...], notes: tuple[ListNote, ...], earlier: str
) -> list[Callable[[str], str]]:
    was, now = counted(written, before), counted(written, notes)
    gone = {mend.number for mend in was.mends} - {mend.number for mend in now.mends}
    new = {mend.number for mend in now.mends} - {mend.number for mend in was.mends}
    return [
        *(_saying(was, number, "list_taken_back", earlier) for number in sorted(gone)),
        *(_saying(now, number, "list_mended", earlier) for number in sorted(new)),
    ]


def _saying(listed: CountedList, number: int, code: str, earlier: str) -> Callable[[str], str]:
    """What is said of one Berichtigung: ``Die Turnierleitung hat die Liste berichtigt: Spiel 3: Punkte …``."""

    def said(language: str) -> str:
        place, mend = next(one for one in enumerate(listed.mends, start=1) if one[1].number == number)
        line = mended_line(listed.players, mend_data(place, mend), language, listed.written.book.name)
        of = say("mended", "of_round", language, round=earlier, line=line) if earlier else line
        return say("mended", code, language, line=of)

    return said
