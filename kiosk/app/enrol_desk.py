"""Show the code of a device that the direction does not know yet, until it is admitted."""

import logging
from collections.abc import Callable

from kiosk.app.desk import Desk
from kiosk.app.outputs import Outputs
from kiosk.language import say
from kiosk.sync.enrolling import Enrolling
from kiosk.table.enrolment import spoken
from kiosk.ui.enrol.enrol_view import EnrolView

log = logging.getLogger(__name__)


class EnrolDesk(Desk):
    """Tells people at the table how the direction's door stands.

    :param anew: starts the program anew, once the direction has given this table its number.
    """

    hears = (Enrolling,)

    def __init__(self, outputs: Outputs, anew: Callable[[], None]) -> None:
        self._outputs, self._anew = outputs, anew

    def heard(self, message: Enrolling) -> None:
        """Show it, or end showing it."""
        if message.table is not None:
            self._anew()
        elif message.over:
            self._outputs.notice("enrol", "")
            self._outputs.enrol(None)
        else:
            self._asks_to_enter(message)

    def _asks_to_enter(self, message: Enrolling) -> None:
        """Show the code, or why it is not to be had."""
        code = message.code
        log.warning("code for the direction's page: %s %s %s", spoken(code), message.trouble, message.why)
        if code:
            self._outputs.notice("enrol", lambda language: say("line", "enrol", language, code=spoken(code)))
        else:
            self._outputs.notice("enrol", lambda language: say("line", "away", language))
        self._outputs.enrol(EnrolView(code, message.address, message.trouble, message.why, message.changed))
