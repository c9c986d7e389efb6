"""A breach is shown once it has stood for a second: nobody is accused for a moment."""

from typing import Any

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table
from kiosk.table.view.accusations import Accusations
from kiosk.table.view.table_view import OffenceView
from tests.table.ideal_camera import Camera
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, Tick, TrickTaken

LAYOUT = MatLayout("A3", 4)
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}

#: When the camera's last card was noted, from and to when a breach stands, and when it is shown of the times asked.
CASES: dict[str, tuple[float, float, float, list[float]]] = {
    "it stands for a tenth of a second": (10.0, 10.0, 10.1, []),
    "it stands until the card beneath is read": (10.0, 10.0, 10.8, []),
    "it stands": (10.0, 10.0, 99.0, [11.0, 12.0]),
    "it comes with a word, long after a card": (1.0, 10.0, 99.0, [10.0, 10.1, 10.4, 10.5, 10.6, 11.0, 12.0]),
    "it stood before": (9.0, 0.0, 99.0, [9.9, 10.0, 10.1, 10.4, 10.5, 10.6, 11.0, 12.0]),
}


@pytest.mark.parametrize(("seen_at", "since", "until", "shown"), CASES.values(), ids=CASES)
def test_a_breach_is_shown_once_it_has_stood(seen_at: float, since: float, until: float, shown: list[float]) -> None:
    breach = OffenceView(seat=2, code="revoke", event=7, proved=9, section="", claimants=())
    accusations = Accusations()
    times = [8.0, 9.9, 10.0, 10.1, 10.4, 10.5, 10.6, 11.0, 12.0]
    found = [at for at in times if accusations.shown([breach] if since <= at < until else [], at, seen_at)]
    assert [at for at in found if at > 8.0] == shown


@pytest.mark.parametrize(
    ("second_s", "laid_by", "share", "accused"),
    [
        pytest.param(0.04, 4, 0.38, set[int](), id="0.04 s"),
        pytest.param(0.3, 4, 0.38, set[int](), id="0.3 s"),
        pytest.param(None, 4, 0.38, set[int](), id="the second is not seen, and two arms were there"),
        pytest.param(None, 3, 1.0, {3}, id="there is no second, and the card is surely his"),
    ],
)
def test_two_cards_laid_at_once_accuse_nobody(
    second_s: float | None, laid_by: int, share: float, accused: set[int]
) -> None:
    """Seat 4 lays a heart, taken for seat 3's by its arm; had seat 3 one, it would have revoked in the trick before."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    shown: set[int] = set()
    noted: set[int] = set()

    def lay(seat: int, label: str, at: float, arm: int, share: float) -> None:
        x, y = LAYOUT.seat_places[seat]
        seen: dict[str, Any] = {"not_before": at - 0.6, "rested": at - 0.1, "arm": LAYOUT.seat_angle(arm)}
        seen |= {"label": label, "choices": ((label, 0.9),), "margin": 0.9, "arm_share": share}
        table.observe(CardLaid(at=at, card=round(100 * at), x=x, y=y, angle=0.0, **seen), at)

    def wait(start: float, seconds: float) -> None:
        for step in range(round(seconds / 0.02)):
            at = start + 0.02 * step
            table.observe(Tick(at=at), at)
            shown.update(one.seat for one in table.view(at).offences)
            noted.update(one.seat for one in table.round.offences)

    for number, (seat, label) in enumerate([(2, "HA"), (3, "S9"), (4, "H9"), (1, "HK"), (2, "CA")]):
        lay(seat, label, 2.0 * number + 1, seat, 1.0)
        wait(2.0 * number + 1, 1.9)
    lay(laid_by, "HK", 11.0, 3, share)
    wait(11.0, second_s or 2.0)
    if second_s is not None:
        lay(3, "C9", 11.0 + second_s, 3, 0.38)
        wait(11.0 + second_s, 2.0)
    assert noted == {3}, "so it was noted at first"
    assert shown == accused


@pytest.mark.parametrize("arms", [True, False], ids=["arms are seen", "no arm is ever seen"])
@pytest.mark.parametrize(
    ("arm", "follow", "accused"),
    [
        pytest.param(None, [], [False], id="nobody follows yet"),
        pytest.param(None, [2], [False, False], id="another one follows, and whose turn it was has still to lay"),
        pytest.param(None, [1], [False, True], id="whose turn it was lays now"),
        pytest.param(3, [], [True], id="its arm was seen"),
    ],
)
def test_who_throws_a_card_into_anothers_place_accuses_nobody(
    arm: int | None, follow: list[int], accused: list[bool], arms: bool
) -> None:
    """Seat 1 has to lead; a card comes to rest in the place of seat 3."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))

    def lay(seat: int, label: str, at: float, arm: int | None) -> bool:
        x, y = LAYOUT.seat_places[seat]
        seen: dict[str, Any] = {"not_before": at - 0.6, "rested": at - 0.1}
        seen |= {"arm": LAYOUT.seat_angle(arm), "arm_share": 1.0} if arm is not None and arms else {}
        seen |= {"label": label, "choices": ((label, 0.9),), "margin": 0.9}
        table.observe(CardLaid(at=at, card=round(at), x=x, y=y, angle=0.0, **seen), at)
        for step in range(90):
            table.observe(Tick(at=at + 0.02 * step), at + 0.02 * step)
        return bool(table.view(at + 1.8).offences)

    for number, (seat, label) in enumerate([(2, "HK"), (3, "H9"), (4, "HK"), (1, "HA")]):
        lay(seat, label, 2.0 * number + 1, seat)
    table.observe(TrickTaken(at=10.0, cards=(1, 3, 5, 7)), 10.0)
    told = [lay(3, "CA", 11.0, arm)]
    for number, seat in enumerate(follow):
        told.append(lay(seat, "CK", 13.0 + 2 * number, seat))
    assert told == (accused if arms else [True] * len(accused))


@pytest.mark.parametrize(
    ("read", "shown"),
    [
        pytest.param("CA", {"impossible_card"}, id="as a third ace of clubs: misread, or no card at all"),
        pytest.param("CT", {"out_of_turn"}, id="as one that the deck has left"),
    ],
)
def test_a_card_too_many_accuses_nobody(camera: Camera, read: str, shown: set[str]) -> None:
    """A score sheet that covered a trick was read as a third ace, and its seat was accused of a lead out of turn."""
    for seat, card in ((2, "CA"), (3, "CA"), (1, read)):
        camera.lay(seat, card)
    for step in range(8):
        camera.report(Tick(at=camera.at + 0.5 * step))
    assert {one.code for one in camera.table.view(camera.at + 5.0).offences} == shown


@pytest.mark.parametrize("swapped", [False, True], ids=["it stays", "each other's"])
def test_who_leads_is_not_accused_while_it_is_asked_who_has_won(camera: Camera, swapped: bool) -> None:
    """Seat 3 leads, whose card the best one was if the last two were each other's."""
    for seat, card in ((2, "CK"), (3, "C9"), (4, "CA"), (1, "CT")):
        camera.lay(seat, card)
    table, game = camera.table, camera.table.round.game
    assert game is not None
    third, fourth = (one.event for one in game.tricks[0].cards[1:3])
    seats, others = {str(third): 3, str(fourth): 4}, {str(third): 4, str(fourth): 3}
    asked = {"event": "correct", "seats": seats, "perhaps": others, "by": "camera", "why": "asked"}
    assert table.note(decode_request(asked, BY_ALL).event) is not None
    camera.take()
    camera.lay(3, "SA")
    for step in range(8):
        camera.report(Tick(at=camera.at + 0.5 * step))
    assert not table.view(camera.at + 5.0).offences
    said = {"event": "correct", "seats": others if swapped else seats, "by": "table", "why": "asked"}
    table.request(decode_request(said, BY_ALL))
    shown = {(one.code, one.seat) for one in table.view(camera.at + 6.0).offences}
    assert ("out_of_turn", 3) not in shown if swapped else shown == {("out_of_turn", 3)}
