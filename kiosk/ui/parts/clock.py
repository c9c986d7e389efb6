"""Write the time that is left of a round."""

import time

from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.fit import NEAR

#: The remaining time turns golden here, and is written in seconds at every seat, seconds.
LAST_MINUTES_S = 600


def clock_text(seconds: float) -> str:
    """Write ``1:02:03``; a started second counts whole, time beyond the end with a plus."""
    over = seconds < 0
    whole = int(-seconds) if over else -int(-seconds // 1)
    hours, rest = divmod(whole, 3600)
    minutes, secs = divmod(rest, 60)
    text = f"{hours}:{minutes:02}:{secs:02}" if hours else f"{minutes}:{secs:02}"
    return "+" + text if over else text


def remaining(view: TableView | None, view_at: float) -> float:
    """Compute the seconds left on the round clock now, for a view that came at a time of the monotonic clock."""
    if view is None:
        return 0.0
    return view.clock.remaining - (time.monotonic() - view_at if view.clock.running else 0.0)


def minutes_text(seconds: float) -> str:
    """Write ``73 min``, of the last minutes ``9:59``, beyond the end ``+3 min``; with markup, the unit smaller."""
    if 0 <= seconds < LAST_MINUTES_S:
        return clock_text(seconds)
    minutes = f"+{int(-seconds // 60)}" if seconds < 0 else str(-int(-seconds // 60))
    return f"{minutes} [size={NEAR}sp]min[/size]"
