"""A card that only its arm tells of: nobody who follows is accused, and the card is asked for, once."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import ArmReached, CardLaid, HandInTheWay, Report, Tick, TrickTaken

LAYOUT = MatLayout("A3", 4)
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}
#: What each seat lays: seats 3 and 4 have the same card.
CARDS = {2: "HA", 3: "HK", 4: "HK", 1: "H9"}

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


def laid(
    number: int, seat: int, at: float, *, place: int | None = None, share: float = 1.0, seen_arm: int | None = None
) -> list[Report]:
    """A card of a seat, in the ``place`` and with the arm of another where these are given; then its own arm goes."""
    x, y = LAYOUT.seat_places[place or seat]
    bearing = LAYOUT.seat_angle(seen_arm or seat) + 0.2
    seen = CardLaid(
        at=at, card=number, label=CARDS[seat], margin=0.9, choices=((CARDS[seat], 0.9),), x=x, y=y, angle=0,
        not_before=at - 0.5, rested=at, arm=bearing if share else None, arm_share=share,
    )  # fmt: skip
    return [seen, arm(seat, at)]


def arm(seat: int, at: float) -> ArmReached:
    return ArmReached(at=at + 0.3, since=at - 0.3, until=at + 0.1, bearing=LAYOUT.seat_angle(seat) + 0.2)


def soon(seat: int, at: float, by: float = 0.3) -> ArmReached:
    """One that left before the other, by so many seconds."""
    return ArmReached(at=at + 0.3, since=at - 0.4, until=at + 0.1 - by, bearing=LAYOUT.seat_angle(seat) + 0.2)


def seen(reports: list[Report]) -> CardLaid:
    """The card alone."""
    assert isinstance(reports[0], CardLaid)
    return reports[0]


def late(report: CardLaid) -> CardLaid:
    """A card that nobody saw come."""
    return replace(report, not_before=None, rested=None)


def hand(came: float, gone: float) -> list[Report]:
    return [HandInTheWay(at=came, gone=False), HandInTheWay(at=gone, gone=True)]


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
    for number, (label, x, y, arm) in {**cards, 4: ("HA", 53, -30, -1.06)}.items():
        at = 2.0 * number
        seen = CardLaid(
            at=at, card=number, label=label, margin=0.9, choices=((label, 0.9),), x=x, y=y, angle=0,
            not_before=at - 0.6, rested=at - 0.1, arm=arm, arm_share=0.86,
        )  # fmt: skip
        reached = ArmReached(at=at, since=at - 0.6, until=at - 0.2, bearing=bearing if number == 4 else arm)
        for report in (seen, reached, *(Tick(at=at + 0.2 * step) for step in range(8))):
            table.observe(report, report.at)
    table.observe(TrickTaken(at=10.5, cards=(2, 3, 4)), 10.5)
    table.observe(Tick(at=12.0), 12.0)
    game = table.round.game
    assert game is not None
    told = [(one.seat, None if one.doubt else one.card) for one in game.tricks[-1].cards]
    assert told == [(2, "HK"), (3, "H9"), *last]
    assert not table.view(12.0).offences
