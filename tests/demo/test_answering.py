"""What simulated players answer when the table asks them about a card."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk.demo.answering import answer_of, put_to_owner
from kiosk.demo.known_deck import knows_deck
from kiosk.demo.play import simulate
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.view.table_view import DoubtView
from tests.vision.teaching.test_known_faces import look

TRUTH = fold(map(decode, simulate("eppstein", 3, 1)))
TRICK = TRUTH.games[0].tricks[4].cards
ONE, TWO, THREE = TRICK[:3]
SWAPPED = {ONE.event: TWO.seat, TWO.event: ONE.seat}


#: The game as a table has it that took the first two cards of this trick for each other's.
NOTED = replace(
    TRUTH.games[0],
    tricks=tuple(
        replace(trick, cards=tuple(replace(laid, seat=SWAPPED.get(laid.event, laid.seat)) for laid in trick.cards))
        for trick in TRUTH.games[0].tricks
    ),
)


def asked(seat: int, card: str, perhaps: dict[int, int], game: int = 1, trick: int = 5) -> DoubtView:
    return DoubtView(
        event=ONE.event, seat=seat, choices=(card, "XX"), picture=None, game=game, trick=trick, perhaps=perhaps
    )


@pytest.mark.parametrize(
    ("doubt", "said"),
    [
        pytest.param(asked(TWO.seat, "XX", {}), {"of": ONE.event, "card": TWO.card}, id="what he has laid"),
        pytest.param(
            asked(ONE.seat, ONE.card, SWAPPED), {"of": ONE.event, "card": ONE.card, "seat": ONE.seat}, id="his own"
        ),
        pytest.param(asked(TWO.seat, ONE.card, {ONE.event: ONE.seat, TWO.event: TWO.seat}),
                     {"seats": {str(ONE.event): ONE.seat, str(TWO.event): TWO.seat}}, id="each other's"),
        pytest.param(asked(TWO.seat, THREE.card, {ONE.event: ONE.seat, TWO.event: TWO.seat}),
                     {"of": ONE.event, "card": THREE.card, "seat": THREE.seat}, id="a third player's"),
        pytest.param(asked(TWO.seat, "XX", SWAPPED), {"of": ONE.event, "card": "XX", "seat": TWO.seat},
                     id="a card that nobody has laid"),
        pytest.param(asked(TWO.seat, "XX", {}, game=2), None, id="no such game"),
        pytest.param(asked(TWO.seat, "XX", {}, trick=13), None, id="no such trick"),
    ],
)  # fmt: skip
def test_each_says_what_he_knows(doubt: DoubtView, said: dict[str, Any] | None) -> None:
    whole = None if said is None else {"event": "correct", "by": f"seat {doubt.seat}", "why": "asked", **said}
    assert answer_of(doubt, TRUTH.games) == whole


@pytest.mark.parametrize(("doubt", "shown", "card"), [
    pytest.param(asked(TWO.seat, "XX", {}), TWO.card, TWO.card, id="his own card"),
    pytest.param(asked(TWO.seat, "XX", {}), ONE.card, ONE.card, id="another one's card"),
    pytest.param(asked(TWO.seat, "XX", {}), None, TWO.card, id="a picture that shows too little"),
])  # fmt: skip
def test_who_sees_a_picture_names_what_it_shows(doubt: DoubtView, shown: str | None, card: str) -> None:
    whole = {"event": "correct", "by": f"seat {doubt.seat}", "why": "asked", "of": ONE.event, "card": card}
    assert answer_of(doubt, TRUTH.games, shown) == whole


@pytest.mark.parametrize(("doubt", "shown", "swapped"), [
    pytest.param(asked(TWO.seat, "XX", {}), ONE.card, True, id="another one's card"),
    pytest.param(asked(TWO.seat, "XX", {}), TWO.card, False, id="his own card"),
    pytest.param(asked(TWO.seat, "XX", {}), "XX", False, id="a card that nobody has laid there"),
    pytest.param(asked(TWO.seat, "XX", {}), None, False, id="a picture that shows too little"),
    pytest.param(asked(TWO.seat, ONE.card, SWAPPED), ONE.card, False, id="it is asked whose it is"),
    pytest.param(asked(TWO.seat, "XX", {}, game=2), ONE.card, False, id="no such game"),
    pytest.param(asked(TWO.seat, "XX", {}, trick=13), ONE.card, False, id="no such trick"),
])  # fmt: skip
def test_a_card_that_another_one_has_laid_is_put_to_him(doubt: DoubtView, shown: str | None, swapped: bool) -> None:
    """Who is noted for it has the other one's card."""
    request = put_to_owner(doubt, TRUTH.games, [NOTED], shown)
    seats = {str(ONE.event): ONE.seat, str(TWO.event): TWO.seat}
    said = {"event": "correct", "by": f"seat {TWO.seat}", "why": "asked", "seats": seats}
    assert request == (said if swapped else None)


def test_people_know_their_deck() -> None:
    tell = knows_deck("stichwart")
    assert tell(cv2.imencode(".jpg", look("SK", 3, shade=0.6))[1].tobytes()) == "SK"
    assert tell(cv2.imencode(".jpg", np.full((364, 236, 3), 90, np.uint8))[1].tobytes()) is None
    assert tell(b"no picture") is None and tell(None) is None
