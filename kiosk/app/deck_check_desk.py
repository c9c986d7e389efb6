"""Check before the evening that a deck is whole: its cards are laid before the camera."""

import time
from collections.abc import Callable
from typing import Any

from kiosk.app.desk import Desk
from kiosk.app.outputs import Outputs
from kiosk.app.spread_deck import SpreadDeck
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import FRENCH_SUITS, deck
from kiosk.ui.camera.deck_check_view import checked, may_be_spread
from kiosk.ui.camera.set_up_requests import CheckDeck, ShowCamera
from kiosk.ui.requests import ScreenRequest
from vision.messages import CardGone, CardLaid, Command, HandRead, ReadHand, TrickTaken

#: What a card of a French pack may be, whichever book is played: a nine that was left in, too.
FRENCH_CARDS = deck(FRENCH_SUITS, "AKQJT98765432", 1)
#: Seconds after which what is spread out is asked for again: the camera's process may have begun anew.
ASK_AGAIN_S = 5.0


class DeckCheckDesk(Desk):
    """The cards that lay before the camera since the check began; nothing of them reaches a game.

    They are counted one by one as they are laid, or, of a deck with letters in its corners, spread out all at once.

    :param quiet: whether no game is running.
    :param book: the book that is played by now.
    :param send: sends a command to the camera's process.
    """

    def __init__(
        self,
        outputs: Outputs,
        quiet: Callable[[], bool],
        book: Callable[[], RuleBook | None],
        send: Callable[[Command], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._outputs, self._quiet, self._book, self._send, self._now = outputs, quiet, book, send, now
        self._laid: dict[int, str | None] | None = None  # number of the card → its label; None: they are not counted so
        self._spread: SpreadDeck | None = None  # None: no deck is spread out
        self._ask_at = 0.0

    def takes(self, request: ScreenRequest) -> bool:
        """Begin a check anew, or end it; return False if it is another request."""
        if request == ShowCamera(False):
            self._end()  # whoever leaves the camera's page has ended the check
        if not isinstance(request, CheckDeck):
            return False
        if request.wanted and not self._quiet():
            raise Refused("not_now", "", "a deck is checked between games")
        if request.wanted and request.spread and not may_be_spread(self._deck):
            raise Refused("not_now", "", "cards without letters in their corners are not read where they overlap")
        self._end()
        if request.wanted and request.spread:
            self._spread, self._ask_at = SpreadDeck(len(self._deck)), 0.0
            self.beat()
        elif request.wanted:
            self._laid = {}
        self._show()
        return True

    def beat(self) -> None:
        """Have what is spread out read, and no longer once a game begins."""
        if self._spread is None:
            return
        if not self._quiet():
            self._end()
        elif self._now() >= self._ask_at:
            self._ask_at = self._now() + ASK_AGAIN_S
            self._send(ReadHand(faces=FRENCH_CARDS, alone=True))

    def keeps(self, message: Any) -> bool:
        """Count cards while there is a check; they are none of a game."""
        if not isinstance(message, CardLaid | CardGone | TrickTaken | HandRead):
            return False
        if not self._quiet():
            self._end()
        if isinstance(message, HandRead):
            if self._spread is None:
                return False
            self._spread.take(message.cards)
            self._show(readable=message.by == "indices")
            return True
        if self._laid is not None and isinstance(message, CardLaid) and not message.face_down:
            self._laid[message.card] = message.label
            self._show()
        return self._laid is not None or self._spread is not None

    def _end(self) -> None:
        if self._spread is not None:
            self._send(ReadHand(on=False))
        self._laid = self._spread = None

    @property
    def _deck(self) -> tuple[str, ...]:
        return (self._book() or next(iter(BOOKS.values()))).deck

    def _show(self, *, readable: bool = True) -> None:
        if self._spread is not None:
            self._outputs.deck_check(checked(self._deck, self._spread.seen, spread=True, readable=readable))
        elif self._laid is not None:
            self._outputs.deck_check(checked(self._deck, self._laid.values()))
