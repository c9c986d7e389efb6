"""Say on disk that this release has come up, and make way for another one when the table rests."""

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

from kiosk.app.desk import Desk
from kiosk.release.layout import READY, Layout, put, this_machine

log = logging.getLogger(__name__)

_ROOT = Path(__file__).parents[2]

#: Seconds between two looks for another release.
_LOOK_S = 5.0


def installed() -> Layout | None:
    """Return where this program's releases lie; None: it is no release, but a checkout."""
    if not (_ROOT / READY).exists():
        return None
    state = Path(os.environ.get("STATE_DIRECTORY", "/var/lib/stichwart"))
    return Layout(_ROOT.parents[1], state / "updates")


def kind_of_releases() -> dict[str, str] | None:
    """Return which releases the direction may offer to this machine; None: it takes none."""
    layout = installed()
    if layout is None or not layout.incoming.is_dir():
        return None
    return dict(zip(("machine", "python"), this_machine(), strict=True))


def say_healthy(role: str) -> Callable[[], None]:
    """Return what writes once that this release has come up; systemd/launch goes back to the one before otherwise."""

    def healthy() -> None:
        layout = installed()
        if layout is None:
            return
        try:
            layout.state.mkdir(parents=True, exist_ok=True)
            put(layout.state / f"healthy-{role}", _ROOT.name)
        except OSError as error:
            log.warning("%s: cannot say that %s has come up: %s", layout.state, _ROOT.name, error.strerror)

    return healthy


class MakingWay(Desk):
    """Ends the program once another release waits and the table rests; systemd starts it, and with it the other one.

    :param at_rest: whether no round is up that has begun and is not handed in.
    :param end: ends the program in good order.
    """

    def __init__(
        self,
        layout: Layout,
        at_rest: Callable[[], bool],
        end: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._layout, self._at_rest, self._end, self._now = layout, at_rest, end, now
        self._due = float("-inf")
        self._ending = False

    def beat(self) -> None:
        """Look now and then."""
        if self._ending or self._now() < self._due:
            return
        self._due = self._now() + _LOOK_S
        wanted = self._layout.wanted
        if wanted and wanted != self._layout.current and self._layout.is_ready(wanted) and self._at_rest():
            log.info("%s waits to be started; making way", wanted)
            self._ending = True
            self._end()
