"""The seat of a card seen: a table of cases, each by its place on the mat."""

from itertools import permutations
from math import cos, pi, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.table.inference.seats import (
    Place,
    SeatOrder,
    Sight,
    best_order,
    order_nats,
    out_of_turn,
    owner,
    seat_bearing,
)
from vision.mat.layout import MatLayout

#: A mat of 600 mm: seat 1 below, then clockwise.
MAT: dict[int, Place] = {1: (0.0, 110.0), 2: (-110.0, 0.0), 3: (0.0, -110.0), 4: (110.0, 0.0)}
FIVE: dict[int, Place] = {
    seat: (-130 * sin(2 * pi * (seat - 1) / 5), 130 * cos(2 * pi * (seat - 1) / 5)) for seat in range(1, 6)
}

CASES = {
    "in front of the seat whose turn it is": ((0, 95), 1, {1, 2, 3, 4}, MAT, 1),
    "in the very middle": ((0, 0), 2, {2, 3, 4}, MAT, 2),
    "in the middle, a hand's breadth towards the opposite": ((4, -25), 1, {1, 2, 3, 4}, MAT, 1),
    "thrown over to a neighbour's side, not quite": ((-75, 25), 1, {1, 2, 3, 4}, MAT, 1),
    "between two seats that are both to come": ((-60, -60), 2, {2, 3, 4}, MAT, 2),
    "led by the wrong seat": ((2, -112), 1, {1, 2, 3, 4}, MAT, 3),
    "the next but one is too quick": ((105, 8), 3, {3, 4}, MAT, 4),
    "right in front of a seat that has laid: its second card cannot be": ((0, 110), 2, {2, 3, 4}, MAT, 2),
    "far out at the edge of the due seat": ((-190, 10), 2, {2, 3, 4}, MAT, 2),
    "far out behind another seat": ((190, 10), 3, {3, 4, 1}, MAT, 4),
    "five at the table, the neighbour's own place": (FIVE[3], 2, {2, 3, 4, 5}, FIVE, 3),
    "five at the table, towards the neighbour": ((-105, -30), 2, {2, 3, 4, 5}, FIVE, 2),
    "past a seat's place and far off to the side": ((400, -110), 1, {1, 3}, MAT, 1),
    "as near to two seats that are to come": ((-110, -110), 4, {2, 3, 4}, {**MAT, 4: (110.0, 110.0)}, 2),
    "nobody saw it": (None, 4, {4, 1}, MAT, 4),
    "a seat without a field": ((100, 0), 5, {5, 4}, MAT, 5),
}


@pytest.mark.parametrize(("place", "due", "waiting", "centres", "seat"), CASES.values(), ids=CASES)
def test_whose_card(place: Place | None, due: int, waiting: set[int], centres: dict[int, Place], seat: int) -> None:
    assert owner(place and Sight(place), due, waiting, centres).seat == seat


def test_how_sure_it_is() -> None:
    def sure(place: Place | None) -> float:
        return owner(place and Sight(place), 1, {1, 2, 3, 4}, MAT).sure

    assert sure((0, 100)) == 1
    assert sure((0, -110)) > 0.9
    assert sure((0, -70)) < 0.75  # a third of the way into the middle from the opposite seat: turn or place?
    assert sure(None) == 0.5
    assert sure((0, 0)) == 1  # in the very middle is nothing odd
    behind = owner(Sight((0, -240)), 1, {1}, MAT)
    assert behind.seat == 1
    assert behind.sure == 0  # far behind a seat that has laid: a guess


@given(x=st.floats(-300, 300), y=st.floats(-300, 300), due=st.integers(1, 4), laid=st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_only_a_seat_that_has_still_to_lay_gets_the_card(x: float, y: float, due: int, laid: int) -> None:
    waiting = {due, *list({1, 2, 3, 4} - {due})[laid:]}
    found = owner(Sight((x, y)), due, waiting, MAT)
    assert found.seat in waiting
    assert 0 <= found.sure <= 1


@given(angle=st.floats(0, 2 * pi), far=st.floats(0, 40), due=st.integers(1, 4))
@settings(deadline=None, max_examples=60)
def test_cards_laid_into_the_middle_go_by_turn(angle: float, far: float, due: int) -> None:
    assert owner(Sight((far * cos(angle), far * sin(angle))), due, {1, 2, 3, 4}, MAT).seat == due


def test_who_leads_is_seen_by_place_where_the_winner_is_in_doubt() -> None:
    assert owner(Sight((0, 50)), 4, {1, 2, 3, 4}, MAT).seat == 4
    assert owner(Sight((0, 50)), 4, {1, 2, 3, 4}, MAT, perhaps={1}).seat == 1
    assert owner(Sight((40, 30)), 4, {1, 2, 3, 4}, MAT, perhaps={1}).seat == 4


def arm(seat: int, away: float = 0.2, share: float = 1.0) -> tuple[float, float]:
    """An arm that comes from a seat of four, somewhat beside it."""
    return pi / 2 * seat + away, share


A3 = MatLayout("A3", 4).seat_places
ARMED = {
    "in the middle, by the arm of who is due": ((10, 0), arm(2), 2, {2, 3, 4}, 2),
    "far over, but the due arm has thrown it": ((0, 51), arm(2), 2, {1, 2, 3}, 2),
    "another's arm, and before that seat": ((0, -51), arm(3), 2, {2, 3, 4}, 3),
    "another's arm, but before the seat that is due": ((-76, 0), arm(3), 2, {2, 3, 4}, 2),
    "another's arm into the very middle: not sure enough for a breach": ((0, 0), arm(3), 2, {2, 3, 4}, 2),
    "an arm that says next to nothing, by place": ((0, -51), arm(1, share=0.1), 2, {2, 3, 4}, 3),
    "an arm from where the circle closes": ((50, 0), (0.2, 1.0), 4, {4, 1}, 4),
    "another's arm from there": ((76, 0), (-0.2, 1.0), 3, {3, 4}, 4),
    "the arm of a seat that has laid": ((-60, 0), arm(1), 2, {2, 3, 4}, 2),
}


@pytest.mark.parametrize(("place", "arm", "due", "waiting", "seat"), ARMED.values(), ids=ARMED)
def test_whose_card_by_arm(place: Place, arm: tuple[float, float], due: int, waiting: set[int], seat: int) -> None:
    assert owner(Sight(place, arm), due, waiting, A3).seat == seat


def test_who_leads_is_seen_by_the_arm_where_the_winner_is_in_doubt() -> None:
    assert owner(Sight((0, 0), arm(1)), 4, {1, 2, 3, 4}, A3, perhaps={1}).seat == 1
    between = pi / 4
    assert owner(Sight((0, 0), (between + 0.1, 1.0)), 4, {1, 2, 3, 4}, A3, perhaps={1}).seat == 1
    assert owner(Sight((0, 0), (between - 0.4, 1.0)), 4, {1, 2, 3, 4}, A3, perhaps={1}).seat == 4


ORDERS = {
    "two have laid in each other's turn, and arms and places say so": (
        [1, 3, 2, 4], [1, 3, 2, 4], [0.0] * 4, (1, 3, 2, 4), None),
    "arms in turn, places the other way round: thrown": ([1, 3, 2, 4], [1, 2, 3, 4], [0.0] * 4, (1, 2, 3, 4), None),
    "one arm and both places against turn order": (
        [1, 3, 2, 4], [1, 3, None, 4], [0.0] * 4, (1, 3, 2, 4), None),
    "one arm against turn order, the cards in the middle: people are asked": (
        [1, 3, 2, 4], [1, 3, None, 4], [0.0, 0.77, 0.77, 0.0], (1, 2, 3, 4), (1, 3, 2, 4)),
}  # fmt: skip


@pytest.mark.parametrize(("places", "arms", "pulled", "seats", "rival"), ORDERS.values(), ids=ORDERS)
def test_the_order_of_a_trick(
    places: list[int],
    arms: list[int | None],
    pulled: list[float],
    seats: tuple[int, ...],
    rival: tuple[int, ...] | None,
) -> None:
    sights = [
        Sight(((1 - pull) * A3[place][0], (1 - pull) * A3[place][1]), None if whose is None else arm(whose))
        for place, whose, pull in zip(places, arms, pulled, strict=True)
    ]
    against = permutations((1, 2, 3, 4))
    assert best_order(sights, [(1, 2, 3, 4)], A3, against) == SeatOrder(seats, rival)


def test_who_lays_right_upon_another_card_and_whose_arm_nobody_saw_has_laid_in_turn() -> None:
    """Of five, across the mat: it lies where the card below lies, whose arm was seen. In a film."""
    sights = [Sight((33, -33), (-1.21, 1.0)), Sight((58, 27), (0.07, 1.0)), Sight((58, 24))]
    centres = MatLayout("A3", 5).seat_places
    assert best_order(sights, [(4, 5, 2)], centres, permutations((4, 5, 2, 3), 3)) == SeatOrder((4, 5, 2))


@pytest.mark.parametrize(
    ("last", "rival"),
    [
        pytest.param((75, 11), (1, 2, 4, 3), id="right upon it: its place says nothing, and people are asked"),
        pytest.param((72, -15), None, id="beside it: it lies in the last seat's place"),
    ],
)
def test_who_lays_right_upon_the_card_of_one_who_has_laid_before_his_turn(
    last: Place, rival: tuple[int, ...] | None
) -> None:
    """Seat 4 has laid before seat 3, as its arm and place say, and seat 3 lays upon that card, its arm not seen."""
    sights = [Sight((4, 18), arm(1)), Sight((-59, -5), arm(2)), Sight((72, 10), (-0.31, 1.0)), Sight(last)]
    against = permutations((1, 2, 3, 4))
    assert best_order(sights, [(1, 2, 3, 4)], A3, against) == SeatOrder((1, 2, 3, 4), rival)


OUT_OF_TURN = {
    "in turn": ((1, 2, 3, 4), (1, 2, 3, 4), 0),
    "of those that were laid so far": ((1, 2), (1, 2), 0),
    "one too early: the one that was passed over is late, not wrong": ((1, 3, 2, 4), (1, 2, 3, 4), 1),
    "two have changed places at the end": ((1, 2, 4, 3), (1, 2, 3, 4), 1),
    "another has led, and the others followed him": ((2, 3, 4, 1), (1, 2, 3, 4), 1),
    "the third has led, and one more was too early": ((3, 1, 4, 2), (1, 2, 3, 4), 2),
    "backwards": ((4, 3, 2, 1), (1, 2, 3, 4), 3),
    "one has led whom nobody awaited, the others by turn": ((4, 1, 2), (1, 2, 3), 1),
    "and they go on with the second": ((4, 2, 3), (1, 2, 3), 3),
}


@pytest.mark.parametrize(("order", "lawful", "number"), OUT_OF_TURN.values(), ids=OUT_OF_TURN)
def test_how_many_cards_are_out_of_turn(order: tuple[int, ...], lawful: tuple[int, ...], number: int) -> None:
    assert out_of_turn(order, lawful) == number


BY_1, BY_2 = (1, 2, 3, 4), (2, 3, 4, 1)
AMONG = {
    "the order in which more cards are in turn": ([1, 3, 2, 4], [BY_1], [(3, 1, 2, 4), (1, 3, 2, 4)], (1, 3, 2, 4)),
    "what seems so is in turn if another leads": ([2, 3, 4, 1], [BY_1, BY_2], [BY_2], BY_2),
    "against turn order by the one that leads perhaps": ([2, 4, 3, 1], [BY_1, BY_2], [(2, 4, 3, 1)], (2, 4, 3, 1)),
}


@pytest.mark.parametrize(("places", "lawful", "against", "seats"), AMONG.values(), ids=AMONG)
def test_the_order_among_several(
    places: list[int],
    lawful: list[tuple[int, ...]],
    against: list[tuple[int, ...]],
    seats: tuple[int, ...],
) -> None:
    assert best_order([Sight(MAT[place]) for place in places], lawful, MAT, against) == SeatOrder(seats)


@pytest.mark.parametrize(
    ("ahead", "seats", "rival"),
    [
        pytest.param(-0.3, (1, 2), None, id="turn order is likelier"),
        pytest.param(0.3, (1, 2), (2, 1), id="a little less likely than the breach: people are asked"),
        pytest.param(4.4, (1, 2), (2, 1), id="less likely by much, not by a hundred times"),
        pytest.param(4.8, (2, 1), None, id="a hundred times less likely"),
    ],
)
@pytest.mark.parametrize("lawful", [[(1, 2)], [(1, 2), (3, 1)]], ids=["1 leads", "1 leads, or 3"])
@pytest.mark.parametrize("armed", [True, False], ids=["arms", "places alone"])
def test_how_far_a_breach_must_be_ahead(
    ahead: float, seats: tuple[int, ...], rival: tuple[int, ...] | None, armed: bool, lawful: list[tuple[int, ...]]
) -> None:
    """Two cards, of which the first lies where it fits seat 2 better by so many nats as a breach has against it."""
    centres = {1: (0.0, 300.0), 2: (-300.0, 0.0), 3: (0.0, -1000.0)}
    second = Sight((0.0, 0.0), (5 * pi / 6, 1.0) if armed else None)  # from between the two, if there is an arm

    def breach(first: Sight) -> float:
        """By how many nats they fit a breach better."""
        return order_nats([first, second], (2, 1), centres) - order_nats([first, second], (1, 2), centres)

    places = [Sight((-x / 100, 0.0)) for x in range(30_000)]  # on the way to seat 2
    first = min(places, key=lambda one: abs(breach(one) - ahead - 6.9))
    found = best_order([first, second], lawful, centres, [(2, 1)])
    assert found == (SeatOrder(seats, rival) if armed else SeatOrder((2, 1) if ahead > 0 else (1, 2)))


@pytest.mark.parametrize(
    ("arms", "asked"),
    [
        pytest.param({1}, True, id="the arms of both were not seen"),
        pytest.param({1, 2}, False, id="the arm of one of them was seen"),
        pytest.param(set[int](), False, id="no arm was seen at all"),
    ],
)
def test_a_breach_by_places_alone_is_asked_about_where_other_arms_were_seen(arms: set[int], asked: bool) -> None:
    """Seats 1, 2 and 3 are due, and the cards of 2 and 3 lie in each other's places, as far as anybody saw."""
    laid = [1, 3, 2]
    sights = [Sight(MAT[seat], (seat_bearing(seat, 4), 1.0) if seat in arms else None) for seat in laid]
    lawful, breach = (1, 2, 3), (1, 3, 2)
    found = best_order(sights, [lawful], MAT, [breach])
    assert found == (SeatOrder(lawful, breach) if asked else SeatOrder(breach))


def test_the_arms_of_cards_that_came_one_after_the_other_are_their_own() -> None:
    """Seat 3 lays before 2, and not before itself: no arm was taken for the other's."""
    places = [((64, -9), 4), ((20, 54), 1), ((-23, 13), 3), ((-62, -11), 2)]
    sights = [Sight(place, arm(seat)) for place, seat in places]
    assert best_order(sights, [(4, 1, 2, 3)], A3, permutations((4, 1, 2, 3))) == SeatOrder((4, 1, 3, 2))
