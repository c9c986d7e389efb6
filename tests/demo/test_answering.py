"""What simulated players answer when the table asks them about a card."""

from typing import Any

import pytest

from kiosk.demo.answering import answer_of
from kiosk.demo.play import simulate
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.view.table_view import DoubtView

TRUTH = fold(map(decode, simulate("eppstein", 3, 1)))
TRICK = TRUTH.games[0].tricks[4].cards
ONE, TWO, THREE = TRICK[:3]
SWAPPED = {ONE.event: TWO.seat, TWO.event: ONE.seat}


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
