"""Whatever happens in a round of any book, the screen can draw it in both languages, and speaks of no other book."""

from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.language import LANGUAGES
from kiosk.language.rules import limits_words, rule_says, section_word
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode, decode_request
from kiosk.table.round.fold import open_round
from kiosk.table.view.explanation import explain
from kiosk.table.view.show import view

pytestmark = pytest.mark.slow


def texts(app: Any) -> str:
    """Everything that is written on the screen."""
    from kivy.uix.label import Label

    return "\n".join(widget.text for widget in app.root.walk() if isinstance(widget, Label) and widget.opacity)


@pytest.mark.parametrize("rules", BOOKS)
def test_every_moment_of_a_round(hand: Any, measure: Any, rules: str) -> None:
    """Every event is shown, but two of three cards after which nothing else is new, and the sheets that it opens.

    Each eighth moment's list is shown in English too.
    """
    round, eighth, offences = None, [], ()
    foreign = {book.capitalize() for book in BOOKS if book != rules}
    for number, event in enumerate(simulate(rules, 7, 3, mistakes=0.04)):
        round = open_round(decode(event)) if round is None else round.apply(decode(event))
        shown = view(round)
        names = [seat.name for seat in shown.seats]
        assert all(explain(one, names, language) for one in shown.offences for language in LANGUAGES)
        if number % 8 == 0:
            eighth.append(shown)
        if event["event"] == "card" and number % 3 and shown.offences == offences:
            continue
        offences = shown.offences
        hand.app.show(shown)
        hand.stage.step(1)
        if number % 3 == 0:
            hand.stage.step(1)
            measure.check_whole(hand.app.root)
        speaking = next((seat for seat in shown.seats if seat.games), None)
        opened = {
            "declare": {"seat": speaking.seat} if speaking else None,
            "bid": next(({"seat": seat.seat} for seat in shown.seats if any(seat.bids)), None),
            "breach": {} if any(one.claimants for one in shown.offences) else None,
            "ruling": {} if shown.presets and number % 3 == 0 else None,
        }
        for sheet, what in opened.items():
            if what is None:
                continue
            if "seat" in what:
                hand.app.screen("play").unfold(what["seat"], sheet)
            else:
                hand.app.sheets.open(sheet, **what)
            assert not foreign & set(texts(hand.app).split())
            hand.app.sheets.close()
            hand.app.screen("play").fold(what.get("seat"))
    hand.app.speak("en")
    for moment in eighth:
        hand.app.show(moment)
        hand.app.go("list")
        hand.stage.step(1)
        assert not foreign & set(texts(hand.app).split())
    hand.show(shown)
    hand.app.speak("de")
    hand.app.go("list")
    assert round is not None and max(hand.app.screen("list").rows.seen) == len(view(round).rows) - 1


@pytest.mark.parametrize(("rules", "players"), [(rules, n) for rules, book in BOOKS.items() for n in book.tables])
def test_what_is_offered_is_allowed_and_counts_as_long_as_it_says(rules: str, players: int) -> None:
    """Every call, bid, answer and game that a key offers passes; a duty shown is one that the book would miss."""
    from kiosk.errors import Refused
    from kiosk.table.decide import decide

    round, owed = None, False
    for number, event in enumerate(simulate(rules, 3, 4, players)):
        missed = [one for one in round.offences if one.code == "missed_duty"] if round else []
        round = open_round(decode(event)) if round is None else round.apply(decode(event))
        shown = view(round)
        late = [one for one in round.offences if one.code == "missed_duty" and one not in missed]
        assert not late or owed, "a duty was missed that the screen did not show"
        owed = any(seat.owes for seat in shown.seats)
        if number % 5:
            continue
        for seat in shown.seats:
            offered: list[dict[str, Any]] = [{"event": "call", "call": word} for word in seat.asks]
            offered += [{"event": "bid", "class": name} for name in seat.bids]
            offered += [{"event": "declare", **game} for game in seat.games if not game.get("leave")]
            for call in seat.calls:
                side = {"side": call.side} if call.side else {}
                offered.append({"event": "announce", "call": call.call, **side})
            for request in offered:
                try:
                    decide(round, decode_request({"seat": seat.seat, **request}))
                except Refused as refused:
                    pytest.fail(f"{request} of seat {seat.seat} after event {number}: {refused}")


def sections(rules: str) -> list[tuple[str, str]]:
    """Every code of an offence or refusal with the section that the book can cite for it."""
    book = BOOKS[rules]
    found = [("revoke", book.revoke_section), ("call_out_of_turn", book.answer_section)]
    found += [("out_of_turn", section) for section in book.turn_sections.values()]
    found += list(book.card_sections.items())
    found += [("not_entitled", kind.section) for kind in book.kinds if kind.allowed.__name__ != "any_cards"]
    codes = {
        "early": "early_announcement",
        "late_call": "late_announcement",
        "late_reply": "late_announcement",
        "late_absage": "late_announcement",
        "unfounded": "unfounded_announcement",
        "unfounded_reply": "unfounded_announcement",
        "skipped": "skipped_step",
        "repeated": "repeated_announcement",
        "wrong_side": "wrong_side",
    }
    found += [(codes[fault], section) for fault, section in book.calls.sections.items()]
    if book.must_announce is not None:
        found.append(("missed_duty", book.must_announce.section))
    found.append(("not_entitled", book.covering_section))
    found += [("not_released", book.sections["release"]), ("resting", book.sections["rest"])]
    found += [("missed_duty", book.sections["led_up"]), ("no_claim", book.sections["shorten"])]
    found.append(("lies", book.sections["take_back"]))
    if book.classes:
        found += [("not_entitled", section) for section in ("II 2.2", "II 2.1.1", "II 2.1.2", "II 2.1.3", "II 3.2")]
        found += [("no_leave", section) for section in ("II 2.2", "II 4.1.1", "II 4.1.2", "II 4.1.3")]
    return [(code, book.cite(section)) for code, section in found if section]


@pytest.mark.parametrize(
    ("rules", "code", "section"),
    [(rules, code, section) for rules in BOOKS for code, section in dict.fromkeys(sections(rules))],
)
def test_every_section_is_said_in_words(rules: str, code: str, section: str) -> None:
    limits = (("re", 9), ("kontra", 9), ("keine90", 8))
    for language in LANGUAGES:
        said = rule_says(code, language, section, BOOKS[rules].sentences, limits)
        repeated = code == "repeated_announcement" and not BOOKS[rules].calls.repeated_offends
        assert (said and "{" not in said) or repeated, f"{code} by {section}: {said!r}"
        assert section_word(section, language).strip()


def test_every_book_has_every_point() -> None:
    from kiosk.rules.engine.book import POINTS

    assert all(set(book.sections) == set(POINTS) for book in BOOKS.values())
    assert all(set(book.rulings) <= {"minor", "serious", "decided"} for book in BOOKS.values())


def test_limits_are_said_as_the_book_counts() -> None:
    assert limits_words((("re", 9), ("kontra", 9), ("keine90", 8)), "hand") == (
        "Re und Kontra mit mindestens 9 Karten in der Hand, keine 90 mit 8"
    )
    assert limits_words((("re", 5), ("kontra", 9), ("bock", 9)), "table", "en") == (
        "Re until card 5 on the table, Kontra and Bock until card 9 on the table"
    )
