"""A deck is checked before the camera: what is missing, double or foreign; no card of it reaches a game."""

from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.app.deck_check_desk import ASK_AGAIN_S, FRENCH_CARDS, DeckCheckDesk
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import RuleBook
from kiosk.ui.camera.set_up_requests import CheckDeck, ShowCamera
from vision.messages import CardGone, CardLaid, Command, HandRead, ReadHand, ShownCard, Tick, TrickTaken

BOOK = BOOKS["durchgaenge"]  # forty cards, each twice


def laid(number: int, label: str | None, **more: Any) -> CardLaid:
    return CardLaid(at=1.0, card=number, label=label, margin=0.9, choices=(), x=0.0, y=0.0, angle=0.0, **more)


def read(cards: list[str | None], by: str = "indices") -> HandRead:
    """A reading; None is a doubt between two cards, "?" a letter-like part of a picture."""
    choices = {None: (("CQ", 0.6), ("SQ", 0.4)), "?": (("D5", 0.25), ("D9", 0.14))}
    labels = [None if card == "?" else card for card in cards]
    shown = tuple(
        ShownCard(label=label, margin=0.9, choices=choices.get(card, ((card or "", 0.99),)), x=0.0, y=0.0)
        for card, label in zip(cards, labels, strict=True)
    )
    return HandRead(at=1.0, cards=shown, by=by)


class Bench:
    """A desk between games, what it shows, and what it has sent to the camera's process."""

    def __init__(self, checks: bool = True, *, spread: bool = False, book: RuleBook = BOOK) -> None:
        self.quiet, self.shown, self.sent, self.now = True, list[Any](), list[Command](), 0.0
        outputs: Any = SimpleNamespace(deck_check=self.shown.append)
        self.desk = DeckCheckDesk(outputs, lambda: self.quiet, lambda: book, self.sent.append, lambda: self.now)
        if checks:
            assert self.desk.takes(CheckDeck(True, spread=spread))

    def spread(self, *goes: list[str | None]) -> Any:
        for cards in goes:
            assert self.desk.keeps(read(cards))
        return self.shown[-1]

    def show(self, cards: list[str | None]) -> Any:
        for number, card in enumerate(cards, start=1):
            assert self.desk.keeps(laid(number, card))
        return self.shown[-1]


def without(*gone: str) -> list[str | None]:
    cards: list[str | None] = list(BOOK.deck)
    for card in gone:
        cards.remove(card)
    return cards


@pytest.mark.parametrize(
    ("cards", "missing", "double", "foreign", "unread"),
    [
        (without(), (), (), (), 0),
        (without("CQ"), ("CQ",), (), (), 0),
        (without("CQ", "CQ"), ("CQ", "CQ"), (), (), 0),
        ([*without("CA"), "CQ"], ("CA",), ("CQ",), (), 0),
        ([*without(), "C9"], (), (), ("C9",), 0),
        ([*without("DJ"), None], ("DJ",), (), (), 1),
    ],
    ids=["whole", "one missing", "both missing", "a third one", "a nine left in", "one of another pack"],
)
def test_what_is_wrong_with_a_deck(
    cards: list[str | None], missing: Any, double: Any, foreign: Any, unread: int
) -> None:
    view = Bench().show(cards)
    assert (view.missing, view.double, view.foreign, view.unread) == (missing, double, foreign, unread)
    assert view.right == (len(cards) == 40 and not missing) and view.seen == len(cards)


def test_a_card_read_again_is_the_same_card() -> None:
    """It was in doubt, then known; then it was taken away, and lies no more, but was seen."""
    bench = Bench()
    for message in (laid(1, None), laid(1, "CQ"), CardGone(at=2.0, card=1), TrickTaken(at=3.0, cards=(1,))):
        assert bench.desk.keeps(message)
    assert (bench.shown[-1].seen, bench.shown[-1].unread) == (1, 0)
    assert bench.shown[-1].missing.count("CQ") == 1


def test_a_back_is_no_card_of_the_deck() -> None:
    bench = Bench()
    assert bench.desk.keeps(laid(1, None, face_down=True))
    assert bench.shown[-1].seen == 0


def test_begun_anew_nothing_was_seen() -> None:
    bench = Bench()
    bench.show(["CQ", "CA"])
    assert bench.desk.takes(CheckDeck(True)) and bench.shown[-1].seen == 0


@pytest.mark.parametrize("ends", ["the sheet", "the camera's page", "a game"])
def test_after_the_check_cards_reach_the_game(ends: str) -> None:
    bench = Bench()
    if ends == "a game":
        bench.quiet = False
    else:
        assert bench.desk.takes(CheckDeck(False) if ends == "the sheet" else ShowCamera(False)) == (ends == "the sheet")
    assert not bench.desk.keeps(laid(1, "CQ"))
    bench.quiet = True
    assert not bench.desk.keeps(laid(2, "CQ"))


def test_other_messages_and_requests_are_left_to_others() -> None:
    bench = Bench()
    request: Any = object()
    assert not bench.desk.keeps(Tick(at=1.0)) and not bench.desk.takes(request)
    assert not Bench(checks=False).desk.keeps(laid(1, "CQ"))


def test_no_check_while_a_game_runs() -> None:
    bench = Bench(checks=False)
    bench.quiet = False
    with pytest.raises(Refused, match="between games"):
        bench.desk.takes(CheckDeck(True))


DECK = without()
HALF, REST = DECK[:20], DECK[20:]


@pytest.mark.parametrize(
    ("goes", "seen", "unread", "right"),
    [
        ([DECK], 40, 0, True),
        ([HALF, DECK], 40, 0, True),
        ([HALF, [], REST], 40, 0, True),
        ([HALF, HALF[:12], HALF[:4], ["CQ"], REST], 40, 0, True),
        ([[*DECK[:39], None], DECK], 40, 0, True),
        ([HALF, HALF], 20, 0, False),
        ([[*DECK, "C9"], DECK], 40, 0, True),
        ([[*DECK[:39], None]], 40, 1, False),
        ([[*DECK, "?"]], 40, 0, True),
        ([DECK[:39], [], DECK], 79, 0, False),
        ([[*DECK[:39], "C9"], [], DECK], 40, 0, True),
        ([[]], 0, 0, False),
    ],
    ids=[
        "all at once",
        "row by row",
        "in two goes",
        "a go that is taken away by and by",
        "one that was in doubt, put straight",
        "read twice as it lies",
        "a nine taken out",
        "one in doubt",
        "print like a letter",
        "the same cards in a second go, one was missing",
        "another deck after a whole one",
        "nothing",
    ],
)
def test_a_deck_that_is_spread_out(goes: list[Any], seen: int, unread: int, right: bool) -> None:
    view = Bench(spread=True).spread(*goes)
    assert (view.seen, view.unread, view.right, view.spread) == (seen, unread, right, True)


def test_what_is_spread_out_is_read_alone_until_the_check_ends() -> None:
    bench = Bench(spread=True)
    assert bench.sent == [ReadHand(faces=FRENCH_CARDS, alone=True)]
    assert bench.desk.keeps(laid(1, "CQ")) and bench.shown[-1].seen == 0, "a card that was tracked just before"
    bench.desk.beat()
    assert len(bench.sent) == 1
    bench.now += ASK_AGAIN_S
    bench.desk.beat()
    assert bench.sent == [ReadHand(faces=FRENCH_CARDS, alone=True)] * 2, "the camera's process may have begun anew"
    assert bench.desk.takes(CheckDeck(False))
    bench.now += ASK_AGAIN_S
    bench.desk.beat()
    assert bench.sent[2:] == [ReadHand(on=False)]
    assert not bench.desk.keeps(read(DECK)), "somebody claims the rest with his hand laid open"


@pytest.mark.parametrize("ends", ["card by card", "the camera's page", "a game, at a beat", "a game, by a card"])
def test_what_ends_reading_a_spread_deck(ends: str) -> None:
    bench = Bench(spread=True)
    bench.quiet = "a game" not in ends
    match ends:
        case "card by card":
            assert bench.desk.takes(CheckDeck(True)) and not bench.shown[-1].spread
        case "the camera's page":
            bench.desk.takes(ShowCamera(False))
        case "a game, at a beat":
            bench.desk.beat()
        case _:
            assert not bench.desk.keeps(laid(1, "CQ")), "it is a card of the game"
    assert bench.sent[-1] == ReadHand(on=False)


def test_where_nothing_can_be_read_it_is_said() -> None:
    bench = Bench(spread=True)
    assert bench.desk.keeps(read([], by="nothing"))
    assert not bench.shown[-1].readable


def test_a_bavarian_deck_is_not_spread_out() -> None:
    bench = Bench(checks=False, book=BOOKS["schaffkopf"])
    with pytest.raises(Refused, match="letters"):
        bench.desk.takes(CheckDeck(True, spread=True))
    assert bench.sent == []
