"""Answer what a scanner reads: badges, cards, and what is neither."""

import logging
from collections.abc import Callable

from hw.scanned import Badge, CardCode, RefereeBadge, Unreadable
from kiosk.app.desk import Desk
from kiosk.app.outputs import Outputs
from kiosk.app.referee_desk import RefereeDesk

log = logging.getLogger(__name__)


class ScannerDesk(Desk):
    """Hands on what is read.

    :param name_of: returns the name of a start number; "" if it is not known.
    :param lay: lays a card for whoever has to lay one; returns False if nobody has.
    """

    hears = (Badge, RefereeBadge, CardCode, Unreadable)

    def __init__(
        self,
        outputs: Outputs,
        referee: RefereeDesk,
        name_of: Callable[[int], str],
        lay: Callable[[str], bool],
    ) -> None:
        self._outputs, self._referee, self._name_of, self._lay = outputs, referee, name_of, lay

    def heard(self, message: Badge | RefereeBadge | CardCode | Unreadable) -> None:
        """Answer one: everything that was scanned shows on the screen."""
        match message:
            case Badge():
                self._outputs.badge(message.name or self._name_of(message.number) or str(message.number))
            case RefereeBadge(code=code) if self._referee.code is not None:
                self._referee.enter(code)
            case RefereeBadge():
                self._outputs.scanned("referee", "")
            case CardCode(card=card):
                if not self._lay(card):
                    self._outputs.scanned("card", card)
            case Unreadable():
                log.info("scanner: %r: %s", message.text, message.why)
                self._outputs.scanned("unreadable", message.text)
