"""What the deck settles is noted as a correction, once, with why; what cannot stand is left to people."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode, encode
from kiosk.table.events.values import Event
from kiosk.table.round.fold import Round, fold
from kiosk.table.settling import DoubtSettler

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}


class Noting:
    """A table that notes; ``refuse``: what happened later could not have happened so."""

    def __init__(self, cards: str, refuse: bool = False) -> None:
        bodies: list[dict[str, Any]] = [OPEN, {"event": "deal", "dealer": 4}]
        for one in cards.split():
            seat, *choices = int(one[0]), *one[1:].split("/")
            if choices == ["void"]:
                bodies += [{"event": "void"}, {"event": "deal", "dealer": 4}]
                continue
            body = {"event": "card", "seat": seat, "card": choices[0]}
            if choices[1:]:
                body |= {"doubt": choices, "scores": [0.8, 0.79], "margin": 0.0}
            bodies.append(body)
        self.events: list[Event] = [decode(body) for body in bodies]
        self.round: Round = fold(self.events)
        self.refuse, self.tried = refuse, 0
        self.settler = DoubtSettler(self)

    def add(self, body: dict[str, Any]) -> None:
        self.events.append(decode(body))
        self.round = fold(self.events)

    def note(self, event: Event, picture: bytes | None = None) -> int:
        self.tried += 1
        if self.refuse:
            raise BadEvent("it cannot stand")
        self.events.append(event)
        self.round = fold(self.events)
        self.settler.settle()  # as a table does with every event
        return len(self.events) - 1

    @property
    def said(self) -> list[tuple[int, str, str, str]]:
        noted = [encode(event) for event in self.events]
        return [(one["of"], one["card"], one["by"], one["why"]) for one in noted if one.get("by") == "composition"]


NO_OTHER = "no other of its choices is left"


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        pytest.param("1CA 2CA 3CT/CA", [(4, "CT")], id="both others lie"),
        pytest.param("1CA 2CA 3CA/CT 4CT/CK 1CT/CA", [(4, "CT"), (5, "CK"), (6, "CT")], id="as they do not count"),
        pytest.param("1CA 2CK 3CT/CA", [], id="one is left"),
        pytest.param("1CA 2CA 3CT", [], id="nothing is in doubt"),
        pytest.param("1CA 2CA 3SA 4SA 1CT/CA 2ST/SA", [(6, "CT"), (7, "ST")], id="two, each once"),
        pytest.param("1CA/SA 2void 1CA 2CA 3CT/CA", [(7, "CT")], id="of this game alone"),
    ],
)
def test_what_the_deck_leaves(cards: str, said: list[tuple[int, str]]) -> None:
    table = Noting(cards)
    table.settler.settle()
    assert table.said == [(of, card, "composition", NO_OTHER) for of, card in said]
    number = table.tried
    table.settler.settle()
    assert table.tried == number  # it is said once


def test_the_deck_comes_to_know_better() -> None:
    """What it has said is open to it as long as cards come in or are corrected."""
    table = Noting("1CA 2CA 3CT/CA")
    table.settler.settle()
    table.add({"event": "correct", "of": 2, "card": "CT", "by": "seat 1"})
    table.add({"event": "card", "seat": 4, "card": "CT"})
    table.settler.settle()
    assert [(of, card) for of, card, *_ in table.said] == [(4, "CT"), (4, "CA")]


def test_it_comes_to_know_better_of_the_last_card() -> None:
    table = Noting("1CA 2CA 3CT 4CT/CA")
    table.settler.settle()
    table.add({"event": "correct", "of": 2, "card": "CT", "by": "seat 1"})
    table.settler.settle()
    assert [(of, card) for of, card, *_ in table.said] == [(5, "CT"), (5, "CA")]


def test_what_cannot_stand_is_tried_once() -> None:
    table = Noting("1CA 2CA 3CT/CA", refuse=True)
    table.settler.settle()
    table.settler.settle()
    assert (table.said, table.tried) == ([], 1)


def played_out(doubtful: int, as_other: str) -> str:
    """A whole game, each card of a number of tricks by the seat that takes the one before, one card in doubt."""
    rest, seat, cards = list(BOOKS["eppstein"].deck), 1, []
    for number in range(48):
        card = rest.pop(0)
        cards.append(f"{seat}{card}" + (f"/{as_other}" if number == doubtful else ""))
        seat = seat % 4 + 1
    return " ".join(cards)


def test_a_game_that_is_played_out_leaves_no_other_card() -> None:
    deck = BOOKS["eppstein"].deck
    table = Noting(played_out(20, next(card for card in deck if card != deck[20])))
    table.settler.settle()
    assert table.said == [(22, deck[20], "composition", "the deck leaves no other card")]
    table.add({"event": "deal", "dealer": table.round.next_dealer})
    table.settler.settle(all_games=False)
    assert len(table.said) == 1


def test_an_earlier_game_is_looked_at_again_if_all_are() -> None:
    """A card of it that was put right may leave another card for a doubt that was settled."""
    deck = BOOKS["eppstein"].deck
    table = Noting(played_out(20, "HT"))
    table.settler.settle()
    table.add({"event": "deal", "dealer": table.round.next_dealer})
    first = next(n for n, card in enumerate(deck) if card == "HT")
    table.add({"event": "correct", "of": first + 2, "card": deck[20], "by": "referee"})
    table.settler.settle(all_games=False)
    assert len(table.said) == 1
    table.settler.settle()
    assert [(of, card) for of, card, *_ in table.said] == [(22, deck[20]), (22, "HT")]
