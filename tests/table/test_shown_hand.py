"""A hand laid open with a claim, before or after it is said, is none of the tricks; taken up again, play goes on."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kiosk.errors import Refused
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardGone, CardLaid, HandInTheWay, HandRead, ShownCard, Tick, TrickTaken

MAT = MatLayout("A3", 4).seat_places
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}
#: A trick led by seat 1 and won by it, and what it holds then.
FIRST = {1: "HT", 2: "C9", 3: "CK", 4: "CA"}
HAND = ("HT", "CQ", "CQ", "SQ", "SQ")


class Mat:
    """A table in a game, and the camera over its mat."""

    def __init__(self) -> None:
        self.table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=MAT, wall=lambda: 0)
        solo = {"event": "declare", "seat": 1, "game": "trumpfsolo", "duty": True}
        for request in ({"event": "release"}, {"event": "deal", "dealer": 4}, solo):
            self.table.request(decode_request(request, BY_ALL), 0.0)
        self.at, self.number = 100.0, 0
        self.fan: list[int] = []

    def pass_time(self, seconds: float) -> None:
        for _ in range(round(seconds * 5)):
            self.at += 0.2
            self.table.observe(Tick(at=self.at), self.at)

    def lay(self, seat: int, card: str) -> int:
        """A player lays a card before him, turned towards his seat."""
        self.pass_time(2.0)
        (x, y), angle = MAT[seat], 1.57 * (seat % 2)
        self._laid(card, x, y, angle, self.at - 0.3)
        return self.number

    def _laid(
        self, card: str, x: float, y: float, angle: float, rested: float, arm: tuple[float | None, float] = (None, 0.0)
    ) -> None:
        self.number += 1
        report = CardLaid(
            at=self.at, card=self.number, label=card, margin=0.6, choices=((card, 0.9),), x=x, y=y, angle=angle,
            not_before=rested - 0.3, rested=rested, arm=arm[0], arm_share=arm[1],
        )  # fmt: skip
        self.table.observe(report, self.at)

    def throw_open(self, seat: int, cards: Sequence[str]) -> None:
        """A hand is laid open before its seat: all its cards lie there at once, side by side."""
        self.pass_time(1.0)
        (x, y), rested = MAT[seat], self.at - 0.2
        for n, card in enumerate(cards):
            self._laid(card, 0.9 * x + 22.0 * (n - len(cards) / 2), 0.9 * y, 0.05 * n, rested)
            self.fan.append(self.number)
        self.pass_time(0.2)

    def take_up(self, numbers: Sequence[int]) -> None:
        self.pass_time(1.0)
        self.table.observe(TrickTaken(at=self.at, cards=tuple(numbers)), self.at)
        self.pass_time(1.0)

    def play_first(self) -> None:
        trick = [self.lay(seat, card) for seat, card in FIRST.items()]
        self.take_up(trick)

    @property
    def laid(self) -> list[tuple[int, str]]:
        """What counts as laid: seat and card."""
        game = self.table.round.game
        assert game is not None
        return [(one.seat, one.card) for trick in (*game.tricks, ) for one in trick.cards] + [
            (one.seat, one.card) for one in game.open_trick
        ]  # fmt: skip


@pytest.fixture
def mat() -> Mat:
    mat = Mat()
    mat.play_first()
    assert mat.laid == list(FIRST.items())
    return mat


def test_said_first_nothing_of_it_is_laid(mat: Mat) -> None:
    mat.table.show_hand(True)
    before = len(mat.table.events)
    mat.throw_open(1, HAND)
    mat.pass_time(5.0)
    assert len(mat.table.events) == before
    mat.table.show_hand(False)
    mat.take_up(mat.fan)
    mat.lay(1, "CQ")
    assert mat.laid == [*FIRST.items(), (1, "CQ")] and not mat.table.round.game.offences


@pytest.mark.parametrize("cards", [HAND, HAND[:2]], ids=["five cards", "the last two"])
@pytest.mark.parametrize("waits", [0.0, 6.0], ids=["said at once", "said after a while"])
def test_laid_open_before_it_is_said_it_is_taken_back(mat: Mat, cards: Sequence[str], waits: float) -> None:
    mat.throw_open(1, cards)
    mat.pass_time(waits)
    assert len(mat.laid) < len(FIRST) + 3, "three cards side by side are a hand"
    mat.table.show_hand(True)
    assert mat.laid == list(FIRST.items()) and not mat.table.round.game.offences
    assert ("hand_open", None) not in mat.table.notices
    mat.table.show_hand(False)
    mat.take_up(mat.fan)
    mat.lay(1, "CQ")
    assert mat.laid == [*FIRST.items(), (1, "CQ")] and not mat.table.round.game.offences


def test_a_hand_laid_open_that_nobody_has_said_anything_of_is_told(mat: Mat) -> None:
    mat.throw_open(2, HAND)
    assert mat.laid == list(FIRST.items()) and ("hand_open", None) in mat.table.notices
    corrections = [event for event in map(encode, mat.table.events) if event["event"] == "correct"]
    assert {event["card"] for event in corrections} <= {None}, "what was noted of it is no card that was laid"
    mat.take_up(mat.fan)
    assert ("hand_open", None) not in mat.table.notices
    mat.lay(1, "CQ")
    assert mat.laid == [*FIRST.items(), (1, "CQ")]


def test_a_claim_that_is_noted_at_once_takes_it_back(mat: Mat) -> None:
    """A device that asks nobody, or the direction: the claim itself says whose cards lie there."""
    mat.throw_open(1, HAND[:2])
    claim = {"event": "claim", "seat": 1, "kind": "rest", "accepted": True}
    mat.table.request(decode_request(claim, BY_ALL), mat.at)
    assert mat.laid == list(FIRST.items())
    assert not mat.table.round.running


def test_a_claim_that_is_refused_changes_no_more_than_that(mat: Mat) -> None:
    with pytest.raises(Refused):
        mat.table.request(decode_request({"event": "claim", "seat": 1, "kind": "nothing"}, BY_ALL), mat.at)
    mat.lay(1, "CQ")
    assert mat.laid == [*FIRST.items(), (1, "CQ")]


def test_the_card_that_he_leaves_lying_is_laid(mat: Mat) -> None:
    """He thinks better of it, takes his hand up, and one of its cards stays: that is the one that he plays."""
    mat.table.show_hand(True)
    mat.throw_open(1, HAND)
    mat.table.show_hand(False)
    mat.take_up(mat.fan[:-1])
    assert mat.laid == [*FIRST.items(), (1, HAND[-1])]
    mat.lay(2, "SK")
    assert mat.laid[-1] == (2, "SK") and not mat.table.round.game.offences


def test_a_trick_that_is_swept_up_meanwhile_is_judged_afterwards(mat: Mat) -> None:
    """With the open hand people gather what lies there; while somebody claims that is no end of a trick."""
    led = mat.lay(1, "CQ")
    mat.table.show_hand(True)
    mat.throw_open(1, HAND[:1] + HAND[2:])
    mat.take_up([led, *mat.fan])
    assert mat.laid == [*FIRST.items(), (1, "CQ")]
    mat.table.show_hand(False)
    mat.pass_time(2.0)
    assert mat.laid == [*FIRST.items(), (1, "CQ")], "a lead that went with it: the next card tells"
    mat.lay(1, "SQ")
    assert mat.laid[-1] == (1, "SQ")


def test_others_lay_while_a_hand_is_taken_up(mat: Mat) -> None:
    mat.table.show_hand(True)
    mat.throw_open(3, HAND)
    mat.table.show_hand(False)
    mat.lay(1, "CQ")
    assert mat.laid == [*FIRST.items(), (1, "CQ")]
    mat.take_up(mat.fan)
    mat.lay(2, "SK")
    assert mat.laid[-1] == (2, "SK")


def test_a_hand_that_stays_is_none_of_the_tricks(mat: Mat) -> None:
    mat.table.show_hand(True)
    mat.throw_open(3, HAND)
    mat.table.show_hand(False)
    mat.pass_time(30.0)
    for seat, card in ((1, "CQ"), (2, "SK"), (3, "HJ"), (4, "D9")):
        mat.lay(seat, card)
    assert mat.laid[4:] == [(1, "CQ"), (2, "SK"), (3, "HJ"), (4, "D9")]


def test_cards_of_one_trick_are_no_hand(mat: Mat) -> None:
    """Laid in a hurry, each before its seat."""
    mat.pass_time(2.0)
    for seat, card in ((1, "CQ"), (2, "SK"), (3, "HJ"), (4, "D9")):
        (x, y), rested = MAT[seat], mat.at - 0.2 + 0.1 * seat
        mat._laid(card, 0.7 * x, 0.7 * y, 1.57 * (seat % 2), rested)
    mat.pass_time(3.0)
    assert mat.laid[4:] == [(1, "CQ"), (2, "SK"), (3, "HJ"), (4, "D9")]


@pytest.mark.parametrize(
    ("share", "hand"), [(1.0, False), (0.3, True)], ids=["each by its seat's arm", "nobody saw by whose"]
)
def test_cards_side_by_side_that_several_arms_brought_are_no_hand(mat: Mat, share: float, hand: bool) -> None:
    """One right upon another in the middle, and the third just as it lies, in quick succession."""
    for seat, card, x, y in ((1, "CQ", 21, 4), (2, "SK", 20, 4), (3, "HJ", 0, -56)):
        mat.pass_time(0.8)
        mat._laid(card, x, y, 0.1, mat.at - 0.2, (MatLayout("A3", 4).seat_angle(seat), share))
    mat.pass_time(2.0)
    assert (("hand_open", None) in mat.table.notices) is hand
    assert mat.laid[4:] == ([] if hand else [(1, "CQ"), (2, "SK"), (3, "HJ")])


def test_one_that_is_corrected_by_a_person_stays(mat: Mat) -> None:
    mat.throw_open(1, HAND[:2])
    game = mat.table.round.game
    assert game is not None and game.open_trick
    first = game.open_trick[0].event
    said = {"event": "correct", "of": first, "card": "HA", "by": "table", "why": "finger"}
    mat.table.request(decode_request(said, BY_ALL), mat.at)
    mat.table.show_hand(True)
    assert (1, "HA") in mat.laid


def test_gone_one_by_one(mat: Mat) -> None:
    mat.table.show_hand(True)
    mat.throw_open(1, HAND)
    mat.table.show_hand(False)
    for number in mat.fan:
        mat.pass_time(0.4)
        mat.table.observe(CardGone(at=mat.at, card=number), mat.at)
    mat.pass_time(2.0)
    assert mat.laid == list(FIRST.items())
    mat.lay(1, "CQ")
    assert mat.laid[-1] == (1, "CQ")


#: Whether a hand comes over the mat after the card that counts as laid; who claims; how far (mm) from that card another
#: of his hand is read, None: nothing is; whether the card is one of the hand then.
READ_LATER = {
    "it lay below": (False, 1, 40.0, True),
    "it was laid afterwards": (True, 1, 40.0, False),
    "another claims": (False, 2, 40.0, False),
    "far away": (False, 1, 200.0, False),
    "nothing else is there": (False, 1, None, False),
}


@pytest.mark.parametrize(("comes", "seat", "away", "of_hand"), READ_LATER.values(), ids=READ_LATER)
def test_what_is_read_beside_a_card_that_came_last(
    mat: Mat, comes: bool, seat: int, away: float | None, of_hand: bool
) -> None:
    """Of two cards laid open at once the lower was not seen: its index is read once he claims."""
    mat.table.observe(HandInTheWay(at=mat.at + 0.5, gone=False), mat.at + 0.5)
    mat.throw_open(1, ["CQ"])
    mat.table.observe(HandInTheWay(at=mat.at, gone=True), mat.at)
    assert mat.laid == [*FIRST.items(), (1, "CQ")]
    if comes:
        mat.pass_time(1.0)
        mat.table.observe(HandInTheWay(at=mat.at, gone=False), mat.at)
    mat.table.show_hand(True)
    x, y = MAT[1]
    shown = ShownCard(label="CQ", margin=1.0, choices=(("CQ", 1.0),), x=0.9 * x - 11.0, y=0.9 * y)
    below = () if away is None else (replace(shown, label="SQ", choices=(("SQ", 1.0),), x=shown.x + away),)
    for _ in range(2):  # it is read once more whenever something has changed
        mat.table.hand_read(HandRead(at=mat.at, cards=(shown, *below), by="indices"), seat)
        assert mat.laid == [*FIRST.items(), *(() if of_hand else ((1, "CQ"),))]
    mat.table.show_hand(False)
    mat.pass_time(3.0)
    assert mat.laid == [*FIRST.items(), (1, "CQ")], "he takes the other up: this one is what he plays"
    assert not mat.table.round.game.offences


def test_a_card_of_the_trick_that_is_read_as_another_is_none_of_the_hand(mat: Mat) -> None:
    mat.lay(1, "CQ")
    mat.lay(2, "SK")
    mat.table.show_hand(True)
    x, y = MAT[2]
    read = [
        ShownCard(label=label, margin=1.0, choices=((label, 1.0),), x=x + away, y=y)
        for label, away in (("SK", 0.0), ("SQ", 40.0))
    ]
    mat.table.hand_read(HandRead(at=mat.at, cards=tuple(read), by="indices"), 2)
    assert mat.laid == [*FIRST.items(), (1, "CQ"), (2, "SK")]


def accused(mat: Mat) -> set[tuple[int, str]]:
    """Who is accused on the screen."""
    return {(one.seat, one.code) for one in mat.table.view(mat.at).offences}


@pytest.mark.parametrize("shown", [("HJ", "SK"), ("SK", "D9")], ids=str)
def test_two_of_a_hand_that_were_read_accuse_nobody(mat: Mat, shown: Sequence[str]) -> None:
    """It is another's lead: of the hand that seat 3 lays open, before it says so, no more was read."""
    mat.throw_open(3, shown)
    for _ in range(40):
        mat.pass_time(0.2)
        assert not accused(mat)
    assert mat.table.round.game.offences, "so it was noted"
    mat.table.show_hand(True)
    assert mat.laid == list(FIRST.items()) and not accused(mat)


def test_one_card_out_of_turn_is_told_as_soon_as_ever(mat: Mat) -> None:
    mat.throw_open(3, ["SK"])
    mat.pass_time(2.0)
    assert accused(mat) == {(3, "out_of_turn")}


def test_two_laid_side_by_side_accuse_once_somebody_lays_elsewhere(mat: Mat) -> None:
    """Nobody claims: play goes on, so they were laid."""
    mat.throw_open(3, ("HJ", "SK"))
    mat.pass_time(5.0)
    assert not accused(mat)
    mat.lay(1, "CQ")
    mat.pass_time(1.0)
    assert (3, "out_of_turn") in accused(mat)


@pytest.mark.parametrize("taken", [1, 2], ids=["one of them", "both"])
def test_two_laid_side_by_side_accuse_once_they_are_taken_up(mat: Mat, taken: int) -> None:
    mat.throw_open(3, ("HJ", "SK"))
    mat.pass_time(5.0)
    mat.lay(1, "CQ")
    mat.take_up(mat.fan[:taken])
    mat.pass_time(2.0)
    assert mat.table.observer.unclear == frozenset()
