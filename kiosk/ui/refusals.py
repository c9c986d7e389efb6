"""Word refusals, and decide whether a refused request may be entered all the same."""

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

#: What people say or lay stands although it breaks a rule: a refusal of it offers to enter it.
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


def whose(request: ScreenRequest | None) -> int | None:
    """Find whose hand a request was, where that is known."""
    seats = request.consent.seats if isinstance(request, Request) else frozenset()
    return next(iter(seats)) if len(seats) == 1 else None


def all_the_same(request: ScreenRequest | None, code: str) -> Request | None:
    """Return what enters a request refused by this code all the same: it was spoken, or the card is laid.

    Its key stands in the middle: whose hand presses it nobody knows. None: it cannot be entered.
    """
    if not isinstance(request, Request) or not isinstance(request.event, WORDS):
        return None
    known = CARD_OFFENCES if isinstance(request.event, CardPlayed) else OFFENCES
    return replace(request, anyway=True, consent=Consent()) if code in known else None


def rule_words(code: str, section: str, language: Language, view: TableView | None) -> str:
    """Write the rule and its section, a line each."""
    if not section:
        return ""
    known = (view.book.sentences, view.limits, view.book.counted) if view is not None else (None, (), "")
    own = view.book.own_words.get(section) if view is not None else None
    lines = (own or rule_says(code, language, section, *known), section_word(section, language))
    return "\n".join(line for line in lines if line)


def reason_words(code: str, detail: str, language: Language) -> str:
    """Look up the reason by its code, else take the words of whoever refused it; "" if there are none."""
    said = word(code, language)
    return said if said != code else detail
