"""Cards that come between two pictures: nobody is accused of an order that nobody has seen."""

from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.bench.sighted import Seeing, SightedTable
from kiosk.demo.play import simulate
from kiosk.demo.report import misnoted_cards
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.events.values import CardsReseated
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, HandInTheWay, Tick, TrickTaken

MAT = MatLayout("A3", 4).seat_places
OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"]}

#: Each card: seat, not before, at rest since, reported; with the seats as noted in the end, and who is accused.
CASES: dict[str, tuple[list[tuple[int, float, float, float]], tuple[int, ...], list[int]]] = {
    "one after the other": ([(2, 0, 1, 1.1), (3, 2, 3, 3.1), (4, 4, 5, 5.1)], (2, 3, 4), []),
    "two between two pictures, the later told first": ([(2, 0, 1, 1.1), (4, 1, 4, 4.1), (3, 1, 4, 4.1)], (2, 3, 4), []),
    "three between two pictures, backwards": ([(4, 0, 4, 4.1), (3, 0, 4, 4.1), (2, 0, 4, 4.1)], (2, 3, 4), []),
    "a hand stays on the first, the next lays beside it": (
        [(2, 0, 1, 1.1), (4, 2.0, 2.4, 2.6), (3, 1.5, 3.4, 3.6)], (2, 3, 4), []),
    "the first was seen so late that the next is noted": (
        [(2, 0, 1, 1.1), (4, 2.0, 2.4, 2.6), (3, 1.5, 7.4, 7.6)], (2, 3, 4), []),
    "seen: the next but one has laid, and then the one whose turn it was": (
        [(2, 0, 1, 1.1), (4, 2, 3, 3.1), (3, 5, 6, 6.1)], (2, 4, 3), [4]),
    "at once: the next but one had begun before who was due": (
        [(2, 0, 1, 1.1), (4, 2, 3.0, 3.1), (3, 3.0, 3.4, 3.5)], (2, 3, 4), []),
    "at once, and the later is noted already": (
        [(2, 0, 1, 1.1), (4, 2, 3.0, 3.1), (3, 3.0, 3.4, 6.0)], (2, 3, 4), []),
    "seen: the next but one has laid six tenths before": (
        [(2, 0, 1, 1.1), (4, 2, 3.0, 3.1), (3, 3.0, 3.6, 3.7)], (2, 4, 3), [4]),
    "the last of a trick and the next lead, told the wrong way round": (
        [(2, 0, 1, 1.1), (3, 2, 3, 3.1), (4, 4, 5, 5.1), (2, 6, 9, 9.1), (1, 6, 9, 9.1)], (2, 3, 4, 1, 2), []),
}  # fmt: skip


@pytest.mark.parametrize(("cards", "seats", "accused"), CASES.values(), ids=CASES)
def test_the_order_counts_that_was_seen(
    cards: list[tuple[int, float, float, float]], seats: tuple[int, ...], accused: list[int]
) -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=MAT, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    # Seat 2 takes the first trick and leads the next.
    by_seat: dict[int, list[str]] = {2: ["SA", "CA"], 3: ["SK"], 4: ["S9"], 1: ["ST"]}
    ever: set[int] = set()
    for number, (seat, not_before, rested, at) in enumerate(cards):
        label = by_seat[seat].pop(0)
        x, y = MAT[seat]
        arm = MatLayout("A3", 4).seat_angle(seat) + 0.2
        known: dict[str, Any] = {"not_before": not_before, "rested": rested, "arm": arm, "arm_share": 1.0}
        table.observe(HandInTheWay(at=at - 0.1, gone=True), at)
        report = CardLaid(
            at=at, card=number, label=label, margin=0.9, choices=((label, 0.9),), x=x, y=y, angle=0.0, **known
        )
        table.observe(report, at)
        ever |= {one.seat for one in table.round.offences}
        table.observe(Tick(at=at + 0.05), at)
        following = cards[number + 1][3] if number + 1 < len(cards) else at + 5.0
        if any(later[1] < at for later in cards[number + 1 :]):  # another hand is about
            table.observe(HandInTheWay(at=at, gone=False), at)
        for tenth in range(1, int(10 * (following - at))):
            table.observe(Tick(at=at + tenth / 10), at + tenth / 10)
            ever |= {one.seat for one in table.round.offences}
    game = table.round.game
    assert game is not None
    laid = [card for trick in game.tricks for card in trick.cards] + list(game.open_trick)
    assert tuple(card.seat for card in laid) == seats
    assert [one.seat for one in table.round.offences] == accused
    assert ever == {*accused} or cards[-1][3] - cards[-2][3] > 2.5, "what is kept back is noted after a while"


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), book=st.sampled_from(["eppstein", "schaffkopf", "bsv"]))
@settings(deadline=None, max_examples=6)
def test_nobody_is_accused_before_a_camera_that_stalls(seed: int, book: str) -> None:
    """Pauses of up to four seconds, in which two or three cards are laid: all that is held against anybody was seen."""
    script = list(simulate(book, seed, 1))
    table = SightedTable(script, seed, Seeing(stalls=0.15))
    told = table.play()
    assert {one for one in table.accused if one[0] == "out_of_turn"} == set()
    assert [one for one in told.offences if one.code == "out_of_turn"] == []


@pytest.mark.parametrize("arms", [True, False], ids=["arms are seen", "no arm is seen"])
def test_arms_tell_who_has_laid_out_of_turn(arms: bool) -> None:
    """Where arms are seen each card is noted for who laid it; by places alone some of these are not."""
    script = list(simulate("schaffkopf", 919, 4, mistakes=0.1))
    table = SightedTable(script, 19, Seeing(no_arm=0.0 if arms else 1.0, wrong_arm=0.0))
    told = table.play()
    assert (not any(one.other_seat for one in misnoted_cards(table.truth, told))) is arms


@pytest.mark.parametrize("seed", [919, 920], ids=str)
def test_breaches_that_are_noted_are_shown_soon(seed: int) -> None:
    """What is held back where hands may have laid unseen cards hides no breach of which all cards are seen."""
    table = SightedTable(list(simulate("schaffkopf", seed, 4, mistakes=0.1)), 19, Seeing(no_arm=0.0, wrong_arm=0.0))
    table.play()
    after_s = [table.shown_after_s.get(one, inf) for one in table.standing_breaches()]
    assert len(after_s) >= 5 and max(after_s) <= 2.0


@pytest.mark.parametrize(
    ("places", "arms", "laid"),
    [
        pytest.param((3, 4), (3, 4), {"SK": 3, "S9": 4}, id="each its own"),
        pytest.param((3, 4), (4, 3), {"SK": 3, "S9": 4}, id="each the other's arm: taken for each other's"),
        pytest.param((4, 3), (4, 3), {"SK": 4, "S9": 3}, id="the first one is the later seat's"),
        pytest.param((4, 3), (3, 4), {"SK": 4, "S9": 3}, id="the same, each with the other's arm"),
        pytest.param((4, 4), (3, 4), {"SK": 3, "S9": 4}, id="both in one place: by their arms"),
    ],
)
def test_of_two_at_once_each_may_have_been_given_the_others_arm(
    places: tuple[int, int], arms: tuple[int, int], laid: dict[str, int]
) -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=MAT, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    cards = [("SA", 2, 2, 1.0), ("SK", places[0], arms[0], 4.0), ("S9", places[1], arms[1], 4.0)]
    for number, (label, place, arm, at) in enumerate(cards):
        x, y = MAT[place]
        bearing = MatLayout("A3", 4).seat_angle(arm) + 0.2
        table.observe(laid_at(number, label, (x + 9 * number, y), bearing, 0.75, at), at)
    for step in range(20):
        table.observe(Tick(at=4.1 + step / 5), 4.1 + step / 5)
    game = table.round.game
    assert game is not None
    assert {card.card: card.seat for card in game.open_trick} == {"SA": 2} | laid
    assert not table.round.offences


@pytest.mark.parametrize(
    ("seats", "first", "second"),
    [
        pytest.param(5, ((68, 4), -0.05, 0.25), ((43, 14), 0.08, 0.8), id="it hides the second more"),
        pytest.param(4, ((-46, -35), 2.86, 0.14), ((-6, -47), 2.95, 0.5), id="it hides the second alone, as it seems"),
        pytest.param(4, ((-46, -35), 2.86, 0.5), ((-6, -47), 2.95, 0.14), id="it hides the first alone, as it seems"),
    ],
)
def test_of_two_at_once_with_one_arm_the_places_tell(
    seats: int, first: tuple[tuple[int, int], float, float], second: tuple[tuple[int, int], float, float]
) -> None:
    """The arm of the first one alone was seen, with both cards."""
    lead, one, two = (4, 5, 1) if seats == 5 else (1, 2, 3)
    opening, layout = {**OPEN, "players": [*"ABCDE"][:seats]}, MatLayout("A3", seats)
    centres = layout.seat_places
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(opening), centres=centres, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 3 if seats == 5 else 4}):
        table.request(decode_request(word, BY_ALL))
    table.observe(laid_at(1, "HA", centres[lead], layout.seat_angle(lead), 1.0, 2.0), 2.0)
    table.observe(laid_at(2, "HT", *first, 4.0), 4.0)
    table.observe(laid_at(3, "DT", *second, 4.0), 4.0)
    game = table.round.game
    assert game is not None
    assert [(card.seat, card.card) for card in game.open_trick] == [(lead, "HA"), (one, "HT"), (two, "DT")]


@pytest.mark.parametrize("noted", [True, False], ids=["the first is noted by then", "both in one picture"])
@pytest.mark.parametrize("rules", ["eppstein", "bsv"], ids=["it counts as a nine", "as a jack, which would have won"])
def test_of_two_at_once_each_has_laid_in_its_turn_though_another_may_have_won_the_trick_before(
    rules: str, noted: bool
) -> None:
    """Seat 1, whose card of the first trick was not seen, may have won it: then 2 would have led out of turn."""
    opening = decode_opening({**OPEN, "rules": rules})
    table = Table(MemoryLog(), now=0.0, opening=opening, centres=MAT, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    angle = MatLayout("A3", 4).seat_angle
    first, second = [(2, "SA", 2.0), (3, "SK", 4.0), (4, "ST", 6.0)], [(2, "CA", 12.0), (3, "CT", 14.0)]
    for number, (seat, label, at) in enumerate([*first, *second, (1, "CT", 16.0), (4, "CK", 16.0)]):
        if number == len(first):
            table.observe(TrickTaken(at=9.0, cards=(0, 1, 2), x=150.0, y=0.0), 9.0)
        table.observe(laid_at(number, label, MAT[seat], angle(seat), 1.0, at), at)
        if noted or seat != 1:
            table.observe(Tick(at=at + 1.0), at + 1.0)
    game = table.round.game
    assert game is not None
    assert game.tricks[-2].cards[-1].doubt
    assert [one.seat for one in game.tricks[-1].cards] == [2, 3, 4, 1]
    assert not table.round.offences


@pytest.mark.parametrize(
    ("places", "arms", "asked"),
    [
        pytest.param(((0, -45), (60, 5)), True, False, id="each in its place, by its arm"),
        pytest.param(((0, -45), (60, 5)), False, False, id="each in its place, and no arm was seen"),
        pytest.param(((25, -20), (30, -22)), True, False, id="both between their places, by their arms"),
        pytest.param(((30, -22), (25, -20)), False, True, id="both between their places, and no arm was seen"),
    ],
)
@pytest.mark.parametrize("last", [False, True], ids=["in the middle of a trick", "the last two"])
def test_people_are_asked_whose_two_cards_are_that_may_be_each_others(
    places: tuple[tuple[int, int], tuple[int, int]], arms: bool, asked: bool, last: bool
) -> None:
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=MAT, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 4 if last else 1}):
        table.request(decode_request(word, BY_ALL))
    angle = MatLayout("A3", 4).seat_angle
    seats = {2: "SA", 3: "SK", 4: "S9"}
    if last:  # seat 1 leads, seats 3 and 4 lay at once after 2
        table.observe(laid_at(1, "ST", MAT[1], angle(1), 1.0, 0.5), 0.5)
    table.observe(laid_at(2, "SA", MAT[2], angle(2), 1.0, 1.5), 1.5)
    for seat, place in zip((3, 4), places, strict=True):
        table.observe(laid_at(seat, seats[seat], place, angle(seat) if arms else None, float(arms), 4.0), 4.0)
    game = table.round.game
    assert game is not None
    trick = game.tricks[-1].cards if last else game.open_trick
    assert not table.round.offences
    by_seat = {one.seat: one.event for one in trick}
    perhaps = {by_seat[3]: 4, by_seat[4]: 3}
    assert [(one.seat, one.perhaps) for one in table.view(4.5).doubts] == [(3, perhaps)] * asked
    assert sum(isinstance(event, CardsReseated) and bool(event.perhaps) for event in table.events) == asked
    if asked:
        said = {"event": "correct", "seats": {str(event): seat for event, seat in perhaps.items()}, "by": "table"}
        table.request(decode_request(said, BY_ALL))
        assert not table.view(5.0).doubts and not table.round.offences
    else:
        assert {one.seat: one.card for one in trick} == seats | ({1: "ST"} if last else {})


@pytest.mark.parametrize("then", [[4], [4, 1]], ids=["with the next card", "once the trick is full"])
def test_the_camera_changes_nothing_of_the_seats_that_people_have_given(then: list[int]) -> None:
    """Arms and places say that seats 2 and 3 have each laid their own card; they say otherwise."""
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=MAT, wall=lambda: 0)
    for word in ({"event": "release"}, {"event": "deal", "dealer": 1}):
        table.request(decode_request(word, BY_ALL))
    angle, cards = MatLayout("A3", 4).seat_angle, {2: "SA", 3: "SK", 4: "S9", 1: "ST"}
    for at, seat in enumerate((2, 3), start=1):
        table.observe(laid_at(seat, cards[seat], MAT[seat], angle(seat), 1.0, 2.0 * at), 2.0 * at)
    game = table.round.game
    assert game is not None
    one, two = game.open_trick
    table.request(decode_request({"event": "correct", "seats": {str(one.event): 3, str(two.event): 2}}, BY_ALL))
    for at, seat in enumerate(then, start=3):
        table.observe(laid_at(seat, cards[seat], MAT[seat], angle(seat), 1.0, 2.0 * at), 2.0 * at)
    game = table.round.game
    assert game is not None
    laid = game.tricks[0].cards if len(then) == 2 else game.open_trick
    assert [(one.seat, one.card) for one in laid] == [(3, "SA"), (2, "SK"), *((seat, cards[seat]) for seat in then)]


def laid_at(
    number: int, label: str, place: tuple[float, float], arm: float | None, share: float, at: float
) -> CardLaid:
    return CardLaid(
        at=at, card=number, label=label, margin=0.9, choices=((label, 0.9),), x=place[0], y=place[1], angle=0.0,
        not_before=at - 0.9, rested=at, arm=arm, arm_share=share,
    )  # fmt: skip
