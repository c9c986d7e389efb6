"""A lead that the camera did not see accuses nobody who followed, though arms say whose the cards are."""

from dataclasses import dataclass

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, Report, Tick, TrickTaken

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}

#: Seat → place, angle of the card and bearing of the arm, as they were seen in a game in which a hand stayed over the
#: mat at seat 1 while its lead was laid.
SEEN = {
    1: ((3.0, 52.0), 0.0, 1.57),
    2: ((-46.1, -17.1), 5.01, 2.908),
    3: ((-2.4, -18.1), 0.31, -1.578),
    4: ((64.3, -2.5), 1.48, -0.338),
}
CARDS = {1: "ST", 2: "SA", 3: "SK", 4: "S9"}


@dataclass
class Watched:
    """A table in a game, and what the camera over its mat reports."""

    table: Table
    at: float = 100.0
    number: int = 0

    def see(self, report: Report) -> None:
        self.table.observe(report, self.at)

    def lay(self, seat: int) -> None:
        """Report a card of a seat, a second after the one before."""
        self.wait(1.1)
        self.number += 1
        (x, y), angle, arm = SEEN[seat]
        self.see(
            CardLaid(
                at=self.at, card=self.number, label=CARDS[seat], margin=0.95, choices=((CARDS[seat], 9.0),), x=x, y=y,
                angle=angle, not_before=self.at - 0.6, rested=self.at - 0.1, arm=arm, arm_share=1.0,
            )
        )  # fmt: skip

    def take_in(self) -> None:
        self.wait(1.0)
        self.see(TrickTaken(at=self.at, cards=tuple(range(1, self.number + 1)), x=66.6, y=86.5))

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.at += 0.1
            self.see(Tick(at=self.at))

    @property
    def accused(self) -> set[tuple[int, str]]:
        """Who is accused of what, shown for long enough."""
        self.wait(1.2)
        return {(one.seat, one.code) for one in self.table.view(self.at).offences}

    @property
    def seats(self) -> list[int]:
        game = self.table.round.game
        assert game is not None
        return [one.seat for one in (game.open_trick or game.tricks[-1].cards)]


@pytest.fixture
def mat() -> Watched:
    centres = MatLayout("A3", 4).seat_places
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=centres, wall=lambda: 0)
    solo = {"event": "declare", "seat": 1, "game": "fleischlos", "duty": True}
    for request in ({"event": "release"}, {"event": "deal", "dealer": 4}, solo):
        table.request(decode_request(request, BY_ALL), 0.0)
    return Watched(table)


def test_who_follows_a_lead_that_was_not_seen_is_not_accused(mat: Watched) -> None:
    for seat in (2, 3, 4):
        mat.lay(seat)
        assert not mat.accused
    assert mat.seats == [2, 3, 4]
    mat.take_in()
    assert mat.seats == [1, 2, 3, 4] and not mat.accused
    assert ("missed_card", 1) in mat.table.notices


def test_who_had_to_lead_lays_after_them_so_they_led_out_of_turn(mat: Watched) -> None:
    for seat in (2, 3, 4):
        mat.lay(seat)
    assert not mat.accused
    mat.lay(1)
    assert mat.seats == [2, 3, 4, 1] and (2, "out_of_turn") in mat.accused
