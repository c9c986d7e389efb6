"""A card that only its arm tells of: nobody who follows is accused, and the card is asked for, once."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table
from tests.table.arm_reports import CARDS, LAYOUT, OPEN, arm, hand, laid, seen
from vision.messages import ArmReached, CardLaid, HandInTheWay, Report, Tick, TrickTaken

#: What happens: a card is seen, or an arm alone, each of a seat and at a time; who has laid what then, who was ever
#: accused, and how many cards were asked for.
Happens = tuple[str, int, float]
CASES: dict[str, tuple[list[Happens], list[tuple[int, str | None]], set[int], int]] = {
    "a card upon an equal one: its arm alone is seen": (
        [("card", 2, 1), ("card", 3, 3), ("arm", 4, 5), ("card", 1, 7)],
        [(2, "HA"), (3, "HK"), (4, None), (1, "H9")], set(), 1),
    "the arm crosses the rim half way to the neighbour, upon whose card it lays": (
        [("card", 2, 1), ("card", 3, 3), ("aside", 4, 5), ("card", 1, 7)],
        [(2, "HA"), (3, "HK"), (4, None), (1, "H9")], set(), 1),
    "no arm of the seat passed over: it is a breach": (
        [("card", 2, 1), ("card", 3, 3), ("card", 1, 7)], [(2, "HA"), (3, "HK"), (1, "H9")], {1}, 0),
    "the seat passed over lays a card that is seen, before that against turn is noted: it is a breach": (
        [("card", 2, 1), ("soon", 4, 3), ("soon", 3, 3.9), ("card", 1, 5)],
        [(2, "HA"), (4, "HK"), (3, "HK"), (1, "H9")], {4}, 0),
    "another seat's arm: it is a breach": (
        [("card", 2, 1), ("card", 3, 3), ("arm", 2, 5), ("card", 1, 7)], [(2, "HA"), (3, "HK"), (1, "H9")], {1}, 0),
    "the arm reached in before the trick was begun: it is a breach": (
        [("arm", 4, -1), ("card", 2, 1), ("card", 3, 3), ("card", 1, 7)], [(2, "HA"), (3, "HK"), (1, "H9")], {1}, 0),
    "two are passed over, the arm of one is seen: it is a breach": (
        [("card", 2, 1), ("arm", 3, 3), ("card", 1, 7)], [(2, "HA"), (1, "H9")], {1}, 0),
    "two are passed over, both arms are seen": (
        [("card", 2, 1), ("arm", 3, 3), ("arm", 4, 5), ("card", 1, 7)],
        [(2, "HA"), (3, None), (4, None), (1, "H9")], set(), 2),
    "the card is read when another hand has touched it: it lies upon the one before": (
        [("card", 2, 1), ("card", 3, 3), ("arm", 4, 5), ("card", 1, 7), ("touched", 4, 10)],
        [(2, "HA"), (3, "HK"), (4, "HK"), (1, "H9")], set(), 1),
    "the same, while the card that tells of it is still kept back": (
        [("card", 2, 1), ("card", 3, 3), ("arm", 4, 5), ("soon", 1, 7), ("touched", 4, 7.5)],
        [(2, "HA"), (3, "HK"), (4, "HK"), (1, "H9")], set(), 0),
    "the card is read after the next one": (
        [("card", 2, 1), ("card", 3, 3), ("arm", 4, 5), ("card", 1, 7), ("late", 4, 10)],
        [(2, "HA"), (3, "HK"), (4, "HK"), (1, "H9")], set(), 1),
}  # fmt: skip


@pytest.mark.parametrize(("happens", "laid", "accused", "asked"), CASES.values(), ids=CASES)
def test_an_arm_may_have_laid_what_was_not_seen(
    happens: list[Happens], laid: list[tuple[int, str | None]], accused: set[int], asked: int
) -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    ever: set[int] = set()
    missed: set[int | None] = set()

    def observe(report: Any, at: float) -> None:
        table.observe(report, at)
        ever.update(one.seat for one in table.round.offences)
        missed.update(event for (code, _), event in table.notices.items() if code == "missed_card")

    for number, (what, seat, at) in enumerate(happens):
        bearing = LAYOUT.seat_angle(seat) + 0.2
        if what == "arm" and at < 0:
            observe(ArmReached(at=0.0, since=at - 0.4, until=at, bearing=bearing), 0.0)
            continue
        if what == "aside":
            bearing = LAYOUT.seat_angle(seat) - 0.85
        if what not in ("arm", "aside"):
            x, y = LAYOUT.seat_places[3 if what == "touched" else seat]
            rested = 5.0 if what == "late" else at
            known: dict[str, Any] = {"not_before": rested - 0.5, "rested": rested, "arm": bearing, "arm_share": 1.0}
            card = CARDS[seat]
            observe(
                CardLaid(
                    at=at, card=number, label=card, margin=0.9, choices=((card, 0.9),), x=x, y=y, angle=0, **known
                ),
                at,
            )
        if what not in ("late", "touched"):
            observe(ArmReached(at=at + 0.3, since=at - 0.3, until=at + 0.1, bearing=bearing), at + 0.3)
        if what == "soon":  # the next hand is there before the table has waited for a card below this one
            observe(HandInTheWay(at=at + 0.31, gone=False), at + 0.31)
            continue
        observe(HandInTheWay(at=at + 0.31, gone=True), at + 0.31)
        for step in range(8):
            observe(Tick(at=at + 0.3 + 0.2 * step), at + 0.3 + 0.2 * step)
    game = table.round.game
    assert game is not None
    told = [(one.seat, None if one.doubt else one.card) for one in game.open_trick or game.tricks[-1].cards]
    assert told == laid
    assert ever == accused
    assert len(missed) == asked


def test_who_followed_two_that_were_missed_has_laid_in_turn_once_the_trick_has_gone() -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    for report in [*laid(1, 2, 1), arm(3, 3), *laid(2, 1, 7), Tick(at=8.5), TrickTaken(at=9, cards=(1, 2))]:
        table.observe(report, report.at)
    game = table.round.game
    assert game is not None
    assert [(one.seat, bool(one.doubt)) for one in game.tricks[-1].cards] == [
        (2, False),
        (3, True),
        (4, True),
        (1, False),
    ]
    assert not table.round.offences


def test_a_card_missed_in_a_trick_that_another_may_have_had_to_lead_counts_after_those_before_it() -> None:
    """Seat 1, whose card was not seen, may have won the first trick from 3, and leads; then 3's is not seen."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    tricks = [(2, "SK"), (3, "SA"), (4, "ST"), (1, None)], [(1, "CA"), (2, "C9"), (3, None), (4, "CK")]
    reports: list[Report] = []
    for number, (seat, label) in enumerate(one for trick in tricks for one in trick):
        at = 2.0 * number + 6.0 * (number // 4)
        reports += [replace(seen(laid(number, 1, at, place=seat, seen_arm=seat)), label=label)] if label else []
        reports += [arm(seat, at)]
        reports += [TrickTaken(at=at + 3.0, cards=(0, 1, 2))] if number == 3 else []
    for report in reports:
        table.observe(report, report.at)
        table.observe(Tick(at=report.at + 0.9), report.at + 0.9)
    game = table.round.game
    assert game is not None
    assert [(one.seat, bool(one.doubt)) for one in game.tricks[-1].cards] == [
        (1, False), (2, False), (3, True), (4, False)
    ]  # fmt: skip
    assert not table.round.offences


def test_who_is_passed_over_and_lays_afterwards_has_no_card_below_another() -> None:
    """The arm of seat 3 is not clearly ahead; seat 1 lays before seat 4, and then that lays."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    reports: list[Report] = [*laid(1, 2, 1), *laid(2, 3, 3, share=0.25), *laid(3, 1, 5), *laid(4, 4, 8)]
    for at in (1, 3, 5, 8):
        reports += hand(at - 0.5, at + 0.2)
    reports += [Tick(at=8.4 + 0.2 * step) for step in range(8)]
    for report in sorted(reports, key=lambda one: one.at):
        table.observe(report, report.at)
    game = table.round.game
    assert game is not None
    assert [(one.seat, one.card) for one in game.tricks[-1].cards] == [(2, "HA"), (3, "HK"), (1, "H9"), (4, "HK")]
    assert {(one.seat, one.code) for one in table.view(10.0).offences} == {(1, "out_of_turn")}
    assert not table.notices


def beside(seat: int, at: float) -> list[Report]:
    """An arm that may be of the seat, or may have brought the card of the one before."""
    return [ArmReached(at=at + 0.3, since=at - 0.3, until=at + 0.1, bearing=LAYOUT.seat_angle(seat) - 0.82)]


@pytest.mark.parametrize(
    ("also", "accused"),
    [
        pytest.param([], {"out_of_turn"}, id="no hand was there"),
        pytest.param(hand(3.8, 4.3), set[str](), id="a hand was there, and laid nothing that was seen"),
        pytest.param(hand(6.2, 6.9), {"out_of_turn"}, id="a hand was there after the card alone"),
        pytest.param(beside(4, 3.0), set[str](), id="two arms were there when one card came"),
        pytest.param(beside(4, 8.0), {"out_of_turn"}, id="the other arm came after the card against turn"),
    ],
)
def test_nobody_is_accused_before_the_trick_goes_where_a_hand_may_have_laid(
    also: list[Report], accused: set[str]
) -> None:
    """Seat 4 lays right upon an equal card, and its arm is not told apart."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    reports = [*laid(1, 2, 1), *laid(2, 3, 3), *laid(3, 1, 5.5)]
    ticks = [Tick(at=6.0 + 0.2 * step) for step in range(20)]
    for report in sorted([*reports, *also, *ticks], key=lambda one: one.at):
        table.observe(report, report.at)
    assert {one.code for one in table.view(10.0).offences} == accused
    table.observe(TrickTaken(at=11.0, cards=(1, 2, 3)), 11.0)
    table.observe(Tick(at=12.0), 12.0)
    game = table.round.game
    assert game is not None
    assert [(one.seat, None if one.doubt else one.card) for one in game.tricks[-1].cards][2:] == [(4, None), (1, "H9")]
    assert not table.view(12.0).offences


@pytest.mark.parametrize(
    ("also", "accused"),
    [
        pytest.param([], {4, 1}, id="no hand was there but those that laid"),
        pytest.param(hand(2.8, 3.3), set[int](), id="a hand was there before all who follow"),
        pytest.param(hand(6.3, 6.8), {4}, id="a hand was there before the last one alone"),
        pytest.param(beside(3, 1.0), set[int](), id="two arms were there when one card came"),
        pytest.param(beside(2, 1.0), set[int](), id="two arms were there when one card came, as one seat's"),
    ],
)
@pytest.mark.parametrize("timed", [True, False], ids=["", "when seat 4 laid was not seen"])
def test_a_hand_may_have_laid_before_all_who_follow(also: list[Report], accused: set[int], timed: bool) -> None:
    """Seat 3 lays right upon the card of seat 2, and is not told apart; seats 4 and 1 follow."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    reports: list[Report] = []
    for number, (seat, at) in enumerate([(2, 1.0), (4, 5.0), (1, 8.0)], 1):
        card, *reached = laid(number, seat, at)
        assert isinstance(card, CardLaid)
        if not timed and seat == 4:
            card = replace(card, rested=None, not_before=None)
        reports += [card, *reached, *hand(at - 0.5, at + 0.2)]
    ticks = [Tick(at=8.4 + 0.2 * step) for step in range(8)]
    for report in sorted([*reports, *also, *ticks], key=lambda one: one.at):
        table.observe(report, report.at)
    assert {one.seat for one in table.view(10.0).offences} == (accused if timed else set())
    table.observe(TrickTaken(at=11.0, cards=(1, 2, 3)), 11.0)
    game = table.round.game
    assert game is not None
    assert not table.view(12.0).offences
    assert [one.seat for one in game.tricks[-1].cards] == [2, 3, 4, 1]


@pytest.mark.parametrize(
    ("share", "accused"),
    [
        pytest.param(0.86, set[int](), id="another arm had hidden it"),
        pytest.param(0.97, {4, 1}, id="no other arm had"),
    ],
)
def test_an_arm_that_hid_the_card_of_the_seat_before_may_have_laid(share: float, accused: set[int]) -> None:
    """Seat 3 lays at once with seat 2, right upon its card, and both arms are told as one; seats 4 and 1 follow."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    for report in (*laid(1, 2, 1, share=share), *laid(2, 4, 3), *laid(3, 1, 5)):
        table.observe(report, report.at)
        table.observe(Tick(at=report.at + 1.0), report.at + 1.0)
    assert {one.seat for one in table.view(7.0).offences} == accused
    table.observe(TrickTaken(at=8.0, cards=(1, 2, 3)), 8.0)
    game = table.round.game
    assert game is not None
    assert not table.view(9.0).offences
    assert [(one.seat, None if one.doubt else one.card) for one in game.tricks[-1].cards][:2] == [(2, "HA"), (3, None)]


@pytest.mark.parametrize(
    ("came", "late", "accused"),
    [
        pytest.param([], False, {3}, id="no hand was there: it is a breach"),
        pytest.param(hand(11.0, 11.7), False, set[int](), id="a hand was there, and laid nothing that was seen"),
        pytest.param(hand(9.5, 10.2), False, {3}, id="that which took the trick in"),
        pytest.param(hand(15.1, 15.6), False, {3}, id="a hand was there after the lead alone"),
        pytest.param(hand(11.0, 11.7), True, set[int](), id="and what it has laid is read in the end"),
        pytest.param([], True, {3}, id="it is read in the end, though no hand was seen"),
    ],
)
def test_nobody_leads_out_of_turn_where_the_lead_may_not_have_been_seen(
    came: list[Report], late: bool, accused: set[int]
) -> None:
    """Seat 2 has won and leads; its card is not seen, or only when the trick is taken in, and nobody saw it come."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    for seat, card in ((2, "ST"), (3, "S9"), (4, "SK"), (1, "S9")):
        table.request(decode_request({"event": "card", "seat": seat, "card": card}, BY_ALL))
    reports: list[Report] = [TrickTaken(at=10.0, cards=()), *came]
    for number, (seat, at) in enumerate([(3, 13.0), (4, 17.0), (1, 20.0)], 1):
        card, _ = laid(number, seat, at)
        assert isinstance(card, CardLaid)
        reports += [replace(card, arm=LAYOUT.seat_angle(seat)), *hand(at - 0.5, at + 0.2)]
    ticks = [Tick(at=0.2 * step) for step in range(115)]
    for report in sorted([*reports, *ticks], key=lambda one: one.at):
        table.observe(report, report.at)
    assert {one.seat for one in table.view(23.0).offences} == accused
    if late:
        card, _ = laid(9, 2, 24.0)
        assert isinstance(card, CardLaid)
        lead = replace(card, not_before=None, rested=None, arm=LAYOUT.seat_angle(4))  # that of who takes the trick in
        table.observe(lead, 24.0)
    table.observe(TrickTaken(at=24.0, cards=(1, 2, 3, 9)), 24.0)
    for step in range(8):
        table.observe(Tick(at=24.2 + 0.2 * step), 24.2 + 0.2 * step)
    game = table.round.game
    assert game is not None
    assert not table.view(26.0).offences
    told = [(one.seat, None if one.doubt else one.card) for one in game.tricks[-1].cards]
    assert told == [(2, "HA" if late else None), (3, "HK"), (4, "HK"), (1, "H9")]


def test_who_follows_a_seat_whose_arm_came_for_nothing_is_due_as_well() -> None:
    """Seat 3 lays face down, which this camera cannot read; seat 4 lays nearer to it than mostly."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    (fourth, gone), (last, left) = laid(2, 4, 5), laid(3, 1, 8, share=0.0)
    assert isinstance(fourth, CardLaid)
    fourth = replace(fourth, x=57.9, y=-7.9, arm=LAYOUT.seat_angle(4) - 0.28)
    reports = [*laid(1, 2, 1), arm(3, 3), fourth, gone, last, left, *hand(10, 11), TrickTaken(at=11, cards=(1, 2, 3))]
    accused: set[str] = set()
    for report in sorted([*reports, *(Tick(at=0.2 * step) for step in range(65))], key=lambda one: one.at):
        table.observe(report, report.at)
        accused |= {one.code for one in table.view(report.at).offences}
    game = table.round.game
    assert game is not None
    told = [(one.seat, None if one.doubt else one.card) for one in game.tricks[-1].cards]
    assert told == [(2, "HA"), (3, None), (4, "HK"), (1, "H9")]
    assert not accused


def test_who_leads_where_a_card_of_the_last_trick_lay_lays_none_of_it() -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    reports: list[Report] = [*laid(1, 2, 1), *laid(2, 3, 3), arm(4, 5), *laid(3, 1, 7)]
    reports.append(TrickTaken(at=10, cards=(1, 2, 3)))
    for report in (*reports, *laid(4, 2, 12)):
        table.observe(report, report.at)
    for step in range(8):
        table.observe(Tick(at=13 + 0.2 * step), 13 + 0.2 * step)
    game = table.round.game
    assert game is not None
    assert [(one.seat, one.card, bool(one.doubt)) for one in game.tricks[-1].cards][2] == (4, "HK", True)
    assert [(one.seat, one.card) for one in game.open_trick] == [(2, "HA")]
