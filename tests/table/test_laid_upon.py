"""Of two cards laid at once, one right upon the other, the one that is seen counts for who laid it."""

from dataclasses import replace

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table
from tests.table.arm_reports import LAYOUT, OPEN, arm, hand, laid, late, seen, soon
from vision.mat.layout import MatLayout
from vision.messages import ArmReached, CardLaid, HandInTheWay, Report, Tick, TrickTaken

#: What is reported; who has laid what in the trick then, and the seats that were asked for a card.
UPON: dict[str, tuple[list[list[Report]], list[tuple[int, str | None]], set[int]]] = {
    "the last one's upon the card before": (
        [laid(1, 2, 1), laid(2, 3, 3), [*laid(3, 1, 5, place=4, share=0.0), arm(4, 5)],
         [TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, None), (1, "H9")], {4}),
    "the second's upon the lead": (
        [[*laid(1, 3, 1, place=2, share=0.1), arm(2, 1)], laid(2, 4, 3), laid(3, 1, 5),
         [TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, None), (3, "HK"), (4, "HK"), (1, "H9")], {2}),
    "the second's upon the lead, which seems to be the arm's of the lead": (
        [[*laid(1, 3, 1, place=2, share=0.1, seen_arm=2), arm(2, 1)], laid(2, 4, 3), laid(3, 1, 5),
         [TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, None), (3, "HK"), (4, "HK"), (1, "H9")], {2}),
    "the second's below the lead, for he was there first": (
        [[*laid(1, 2, 1, share=0.1), soon(3, 1)], laid(2, 4, 3), laid(3, 1, 5), [TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, None), (4, "HK"), (1, "H9")], {3}),
    "the second's upon the lead, though he left a little sooner": (
        [[laid(1, 3, 1, place=2, share=0.1)[0], soon(3, 1, by=0.13), arm(2, 1)], laid(2, 4, 3), laid(3, 1, 5),
         [TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, None), (3, "HK"), (4, "HK"), (1, "H9")], {2}),
    "the second's upon the lead, and both arms were told as one between them": (
        [[replace(seen(laid(1, 3, 1, place=2, share=0.12)), arm=LAYOUT.seat_angle(3) - 0.3),
          replace(arm(3, 1), bearing=LAYOUT.seat_angle(3) - 0.93)],
         laid(2, 4, 3), laid(3, 1, 5), [TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, None), (3, "HK"), (4, "HK"), (1, "H9")], {2}),
    "the second's upon the lead, and the third's upon both, which seemed to be the second's": (
        [[laid(1, 3, 1, place=2, share=0.25)[0], soon(3, 1, by=0.2001), arm(2, 1)],
         [laid(2, 4, 2.2, place=2)[0], arm(4, 2.2)], laid(3, 1, 3.4), [TrickTaken(at=5, cards=(1, 2, 3))]],
        [(2, None), (3, "HK"), (4, "HK"), (1, "H9")], {2}),
    "the third's upon the second's, and it is known whose arm brought it": (
        [laid(1, 2, 1), [*laid(2, 4, 3, place=3), soon(3, 3)], laid(3, 1, 5), [TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, None), (4, "HK"), (1, "H9")], {3}),
    "the third's upon the second's, whose arm alone was told apart, though another was there": (
        [laid(1, 2, 1), laid(2, 4, 3, place=3, share=0.1, seen_arm=3)[:1], [arm(3, 3)], laid(3, 1, 5),
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, None), (4, "HK"), (1, "H9")], {3}),
    "the last one's upon the third's, which hid most of its arm": (
        [laid(1, 2, 1), laid(2, 3, 3), laid(3, 1, 5, place=4, share=0.56, seen_arm=4)[:1], [arm(4, 5)],
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, None), (1, "H9")], {4}),
    "the last one's is missed, whose arm came before the one that takes the trick in had left": (
        [laid(1, 2, 1), laid(2, 3, 3), laid(3, 4, 5, share=0.56)[:1], [arm(4, 5), HandInTheWay(at=5.8, gone=False)],
         [arm(1, 6.3)], [HandInTheWay(at=8, gone=True), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, "HK"), (1, None)], {1}),
    "the last one's upon the third's, and the third reaches in with the hand that takes the trick in": (
        [laid(1, 2, 1), laid(2, 3, 3), laid(3, 1, 5, place=4, share=0.56, seen_arm=4)[:1],
         [arm(4, 5), HandInTheWay(at=5.8, gone=False)],
         [arm(4, 6.3)], [HandInTheWay(at=8, gone=True), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, None), (1, "H9")], {4}),
    "the last one's is missed, and that before it was laid by one arm": (
        [laid(1, 2, 1), laid(2, 3, 3), laid(3, 4, 5, share=0.97)[:1], [arm(4, 5)],
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, "HK"), (1, None)], {1}),
    "the last one's upon the third's, whose arm hid most of it but left first": (
        [laid(1, 2, 1), laid(2, 3, 3),
         [laid(3, 1, 5, place=4, share=0.86, seen_arm=4)[0], soon(4, 5), arm(1, 5)],
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, None), (1, "H9")], {4}),
    "the third's upon the second's, whose arm hid most of it but left first, and the last one laid from aside": (
        [laid(1, 2, 1), [laid(2, 4, 3, place=3, share=0.21, seen_arm=3)[0], soon(3, 3), arm(4, 3)],
         [replace(seen(laid(3, 1, 5)), arm=LAYOUT.seat_angle(1) - 0.52)],
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, None), (4, "HK"), (1, "H9")], {3}),
    "the third's in its own place, to which the second's, which is not read, seemed to be the arm": (
        [laid(1, 2, 1), [laid(2, 4, 3, share=0.21, seen_arm=3)[0], arm(4, 3)], laid(3, 1, 5),
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, None), (4, "HK"), (1, "H9")], {3}),
    "the third's is missed, and the second's lies in its place, and its arm is clear": (
        [laid(1, 2, 1), [laid(2, 3, 3, place=4, share=0.6)[0], arm(4, 3)], laid(3, 1, 5),
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, None), (1, "H9")], {4}),
    "the third's is missed, whose arm came later; the second's lies in its place": (
        [laid(1, 2, 1), [laid(2, 3, 3, place=4, share=0.45)[0], arm(3, 3)], [arm(4, 5)], laid(3, 1, 7),
         [*hand(8.9, 10), TrickTaken(at=10, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, None), (1, "H9")], {4}),
    "the last one's is missed, and the third's arm left after his": (
        [laid(1, 2, 1), laid(2, 3, 3), [laid(3, 4, 5, share=0.86)[0], soon(1, 5), arm(4, 5)],
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, "HK"), (1, None)], {1}),
    "the same, and a hand has come since": (
        [laid(1, 2, 1), laid(2, 3, 3, share=0.1)[:1], [arm(3, 3)], hand(3.8, 4.2), laid(3, 1, 5),
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, None), (1, "H9")], {4}),
    "it is known whose arm brought it": (
        [laid(1, 2, 1), laid(2, 3, 3), [*laid(3, 4, 5), arm(1, 5)], [TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, "HK"), (1, None)], {1}),
    "nobody saw the third's come, and an arm takes it up": (
        [laid(1, 2, 1), laid(2, 3, 3), [arm(4, 5), arm(1, 5.2)], [late(seen(laid(3, 4, 7, share=0.1, seen_arm=1)))],
         [*hand(6.9, 8), TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, "HK"), (1, None)], {1}),
    "the other arm was not there": (
        [laid(1, 2, 1), laid(2, 3, 3), laid(3, 4, 5, share=0.0), [arm(1, 7)], [TrickTaken(at=8, cards=(1, 2, 3))]],
        [(2, "HA"), (3, "HK"), (4, "HK"), (1, None)], {1}),
}  # fmt: skip


@pytest.mark.parametrize(("reports", "expected", "asked"), UPON.values(), ids=UPON)
def test_of_two_laid_at_once_the_later_lies_upon_the_other(
    reports: list[list[Report]], expected: list[tuple[int, str | None]], asked: set[int]
) -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    accused: set[str] = set()
    for together in reports:
        for report in together:
            table.observe(report, report.at)
        for step in range(8):
            at = together[-1].at + 0.2 * step
            table.observe(Tick(at=at), at)
            accused |= {one.code for one in table.view(at).offences}
    game = table.round.game
    assert game is not None
    assert [(one.seat, None if one.doubt else one.card) for one in game.tricks[-1].cards] == expected
    assert {seat for code, seat in table.notices if code == "missed_card"} == asked
    assert not accused


#: Two laid at once, one right upon the other, whose arms left together: the reports, whom these cards are noted for.
TOGETHER: dict[str, tuple[list[Report], list[tuple[int, str | None]]]] = {
    "the third and the last, the third's arm left a little sooner": (
        [*laid(1, 2, 1), *laid(2, 3, 3), laid(3, 1, 5, place=4, share=0.86, seen_arm=4)[0], soon(4, 5, by=0.13),
         arm(1, 5), *hand(6.9, 8)],
        [(4, None), (1, "H9")]),
    "the third and the last, the last one's arm left a little sooner": (
        [*laid(1, 2, 1), *laid(2, 3, 3), laid(3, 1, 5, place=4, share=0.86, seen_arm=4)[0], soon(1, 5, by=0.13),
         arm(4, 5), *hand(6.9, 8)],
        [(4, "H9"), (1, None)]),
    "the third and the last, whose arm was not told apart": (
        [*laid(1, 2, 1), *laid(2, 3, 3), *laid(3, 4, 5, share=0.86)[:1], arm(4, 5), *hand(6.9, 8)],
        [(4, "HK"), (1, None)]),
    "the lead and the second, which is missed while the trick lies there": (
        [laid(1, 3, 1, place=2, share=0.5, seen_arm=2)[0], soon(3, 1, by=0.13), arm(2, 1), *laid(2, 4, 3),
         *laid(3, 1, 5), *hand(6.9, 8)],
        [(2, "HK"), (3, None)]),
}  # fmt: skip


@pytest.mark.parametrize("swapped", [False, True], ids=["it stays", "each other's"])
@pytest.mark.parametrize(("reports", "noted"), TOGETHER.values(), ids=TOGETHER)
def test_of_two_laid_at_once_whose_arms_left_together_people_say_whose_the_card_on_top_is(
    reports: list[Report], noted: list[tuple[int, str | None]], swapped: bool
) -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    for report in reports:
        table.observe(report, report.at)
        table.observe(Tick(at=report.at + 0.9), report.at + 0.9)
    for _ in range(2):  # also where it is told twice
        table.observe(TrickTaken(at=8, cards=(1, 2, 3)), 8)

    def trick() -> list[tuple[int, str | None]]:
        assert table.round.game is not None
        cards = [(one.seat, None if one.doubt else one.card) for one in table.round.game.tricks[-1].cards]
        return [one for one in cards if one[0] in dict(noted)]

    assert trick() == noted
    whose, what = table.view(9).doubts
    ((seat, card),) = [one for one in noted if one[1]]
    ((other, _),) = [one for one in noted if not one[1]]
    assert (whose.seat, *whose.choices, whose.perhaps[whose.event]) == (seat, card, other)
    assert (what.seat, dict(what.perhaps)) == (other, {})
    seats = whose.perhaps if swapped else {whose.event: whose.seat, what.event: what.seat}
    said = {"event": "correct", "seats": {str(event): one for event, one in seats.items()}, "why": "asked"}
    table.request(decode_request({**said, "by": "table"}, BY_ALL))
    (first, one), (second, two) = noted
    assert trick() == ([(first, two), (second, one)] if swapped else noted)
    (what,) = table.view(9).doubts
    assert what.seat == (seat if swapped else other)
    assert not table.view(9).offences


def test_of_two_laid_at_once_the_upper_is_that_of_its_arm_where_only_the_other_arm_is_told() -> None:
    """Of five people two neighbours laid at once; turn and place gave the card on top to the lower one's seat."""
    mat = MatLayout("A3", 5)

    def report(number: int, card: str, place: int, arm: int, told: int, at: float) -> list[Report]:
        x, y = mat.seat_places[place]
        seen = CardLaid(
            at=at, card=number, label=card, margin=0.9, choices=((card, 0.9),), x=x, y=y, angle=0,
            not_before=at - 0.5, rested=at, arm=mat.seat_angle(arm), arm_share=0.86,
        )  # fmt: skip
        return [seen, ArmReached(at=at + 0.3, since=at - 0.3, until=at + 0.1, bearing=mat.seat_angle(told))]

    opening = decode_opening(OPEN | {"players": ["A", "B", "C", "D", "E"]})
    table = Table(MemoryLog(), now=0.0, opening=opening, centres=mat.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    reports = [
        *report(1, "HA", 2, 2, 2, 1.0),
        *report(2, "HA", 3, 4, 3, 3.0),
        *report(3, "HK", 3, 5, 5, 4.0),
        TrickTaken(at=6, cards=(1, 2, 3)),
    ]
    for one in reports:
        table.observe(one, one.at)
        table.observe(Tick(at=one.at + 0.6), one.at + 0.6)
        assert not table.view(one.at).offences
    assert table.round.game is not None
    (trick,) = table.round.game.tricks
    noted = [(one.seat, None if one.doubt else one.card) for one in trick.cards]
    assert noted == [(2, "HA"), (3, None), (4, "HA"), (5, "HK")]


def test_the_card_upon_an_unseen_one_is_none_of_its_choices() -> None:
    """The other one of the deck was laid before: counted as a choice, it would have won the trick for its seat."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=LAYOUT.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    for seat, card in ((2, "HK"), (3, "HT"), (4, "H9"), (1, "HA")):
        table.request(decode_request({"event": "card", "seat": seat, "card": card}, BY_ALL))
    reports = [laid(1, 3, 11), [*laid(2, 1, 13, place=4, share=0.1), arm(4, 13)], laid(3, 2, 15)]
    for together in reports:
        for report in together:
            table.observe(report, report.at)
        for step in range(8):
            table.observe(Tick(at=together[-1].at + 0.2 * step), together[-1].at + 0.2 * step)
    game = table.round.game
    assert game is not None
    unseen = [one for one in game.open_trick or game.tricks[-1].cards if one.doubt]
    assert [(one.seat, "H9" in one.doubt) for one in unseen] == [(4, False)]


def test_who_follows_two_that_were_laid_at_once_is_due_as_well() -> None:
    """Of five, seat 2 lays right upon the card of seat 1; the next card lies as near to seat 3 as it can."""
    opening = {**OPEN, "players": [*"ABCDE"]}
    centres = MatLayout("A3", 5).seat_places
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(opening), centres=centres, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 4}):
        table.request(decode_request(word, BY_ALL))
    cards = {1: ("HA", 42, 19, 0.09, 1.0), 2: ("HK", 2, 38, 2.47, 0.75), 3: ("CA", -50, -40, -2.34, 1.0)}
    arms = {2: [(1.58, 0.25), (2.37, 0.05)]}
    for number, (label, x, y, bearing, share) in cards.items():
        at = 2.0 * number
        seen = CardLaid(
            at=at, card=number, label=label, margin=0.9, choices=((label, 0.9),), x=x, y=y, angle=0,
            not_before=at - 0.6, rested=at - 0.1, arm=bearing, arm_share=share,
        )  # fmt: skip
        gone = [ArmReached(at=at, since=at - 0.6, until=at - ago, bearing=one) for one, ago in arms.get(number, ())]
        for report in (*gone, seen, *(Tick(at=at + 0.2 * step) for step in range(8))):
            table.observe(report, report.at)
    game = table.round.game
    assert game is not None
    told = [(one.seat, None if one.doubt else one.card) for one in game.open_trick or game.tricks[-1].cards]
    assert told == [(5, "HA"), (1, None), (2, "HK"), (3, "CA")]
    assert not table.view(9.0).offences


@pytest.mark.parametrize(
    ("bearing", "last"),
    [
        pytest.param(-0.49, [(4, None), (5, "HA")], id="one arm, half way to the next seat: two"),
        pytest.param(-0.95, [(4, "HA"), (5, None)], id="one arm, the card's"),
        pytest.param(-1.6, [(4, "HA"), (5, None)], id="one arm, further away from the next seat"),
    ],
)
def test_two_arms_that_are_told_as_one_have_laid_two_cards(bearing: float, last: list[tuple[int, str | None]]) -> None:
    """Of five, seat 5 lays right upon the card of seat 4, the last of the trick. In a film."""
    opening = {**OPEN, "players": [*"ABCDE"]}
    layout = MatLayout("A3", 5)
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(opening), centres=layout.seat_places, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    cards = {2: ("HK", *layout.seat_places[2], layout.seat_angle(2)), 3: ("H9", *layout.seat_places[3], -2.2)}
    for number, (label, x, y, own) in {**cards, 4: ("HA", 53, -30, -1.06)}.items():
        at = 2.0 * number
        seen = CardLaid(
            at=at, card=number, label=label, margin=0.9, choices=((label, 0.9),), x=x, y=y, angle=0,
            not_before=at - 0.6, rested=at - 0.1, arm=own, arm_share=0.86,
        )  # fmt: skip
        reached = ArmReached(at=at, since=at - 0.6, until=at - 0.2, bearing=bearing if number == 4 else own)
        for report in (seen, reached, *(Tick(at=at + 0.2 * step) for step in range(8))):
            table.observe(report, report.at)
    table.observe(TrickTaken(at=10.5, cards=(2, 3, 4)), 10.5)
    table.observe(Tick(at=12.0), 12.0)
    game = table.round.game
    assert game is not None
    told = [(one.seat, None if one.doubt else one.card) for one in game.tricks[-1].cards]
    assert told == [(2, "HK"), (3, "H9"), *last]
    assert not table.view(12.0).offences
