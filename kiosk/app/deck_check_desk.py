"""Check before the evening that a deck is whole: its cards are laid before the camera."""

from collections.abc import Callable
from typing import Any

from kiosk.app.desk import Desk
from kiosk.app.outputs import Outputs
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import RuleBook
from kiosk.ui.camera.deck_check_view import checked
from kiosk.ui.camera.set_up_requests import CheckDeck, ShowCamera
from kiosk.ui.requests import ScreenRequest
from vision.messages import CardGone, CardLaid, TrickTaken


class DeckCheckDesk(Desk):
    """The cards that lay before the camera since the check began; nothing of them reaches a game.

    :param quiet: whether no game is running.
    :param book: the book that is played by now.
    """

    def __init__(self, outputs: Outputs, quiet: Callable[[], bool], book: Callable[[], RuleBook | None]) -> None:
        self._outputs, self._quiet, self._book = outputs, quiet, book
        self._seen: dict[int, str | None] | None = None  # number of the card → its label; None: there is no check

    def takes(self, request: ScreenRequest) -> bool:
        """Begin a check anew, or end it; return False if it is another request."""
        if request == ShowCamera(False):
            self._seen = None  # whoever leaves the camera's page has ended the check
        if not isinstance(request, CheckDeck):
            return False
        if request.wanted and not self._quiet():
            raise Refused("not_now", "", "a deck is checked between games")
        self._seen = {} if request.wanted else None
        self._show()
        return True

    def keeps(self, message: Any) -> bool:
        """Count a card while there is a check; it is none of a game."""
        if self._seen is None or not isinstance(message, CardLaid | CardGone | TrickTaken):
            return False
        if not self._quiet():
            self._seen = None
            return False
        if isinstance(message, CardLaid) and not message.face_down:
            self._seen[message.card] = message.label
            self._show()
        return True

    def _show(self) -> None:
        if self._seen is not None:
            book = self._book() or next(iter(BOOKS.values()))
            self._outputs.deck_check(checked(book.deck, self._seen.values()))
