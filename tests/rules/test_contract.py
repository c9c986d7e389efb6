"""Trumps, ranks and tricks (eppstein 1.3, 4.4.2)."""

import pytest

from kiosk.rules.books import EPPSTEIN
from kiosk.rules.engine.contract import TRUMP, Contract, follows, suit_of
from kiosk.rules.engine.tricks import Laid, Trick, best


def named(game: str, suit: str | None = None) -> Contract:
    return EPPSTEIN.normal if game == "normal" else EPPSTEIN.contracts[game, suit]


@pytest.mark.parametrize(
    ("game", "suit", "trumps"),
    [
        pytest.param("normal", None, 26, id="1.3.4"),
        pytest.param("hochzeit", None, 26, id="3.5.1"),
        pytest.param("trumpfsolo", None, 26, id="1.3.5"),
        pytest.param("damensolo", None, 8, id="1.3.6"),
        pytest.param("bubensolo", None, 8, id="1.3.7"),
        pytest.param("farbsolo", "H", 12, id="1.3.8"),
        pytest.param("fleischlos", None, 0, id="1.3.9"),
    ],
)
def test_number_of_trumps(game: str, suit: str | None, trumps: int) -> None:
    contract = named(game, suit)
    assert sum(suit_of(contract, card) == TRUMP for card in EPPSTEIN.deck) == trumps
    assert len(EPPSTEIN.deck) == 48


def test_the_normal_order_is_the_books() -> None:
    """1.3.4 a."""
    order = ["HT", "CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ", "DA", "DT", "DK", "D9"]
    assert list(EPPSTEIN.normal.trumps) == order


@pytest.mark.parametrize(
    ("game", "suit", "order"),
    [
        pytest.param("normal", None, "CA CT CK C9", id="1.3.4 b"),
        pytest.param("normal", None, "HA HK H9", id="1.3.4 b hearts"),
        pytest.param("damensolo", None, "HA HT HK HJ H9", id="1.3.6 b"),
        pytest.param("bubensolo", None, "HA HT HK HQ H9", id="1.3.7"),
        pytest.param("farbsolo", "C", "SA ST SK SQ SJ S9", id="1.3.8 b"),
        pytest.param("fleischlos", None, "HA HT HK HQ HJ H9", id="1.3.9"),
    ],
)
def test_plain_order(game: str, suit: str | None, order: str) -> None:
    contract = named(game, suit)
    cards = order.split()
    assert all(follows(contract, cards[0], card) for card in cards)
    powers = [contract.power[card] for card in cards]
    assert powers == sorted(powers, reverse=True) and len(set(powers)) == len(powers)


HIGHEST = {"second_ht": "highest_trump"}


@pytest.mark.parametrize(
    ("game", "suit", "cards", "winner", "options"),
    [
        pytest.param("normal", None, "CK CA C9 CT", 2, HIGHEST, id="4.4.2 1 followed throughout"),
        pytest.param("normal", None, "C9 SA HA SK", 1, HIGHEST, id="4.4.2 2 neither followed nor trumped"),
        pytest.param("normal", None, "CA D9 CT CK", 2, HIGHEST, id="4.4.2 3 trumped by one"),
        pytest.param("normal", None, "CA DJ CJ DA", 3, HIGHEST, id="4.4.2 4 overtrumped"),
        pytest.param("normal", None, "DJ CQ SQ DA", 2, HIGHEST, id="4.4.2 5 trump led"),
        pytest.param("normal", None, "D9 SA CA HA", 1, HIGHEST, id="4.4.2 6 only plain cards"),
        pytest.param("normal", None, "CK CA CA C9", 2, HIGHEST, id="4.4.2 the first of two equal"),
        pytest.param("normal", None, "DQ SQ SQ HQ", 2, HIGHEST, id="4.4.2 the first of two equal trumps"),
        pytest.param("normal", None, "DQ HT CQ HT", 4, HIGHEST, id="4.4.2 the second Herz 10"),
        pytest.param("normal", None, "HT DQ HT CQ", 3, HIGHEST, id="4.4.2 the second Herz 10 on the first"),
        pytest.param("trumpfsolo", None, "HT DQ HT CQ", 3, HIGHEST, id="4.4.2 in Trumpfsolo"),
        pytest.param("damensolo", None, "H9 HT HT HK", 2, HIGHEST, id="4.4.2 Herz 10 plain in Damensolo"),
        pytest.param("farbsolo", "H", "H9 HT HT HK", 2, HIGHEST, id="4.4.2 Herz 10 an ordinary trump"),
        pytest.param("farbsolo", "H", "H9 HT HT HK", 3, {"second_ht": "any_trump"}, id="option any_trump"),
        pytest.param("damensolo", None, "H9 HT HT HK", 2, {"second_ht": "any_trump"}, id="option any_trump, plain"),
        pytest.param("normal", None, "DQ HT CQ HT", 2, {"second_ht": "never"}, id="option never"),
    ],
)
def test_who_takes_the_trick(game: str, suit: str | None, cards: str, winner: int, options: dict[str, str]) -> None:
    contract = named(game, suit)
    laid = tuple(Laid(10 + n, n, card) for n, card in enumerate(cards.split(), start=1))
    settled = EPPSTEIN.settle(options)
    assert best(contract, EPPSTEIN.equal_order(laid), EPPSTEIN.second_wins(contract, settled)).seat == winner


def test_a_trick_without_the_seats_card() -> None:
    laid = tuple(Laid(n, n, card) for n, card in ((1, "CA"), (2, "CT"), (3, "C9"), (5, "CK")))
    trick = Trick(cards=laid, leader=1, winner=1, points=25)
    assert (trick.card_of(5), trick.winning_card) == ("CK", "CA")
    with pytest.raises(ValueError, match="seat 4 has no card"):
        trick.card_of(4)
