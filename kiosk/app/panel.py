"""Compute the state of lamps, clock display and buzzer from a table's view."""

from typing import Any

from hw.display import NO_CLOCK, clock_characters
from hw.panel import LampState, Lit, PanelState
from kiosk.table.view.table_view import TableView

#: Minutes before the end at which the buzzer says that time is running out.
LAST_MINUTES = (10, 5, 1)


def panel_state(view: TableView | None, *, referee: bool = False) -> PanelState:
    """Compute the lamps and the display for a view; None: nobody sits there yet.

    A seat's lamp blinks while a proved breach of its own can still be claimed (eppstein 8.8), and is steady while it is
    its turn. The display blinks from the end of the playing time on.

    :param referee: the referee has been called by the button.
    """
    if view is None:
        return PanelState(referee=referee)
    offenders = {offence.seat for offence in view.offences if offence.claimants}
    lamps = {
        seat.seat: LampState.BREACH if seat.seat in offenders else LampState.TURN if seat.turn else LampState.OFF
        for seat in view.seats
    }
    return PanelState(
        display=clock_characters(view.clock.remaining) if view.clock.limited else NO_CLOCK,
        blink=view.clock.over,
        lamps=tuple(lamps[seat] for seat in sorted(lamps)),
        referee=referee or needs_direction(view),
    )


def needs_direction(view: TableView) -> bool:
    """Report whether the table waits for a referee's ruling or for the direction's leave."""
    return view.objection is not None or (view.leave is not None and view.leave.state == "asked")


def drawn(lit: Lit, state: PanelState) -> dict[str, Any]:
    """Describe the panel for a screen without wired lamps, as ``kiosk.ui.rail.strip`` takes it."""
    return {
        "display": "".join(part[0] + (":" if part.endswith(".") else "") for part in lit.display).strip(),
        "lamps": {seat: lamp.value for seat, lamp in enumerate(state.lamps, 1)},
        "referee": lit.referee,
        "buzzer": lit.buzzer,
    }


def rings(before: TableView | None, after: TableView) -> tuple[str, ...]:
    """List the buzzer patterns for a change of the view; the first view after a start has none."""
    if before is None or (before.table, before.round) != (after.table, after.round):
        return ()
    asked = []
    known = {(offence.code, offence.seat, offence.event) for offence in before.offences}
    if any((offence.code, offence.seat, offence.event) not in known for offence in after.offences):
        asked.append("breach")
    if after.clock.over and not before.clock.over:
        asked.append("time_up")
    elif any(before.clock.remaining > 60 * minutes >= after.clock.remaining for minutes in LAST_MINUTES):
        asked.append("last_minutes")
    return tuple(asked)
