"""What a finger does at a table that nobody directs: evening, options, the next round, those before."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.evenings import RoundKey
from kiosk.table.events.codec import decode
from kiosk.table.events.values import Consent
from kiosk.table.round.fold import fold
from kiosk.table.view.show import view
from kiosk.table.view.table_view import TableView
from kiosk.ui.earlier.earlier_requests import ListRounds, NextRound, ResumeRound, ShowRound
from kiosk.ui.earlier.earlier_view import EarlierView, RoundLine
from kiosk.ui.seats.seats_view import SeatsView

pytestmark = pytest.mark.slow

EVENING = "2026-11-22 Vereinsabend"
KEY = RoundKey(evening=EVENING, table=1, round=1)
PLAYERS = ("Anna", "Bernd", "Cem", "Dora")
ALONE = SeatsView(
    alone=True,
    kept=True,
    new=True,
    evening="2026-11-22",
    players=PLAYERS,
    books=tuple((name, book.title) for name, book in BOOKS.items()),
)


@cache
def closed() -> TableView:
    """A round that has been played to its end."""
    return replace(view(fold(map(decode, simulate("bsv", 3)))), evening=EVENING)


@pytest.fixture
def alone(hand: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The app of a table on its own; what it asks for is kept as values."""
    before, hand.asked = hand.app.seating, []
    monkeypatch.setattr(hand.app, "request", hand.asked.append)
    hand.app.sit_down(ALONE)
    hand.stage.step(3)
    yield hand
    hand.app.show(None)
    hand.app.sit_down(before)
    hand.stage.step(3)


def test_a_round_is_opened_on_its_evening(alone: Any) -> None:
    alone.touch("22.11.2026")
    for letter in "OSTERN":
        from kiosk.ui.parts.keyboard import Letter

        alone.stage.touch(alone.stage.find(Letter, text=letter))
    alone.touch("Fertig")
    alone.hold("Alle sitzen")
    (opened,) = (one.event for one in alone.asked)
    assert (opened.tournament, opened.players, opened.round) == ("2026-11-22 Ostern", PLAYERS, 1)


def test_an_evening_that_goes_on_keeps_its_name(alone: Any) -> None:
    alone.app.sit_down(replace(ALONE, new=False, evening=EVENING, round=2))
    alone.stage.step(3)
    alone.touch("Vereinsabend")
    assert alone.app.sheets.current is None and alone.app.screen("seats").hint == "Der Abend geht weiter."
    alone.hold("Alle sitzen")
    assert (alone.asked[0].event.tournament, alone.asked[0].event.round) == (EVENING, 2)


@pytest.mark.parametrize("book", BOOKS)
def test_every_option_can_be_stepped_and_is_sent(alone: Any, book: str) -> None:
    screen = alone.app.screen("seats")
    screen.rules, screen.options = book, {}
    alone.touch("Regeln einstellen")
    sheet, seen = alone.app.sheets.current, set()
    for _ in range(int(sheet.pages)):
        names = [row.name for row in sheet._rows if row.there]
        for name in names:
            before = dict(screen.options)
            sheet.step(name, 1)
            if not sheet.wrong and screen.options.get(name) == next(
                one.default for one in BOOKS[book].options if one.name == name
            ):
                sheet.step(name, -1)  # it stood at its highest
            assert sheet.wrong or screen.options.get(name) is not None, name
            assert not sheet.wrong or screen.options == before
        seen |= set(names)
        sheet.turn(1)
    assert seen == {one.name for one in BOOKS[book].options if len(one.values) > 1}
    BOOKS[book].settle(screen.options)
    chosen = dict(screen.options)
    alone.touch("Fertig")
    alone.hold("Alle sitzen")
    assert alone.asked[0].event.options == chosen and chosen
    alone.touch("Regeln einstellen")
    alone.touch("Alles wie im Buch")
    assert screen.options == {}


@pytest.mark.parametrize(("key", "evening"), [("Nächste Runde", EVENING), ("Neuer Abend", "")])
def test_after_the_list_is_handed_in(alone: Any, key: str, evening: str) -> None:
    alone.show(closed())
    assert alone.app.current == "list"  # so it is found after a restart, too
    alone.touch(key)
    assert alone.asked == [NextRound(evening)]


def test_a_table_that_keeps_no_rounds_offers_none(hand: Any) -> None:
    with pytest.raises(LookupError):  # nobody sits
        hand.stage.key("Frühere Runden")
    hand.show(replace(closed(), closed=False, phase="dealing"))
    hand.touch("Mehr")
    with pytest.raises(LookupError):
        hand.stage.key("Frühere Runden")


def test_a_directed_table_offers_no_next_round(hand: Any) -> None:
    hand.show(closed())
    for words in ("Nächste Runde", "Neuer Abend"):
        with pytest.raises(LookupError):
            hand.stage.key(words)


def test_an_open_round_is_left_by_a_held_key_alone(alone: Any) -> None:
    alone.show(replace(closed(), closed=False, phase="dealing"))
    alone.touch("Mehr")
    alone.touch("Neuer Abend")
    key = alone.stage.key("Neuer Abend")
    alone.stage.touch(key)
    assert alone.asked == []
    alone.stage.step(3)
    alone.stage.touch(key, seconds=1.0)
    assert alone.asked == [NextRound("", Consent(deliberate=True))]


def line(number: int) -> RoundLine:
    key = replace(KEY, round=number)
    return RoundLine(key=key, rules="bsv", players=PLAYERS, handed_in=number > 1, up=number == 1)


@pytest.mark.parametrize("rounds", [0, 1, 5, 6, 11])
def test_every_earlier_round_is_found_on_its_page(alone: Any, rounds: int) -> None:
    alone.touch("Frühere Runden")
    assert alone.asked == [ListRounds()]
    alone.app.rounds(tuple(line(number) for number in range(1, rounds + 1)))
    alone.stage.step(3)
    found = []
    screen = alone.app.screen("earlier")
    assert screen.none == (rounds == 0)
    for _ in range(int(screen.pages)):
        for key in [one for one in screen._keys if not one.disabled]:
            alone.stage.touch(key)
            found.append(alone.asked[-1])
        screen.turn(1)
    assert found == [ShowRound(replace(KEY, round=number)) for number in range(1, rounds + 1)]


@pytest.mark.parametrize(
    ("resume", "follow", "words", "sent"),
    [
        (True, False, "Diese Runde weiterspielen", ResumeRound(KEY, Consent(deliberate=True))),
        (False, True, "Abend weiterführen", NextRound(EVENING)),
    ],
)
def test_an_earlier_list_asks_for_nothing_but_what_it_offers(
    alone: Any, resume: bool, follow: bool, words: str, sent: Any
) -> None:
    alone.touch("Frühere Runden")
    signable = replace(closed(), may_sign=(1, 2), may_close=True, signed=(3,))
    alone.app.earlier(EarlierView(key=KEY, view=signable, may_resume=resume, may_follow=follow))
    alone.stage.step(20)
    alone.asked.clear()
    from kiosk.ui.parts.look import Key

    for key in [one for one in alone.app.screen("earlier").sheet.walk(restrict=True) if isinstance(one, Key)]:
        if not key.disabled:
            alone.stage.touch(key, seconds=1.0)
    assert alone.asked == []
    alone.stage.touch(alone.stage.key(words), seconds=1.0)
    assert alone.asked == [sent]


def test_what_was_written_survives_a_new_tree(alone: Any) -> None:
    screen = alone.app.screen("seats")
    screen.names[0], screen.evening, screen.rules = "Emil", "2026-11-22 Ostern", "bsv"
    screen.set_options({"value_won": 2})
    alone.app.rebuild()
    alone.stage.step(3)
    screen = alone.app.screen("seats")
    assert (screen.names[0], screen.evening, screen.rules) == ("Emil", "2026-11-22 Ostern", "bsv")
    assert screen.options == {"value_won": 2}
