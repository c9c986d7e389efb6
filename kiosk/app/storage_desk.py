"""Tell people, here and at the direction, that this table's storage is broken, and where its list lies."""

from collections.abc import Callable

from kiosk.app.desk import Desk
from kiosk.app.outputs import Outputs
from kiosk.language import say
from kiosk.table.table import Table

#: The kinds of the notices: where the list lies now, and that a damaged file was rescued.
NOTICE, RESCUED = "storage", "storage_rescued"


class StorageDesk(Desk):
    """Looks whether what was noted is on the disk, and whether the direction has it.

    :param found: what was found when the file was opened (``kiosk.table.events.emergency.open_anyway``).
    :param directed: somebody directs this table.
    """

    def __init__(self, found: str, outputs: Outputs, *, directed: bool, table: Callable[[], Table | None]) -> None:
        self._found, self._outputs, self._directed, self._table = found, outputs, directed, table
        self._told = ""
        self._rescue = "found" if found == "rescued" else ""

    def beat(self) -> None:
        """Tell what has changed."""
        self._tell_rescue()
        state = self._state()
        if state != self._told:
            self._told = self._outputs.storage = state
            self._outputs.notice(NOTICE, (lambda language: say("storage", state, language)) if state else "")

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
