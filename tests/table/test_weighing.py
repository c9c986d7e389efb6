"""What a look is worth: the chances of cards after a reading, and of seats after an arm and a place."""

from collections.abc import Callable
from math import exp, inf, log, pi

import pytest

from kiosk.rules.engine.cards import FRENCH_SUITS, deck
from kiosk.table.events.values import CardPlayed
from kiosk.table.inference.seats import (
    Place,
    SeatOrder,
    Sight,
    best_order,
    fits_another,
    owner,
    seat_bearing,
    seat_nats,
)
from kiosk.table.round.likelihood import anything, certain, likeliest_first, nats_against, weigh

KINDS = tuple(dict.fromkeys(deck(FRENCH_SUITS, "ATKQJ9", 2)))


def odds(first: float) -> float:
    """Nats by which the first card is likelier than all others together, from the nats against it."""
    return log(exp(-first) / (1 - exp(-first)))


@pytest.mark.parametrize("clear", [False, True], ids=["in doubt", "clear"])
@pytest.mark.parametrize(
    "choices",
    [
        pytest.param((), id="nothing else considered"),
        pytest.param((("CA", 0.8),), id="itself alone"),
        pytest.param((("CA", 0.8), ("SA", 0.78)), id="two"),
        pytest.param((("CA", 0.8), ("SA", 0.1), ("HA", 0.79)), id="three"),
        pytest.param((("CA", 0.5), ("SA", 0.8)), id="another has more evidence"),
        pytest.param((("CA", 0.0), ("SA", 0.0)), id="no evidence at all"),
        pytest.param((("CA", 0.5), ("SA", -0.1)), id="evidence against one"),
    ],
)
def test_the_chances_of_all_cards_sum_up_to_one(choices: tuple[tuple[str, float], ...], clear: bool) -> None:
    against = weigh(choices[0][0] if choices else "CA", choices, 0.1, clear, KINDS)
    assert set(against) == set(KINDS)
    assert sum(exp(-nats) for nats in against.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("choices", "margin", "clear", "nats"),
    [
        pytest.param((("CA", 0.8), ("SA", 0.76)), 0.1, False, 0.4 + 15 * 0.05 + 0.15, id="5 % ahead"),
        pytest.param((("CA", 0.8), ("SA", 0.8)), 0.0, False, 0.4, id="put first, and no more"),
        pytest.param((("CA", 0.8), ("SA", 0.8)), 1.0, False, 1.9, id="by the margin"),
        pytest.param((("CA", 0.8), ("SA", 0.4)), 0.2, False, 3.5, id="a doubt counts 3.5 at most"),
        pytest.param((("CA", 0.4), ("SA", 0.8)), 0.2, False, -3.5, id="for another card, too"),
        pytest.param((("CA", 0.8), ("SA", 0.4)), 0.2, True, 0.4 + 7.5 + 0.3 + 3, id="a clear one counts in full"),
        pytest.param((("CA", 0.0), ("SA", 0.0)), 0.0, False, 0.4, id="no evidence"),
        pytest.param((("CA", 0.8), ("SA", -0.2)), 0.0, True, 0.4 + 15 + 3, id="evidence against counts as none"),
        pytest.param((), 0.2, True, 0.4 + 15 * 0.4 + 0.3 + 3, id="an unnamed rival has 60 %"),
    ],
)
def test_the_first_card_is_right_as_measured(
    choices: tuple[tuple[str, float], ...], margin: float, clear: bool, nats: float
) -> None:
    """1 / (1 + exp(-(0.4 + 15 lead + 1.5 margin))), 3 more where the camera was sure."""
    assert odds(weigh("CA", choices, margin, clear, KINDS)["CA"]) == pytest.approx(nats)


def test_of_wrong_readings_one_in_twenty_five_named_the_right_card_not_at_all() -> None:
    against = weigh("CA", (("CA", 0.8), ("SA", 0.7), ("HA", 0.75)), 0.1, False, KINDS)
    wrong = 1 - exp(-against["CA"])
    assert exp(-against["SA"]) + exp(-against["HA"]) == pytest.approx(0.96 * wrong)
    assert exp(-against["C9"]) == pytest.approx(0.04 * wrong / 21)
    assert against["SA"] - against["HA"] == pytest.approx(15 * 0.05 / 0.8)
    alone = weigh("CA", (), 0.1, False, KINDS)
    assert exp(-alone["C9"]) == pytest.approx((1 - exp(-alone["CA"])) / 23)


def test_what_a_person_names_and_what_nobody_saw() -> None:
    assert certain("CA", ("CA", "SA")) == {"CA": 0, "SA": 20}
    assert anything(("CA", "SA")) == {"CA": 0, "SA": 0}
    assert likeliest_first({"CA": 2.0, "SA": inf, "HA": 1.0}) == ["HA", "CA"]


@pytest.mark.parametrize(
    ("rivals", "scores", "margin", "nats"),
    [
        pytest.param((), (), 0.5, inf, id="nothing else considered"),
        pytest.param(("SA",), (), 0.5, inf, id="a file without evidence"),
        pytest.param(("SA",), (0.8,), 0.5, inf, id="evidence of one card alone"),
        pytest.param(("SA",), (0.8, 0.76), 0.5, 0.4 + 0.75 + 0.75 + 3, id="by its rival"),
        pytest.param(("SA", "HA"), (0.8, 0.4, 0.76), 0.0, 0.4 + 0.75 + 3, id="by the nearer one"),
        pytest.param(("SA",), (0.8, 0.76), None, 0.4 + 0.75 + 1.5 + 3, id="no margin noted: the best"),
    ],
)
def test_how_unlikely_a_clear_card_is_another(
    rivals: tuple[str, ...], scores: tuple[float, ...], margin: float | None, nats: float
) -> None:
    found = nats_against(CardPlayed(seat=1, card="CA", rivals=rivals, scores=scores, margin=margin), KINDS)
    if nats == inf:
        assert found == inf
    else:
        others = 1 / (1 + exp(nats))
        assert found == pytest.approx(-log(others * 0.96), abs=1e-3)


MAT: dict[int, Place] = {1: (0.0, 110.0), 2: (-110.0, 0.0), 3: (0.0, -110.0), 4: (110.0, 0.0)}


@pytest.mark.parametrize(
    ("seat", "seats", "degrees"), [(1, 4, 90), (2, 4, 180), (3, 4, 270), (4, 4, 360), (1, 5, 90), (2, 5, 162)]
)
def test_seats_stand_clockwise_from_below(seat: int, seats: int, degrees: int) -> None:
    assert seat_bearing(seat, seats) == pytest.approx(degrees * pi / 180)


def mean(of: Callable[[float], float], chance: Callable[[float], float], most: float) -> tuple[float, float]:
    """The sum of some chances over −most … most, and the mean of a function by them."""
    steps = [most * (n + 0.5) / 500 for n in range(-500, 500)]
    chances = [chance(at) for at in steps]
    whole = sum(chances)
    return whole * most / 500, sum(of(at) * one for at, one in zip(steps, chances, strict=True)) / whole


class TestSeatNats:
    @pytest.mark.parametrize(
        ("share", "wrong"), [pytest.param(0.9, 0.003, id="far ahead"), pytest.param(0.5, 0.003, id="half ahead"),
                             pytest.param(0.3, 0.1, id="not far ahead")]
    )  # fmt: skip
    def test_arms_come_within_0_38_rad_but_for_those_of_another_seat(self, share: float, wrong: float) -> None:
        def chance(away: float) -> float:
            return exp(seat_nats(Sight(MAT[1], (pi / 2 + away, share)), 1, MAT))

        _, spread = mean(lambda away: away**2, chance, pi)
        assert spread == pytest.approx((1 - wrong) * 0.38**2 + wrong * pi**2 / 3, rel=0.01)

    def test_cards_lie_within_18_mm_and_a_tenth_within_45(self) -> None:
        def chance(away: float) -> float:
            return exp(seat_nats(Sight((away, 110), (pi / 2, 1.0)), 1, MAT))

        def along(away: float) -> float:  # of a normal spread in the plane, cut through its middle
            return away**2

        whole, spread = mean(along, chance, 300)
        parts = {18: 0.9 / 18, 45: 0.1 / 45}  # what is left of each in the cut
        expected = sum(part * wide**2 for wide, part in parts.items()) / sum(parts.values())
        assert spread == pytest.approx(expected, rel=0.01)
        at_rest = exp(seat_nats(Sight(MAT[1], (pi / 2, 1.0)), 1, MAT))
        assert at_rest / whole == pytest.approx(
            (0.9 / 18**2 + 0.1 / 45**2) / ((2 * pi) ** 0.5 * sum(parts.values())), rel=0.01
        )

    def test_an_arm_is_a_chance_of_bearings(self) -> None:
        """Whatever its share, the chances of all bearings sum up to the same."""
        found = [
            mean(abs, lambda away, share=share: exp(seat_nats(Sight(MAT[1], (away, share)), 1, MAT)), pi)[0]  # type: ignore[misc]
            for share in (0.2, 0.9)
        ]
        assert found[0] == pytest.approx(found[1], rel=0.001)
        assert found[0] == pytest.approx(0.9 / 18**2 + 0.1 / 45**2, rel=0.001)

    def test_without_an_arm_it_is_the_place_alone(self) -> None:
        assert [seat_nats(Sight((0, 110 - away)), 1, MAT) for away in (0, 18, 36)] == pytest.approx([0, -0.5, -2])
        assert seat_nats(Sight((0, 92), (0.0, 0.1)), 1, MAT) == pytest.approx(-0.5)  # it says next to nothing

    def test_far_away_it_stays_a_number(self) -> None:
        assert seat_nats(Sight((0, 9000), (pi / 2, 1.0)), 1, MAT) == pytest.approx(log(1e-30), abs=1)


@pytest.mark.parametrize(
    ("place", "waiting", "sure"),
    [
        pytest.param((0, 110), {1, 2, 3, 4}, 1.0, id="before who is due"),
        pytest.param((0, 0), {1, 2, 3, 4}, 1.0, id="in the middle"),
        pytest.param((0, -33), {1, 2, 3, 4}, 0.85, id="beyond it"),
        pytest.param((0, -110), {1, 2, 3, 4}, 0.94, id="before another"),
        pytest.param((0, -190), {1, 2, 3, 4}, 1.0, id="behind another"),
        pytest.param((0, -110), {1}, 0.5, id="before one that has laid"),
        pytest.param((0, -190), {1}, 1.5 - 300 / 220, id="behind one that has laid"),
        pytest.param((0, -400), {1}, 0.0, id="far behind one that has laid"),
    ],
)
def test_how_sure_a_place_makes(place: Place, waiting: set[int], sure: float) -> None:
    assert owner(Sight(place), 1, waiting, MAT).sure == pytest.approx(sure)


def test_the_nearest_of_those_it_lies_over() -> None:
    assert owner(Sight((-110, 10)), 4, {1, 2, 3, 4}, MAT).seat == 2
    assert owner(Sight((-20, 125)), 3, {1, 2, 3}, MAT).seat == 1
    assert owner(Sight((-50, 0)), 1, {1, 3}, {1: MAT[1], 3: MAT[3]}, perhaps={2}).seat == 1  # 2 has no place


class TestByArm:
    def test_between_two_that_are_due_alike_it_is_a_guess(self) -> None:
        found = owner(Sight((-60, 60), (3 * pi / 4, 1.0)), 2, {1, 2}, MAT, perhaps={1})
        assert found.seat == 1 and found.sure == pytest.approx(0.5)

    def test_the_arm_of_who_is_due(self) -> None:
        found = owner(Sight((0, 100), (pi / 2, 1.0)), 1, {1, 2, 3, 4}, MAT)
        assert found.seat == 1 and found.sure == pytest.approx(1, abs=1e-6)

    def test_against_the_order_it_has_to_be_ahead_by_100_to_1(self) -> None:
        """And that somebody lays out of turn is one in a thousand to begin with."""
        sight = Sight((-30, -30), (pi, 1.0))
        nats = {seat: seat_nats(sight, seat, MAT) for seat in (2, 3)}
        found = owner(sight, 3, {2, 3}, MAT)
        ahead = nats[2] - 6.9 - nats[3]
        assert 0 < ahead < 4.6 and found.seat == 3
        assert found.sure == pytest.approx(1 / (1 + exp(ahead)))

    def test_a_faint_arm_says_something_from_a_fifth_on(self) -> None:
        assert Sight((0, 0), (0.0, 0.2)).armed and not Sight((0, 0), (0.0, 0.19)).armed
        assert not Sight((0, 0)).armed


@pytest.mark.parametrize(
    ("place", "due", "waiting", "fits"),
    [
        pytest.param((0, 110), {1}, {1, 2, 3, 4}, False, id="who is due"),
        pytest.param((-110, 0), {1}, {1, 2, 3, 4}, True, id="another"),
        pytest.param((-110, 0), {1, 2}, {1, 2, 3, 4}, False, id="one of two that are due"),
        pytest.param((-56, 54), {1}, {1, 2}, False, id="a little nearer to another"),
        pytest.param((-60, 50), {1}, {1, 2}, True, id="ten to one nearer to another"),
        pytest.param((-58.3, 51.7), {1}, {1, 2}, False, id="not quite"),
        pytest.param((-110, 0), {5}, {1, 2}, False, id="who is due has no place"),
        pytest.param((-110, 0), {1}, {1, 5}, False, id="others have none"),
    ],
)
def test_whether_it_fits_another(place: Place, due: set[int], waiting: set[int], fits: bool) -> None:
    assert fits_another(Sight(place), due, waiting, MAT) == fits


@pytest.mark.parametrize(
    ("places", "order"),
    [
        pytest.param((1, 2, 3, 4), (1, 2, 3, 4), id="in turn"),
        pytest.param((2, 3, 4, 1), (2, 3, 4, 1), id="another has led"),
        pytest.param((1, 3, 2, 4), (1, 3, 2, 4), id="two in each other's turn"),
        pytest.param((3, 1, 2, 4), (3, 1, 2, 4), id="another has led, and then in turn"),
    ],
)
def test_places_of_a_whole_trick(places: tuple[int, ...], order: tuple[int, ...]) -> None:
    every = [(1, 2, 3, 4), (2, 3, 4, 1), (1, 3, 2, 4), (3, 1, 2, 4), (4, 3, 2, 1)]
    assert best_order([Sight(MAT[seat]) for seat in places], [(1, 2, 3, 4)], MAT, every) == SeatOrder(order)
    assert best_order([Sight(MAT[seat]) for seat in places], [(1, 2, 3, 4)], MAT) == SeatOrder((1, 2, 3, 4))


def test_without_a_place_the_order_is_that_of_the_turn() -> None:
    sights = [Sight(MAT[seat]) for seat in (2, 1)]
    assert best_order(sights, [(1, 2)], {1: MAT[1]}, [(2, 1)]) == SeatOrder((1, 2))
    assert best_order(sights, [(1, 5), (1, 2)], MAT, [(2, 1)]) == SeatOrder((1, 5))
