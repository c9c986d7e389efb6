"""Tricks that lie open once more because somebody looks at them, and tricks that nobody saw."""

from typing import Any

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.observe.looked_at import has_copies_left, may_be_looked_at
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, Report, Tick, TrickTaken

MAT = MatLayout("A3", 4).seat_places
FIRST = ("SA", "SK", "S9", "ST")


class Mat:
    """A table of eppstein in its first game, before which cards come and go."""

    def __init__(self) -> None:
        opening = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": [*"ABCD"]}
        self.table = Table(MemoryLog(), now=0.0, opening=decode_opening(opening), centres=MAT, wall=lambda: 0)
        for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
            self.table.request(decode_request(word, BY_ALL))
        self.now, self.numbers = 1.0, 0

    def tell(self, *reports: Report) -> None:
        """Report things of one picture, and two pictures later that nothing has happened."""
        for report in (*reports, Tick(at=self.now), Tick(at=self.now + 0.1)):
            self.table.observe(report, report.at)
        self.now += 0.2

    def come(self, *cards: str, seat: int = 0, came: float | None = None, **sight: float) -> list[int]:
        """Let cards come in one picture, before a seat or in the middle; their numbers."""
        x, y = MAT.get(seat, (0.0, 0.0))
        reports = []
        for label in cards:
            self.numbers += 1
            place = {
                "x": x,
                "y": y,
                "angle": 0.0,
                "not_before": (came or self.now) - 0.1,
                "rested": came or self.now,
            } | sight
            reports.append(
                CardLaid(at=self.now, card=self.numbers, label=label, margin=0.9, choices=((label, 0.9),), **place)
            )
        self.tell(*reports)
        return [report.card for report in reports]

    def trick(self, *cards: str, first: int) -> None:
        """Let a trick be laid and taken in."""
        numbers = []
        for place, label in enumerate(cards):
            numbers += self.come(label, seat=(first - 1 + place) % 4 + 1)
            self.now += 1.0
        self.tell(TrickTaken(at=self.now, cards=tuple(numbers)))

    @property
    def noted(self) -> list[tuple[int, str]]:
        """The cards of the game, with their seats."""
        game = self.table.round.game
        assert game is not None
        cards = [card for trick in game.tricks for card in trick.cards] + list(game.open_trick)
        return [(card.seat, card.card) for card in cards]


def test_a_look_is_known_though_cards_of_an_earlier_one_were_never_told_as_gone() -> None:
    """Before, two cards of the second look counted as laid, and people were asked about tricks of which none was."""
    mat = Mat()
    mat.trick(*FIRST, first=2)
    mat.come(*FIRST)
    mat.now += 10.0
    mat.trick("CA", "CK", "C9", "CT", first=2)
    mat.come("CA", "CT")
    mat.now += 5.0
    mat.come("HA", seat=2)
    assert mat.noted[4:] == [(2, "CA"), (3, "CK"), (4, "C9"), (1, "CT"), (2, "HA")]


@pytest.mark.parametrize("shown", [FIRST, FIRST[:3], FIRST[:2]], ids=["all", "one not read", "two not read"])
@pytest.mark.parametrize("lead", [False, True], ids=["before the lead", "after it"])
@pytest.mark.parametrize("late", [False, True], ids=["at once", "one read later"])
def test_the_last_trick_looked_at_is_none(shown: tuple[str, ...], lead: bool, late: bool) -> None:
    mat = Mat()
    mat.trick(*FIRST, first=2)
    played = [(2, "SA"), (3, "SK"), (4, "S9"), (1, "ST")]
    if lead:
        mat.come("CA", seat=2)
        played.append((2, "CA"))
    came = mat.now
    numbers = mat.come(*(shown[:-1] if late else shown))
    if late:
        numbers += mat.come(shown[-1], came=came)
    for _ in range(10):
        mat.tell()
    assert mat.noted == played and not mat.table.round.offences
    mat.tell(TrickTaken(at=mat.now, cards=tuple(numbers)))
    assert mat.noted == played and not mat.table.notices
    mat.come("SA", seat=3 if lead else 2)  # the other one of the deck
    mat.tell()
    assert mat.noted == [*played, (3 if lead else 2, "SA")]


@pytest.mark.parametrize(
    ("cards", "noted"),
    [
        pytest.param([("CT", 1.0, "ST", 0.92), ("SA",), ("SK",)], [], id="one of three is misread, by little"),
        pytest.param([("SA",), ("CT", 1.0, "ST", 0.92), ("SK",), ("SK",)], [], id="one of four"),
        pytest.param([("CT", 1.0, "ST", 0.8), ("SA",), ("SK",)], ["CT"], id="by much: it is laid"),
        pytest.param([("CT", 1.0, "ST", 0.92), ("SA",)], ["CT"], id="with one other alone"),
        pytest.param([("SK",), ("CT", 1.0, "ST", 0.92)], [], id="with one that the deck has no more of"),
        pytest.param([("CT", 1.0, "ST", 0.92), ("SK",)], [], id="with one that the deck has no more of, read later"),
        pytest.param([("CT", 1.0, "ST", 0.92), ("CA", 1.0, "SA", 0.92), ("S9",)], ["CT", "CA"], id="two are misread"),
    ],
)
def test_a_card_of_the_last_trick_may_be_misread_when_it_is_looked_at(
    cards: list[tuple[Any, ...]], noted: list[str]
) -> None:
    """Held open in a hand one covers the other. In a film a whole trick was noted as missed after it."""
    mat = Mat()
    mat.trick("SA", "SK", "SK", "ST", first=2)
    reports: list[Report] = []
    for number, (label, *scores) in enumerate(cards, 11):
        choices = [(label, *scores[:1])] if scores else [(label, 0.9)]
        reports.append(
            CardLaid(
                at=mat.now, card=number, label=label, margin=0.9, choices=(*choices, *[(*scores[1:],)][: len(scores)]),
                x=MAT[2][0], y=MAT[2][1], angle=0.5 * number, not_before=mat.now - 0.1, rested=mat.now,
            )
        )  # fmt: skip
    mat.tell(*reports)
    assert [card for _, card in mat.noted[4:]][: len(noted)] == noted
    assert bool(noted) or len(mat.noted) == 4
    mat.tell(TrickTaken(at=mat.now, cards=tuple(report.card for report in reports if isinstance(report, CardLaid))))
    assert bool(noted) or (len(mat.noted) == 4 and not mat.table.notices)


@pytest.mark.parametrize(
    ("read", "noted"),
    [
        pytest.param(["SK", "HA"], [], id="one of the last trick, and one of an earlier trick"),
        pytest.param(["HA", "SK"], [], id="that first"),
        pytest.param(["HA", "HK"], ["HA", "HK"], id="none of the last trick: they are laid"),
        pytest.param(["SA", "HA"], ["HA"], id="one of the last trick that may be laid now"),
    ],
)
@pytest.mark.parametrize("late", [False, True], ids=["at once", "one picture later"])
def test_a_card_that_nobody_can_lay_may_be_any_of_the_last_trick(read: list[str], noted: list[str], late: bool) -> None:
    """Of a deck that is not known yet a card was read as one of the first trick; the rest of its game was wrong."""
    mat = Mat()
    mat.trick("HA", "HK", "HA", "HK", first=2)
    mat.trick("SA", "SK", "SK", "ST", first=2)
    came = mat.now
    numbers = mat.come(*read[:1]) + mat.come(*read[1:], came=came) if late else mat.come(*read)
    for _ in range(10):
        mat.tell()
    assert [card for _, card in mat.noted[8:] if card in noted] == noted
    if not noted:
        assert len(mat.noted) == 8 and not mat.table.round.offences
        mat.tell(TrickTaken(at=mat.now, cards=tuple(numbers)))
        assert len(mat.noted) == 8 and not mat.table.notices


def test_a_look_at_the_last_trick_reads_the_card_of_it_that_nobody_saw() -> None:
    mat = Mat()
    numbers = [*mat.come("SA", seat=2), *mat.come("SK", seat=3), *mat.come("SK", seat=4)]
    mat.tell(TrickTaken(at=mat.now, cards=tuple(numbers)))
    assert mat.noted[-1][0] == 1
    assert [doubt.game for doubt in mat.table.view().doubts] == [1]
    numbers = mat.come("SK", "DJ")
    mat.tell()
    assert mat.noted == [(2, "SA"), (3, "SK"), (4, "SK"), (1, "DJ")]
    mat.tell(TrickTaken(at=mat.now, cards=tuple(numbers)))
    assert mat.noted == [(2, "SA"), (3, "SK"), (4, "SK"), (1, "DJ")]
    assert not mat.table.view().doubts
    assert not mat.table.round.offences


def test_a_look_reads_no_card_that_may_be_another_seat_s() -> None:
    """The queen of seat 3 was not seen, and its arm still lay there when seat 4 laid the king: people are asked."""
    mat = Mat()
    arms = [("CA", (-53, -3), 2.86, 1.0), ("CK", (63, -9), -1.97, 0.5), ("CK", (6, 52), 1.39, 1.0)]
    numbers = []
    for label, (x, y), bearing, share in arms:
        numbers += mat.come(label, x=x, y=y, arm=bearing, arm_share=share)
        mat.now += 1.0
    mat.tell(TrickTaken(at=mat.now, cards=tuple(numbers)))
    before = mat.noted
    mat.tell(TrickTaken(at=mat.now, cards=tuple(mat.come("CK", "HQ"))))
    for _ in range(10):
        mat.tell()
    assert mat.noted == before
    assert len(mat.table.view().doubts) == 1
    assert not mat.table.view(mat.now).offences


#: The cards of a trick as they are seen, with place, arm and its share; who leads then, and what counts after that.
LED = {
    "the unseen card's seat": (
        [("CA", (-53, -3), 2.86, 1.0), ("CK", (63, -9), -1.97, 0.5), ("CK", (6, 52), 1.39, 1.0)],
        3, [(2, "CA"), (3, None), (4, "CK"), (1, "CK")], []),
    "a seat that may have won by arms, but not by what it laid": (
        [("CA", (-53, -3), 2.86, 1.0), ("CK", (63, -9), -1.97, 0.5), ("CK", (6, 52), 1.39, 1.0)],
        1, [(2, "CA"), (3, "CK"), (4, None), (1, "CK")], ["out_of_turn"]),
    "who has won if the unseen card was the lead, right upon which the others lie": (
        [("C9", (-76, 2), 2.46, 0.25), ("ST", (-72, 2), 0.33, 1.0), ("S9", (0, 51), 1.87, 0.86)],
        4, [(2, None), (3, "C9"), (4, "ST"), (1, "S9")], []),
    "arms are clear: it is a breach": (
        [("CA", (-53, -3), 2.86, 1.0), ("CK", (63, -9), -0.1, 1.0), ("CK", (6, 52), 1.39, 1.0)],
        4, [(2, "CA"), (3, None), (4, "CK"), (1, "CK")], ["out_of_turn"]),
}  # fmt: skip


@pytest.mark.parametrize(("seen", "leads", "counts", "breaches"), LED.values(), ids=LED)
def test_who_leads_tells_before_whom_an_unseen_card_was_laid(
    seen: list[tuple[str, tuple[int, int], float | None, float]],
    leads: int,
    counts: list[tuple[int, str | None]],
    breaches: list[str],
) -> None:
    mat = Mat()
    numbers = []
    for label, (x, y), bearing, share in seen:
        arm = {} if bearing is None else {"arm": bearing, "arm_share": share}
        numbers += mat.come(label, x=x, y=y, **arm)
        mat.now += 1.0
    mat.tell(TrickTaken(at=mat.now, cards=tuple(numbers)))
    mat.now += 2.0
    mat.come("HA", seat=leads, arm=MatLayout("A3", 4).seat_angle(leads), arm_share=1.0)
    for _ in range(10):
        mat.tell()
    game = mat.table.round.game
    assert game is not None
    assert [(one.seat, None if one.doubt else one.card) for one in game.tricks[0].cards] == counts
    assert mat.noted[4:] == [(leads, "HA")]
    assert [one.code for one in mat.table.round.offences] == breaches
    assert len(mat.table.view().doubts) == 1


def test_a_card_that_cannot_be_laid_again_is_looked_at_though_no_other_is_read() -> None:
    mat = Mat()
    mat.trick("SA", "SK", "SK", "ST", first=2)
    events = len(mat.table.events)
    numbers = mat.come("SK", seat=1)
    for _ in range(12):
        mat.tell()
    mat.tell(TrickTaken(at=mat.now, cards=tuple(numbers)))
    assert len(mat.table.events) == events, "nothing is noted, nor taken back"
    mat.come("CA", seat=2)
    mat.tell()
    assert mat.noted[4:] == [(2, "CA")]


def test_two_equal_cards_laid_at_once_are_laid() -> None:
    mat = Mat()
    mat.trick(*FIRST, first=2)
    came = mat.now
    mat.come("SA", seat=2, came=came)
    mat.come("SK", seat=3, came=came, angle=1.5)
    mat.tell()
    assert mat.noted[4:] == [(2, "SA"), (3, "SK")], "the deck has both once more"


@pytest.mark.parametrize(("unseen_s", "missed"), [(0.2, False), (4.0, True)], ids=["seen all along", "camera stalled"])
def test_who_leads_after_a_trick_that_nobody_saw_is_not_accused(unseen_s: float, missed: bool) -> None:
    mat = Mat()
    mat.trick(*FIRST, first=2)  # seat 2 has won it
    mat.now += unseen_s
    arm = {"arm": MatLayout("A3", 4).seat_angle(4) + 0.2, "arm_share": 1.0}
    mat.come("CA", seat=4, **arm)
    for _ in range(10):
        mat.tell()
    assert (4, "CA") in mat.noted
    assert len(mat.noted) == (9 if missed else 5)
    assert [one.code for one in mat.table.round.offences] == ([] if missed else ["out_of_turn"])
    assert len(mat.table.view().doubts) == (4 if missed else 0)


def test_a_card_misread_while_a_full_trick_lies_accuses_nobody_if_it_goes_with_it() -> None:
    mat = Mat()
    numbers = []
    for place, label in enumerate(FIRST):
        numbers += mat.come(label, seat=(1 + place) % 4 + 1)
        mat.now += 1.0
    arm = {"arm": MatLayout("A3", 4).seat_angle(4) + 0.2, "arm_share": 1.0}
    numbers += mat.come("CA", seat=4, **arm)  # seat 2 has won, and the ten is turned or pushed by seat 4
    for _ in range(5):
        mat.tell()
        assert not mat.table.round.offences
    mat.tell(TrickTaken(at=mat.now, cards=tuple(numbers)))
    assert [card for _, card in mat.noted] == [*FIRST] and not mat.table.round.offences


def test_the_same_four_cards_laid_one_after_another_are_a_trick() -> None:
    """Nothing tells between them that time has passed: a slow machine takes in what the camera saw at once."""
    mat = Mat()
    mat.trick(*FIRST, first=2)
    for place, label in enumerate(FIRST):
        mat.now += 1.0
        mat.numbers += 1
        (x, y), at = MAT[(1 + place) % 4 + 1], mat.now
        report = CardLaid(
            at=at, card=mat.numbers, label=label, margin=0.9, choices=((label, 0.9),), x=x, y=y, angle=0.0,
            not_before=at - 0.6, rested=at - 0.2,
        )  # fmt: skip
        mat.table.observe(report, at)
    mat.tell(TrickTaken(at=mat.now, cards=tuple(range(mat.numbers - 3, mat.numbers + 1))))
    assert mat.noted[4:] == mat.noted[:4] == [(2, "SA"), (3, "SK"), (4, "S9"), (1, "ST")]


def test_a_card_of_which_nothing_is_read_may_be_laid_now() -> None:
    position = Mat().table.position()
    unread = CardLaid(at=1.0, card=1, label=None, margin=0.0, choices=(), x=0.0, y=0.0, angle=0.0)
    assert has_copies_left(unread, position) and not may_be_looked_at(unread, position, nearly=True)
