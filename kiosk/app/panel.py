"""Compute the state of lamps and clock display from a table's view."""

from typing import Any

from hw.display import NO_CLOCK, clock_characters
from hw.panel import LampState, Lit, PanelState
from kiosk.table.view.table_view import TableView


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
    lit_by_trial = {seat for seat, on in enumerate(lit.lamps, 1) if on}
    return {
        "display": "".join(part[0] + (":" if part.endswith(".") else "") for part in lit.display).strip(),
        "lamps": {
            seat: LampState.TURN.value if lamp is LampState.OFF and seat in lit_by_trial else lamp.value
            for seat, lamp in enumerate(state.lamps, 1)
        },
        "referee": lit.referee,
        "buzzer": lit.buzzer,
    }
