"""Nobody is accused by a card that turn order alone gives him, while arm and place are another seat's."""

from dataclasses import replace

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, Report, Tick, TrickTaken

LAYOUT = MatLayout("A3", 5)
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": [*"ABCDE"]}
#: Seat 4 does not follow clubs, and had one if the last card is his; his own card of the second trick is not seen.
FIRST, SECOND = {2: "CA", 3: "C9", 4: "HA", 5: "CK"}, {2: "SA", 3: "S9"}


def laid(number: int, label: str, place: tuple[float, float], bearing: float, at: float) -> CardLaid:
    return CardLaid(
        at=at, card=number, label=label, margin=0.9, choices=((label, 0.9),), x=place[0], y=place[1], angle=0,
        not_before=at - 0.5, rested=at, arm=bearing, arm_share=1.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("place", "bearing", "share_of_arm", "accused"),
    [
        pytest.param(LAYOUT.seat_places[4], LAYOUT.seat_angle(4), 1.0, {(4, "revoke")}, id="his place, his arm"),
        pytest.param(LAYOUT.seat_places[4], 0.0, 0.0, {(4, "revoke")}, id="his place, and no arm was seen"),
        pytest.param((82.0, 15.0), 0.04, 1.0, set[tuple[int, str]](), id="between two arms, in the next one's place"),
        pytest.param(
            (82.0, 15.0), 0.04, 0.0, set[tuple[int, str]](), id="in the next one's place, and no arm was seen"
        ),
    ],
)
def test_a_revoke_is_shown_by_a_card_that_is_surely_his(
    place: tuple[float, float], bearing: float, share_of_arm: float, accused: set[tuple[int, str]]
) -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    reports: list[Report] = []
    for number, (seat, label) in enumerate([*FIRST.items(), *SECOND.items()], 1):
        at = 2.0 * number + (4 if number > len(FIRST) else 0)
        reports.append(laid(number, label, LAYOUT.seat_places[seat], LAYOUT.seat_angle(seat) + 0.2, at))
    reports.append(TrickTaken(at=11.0, cards=(1, 2, 3, 4)))
    last = laid(7, "CA", place, bearing, 20.0)
    reports.append(last if share_of_arm else replace(last, arm=None, arm_share=0.0))
    for report in sorted([*reports, *(Tick(at=step / 5) for step in range(115))], key=lambda one: one.at):
        table.observe(report, report.at)
    assert {(one.seat, one.code) for one in table.view(23.0).offences} == accused
    if place != LAYOUT.seat_places[4]:
        table.observe(TrickTaken(at=24.0, cards=(5, 6, 7)), 24.0)
        game = table.round.game
        assert game is not None
        assert [(one.seat, None if one.doubt else one.card) for one in game.tricks[-1].cards][2:] == [
            (4, None),
            (5, "CA"),
        ]
        assert not table.view(25.0).offences
