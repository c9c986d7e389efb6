"""Show a breach that is certain, and the Reklamation that only people can make."""

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.properties import ObjectProperty, StringProperty

from kiosk.language.rules import rule_says, section_word
from kiosk.table.consent import held
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import ObjectionRaised
from kiosk.table.view.book_view import BookView
from kiosk.table.view.explanation import explain
from kiosk.table.view.table_view import OffenceView, TableView
from kiosk.ui.parts.cards import CardFace
from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import Sheet, dp, kv, plain, two_lines

#: What a Reklamation of one's own may be about, the frequent things first.
CODES = ("revoke", "out_of_turn", "late_announcement", "wrong_side", "missed_duty", "not_entitled", "no_leave")


def codes(book: BookView) -> list[str]:
    """List those of ``CODES`` that a book can have."""
    lacking = set()
    if not book.calls:
        lacking |= {"late_announcement", "wrong_side"}
    if not book.owes_calls:
        lacking.add("missed_duty")
    if not book.needs_leave:
        lacking.add("no_leave")
    return [code for code in CODES if code not in lacking]


class BreachSheet(Sheet):
    """The facts, the proof, the section, and a key for each seat that may object (eppstein 8.8)."""

    what = StringProperty("")
    rule = StringProperty("")
    proof = StringProperty("")
    who = StringProperty("")

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._offence: tuple[OffenceView, str] | None = None
        super().__init__(app, **kwargs)

    def show(self, view: TableView) -> None:
        live = [one for one in view.offences if one.claimants]
        if not live:
            self.close()
            return
        offence = live[-1]
        if (offence, self.app.language) == self._offence:
            return
        self._offence = offence, self.app.language
        app, text = self.app, self.app.words
        name = plain(view.seat(offence.seat).name)
        self.title = text["breach_title"]
        self.what = f"{name}: {app.say(offence.code)}"
        book, own = view.book, view.book.own_words.get(offence.section)
        shared = book.sentences
        rule = own or rule_says(offence.code, app.language, offence.section, shared, view.limits, book.counted)
        self.rule = (
            f"{rule} ({section_word(offence.section, app.language)})"
            if rule
            else section_word(offence.section, app.language)
        )
        names = [plain(seat.name) for seat in view.seats]
        self.proof = explain(offence, names, app.language) or text["breach_proof"]
        claim = view.book.sections["claim"]
        self.who = text["may_claim"] + (f" ({section_word(claim, app.language)})" if claim else "")
        self._cards(view, offence)
        keys = self.ids.key_box
        keys.clear_widgets()
        for seat in offence.claimants:
            claimant = plain(view.seat(seat).name)
            words = two_lines(text["claims"].format(name=claimant), text["press_and_hold"])
            keys.add_widget(HoldKey(calm_text=words, calm_tone="red", go=self._claiming(seat, offence)))

    def _cards(self, view: TableView, offence: OffenceView) -> None:
        box = self.ids.cards
        box.clear_widgets()
        called = offence.called if offence.called != offence.card else None
        for card, mark in ((offence.led, ""), (offence.card, "breach"), (called, ""), (offence.shown, "")):
            if card is not None:
                face = CardFace()
                face.size = dp(70), dp(98)
                face.down = card == offence.card and offence.down
                face.draw(self.app.faces, card)
                face.mark = mark
                box.add_widget(face)

    def _claiming(self, seat: int, offence: OffenceView) -> Callable[[], None]:
        request = request_for(ObjectionRaised, seat=seat, against=offence.seat, code=offence.code, breach=offence.event)

        def claim() -> None:
            self.close()
            self.app.request(held(request))

        return claim


class ComplainSheet(Sheet):
    """A Reklamation for something that no camera proves: claimant, offender, reason."""

    seat: int | None = ObjectProperty(None, allownone=True)
    against: int | None = ObjectProperty(None, allownone=True)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["complain_title"]
        self._ask_who()

    def _ask_who(self) -> None:
        self.ids.question.text = self.app.words["who_complains"]
        self.ids.seats.offer(self.app.view, self._who)

    def _who(self, seat: int) -> None:
        self.seat = seat
        self.ids.question.text = self.app.words["against_whom"]
        self.ids.seats.offer(self.app.view, self._whom, without=(seat,))

    def _whom(self, against: int) -> None:
        self.against = against
        self.ids.question.text = self.app.words["what_for"]
        self.ids.seats.clear_widgets()
        box = self.ids.codes
        for code in codes(self.app.view.book):
            box.add_widget(HoldKey(calm_text=self.app.say(code), calm_tone="ivory", go=partial(self._object, code)))
        box.add_widget(HoldKey(calm_text=self.app.words["void_other"], go=partial(self._object, None)))
        self.ids.seats.size_hint_y, self.ids.seats.height = None, 0
        box.size_hint_y = 1

    def _object(self, code: str | None) -> None:
        self.close()
        if self.seat is None:
            return
        named: dict[str, Any] = {} if code is None else {"code": code}
        self.app.request(held(request_for(ObjectionRaised, seat=self.seat, against=self.against, **named)))


kv(__file__)
