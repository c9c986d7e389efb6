"""What is asked about a round's cards before its list is certain."""

from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.view.questions import questions

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}
DEAL = {"event": "deal", "dealer": 4}


def asked(cards: str, book: str = "eppstein") -> list[tuple[int, int, int, tuple[str, ...]]]:
    """Event, game, trick and answers of all questions; ``2CA/SA`` is in doubt, ``2!HQ/HJ`` face down."""
    bodies: list[dict[str, Any]] = [{**OPEN, "rules": book}, DEAL]
    for one in cards.split():
        if one == "end":
            bodies.append({"event": "rule", "offender": 1, "class": "serious"})
        elif one == "deal":
            bodies.append({"event": "deal", "dealer": 1})
        elif one == "hochzeit":
            bodies.append({"event": "declare", "seat": 4, "game": "hochzeit"})
        else:
            choices = one[1:].lstrip("!").split("/")
            body = {"event": "card", "seat": int(one[0]), "card": choices[0], "down": "!" in one}
            bodies.append({**body, **({"doubt": choices} if choices[1:] else {})})
    found = questions(fold(map(decode, bodies)), {2: b"a picture"}.get)
    assert all((one.picture == b"a picture") == (one.event == 2) for one in found)
    return [(one.event, one.game, one.trick, one.choices) for one in found]


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        pytest.param("1CA 2CT", [], id="nothing is in doubt"),
        pytest.param("1CA/SA 2CT", [(2, 1, 1, ("CA", "SA"))], id="a doubt"),
        pytest.param("1CA 2CT 3CK 4C9 1HA 2HK/H9", [(7, 1, 2, ("HK", "H9"))], id="in the second trick"),
        pytest.param("1CA/SA 2CT end deal 2HA/HT", [(2, 1, 1, ("CA", "SA")), (6, 2, 1, ("HA", "HT"))], id="two games"),
        pytest.param("1CA 2CA 3CA", [(2, 1, 1, ("CA",))], id="too many of a kind"),
        pytest.param("1CA 3CA 2CA", [(2, 1, 1, ("CA",))], id="too many of a kind, and one was out of turn"),
        pytest.param("1CA 3CT 2CK", [], id="one was out of turn"),
        pytest.param("1CA/SA 2CK 3CK 4CK", [(2, 1, 1, ("CA", "SA")), (3, 1, 1, ("CK",))], id="a doubt, and too many"),
        pytest.param("1CA/SA 2CA 3CA/ST 4CA", [(2, 1, 1, ("SA", "CA")), (4, 1, 1, ("ST", "CA"))], id="asked once"),
    ],
)  # fmt: skip
def test_what_is_asked(cards: str, found: list[tuple[int, int, int, tuple[str, ...]]]) -> None:
    assert asked(cards) == found


def test_nobody_is_asked_about_a_card_face_down_while_the_game_runs() -> None:
    """durchgaenge 4b: nobody is to look at it yet."""
    cards = "hochzeit 1SA 2SK/ST 3ST 4!HQ/HJ 1HA 2HT"
    assert [event for event, *_ in asked(cards, "durchgaenge")] == [4]
    assert [event for event, *_ in asked(f"{cards} end", "durchgaenge")] == [4, 6]


def test_all_cards_may_be_the_answer_where_nobody_saw_one() -> None:
    deck = tuple(dict.fromkeys(BOOKS["eppstein"].deck))
    bodies = [OPEN, DEAL, {"event": "card", "seat": 1, "card": "CA", "doubt": list(deck), "unseen": True}]
    (one,) = questions(fold(map(decode, bodies)))
    assert set(one.choices) == set(deck)
