"""Tell when the last list of a tournament was in, and what was put right after that."""

from collections.abc import Iterable

from kiosk.rules.engine.evolve import remembered
from kiosk.table.events.values import ListHandedIn
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.berichtigung import BERICHTIGUNG, CLOSED, ListNote
from kiosk.tournament.berichtigung import ListNotes


def closed_ms(written: Round, notes: Iterable[ListNote]) -> int | None:
    """Return when a list was handed in, or closed on paper, for the first time; ms since the epoch, None: not yet."""
    handed = remembered(written, "kept_handed", (written.earlier, written.lately), lambda: _handed(written))
    noted = [one.at for one in notes if one.body.get("note") == CLOSED]
    return min([*handed[:1], *noted[:1]], default=None)


def _handed(written: Round) -> list[int]:
    return [int(event.at) for _, event in written.log if isinstance(event, ListHandedIn) and event.at is not None]


def mends_after(lists: ListNotes, ended_ms: int) -> list[tuple[int, int, ListNote]]:
    """List the Berichtigungen noted after a moment, oldest first: round, table and note."""
    found = [
        (round_, table, one)
        for (round_, table), notes in lists.items()
        for one in notes
        if one.body.get("note") == BERICHTIGUNG and one.at > ended_ms
    ]
    return sorted(found, key=lambda one: one[2].number)


def until(lists: ListNotes, ended_ms: int) -> ListNotes:
    """Return the notes on lists as they were at a moment."""
    return {key: tuple(one for one in notes if one.at <= ended_ms) for key, notes in lists.items()}
