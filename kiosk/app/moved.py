"""Look for the direction in the network while it is away: it may have another address now.

Who is found counts only as another address of the same direction: one whose announcement names the authority that was
pinned when this table was admitted. The line shows its secret to nobody who cannot show that authority.
"""

import logging
import threading
from collections.abc import Callable, Sequence

from kiosk.app.desk import Desk
from kiosk.app.first_start import Found, Looking, look_around
from kiosk.sync.state import FoundDirection, LineState
from kiosk.sync.trust import fingerprint

log = logging.getLogger(__name__)

#: Seconds for which the direction is away before it is looked for.
AWAY_S = 30.0


class Moved(Desk):
    """Hears how the line stands; looks while it is down.

    :param authority: by which the direction is recognised, PEM.
    :param tell: called from a thread with the addresses at which the direction was found.
    """

    hears = (LineState,)

    def __init__(
        self,
        authority: str,
        tell: Callable[[Sequence[str]], None],
        look: Callable[[Found], Looking] = look_around,
        away_s: float = AWAY_S,
    ) -> None:
        self._known = fingerprint(authority)
        self._tell, self._look, self._away_s = tell, look, away_s
        self._waiting: threading.Timer | None = None
        self._looking: Looking | None = None
        self._lock = threading.Lock()

    def heard(self, line: LineState) -> None:
        """Take how the line stands."""
        if line.connected:
            self.stop()
        elif self._waiting is None:
            self._waiting = threading.Timer(self._away_s, self._begin)
            self._waiting.daemon = True
            self._waiting.start()

    def stop(self) -> None:
        """Look no longer."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
            looking, self._looking = self._looking, None
        if waiting is not None:
            waiting.cancel()
        if looking is not None:
            looking.stop()

    def _begin(self) -> None:
        with self._lock:
            if self._waiting is not None:
                self._looking = self._look(self._found)

    def _found(self, found: tuple[FoundDirection, ...]) -> None:
        ours = [one.url for one in found if one.fingerprint == self._known]
        if ours:
            log.info("the direction answers at %s", ", ".join(ours))
            self._tell(ours)
