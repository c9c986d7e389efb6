"""A deck is checked before the camera: what is missing, double or foreign; no card of it reaches a game."""

from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.app.deck_check_desk import DeckCheckDesk
from kiosk.errors import Refused
from kiosk.rules.books import BOOKS
from kiosk.ui.camera.set_up_requests import CheckDeck, ShowCamera
from vision.messages import CardGone, CardLaid, Tick, TrickTaken

BOOK = BOOKS["durchgaenge"]  # forty cards, each twice


def laid(number: int, label: str | None, **more: Any) -> CardLaid:
    return CardLaid(at=1.0, card=number, label=label, margin=0.9, choices=(), x=0.0, y=0.0, angle=0.0, **more)


class Bench:
    """A desk between games, and what it shows."""

    def __init__(self, checks: bool = True) -> None:
        self.quiet, self.shown = True, list[Any]()
        outputs: Any = SimpleNamespace(deck_check=self.shown.append)
        self.desk = DeckCheckDesk(outputs, lambda: self.quiet, lambda: BOOK)
        if checks:
            assert self.desk.takes(CheckDeck(True))

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
