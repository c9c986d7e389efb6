"""Tell people, here and at the direction, that this table's storage is broken, and where its list lies."""

import logging
import math
import time
from collections.abc import Callable
from typing import Final

from kiosk.app.desk import Desk
from kiosk.app.jobs import StartJob, in_thread
from kiosk.app.outputs import Outputs
from kiosk.language import say
from kiosk.table.events.log import LogError
from kiosk.table.table import Table

log = logging.getLogger(__name__)

#: Seconds between two tries whether a disk that took nothing at the start takes something now.
_TRY_S: Final = 10.0

#: The kinds of the notices: where the list lies now, and that a damaged file was rescued.
NOTICE, RESCUED = "storage", "storage_rescued"


class StorageDesk(Desk):
    """Looks whether what was noted is on the disk, and whether the direction has it.

    :param found: what was found when the file was opened (``kiosk.table.events.emergency.open_anyway``).
    :param directed: somebody directs this table.
    :param go_back: has what lies in memory lie on the disk again (``kiosk.table.events.emergency.go_back``); None where
        no disk can.
    """

    def __init__(
        self,
        found: str,
        outputs: Outputs,
        *,
        directed: bool,
        table: Callable[[], Table | None],
        go_back: Callable[[], None] | None = None,
        run: StartJob = in_thread,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._found, self._outputs, self._directed, self._table = found, outputs, directed, table
        self._go_back, self._run, self._now = go_back, run, now
        self._try_at = now() + _TRY_S
        self._told = ""
        self._rescue = "found" if found == "rescued" else ""

    def beat(self) -> None:
        """Tell what has changed."""
        if self._found == "in_memory" and self._go_back is not None and self._now() >= self._try_at:
            self._try_at = math.inf  # until that try has ended: a worn disk may take minutes to refuse
            self._run(self._try)
        self._tell_rescue()
        state = self._state()
        if state != self._told:
            self._told = self._outputs.storage = state
            self._outputs.notice(NOTICE, (lambda language: say("storage", state, language)) if state else "")

    def _try(self) -> None:
        assert self._go_back is not None
        try:
            self._go_back()
        except LogError as error:
            log.debug("still in memory: %s", error)
        else:
            self._found = ""
        finally:
            self._try_at = self._now() + _TRY_S

    def _tell_rescue(self) -> None:
        """Tell that a damaged file was rescued, from the start until people have left the round that is played then."""
        seated = self._table() is not None
        if self._rescue == "found":
            self._rescue, self._outputs.rescued = "told", True
            code = "rescued" if self._directed else "rescued_alone"
            self._outputs.notice(RESCUED, lambda language: say("storage", code, language))
        elif self._rescue == "told" and seated:
            self._rescue = "played with"
        elif self._rescue == "played with" and not seated:
            self._rescue, self._outputs.rescued = "", False
            self._outputs.notice(RESCUED, "")

    def _state(self) -> str:
        """ "" | sent: the direction has all | kept: it has not | alone: there is none."""
        table = self._table()
        if self._found != "in_memory" and (table is None or not table.unsaved):
            return ""
        if not self._directed:
            return "alone"
        line = self._outputs.line
        if line is None or not line.state.connected or line.state.trouble:
            return "kept"
        if self._told == "sent":  # what has come just now is on its way
            return "sent"
        return "sent" if self._outputs.has_sent(len(table.events) if table else 0) else "kept"
