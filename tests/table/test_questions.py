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
        pytest.param("1CA/SA 2CK 3CK 4CK", [(3, 1, 1, ("CK",)), (2, 1, 1, ("CA", "SA"))], id="a doubt, and too many"),
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


DECK = BOOKS["eppstein"].deck


def played_out(read: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """Event, trick and answers of what is asked once all cards lie, of which that of event 22 was read so."""
    cards = [f"{number % 4 + 1}{card}" for number, card in enumerate(DECK)]
    bodies: list[dict[str, Any]] = [OPEN, DEAL]
    for number, one in enumerate(cards, start=2):
        choices = read.split("/") if number == 22 else [one[1:]]
        margin = {"margin": 0.01, "rivals": ["S9"], "scores": [1.0, 0.99]} if number == 22 and not choices[1:] else {}
        doubt = {"doubt": choices, "scores": [1.0, 0.99]} if choices[1:] else margin
        bodies.append({"event": "card", "seat": int(one[0]), "card": choices[0], **doubt})
    return [(one.event, one.trick, one.choices) for one in questions(fold(map(decode, bodies)))]


@pytest.mark.parametrize(
    ("read", "found"),
    [
        pytest.param(DECK[20], [], id="all is as it was"),
        pytest.param("CA", [(22, 6, (DECK[20], "CA"))], id="the card that is missing is the likeliest answer"),
        pytest.param(f"CA/{DECK[20]}", [(22, 6, (DECK[20], "CA"))], id="it was in doubt, and is asked about once"),
        pytest.param("CA/DK", [(22, 6, (DECK[20], "CA", "DK"))], id="it was neither, as the deck says"),
    ],
)
def test_what_is_asked_once_all_cards_lie(read: str, found: list[tuple[int, int, tuple[str, ...]]]) -> None:
    assert played_out(read) == found


@pytest.mark.parametrize("ended", [True, False], ids=["played out", "the last card is still to be laid"])
def test_once_all_cards_lie_the_one_of_which_there_are_too_many_is_asked_about_first(ended: bool) -> None:
    """The deck has two jacks and two queens of spades: all four count as a queen, one is read least clearly."""
    places = [number for number, card in enumerate(DECK) if card in ("SQ", "SJ")]
    bodies: list[dict[str, Any]] = [OPEN, DEAL]
    for number, card in enumerate(DECK if ended else DECK[:-1]):
        margin = 0.1 if number == places[2] else 0.6
        doubt = {"card": "SQ", "doubt": ["SQ", "SJ"], "margin": margin} if number in places else {}
        bodies.append({"event": "card", "seat": number % 4 + 1, "card": card, **doubt})
    found = [one.event - 2 for one in questions(fold(map(decode, bodies)))]
    assert found == (sorted(places, key=lambda number: number != places[2]) if ended else places)


@pytest.mark.parametrize(
    ("margin", "found"),
    [pytest.param(0.0, [("CT", "CK")], id="it looks like one that it holds"), pytest.param(1.0, [], id="seen well")],
)
def test_what_is_asked_of_a_card_that_a_scanned_hand_has_not(margin: float, found: list[tuple[str, ...]]) -> None:
    hand = ["CT", "C9", "SQ", "SQ", "CJ", "CJ", "SA", "ST", "HA", "HA", "DK", "DK"]
    seen = {"card": "CK", "margin": margin, "rivals": ["CT"], "scores": [1.0, 0.99 if not margin else 0.5]}
    bodies = [OPEN, DEAL, {"event": "hand", "seat": 2, "cards": hand}, {"event": "card", "seat": 1, "card": "CA"}]
    round_ = fold(map(decode, [*bodies, {"event": "card", "seat": 2, **seen}]))
    assert [one.code for one in round_.offences] == ["card_not_held"]
    assert [one.choices for one in questions(round_)] == found
