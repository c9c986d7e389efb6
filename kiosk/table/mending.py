"""Keep what the direction has put right of a table's list beside its events, over a restart."""

import json
import logging
from collections.abc import Sequence

from kiosk.table.events.log import Log, LogError
from kiosk.table.scoresheet.berichtigung import ListNote, note_data, notes_told

log = logging.getLogger(__name__)

#: Under this key a log keeps the direction's notes on its list.
_MENDED = "mended"


def kept_notes(events: Log) -> tuple[ListNote, ...]:
    """Return the direction's notes on the list of these events, as told last; what cannot be read is told anew."""
    kept = events.kept(_MENDED)
    try:
        return notes_told(json.loads(kept)) if kept else ()
    except ValueError as error:
        log.error("what the direction has put right cannot be read: %s", error)
        return ()


def keep_notes(events: Log, notes: Sequence[ListNote]) -> None:
    """Keep them; where the disk is full they count all the same, and the direction tells them again after a restart."""
    try:
        events.keep(_MENDED, json.dumps([note_data(one) for one in notes], ensure_ascii=False) if notes else "")
    except LogError as error:
        log.error("what the direction has put right is not kept: %s", error)
