"""Take in what the direction holds beyond the end of a table's log: a spare device goes on where the broken one was."""

from collections.abc import Mapping, Sequence
from typing import Any

from kiosk.table.clock import RoundClock
from kiosk.table.events.log import Body, Log
from kiosk.table.playing_time import CLOCK_KEY
from kiosk.table.restoring import released, restored_round


def take_in(log: Log, events: Sequence[Body], clock: Mapping[str, Any] | None, now: float, boot: str) -> None:
    """Add the direction's events to a log that they follow, with the clock, in one transaction.

    :param clock: as the table before had told it, by now; None: the direction does not know it, and it starts from the
        log.
    :param now: seconds, monotonic.
    :raises KioskError: an event does not follow from those before; nothing is taken.
    :raises LogError: the log cannot be written; it is as before.
    """
    _, round = restored_round([*(body for _, body in log.read()), *events], None)
    kept = {}
    if clock is not None:
        told = RoundClock.told(clock, round.minutes, now, boot)
        kept[CLOCK_KEY] = released(told, round, now).kept(now)
    log.add(events, kept)
