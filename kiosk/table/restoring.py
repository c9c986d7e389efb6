"""Restore a table's round and clock from its log."""

import logging
from collections.abc import Sequence

from kiosk.errors import BadEvent, KioskError
from kiosk.table.clock import BadClock, RoundClock
from kiosk.table.events.codec import decode, encode
from kiosk.table.events.log import Body
from kiosk.table.events.values import Event, PlayingTimeEnded, RoundOpened, RulingGiven
from kiosk.table.round.fold import Round, open_round

log = logging.getLogger(__name__)


def restored_round(stored: Sequence[Body], opening: RoundOpened | None) -> tuple[list[Event], Round]:
    """Read a stored log's events and the round after them; the log counts where ``opening`` differs from it.

    :raises KioskError: an event does not follow from those before.
    """
    events = [decode(stored[0])]
    round = open_round(events[0])
    opened = round.opening
    if opening is not None and (opened.rules, opened.players) != (opening.rules, opening.players):
        log.warning("the log was opened with %s, not with %s; the log counts", stored[0], encode(opening))
    for number, body in enumerate(stored[1:], start=1):
        try:
            events.append(decode(body))
            round = round.apply(events[-1])
        except BadEvent as error:
            raise KioskError(
                f"event {number} of the stored log does not follow from those before: {error}; "
                "replay the file to see more, or begin another round"
            ) from error
    return events, round


def restored_clock(kept: str | None, round: Round, now: float, boot: str) -> RoundClock:
    """Restore the round clock as it was kept, else from the round's events."""
    if kept is not None:
        try:
            return released(RoundClock.restored(kept, now, boot), round, now)
        except BadClock as error:
            log.warning("%s", error)
    clock = released(RoundClock.new(round.minutes, now, boot), round, now)
    for _, event in round.facts:
        if isinstance(event, RulingGiven) and event.minutes:
            clock = clock.extend(event.minutes, now)
        elif isinstance(event, PlayingTimeEnded):
            clock = clock.signalled(now)
    return clock


def released(clock: RoundClock, round: Round, now: float) -> RoundClock:
    """The clock as the round has it: running once that is released, unless it stands in a break."""
    if round.clock_stands:
        return clock.stopped(now)
    return clock.release(now) if round.released else clock
