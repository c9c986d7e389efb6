"""Of what was read of an open hand, the game says which cards it can be."""

from dataclasses import replace

import pytest

from kiosk.table.inference.doubts import Observation
from kiosk.table.inference.open_hand import SeenCard, cards_of_hand
from kiosk.table.inference.position import Lying, Position
from kiosk.table.inference.seats import Sight
from vision.messages import ShownCard

DECK = ("HT", "HT", "CQ", "CQ", "SQ", "SQ", "HK", "HK", "H9", "H9")


def read(label: str | None, *choices: str, margin: float = 0.8, x: float = 0.0, y: float = 0.0) -> ShownCard:
    named = choices or ((label,) if label else ())
    return ShownCard(label=label, margin=margin, choices=tuple((one, 0.5) for one in named), x=x, y=y)


def position(*laid: str, doubts: tuple[str, ...] = ()) -> Position:
    seen = [Observation(event=n, card=card) for n, card in enumerate(laid)]
    seen += [Observation(event=100 + n, card=card, choices=((card, 0.6), ("HK", 0.4))) for n, card in enumerate(doubts)]
    return Position(
        playing=True, begun=True, may_deal=False, due=1, perhaps_due=(), waiting=(1,), order=(1, 2, 3, 4),
        perhaps_order=(), open_trick=(), last_trick=(), retractable=frozenset(), seen=tuple(seen), deck=DECK, hands={},
        covers=(),
    )  # fmt: skip


def trick_card(card: str, x: float, y: float) -> Lying:
    return Lying(event=1, seat=2, card=card, doubt=(), settled=False, sight=Sight((x, y)))


UNSEEN = replace(trick_card("HK", 0, 0), sight=None)


@pytest.mark.parametrize(
    ("cards", "laid", "lying", "size", "found"),
    [
        pytest.param([read("HT"), read("CQ")], (), (), 2, [SeenCard("HT"), SeenCard("CQ")], id="as it was read"),
        pytest.param(
            [read("HT"), read("CQ")], ("HT", "HT"), (), 2, [SeenCard(None), SeenCard("CQ")],
            id="both were laid: a doubt",
        ),
        pytest.param(
            [read("HT", margin=0.3), read("HT", margin=0.9), read("CQ")], ("HT",), (), 3,
            [SeenCard(None), SeenCard("HT"), SeenCard("CQ")], id="one too many: the weaker one",
        ),
        pytest.param(
            [read(None, "HT", "HK"), read("CQ")], ("HT",), (), 2, [SeenCard(None, ("HT", "HK")), SeenCard("CQ")],
            id="a doubt with its choices",
        ),
        pytest.param(
            [read(None, "HK", "HT"), read("CQ")], ("HT", "HT"), (), 2, [SeenCard("HK"), SeenCard("CQ")],
            id="one choice is left, the likeliest",
        ),
        pytest.param(
            [read(None, "HT", "HK"), read("CQ")], ("HT", "HT"), (), 2, [SeenCard(None, ("HK",)), SeenCard("CQ")],
            id="one choice is left, the other one",
        ),
        pytest.param(
            [read("CQ"), read(None, "H9", "HK", margin=0.05), read("SQ")], (), (), 2,
            [SeenCard("CQ"), SeenCard("SQ")], id="the hand is full without the doubt",
        ),
        pytest.param(
            [read("CQ", x=5, y=5), read("CQ", x=80), read("SQ", x=100)], (), (trick_card("CQ", 0, 0),), 2,
            [SeenCard("CQ"), SeenCard("SQ")], id="a card of the trick is none of it",
        ),
        pytest.param(
            [read("CQ", x=80), read("SQ", x=100)], (), (trick_card("CQ", 0, 0),), 2,
            [SeenCard("CQ"), SeenCard("SQ")], id="an equal one farther away is",
        ),
        pytest.param(
            [read("CQ"), read("SQ"), read("HK")], (), (), 2, [SeenCard("CQ"), SeenCard("SQ"), SeenCard("HK")],
            id="clear ones are all told",
        ),
        pytest.param([read("HT"), read("HT")], (), (), 2, [SeenCard("HT")] * 2, id="both of a kind"),
        pytest.param(
            [read(None, "HK", "HT"), read(None, "HK", "HT")], ("HT", "HT"), (), 2, [SeenCard("HK")] * 2,
            id="one choice is left of two doubts, and two cards of it",
        ),
        pytest.param(
            [read(None, "HK", "HT"), read(None, "HK", "HT")], ("HT", "HT", "HK"), (), 2,
            [SeenCard("HK"), SeenCard(None, ("HK",))], id="one choice is left of two doubts, and one card of it",
        ),
        pytest.param(
            [read("CQ", x=45, y=30), read("CQ", x=-40, y=30), read("SQ")], (), (trick_card("CQ", 40, 30),), 2,
            [SeenCard("CQ"), SeenCard("SQ")], id="that of the trick is the nearer one across",
        ),
        pytest.param(
            [read("CQ", x=30, y=45), read("CQ", x=30, y=-40), read("SQ")], (), (trick_card("CQ", 30, 40),), 2,
            [SeenCard("CQ"), SeenCard("SQ")], id="that of the trick is the nearer one along",
        ),
        pytest.param(
            [read("SQ", x=5), read("CQ", x=80)], (), (UNSEEN, trick_card("SQ", 0, 0)), 1, [SeenCard("CQ")],
            id="one of the trick was not seen lying",
        ),
        pytest.param(
            [read("CQ", x=36, y=48), read("SQ")], (), (trick_card("CQ", 0, 0),), 1, [SeenCard("SQ")],
            id="60 mm from the middle it is that of the trick",
        ),
        pytest.param(
            [read("CQ", x=36, y=48.5), read("SQ")], (), (trick_card("CQ", 0, 0),), 2, [SeenCard("CQ"), SeenCard("SQ")],
            id="beyond it is another one",
        ),
        pytest.param(
            [read(None, "SQ", "CQ", x=5), read(None, "CQ", "SQ", x=8)], (), (trick_card("CQ", 0, 0),), 1,
            [SeenCard(None, ("SQ", "CQ"))], id="that of the trick is the one that it is likeliest",
        ),
        pytest.param([read("ZZ"), read("CQ")], (), (), 2, [SeenCard(None), SeenCard("CQ")], id="no card of this deck"),
        pytest.param([], (), (), 2, [], id="nothing"),
    ],
)  # fmt: skip
def test_cards_of_a_hand(
    cards: list[ShownCard], laid: tuple[str, ...], lying: tuple[Lying, ...], size: int, found: list[SeenCard]
) -> None:
    assert cards_of_hand(cards, position(*laid), lying, size) == tuple(found)


def test_a_card_in_doubt_that_was_laid_takes_no_copy() -> None:
    """Nobody knows yet what it was."""
    assert cards_of_hand([read("HT")], position("HT", doubts=("HT",)), (), 1) == (SeenCard("HT"),)
