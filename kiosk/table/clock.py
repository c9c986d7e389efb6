"""Run the round clock: it counts down on the monotonic clock, never reads the date, and survives a restart.

Time is an argument everywhere: seconds of a monotonic clock that starts with the machine (``time.monotonic``). What
is kept between two runs names the machine's boot: after a restart of the program alone the time goes on to count as
if nothing had happened; after a restart of the machine its clock began anew, and the last kept remaining time holds.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kiosk.errors import KioskError, shorten
from kiosk.table.view.table_view import ClockView

_BOOT = Path("/proc/sys/kernel/random/boot_id")


class BadClock(KioskError, ValueError):
    """A clock's command or kept state that is not valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClock:
    """The playing time of one round, as a value: every command returns the clock after it.

    ``remaining`` and ``extra`` are seconds as they were at ``at`` (seconds, monotonic, of this ``boot``).
    """

    boot: str
    at: float
    limit: float | None  # seconds of playing time by the book (eppstein 7.4.1: 7200); None: the book has none
    remaining: float
    extra: float = 0.0
    running: bool = False
    over: bool = False  # the end has been signalled
    given: float = 0.0  # seconds of Nachspielzeit in all
    cut: float = 0.0  # seconds that ends signalled or ordered before their time took away

    @classmethod
    def new(cls, minutes: float | None, now: float, boot: str) -> "RoundClock":
        """Make a clock that waits for the round's release."""
        limit = None if minutes is None else minutes * 60.0
        return cls(boot=boot, at=now, limit=limit, remaining=limit or 0.0)

    def release(self, now: float) -> "RoundClock":
        """Start the round's time. A second release changes nothing."""
        return self if self.running else replace(self, at=now, running=True)

    def stopped(self, now: float) -> "RoundClock":
        """Stop the round's time for a break; ``release`` lets it go on."""
        return replace(self, at=now, remaining=self.left(now), extra=self._extra_left(now), running=False)

    def extend(self, minutes: float, now: float) -> "RoundClock":
        """Add ``minutes`` of Nachspielzeit by the referee (eppstein 7.4.1); they count for this table alone.

        They count from the official end: a ruling three minutes after it that gives five leaves two.

        :raises BadClock: ``minutes`` is not a positive number of at most a day.
        """
        if not 0 < minutes <= 24 * 60:
            raise BadClock(f"extra time of {shorten(minutes)} minutes: it must be more than 0 and at most a day")
        seconds = minutes * 60.0
        remaining, extra = self.left(now) + seconds, self._extra_left(now) + seconds
        return replace(self, at=now, remaining=remaining, extra=extra, given=self.given + seconds, over=False)

    def corrected(self, minutes: float, now: float) -> "RoundClock":
        """Change the Nachspielzeit by what a corrected ruling gives more, or less (negative)."""
        if minutes > 0:
            return self.extend(minutes, now)
        seconds = minutes * 60.0
        extra = max(0.0, self._extra_left(now) + seconds)
        given = max(0.0, self.given + seconds)
        return replace(self, at=now, remaining=self.left(now) + seconds, extra=extra, given=given)

    def end_official(self, now: float) -> "RoundClock":
        """End the round's time for all tables: this table keeps only its own Nachspielzeit."""
        left, extra = self.left(now), self._extra_left(now)
        kept = min(extra, left)
        return replace(self, at=now, remaining=kept, extra=extra, cut=self.cut + left - kept)

    def signalled(self, now: float) -> "RoundClock":
        """Note that the end of playing time was signalled; ``due`` stays false from here on."""
        left = self.left(now)
        cut = self.cut + max(0.0, left)
        return replace(self, at=now, remaining=min(left, 0.0), extra=0.0, over=True, cut=cut)

    def given_back(self, now: float) -> "RoundClock":
        """Take the end of playing time back: the time that it took away is there again, less what has gone by since.

        Where nothing is left of it the end is ``due`` again at once.
        """
        remaining = self.left(now) + self.cut
        extra = max(0.0, min(self.given, remaining))
        return replace(self, at=now, remaining=remaining, extra=extra, over=False, cut=0.0)

    def left(self, now: float) -> float:
        """Return the seconds left; negative once over."""
        return self.remaining - (now - self.at) if self.running else self.remaining

    def _extra_left(self, now: float) -> float:
        # Nachspielzeit is the last part of the remaining time: it is used up after the official one.
        return max(0.0, min(self.extra, self.left(now)))

    def due(self, now: float) -> bool:
        """Report whether the end of playing time is to be signalled now: true until ``signalled``."""
        return self.limit is not None and self.running and not self.over and self.left(now) <= 0

    def view(self, now: float) -> ClockView:
        """Return what the screen and the clock display show."""
        return ClockView(
            running=self.running,
            remaining=self.left(now),
            extra=self._extra_left(now),
            over=self.over,
            limited=self.limit is not None,
            given=self.given,
            cut=self.cut,
        )

    @classmethod
    def told(cls, told: Mapping[str, Any], minutes: float | None, now: float, boot: str) -> "RoundClock":
        """Restore a clock as its table has told it (``ClockView``), at ``now``.

        :raises BadClock: it was told otherwise.
        """
        try:
            return cls(
                boot=boot,
                at=now,
                limit=None if minutes is None else minutes * 60.0,
                remaining=float(told["remaining"]),
                extra=float(told["extra"]),
                running=bool(told["running"]),
                over=bool(told["over"]),
                given=float(told.get("given", told["extra"])),
                cut=float(told.get("cut", 0.0)),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise BadClock(f"clock {shorten(dict(told))}: remaining, extra, running and over are wanted") from error

    def kept(self, now: float) -> str:
        """Format the state as text for ``restored``."""
        state = {
            "boot": self.boot,
            "at": now,
            "limit": self.limit,
            "remaining": self.left(now),
            "extra": self._extra_left(now),
            "running": self.running,
            "over": self.over,
            "given": self.given,
            "cut": self.cut,
        }
        return json.dumps(state)

    @classmethod
    def restored(cls, text: str, now: float, boot: str) -> "RoundClock":
        """Restore the clock that ``kept`` described, at ``now``.

        :raises BadClock: the text is not one of ``kept``.
        """
        try:
            state = json.loads(text)
            clock = cls(
                boot=str(state["boot"]),
                at=float(state["at"]),
                limit=None if state["limit"] is None else float(state["limit"]),
                remaining=float(state["remaining"]),
                extra=float(state["extra"]),
                running=bool(state["running"]),
                over=bool(state["over"]),
                given=float(state.get("given", state["extra"])),  # clocks kept by earlier versions do not have these
                cut=float(state.get("cut", 0.0)),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise BadClock(f"kept clock {shorten(text)} cannot be read; the clock starts from the log") from error
        if boot and clock.boot == boot and now >= clock.at:
            return clock
        return replace(clock, boot=boot, at=now)


def boot_id() -> str:
    """Return the identifier of this run of the machine; empty off Linux, where a restart counts as a new one."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""
