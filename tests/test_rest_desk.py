"""Whether a claimed rest holds is found out beside play, by what everybody can know; the hand laid open is read."""

import queue
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.app.rest_desk import ASK_AGAIN_S, RestDesk
from kiosk.errors import Refused
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.inference.open_hand import SeenCard
from kiosk.table.round.fold import Round, open_round
from kiosk.table.standing_claim import StandingClaim
from kiosk.table.table import Table
from kiosk.ui.play.claim_question import CheckRest, HandSeen, RestChecked, ShowHand
from vision.messages import Command, HandRead, ReadHand, ShownCard

HANDS = {
    1: ["HT", "HT", "CQ", "CQ", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CJ", "SJ"],
    2: ["CJ", "SJ", "HJ", "DJ", "DA", "DT", "DK", "D9", "CA", "CT", "CK", "C9"],
    3: ["HJ", "DJ", "DA", "DT", "DK", "D9", "CA", "CT", "CK", "C9", "SA", "ST"],
}


def solo(*scanned: int) -> Round:
    opened = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCD")}
    round = open_round(decode(opened)).apply(decode({"event": "deal", "dealer": 4}))
    for seat in scanned:
        round = round.apply(decode({"event": "hand", "seat": seat, "cards": HANDS[seat]}))
    return round.apply(decode({"event": "declare", "seat": 1, "game": "trumpfsolo"}))


def desk(round: Round) -> tuple[RestDesk, "queue.Queue[RestChecked]", list[Any]]:
    answers: queue.Queue[RestChecked] = queue.Queue()
    shown: list[Any] = []
    outputs: Any = SimpleNamespace(rest_checked=shown.append)
    made = RestDesk(outputs, answers.put)
    table: Any = SimpleNamespace(round=round, claim_left=None)
    made.sit(table)
    return made, answers, shown


ASKED = CheckRest(seat=1, hand=tuple(HANDS[1]), order=(), game=(1, 0))


@pytest.mark.parametrize("scanned", [(), (2, 3)], ids=["nothing scanned", "the others' hands scanned"])
def test_a_claim_is_checked_by_what_everybody_knows(scanned: tuple[int, ...]) -> None:
    """The second CJ may lie above his SJ: so nobody knows, though a scanner has read whose it is."""
    made, answers, shown = desk(solo(*scanned))
    assert made.takes(ASKED)
    answer = answers.get(timeout=60)
    assert answer.asked == ASKED and answer.verdict.holds is False and answer.trick == ()
    assert answer.verdict.taken_by != 1 and answer.verdict.line[-4:][0] == (1, "SJ")
    made.heard(answer)
    assert shown == [answer]


def test_what_is_no_claim_is_left_to_others() -> None:
    request: Any = object()
    assert not desk(solo())[0].takes(request)


def test_no_claim_between_games() -> None:
    over = solo().apply(decode({"event": "void", "reason": "count"}))
    with pytest.raises(Refused, match="seat 1"):
        desk(over)[0].takes(ASKED)


class Showing:
    """A desk at a table in a game, whose camera's process and screen are lists."""

    def __init__(self, log: MemoryLog | None = None) -> None:
        opened = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCD")}
        self.table = Table(log or MemoryLog(), now=0.0, opening=decode_opening(opened), wall=lambda: 0)
        for request in (
            () if log is not None else ({"event": "release"}, {"event": "deal", "dealer": 4}, {"event": "rest"})
        ):
            self.table.request(decode_request(request, BY_ALL), 0.0)
        self.sent: list[Command] = []
        self.seen: list[HandSeen] = []
        self.now = 0.0
        self.left: list[StandingClaim] = []
        outputs: Any = SimpleNamespace(hand_seen=self.seen.append, claim_left=self.left.append)
        self.desk = RestDesk(outputs, lambda _: None, lambda: self.now)
        self.desk.send = self.sent.append
        self.desk.sit(self.table)

    def show(self, seat: int | None) -> None:
        claim = None if seat is None else StandingClaim(seat=seat, game=(1, 0))
        assert self.desk.takes(ShowHand(claim=claim))

    @property
    def asked(self) -> list[bool]:
        return [one.on for one in self.sent if isinstance(one, ReadHand)]


READ = HandRead(
    at=1.0,
    by="indices",
    cards=(
        ShownCard(label="HT", margin=0.9, choices=(("HT", 0.9),), x=0.0, y=0.0),
        ShownCard(label=None, margin=0.1, choices=(("CQ", 0.5), ("SQ", 0.4)), x=20.0, y=0.0),
    ),
)


def test_a_hand_laid_open_is_read_until_it_is_settled() -> None:
    at = Showing()
    at.show(2)
    assert at.asked == [True] and set(at.sent[0].faces) == set(at.table.round.book.deck)  # type: ignore[union-attr]
    assert at.sent[0].cards == 12  # type: ignore[union-attr]
    assert at.table.observer._shown.claimed, "no card is laid meanwhile"
    at.desk.heard(READ)
    cards = (SeenCard("HT"), SeenCard(None, ("CQ", "SQ")))
    assert at.seen == [HandSeen(seat=2, game=(1, 0), cards=cards, by="indices")]
    at.show(None)
    assert at.asked == [True, False] and not at.table.observer._shown.claimed
    at.desk.heard(READ)
    assert len(at.seen) == 1, "it came too late"


def test_a_process_that_was_started_anew_is_asked_again() -> None:
    at = Showing()
    at.show(2)
    for at.now in (ASK_AGAIN_S / 2, ASK_AGAIN_S, 1.5 * ASK_AGAIN_S):
        at.desk.beat()
    assert at.asked == [True, True]


def test_what_is_shown_after_the_game_is_nobody_s_claim() -> None:
    at = Showing()
    at.show(2)
    at.table.request(decode_request({"event": "void", "reason": "count"}, BY_ALL), 1.0)
    at.desk.beat()
    at.desk.beat()
    assert at.asked == [True, False]


def test_what_was_claimed_before_a_restart_is_read_on_and_shown() -> None:
    before = Showing()
    claim = StandingClaim(seat=2, game=(1, 0), order=("HT",), agreed=frozenset({2}))
    more = replace(claim, agreed=frozenset({2, 4}))
    assert before.desk.takes(ShowHand(claim=claim)) and before.desk.takes(ShowHand(claim=more))
    assert before.asked == [True], "the process is asked once"
    after = Showing(before.table.log)
    assert after.left == [more]
    assert after.asked == [True]
    after.desk.heard(READ)
    assert [one.seat for one in after.seen] == [2]
    after.show(None)
    assert Showing(before.table.log).left == []


def test_without_a_camera_fingers_enter_it() -> None:
    at = Showing()
    at.desk.send = lambda _: None
    at.show(2)
    at.show(None)
    assert at.seen == []
