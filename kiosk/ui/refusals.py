"""Word refusals, and decide whether a refused request may be entered all the same."""

import time
from dataclasses import replace

from kiosk.language import Language
from kiosk.language.rules import rule_says, section_word
from kiosk.language.table import word
from kiosk.table.events.values import (
    AskingAnswered,
    BidMade,
    CallAnnounced,
    CardPlayed,
    Consent,
    GameDeclared,
    Request,
)
from kiosk.table.view.table_view import TableView
from kiosk.ui.requests import ScreenRequest

#: What people say or lay stands although it breaks a rule; a refusal that answers a touch so many seconds old at most
#: offers to enter it.
WORDS = (AskingAnswered, BidMade, GameDeclared, CallAnnounced, CardPlayed)
OFFENCES = {
    "call_out_of_turn",
    "early_announcement",
    "late_announcement",
    "unfounded_announcement",
    "skipped_step",
    "repeated_announcement",
    "wrong_side",
    "not_entitled",
    "no_leave",
    "revoke",
    "out_of_turn",
}
#: Who lays a card without the word that he owed before it has laid it; an answer that he owes is another matter.
CARD_OFFENCES = OFFENCES | {"missed_duty"}
JUST_NOW_S = 3.0


class LastRequest:
    """The last request sent."""

    def __init__(self) -> None:
        self._request: ScreenRequest | None = None
        self._at = 0.0

    def note(self, request: ScreenRequest) -> None:
        """Remember a request that is sent now."""
        self._request, self._at = request, time.monotonic()

    def forget(self) -> None:
        """Forget the request, so that it cannot be sent again."""
        self._request = None

    @property
    def seat(self) -> int | None:
        """Whose hand it was, where that is known."""
        seats = self._request.consent.seats if isinstance(self._request, Request) else frozenset()
        return next(iter(seats)) if len(seats) == 1 else None

    def arguable(self, code: str) -> bool:
        """Report whether a request refused by this code may be entered: it was spoken, or the card is laid."""
        asked = self._request
        if not isinstance(asked, Request) or not isinstance(asked.event, WORDS):
            return False
        known = CARD_OFFENCES if isinstance(asked.event, CardPlayed) else OFFENCES
        return code in known and time.monotonic() - self._at < JUST_NOW_S

    def insisted(self) -> Request | None:
        """Return the request that enters it all the same, once; None if there is none.

        Its key stands in the middle: whose hand it is nobody knows.
        """
        asked, self._request = self._request, None
        return replace(asked, anyway=True, consent=Consent()) if isinstance(asked, Request) else None


def rule_words(code: str, section: str, language: Language, view: TableView | None) -> str:
    """Write the rule and its section, a line each."""
    if not section:
        return ""
    limits, counted = (view.limits, view.book.counted) if view is not None else ((), "")
    lines = (rule_says(code, language, section, limits, counted), section_word(section, language))
    return "\n".join(line for line in lines if line)


def reason_words(code: str, detail: str, language: Language) -> str:
    """Look up the reason by its code, else take the words of whoever refused it; "" if there are none."""
    said = word(code, language)
    return said if said != code else detail
