"""What the observer and the doubts are told of the round: who lays, what lies, what was read of the deck."""

from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.events.values import Event
from kiosk.table.inference.doubts import Observation
from kiosk.table.inference.position import SECOND_READING_MARGIN, Position, position
from kiosk.table.inference.seats import Sight
from kiosk.table.round.fold import fold

DECK = BOOKS["eppstein"].deck
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}
HAND = ["CT", "C9", "SQ", "SQ", "CJ", "CJ", "SA", "ST", "HA", "HA", "DK", "DK"]


def told(cards: str, *more: dict[str, Any], dealt: bool = True, book: str = "eppstein") -> Position:
    """After these cards, ``2CA/SA`` in doubt, and more events; the first card is event 2."""
    bodies: list[dict[str, Any]] = [{**OPEN, "rules": book}, *([{"event": "deal", "dealer": 4}] if dealt else [])]
    for one in cards.split():
        seat, *choices = int(one[0]), *one[1:].split("/")
        bodies.append(
            {"event": "card", "seat": seat, "card": choices[0], **({"doubt": choices} if choices[1:] else {})}
        )
    events: list[Event] = [decode(body) for body in (*bodies, *more)]
    return position(fold(events).game, DECK, False, events)


TRICK = "1CA 2CT 3CK 4C9"


@pytest.mark.parametrize(
    ("found", "playing", "waiting", "order"),
    [
        pytest.param(told("", dealt=False), False, (), (), id="nothing is dealt"),
        pytest.param(told(""), True, (1, 2, 3, 4), (1, 2, 3, 4), id="dealt"),
        pytest.param(told("1C9 2CA"), True, (3, 4), (1, 2, 3, 4), id="two have laid"),
        pytest.param(told("1C9 2CA 3CK 4CT 2HA"), True, (1, 3, 4), (2, 3, 4, 1), id="the winner leads"),
        pytest.param(told(TRICK, {"event": "void"}), False, (), (1, 2, 3, 4), id="it does not count"),
    ],
)
def test_who_is_to_lay(found: Position, playing: bool, waiting: tuple[int, ...], order: tuple[int, ...]) -> None:
    assert (found.playing, tuple(sorted(found.waiting)), found.order) == (playing, waiting, order)
    assert (found.due is not None) == playing
    assert found.lacking == 48 - len(found.seen)


@pytest.mark.parametrize(
    ("found", "perhaps"),
    [
        pytest.param(told("1C9 2CA/SA 3CK 4CT"), (4,), id="or the next lower one"),
        pytest.param(told("1C9 2CA/SA 3CT 4CK"), (3,), id="though it was laid right behind"),
        pytest.param(told("1C9 2CA/SA 3CK/CT 4CK"), (3,), id="of two in doubt each for itself"),
        pytest.param(told("1C9 2CA/CT 3CK 4C9"), (), id="his with either"),
        pytest.param(told(TRICK), (), id="nothing is in doubt"),
        pytest.param(told("1C9 2CA/SA 3CK 4CT 2HA"), (), id="somebody has led"),
        pytest.param(told("1C9 2CA/SA 3CK 4CT", {"event": "void"}), (), id="it is over"),
    ],
)
def test_who_leads_perhaps(found: Position, perhaps: tuple[int, ...]) -> None:
    assert found.perhaps_due == perhaps
    assert [order[0] for order in found.perhaps_order] == [*perhaps]


@pytest.mark.parametrize(
    ("found", "events"),
    [
        pytest.param(told(TRICK), {5}, id="the last of a trick that nobody has followed"),
        pytest.param(told(f"{TRICK} 1HA"), {6}, id="the lead after it"),
        pytest.param(told(f"{TRICK} 1HA 2HT"), {7}, id="the last that lies"),
        pytest.param(told(""), set(), id="none lies"),
        pytest.param(told(TRICK, {"event": "void"}), set(), id="it is over"),
    ],
)
def test_what_may_be_taken_back(found: Position, events: set[int]) -> None:
    assert found.retractable == events


def test_what_lies() -> None:
    by_person = {"event": "correct", "of": 3, "card": "CK", "by": "seat 2"}
    found = told("1CA/SA 2CT 3CK 4C9 1HA 2HK", by_person, {"event": "correct", "of": 7, "card": "HT", "by": "camera"})
    assert [(one.event, one.card, one.doubt, one.settled) for one in found.last_trick] == [
        *((2, "CA", ("CA", "SA"), False), (3, "CK", (), True), (4, "CK", (), False), (5, "C9", (), False)),
    ]
    assert [(one.event, one.card, one.settled) for one in found.open_trick] == [(6, "HA", False), (7, "HT", False)]


def test_where_a_card_lies() -> None:
    found = told("1CA", {"event": "card", "seat": 2, "card": "CT", "place": [10, 20], "arm": [1.5, 0.8]})
    assert [one.sight for one in found.open_trick] == [None, Sight((10, 20), (1.5, 0.8))]


@pytest.mark.parametrize(
    ("cards", "covers"),
    [
        pytest.param("1SA 2SK 3ST", True, id="the Hochzeiter may cover a plain trick"),
        pytest.param("1SA 2SK", False, id="it is not his turn"),
        pytest.param("1SA 2SK 3ST 4HQ", False, id="he has laid"),
        pytest.param("1SA 2SK 3ST void", False, id="it is over"),
    ],
)
def test_what_may_be_laid_face_down(cards: str, covers: bool) -> None:
    """durchgaenge 4b: a trump but the Karo As."""
    hochzeit = {"event": "declare", "seat": 4, "game": "hochzeit"}
    laid = [{"event": "card", "seat": int(one[0]), "card": one[1:]} for one in cards.removesuffix(" void").split()]
    over = [{"event": "void"}] if cards.endswith("void") else []
    found = told("", hochzeit, *laid, *over, book="durchgaenge").covers
    assert bool(found) == covers
    assert not covers or ("DK" in found and "DA" not in found and "SA" not in found)


def test_the_hands_of_this_deal() -> None:
    scan = {"event": "hand", "seat": 2, "cards": HAND}
    assert told("", scan).hands == {2: tuple(HAND)}
    again = [{"event": "void"}, {"event": "deal", "dealer": 4}]
    assert told("", scan, *again).hands == {}
    assert told("1CA", *again, scan).hands == {2: tuple(HAND)}


CLEAR = {"event": "card", "seat": 1, "card": "CA", "margin": 0.6, "rivals": ["SA"], "scores": [1.0, 0.9]}
DOUBT = {"event": "card", "seat": 1, "card": "CA", "margin": 0.1, "doubt": ["CA", "SA"], "scores": [1.0, 0.9]}
UNSEEN = {"event": "card", "seat": 1, "card": "CA", "doubt": sorted(set(DECK)), "unseen": True}
INSERTED = {"event": "correct", "after": 1, "seat": 1, "card": "CA", "by": "table"}


def corrected(by: str, **more: Any) -> dict[str, Any]:
    return {"event": "correct", "of": 2, "card": "CK", "by": by, **more}


PAIR = (("CA", 1.0), ("SA", 0.9))


@pytest.mark.parametrize(
    ("noted", "expected"),
    [
        pytest.param([CLEAR], {"card": "CA", "margin": 0.6, "rivals": PAIR}, id="clear"),
        pytest.param([{"event": "card", "seat": 1, "card": "CA"}], {"card": "CA", "margin": 1.0}, id="by finger"),
        pytest.param([DOUBT], {"card": "CA", "margin": 0.1, "choices": PAIR}, id="in doubt"),
        pytest.param([UNSEEN], {"card": "CA", "margin": 1.0, "unseen": True}, id="not seen"),
        pytest.param(
            [CLEAR, corrected("seat 1")], {"card": "CK", "margin": 0.6, "rivals": PAIR, "fixed": True}, id="by a person"
        ),
        pytest.param(
            [DOUBT, corrected("composition")], {"card": "CK", "margin": 0.1, "choices": PAIR}, id="by the deck"
        ),
        pytest.param(
            [DOUBT, corrected("camera", margin=0.8)], {"card": "CK", "margin": 0.8, "choices": PAIR, "reread": True},
            id="read again",
        ),
        pytest.param(
            [CLEAR, corrected("camera")], {"card": "CK", "margin": SECOND_READING_MARGIN, "reread": True},
            id="read again, nobody knows how clearly",
        ),
        pytest.param([INSERTED], {"card": "CA", "margin": 1.0, "fixed": True}, id="put in"),
        pytest.param(
            [{**INSERTED, "doubt": sorted(set(DECK)), "unseen": True}], {"card": "CA", "margin": 1.0, "unseen": True},
            id="put in, and nobody knows which",
        ),
    ],
)  # fmt: skip
def test_how_a_card_was_read(noted: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    (found,) = told("", *noted).seen
    assert found == Observation(event=2, seat=1, **expected)
    assert 0 < SECOND_READING_MARGIN < 1


def test_choices_without_evidence_are_alike() -> None:
    (found,) = told("1CA/SA").seen
    assert [card for card, _ in found.choices] == ["CA", "SA"]
    assert len({evidence for _, evidence in found.choices}) == 1
