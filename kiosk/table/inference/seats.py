"""Associate a card that the camera reports with a seat: by turn, unless arm and place clearly say somebody else.

Players lay their cards into the middle, more or less towards themselves. Turn order is right nearly always and place
is vague; but a card laid before its turn or by the wrong seat is a fact that must be recorded as it was (it is
``out_of_turn``). The arm that brings a card says whose it is far better than the place where it comes to lie. What each
of the three says is added up, in nats; where no arm was seen, place wins where it is clear: where the card lies well
over on another seat's side, and that seat still has to lay a card.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, hypot, inf, log, pi, remainder, sqrt
from typing import TypeAlias

Place: TypeAlias = tuple[float, float]  # mm on the mat: origin in its middle, x right, y down


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLimits:
    """Limits from which a card's place overrules turn order."""

    # How far over on the way from the due seat's side (0) to another's (1) a card must lie to be the other's. 0.5 … 1;
    # lower finds more cards laid out of turn, higher forgives more careless laying; cards laid into the very middle of
    # the mat are at 0.5.
    over_share: float = 0.78
    # How much nearer to the other seat's place than to the due seat's the card must be, as a share of the way between
    # the two: past a place and off to the side a card may be far over without being near. 0 … 1.
    nearer_share: float = 0.4
    # How unlikely it is that a card is laid against turn order, nats: one in a thousand.
    out_of_turn_nats: float = 6.9
    # By how many nats a seat against turn order must be ahead to be noted: 100 to 1.
    sure_nats: float = 4.6


@dataclass(frozen=True, slots=True, kw_only=True)
class SightLikelihood:
    """How arms come and cards lie at a seat: measured on films (docs/measurements.md), and widened.

    Simulated people sit more exactly than real ones: of 1,007 cards 95 % had their arm within 20° of their seat.
    """

    arm_rad: float = 0.38  # standard deviation of an arm's bearing about its seat's
    # Share of the arms that were another seat's, by how far they were ahead of any other (share): 3 of 965 of those far
    # ahead, 2 of 15 of the others.
    wrong_arm: float = 0.003
    wrong_arm_near: float = 0.1
    swapped_arms: float = 0.003  # share of the pairs of cards whose arms were each taken for the other's
    ahead_share: float = 0.5
    same_arm_rad: float = 0.3  # within which the arms of two cards are one
    least_share: float = 0.2  # below which an arm says nothing
    place_mm: float = 18.0  # standard deviation of a card's place about its seat's, each way
    careless_mm: float = 45.0  # and of those that are laid carelessly
    careless: float = 0.1  # share of these
    upon_mm: float = 12.0  # within which a card lies right upon another: hands are not more exact


LIMITS = SeatLimits()
LIKELIHOOD = SightLikelihood()


@dataclass(frozen=True, slots=True)
class Sight:
    """Where a card was seen, and the arm that brought it: its bearing (rad) and share, as ``CardLaid`` has them."""

    place: Place
    arm: tuple[float, float] | None = None

    @property
    def armed(self) -> bool:
        """Whether its arm says something."""
        return self.arm is not None and self.arm[1] >= LIKELIHOOD.least_share


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The seat of a card, and how sure that is: 1 where turn, arm and place agree, 0 where it is a guess."""

    seat: int
    sure: float


def owner(
    sight: Sight | None,
    due: int,
    waiting: Collection[int],
    centres: Mapping[int, Place],
    perhaps: Collection[int] = (),
) -> Owner:
    """Find the seat that laid a card.

    :param sight: where the card lies; None where nobody saw it (a scanner, a finger).
    :param due: the seat whose turn it is.
    :param waiting: the seats without a card in the open trick, ``due`` among them.
    :param centres: the middle of each seat's field on the mat, in mm; seats without one are never chosen by place.
    :param perhaps: seats that are due as well if a card in doubt is another one than it counts as (who has won the
        trick is not certain then): among them and ``due`` place decides.
    """
    if sight is None or due not in centres:
        return Owner(seat=due, sure=0.5)
    if sight.armed:
        return _owner_by_arm(sight, {due, *perhaps}, waiting, centres)
    return _owner_by_place(sight.place, due, waiting, centres, perhaps)


def _owner_by_arm(sight: Sight, due: Collection[int], waiting: Collection[int], centres: Mapping[int, Place]) -> Owner:
    """Find the likeliest seat; one that is not due must be clearly so."""
    nats = {seat: seat_nats(sight, seat, centres) for seat in {*due, *waiting} if seat in centres}
    for seat in nats.keys() - {*due}:
        nats[seat] -= LIMITS.out_of_turn_nats
    seat = max(sorted(nats), key=nats.__getitem__)
    lawful = max(sorted(nats.keys() & {*due}), key=nats.__getitem__)
    if nats[seat] - nats[lawful] < LIMITS.sure_nats:
        seat = lawful
    return Owner(seat=seat, sure=1 / sum(exp(min(50.0, other - nats[seat])) for other in nats.values()))


def _owner_by_place(
    place: Place, due: int, waiting: Collection[int], centres: Mapping[int, Place], perhaps: Collection[int]
) -> Owner:
    near = {seat: _distance(place, centres[seat]) for seat in (due, *perhaps) if seat in centres}
    due = min(near, key=near.__getitem__)  # of two as near as each other the first
    over = {seat: _over(place, centres[due], centres[seat]) for seat in waiting if seat in centres}
    clear = {
        seat: share for seat, share in over.items() if share >= LIMITS.over_share and _near(place, due, seat, centres)
    }
    if clear:
        # The nearest of them: opposite the due seat, the card may be "over" towards its neighbours too.
        seat = min(sorted(clear), key=lambda seat: _distance(place, centres[seat]))
        return Owner(seat=seat, sure=min(1.0, 0.5 + 2 * (clear[seat] - LIMITS.over_share)))
    # Towards a seat that has laid already the card cannot be that seat's: turn order wins, but it is odd.
    furthest = max(_over(place, centres[due], centre) for centre in centres.values())
    return Owner(seat=due, sure=max(0.0, min(1.0, 1.5 - furthest)))


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """The seats that have laid some cards; ``asked``: another order is not so much less likely, and a breach."""

    seats: tuple[int, ...]
    rival: tuple[int, ...] | None = None


def best_order(
    sights: Sequence[Sight],
    orders: Iterable[Sequence[int]],
    centres: Mapping[int, Place],
    against: Iterable[Sequence[int]] = (),
) -> SeatOrder:
    """Find the order of seats that fits arms and places of a trick's cards best, taken together.

    :param sights: the cards, in the order of laying.
    :param orders: the orders of seats that turn order allows, each as long as ``sights``; the first is the likeliest.
    :param against: orders against turn order, which must fit clearly better: as it seemed card by card, or with
        another leader, if a card that was read wrongly has given the last trick to the wrong seat. Where arms were seen
        and one of these is ahead, but not by far or by places alone, it is the rival of the lawful one: people are
        asked.
    """
    lawful, others = [tuple(order) for order in orders], [tuple(order) for order in against]
    if any(seat not in centres for order in (*lawful, *others) for seat in order):
        return SeatOrder(lawful[0])

    def nats(order: tuple[int, ...]) -> float:
        return order_nats(sights, order, centres)

    def with_breaches(order: tuple[int, ...]) -> float:
        return nats(order) - LIMITS.out_of_turn_nats * min(out_of_turn(order, way) for way in lawful)

    best = max(lawful, key=nats)
    other = max((order for order in others if order not in lawful), key=with_breaches, default=None)
    ahead = with_breaches(other) - nats(best) if other is not None else -inf
    if ahead <= 0:
        return SeatOrder(best)
    assert other is not None
    moved = [sight for sight, one, two in zip(sights, best, other, strict=True) if one != two]
    sure = ahead >= LIMITS.sure_nats and any(sight.armed for sight in moved)  # one that is thrown lies anywhere
    if not sure and any(sight.armed for sight in sights):
        return SeatOrder(best, other)
    return SeatOrder(other)


def likeliest_seat(sight: Sight, seats: Iterable[int], centres: Mapping[int, Place]) -> int | None:
    """Find the seat of some that a card is of by its arm and place alone; None without one."""
    return max(seats, key=lambda seat: seat_nats(sight, seat, centres), default=None)


def rival_order(
    sights: Sequence[Sight], seats: Sequence[int], orders: Iterable[Sequence[int]], centres: Mapping[int, Place]
) -> tuple[int, ...] | None:
    """Find another order of seats that arms and places make nearly as likely as the ``seats`` that were found."""
    others = [tuple(order) for order in orders if tuple(order) != tuple(seats)]
    if any(seat not in centres for order in (seats, *others) for seat in order):
        return None

    def nats(order: Sequence[int]) -> float:
        return order_nats(sights, order, centres)

    rival = max(others, key=nats, default=None)
    return rival if rival is not None and nats(seats) - nats(rival) < LIMITS.sure_nats else None


def seat_nats(sight: Sight, seat: int, centres: Mapping[int, Place]) -> float:
    """Weigh how well a card's arm and place fit a seat, in nats; only differences between seats mean something.

    Without an arm the place is all that tells, and the card counts as laid carefully.
    """
    if not sight.armed:
        return -(_distance(sight.place, centres[seat]) ** 2) / (2 * LIKELIHOOD.place_mm**2)
    return _place_nats(sight.place, centres[seat]) + arm_nats(sight, seat, len(centres))


def arm_nats(sight: Sight, seat: int, seats: int) -> float:
    """Weigh how well a card's arm fits a seat of so many, in nats; 0 where none was seen."""
    if sight.arm is None or not sight.armed:
        return 0.0
    bearing, share = sight.arm
    away = remainder(bearing - seat_bearing(seat, seats), 2 * pi)
    wrong = LIKELIHOOD.wrong_arm if share >= LIKELIHOOD.ahead_share else LIKELIHOOD.wrong_arm_near
    return log((1 - wrong) * _normal(away, LIKELIHOOD.arm_rad) + wrong / (2 * pi))


def _place_nats(place: Place, centre: Place) -> float:
    """Weigh how well a card's place fits a seat's, if it may have been laid carelessly."""
    squared = _distance(place, centre) ** 2
    likelihood = sum(
        part * exp(-squared / (2 * spread**2)) / spread**2
        for part, spread in (
            (1 - LIKELIHOOD.careless, LIKELIHOOD.place_mm),
            (LIKELIHOOD.careless, LIKELIHOOD.careless_mm),
        )
    )
    return log(max(likelihood, 1e-30))


def order_nats(sights: Sequence[Sight], order: Sequence[int], centres: Mapping[int, Place]) -> float:
    """Weigh how well arms and places of a trick's cards fit an order of seats, in nats.

    Beside cards whose arms were seen the place of one without counts no more than theirs: any may be laid carelessly;
    and that of one which lies right upon another not at all: whoever lays upon a card lays in its seat's place.
    """
    placed = zip(sights, order, strict=True)
    if not any(sight.armed for sight in sights):
        return sum(seat_nats(sight, seat, centres) for sight, seat in placed)
    return sum(
        _place_nats(sight.place, centres[seat]) + arm_nats(sight, seat, len(centres))
        for number, (sight, seat) in enumerate(placed)
        if sight.armed or not any(lies_upon(sight.place, one.place) for one in sights[:number])
    )


def lies_upon(place: Place, lower: Place) -> bool:
    """Report whether a card at a place lies right upon one at another."""
    return _distance(place, lower) <= LIKELIHOOD.upon_mm


def at_once_nats(sights: Sequence[Sight], order: Sequence[int], centres: Mapping[int, Place]) -> float:
    """Weigh how well arms and places of cards that came at once fit an order of seats, in nats.

    Of two that reach in together each may be taken for the other's arm. That is one mistake, not two. And where one arm
    was taken for that of both cards, which of them it hides more says nothing.
    """
    nats = [seat_nats(sight, seat, centres) for sight, seat in zip(sights, order, strict=True)]
    gains = [0.0]
    for one, two in combinations(range(len(sights)), 2):
        arms = sights[one].arm, sights[two].arm
        if arms[0] is None or arms[1] is None:
            continue
        same = abs(remainder(arms[0][0] - arms[1][0], 2 * pi)) <= LIKELIHOOD.same_arm_rad
        if same or (sights[one].armed and sights[two].armed):
            swapped = seat_nats(replace(sights[one], arm=arms[1]), order[one], centres)
            swapped += seat_nats(replace(sights[two], arm=arms[0]), order[two], centres)
            gains.append(swapped - nats[one] - nats[two] + (0.0 if same else log(LIKELIHOOD.swapped_arms)))
    return sum(nats) + max(gains)


def fits_another(sight: Sight, due: Collection[int], waiting: Collection[int], centres: Mapping[int, Place]) -> bool:
    """Report whether arm and place alone, whatever turn order says, are those of a seat that is not due."""
    nats = {seat: seat_nats(sight, seat, centres) for seat in {*due, *waiting} if seat in centres}
    lawful = max((nats[seat] for seat in due if seat in nats), default=inf)
    return any(one - lawful >= LIMITS.sure_nats / 2 for one in nats.values())


def out_of_turn(order: Sequence[int], lawful: Sequence[int]) -> int:
    """Count the cards of an order that are laid by who is not due, after turn order or after who has led."""
    first = lawful.index(order[0]) if order[0] in lawful else 0
    counts = []
    for due in ([*lawful], [*lawful[first:], *lawful[:first]]):
        found = int(order[0] != lawful[0] and due[0] == order[0])
        for seat in order:
            found += seat != due[0]
            if seat in due:
                due.remove(seat)
        counts.append(found)
    return min(counts)


def seat_bearing(seat: int, seats: int) -> float:
    """Return where a seat is from the mat's middle, rad: seat 1 below, the others clockwise (``vision.messages``)."""
    return pi / 2 + 2 * pi * (seat - 1) / seats


def _normal(away: float, spread: float) -> float:
    return exp(-0.5 * (away / spread) ** 2) / (spread * sqrt(2 * pi))


def _near(place: Place, due: int, seat: int, centres: Mapping[int, Place]) -> bool:
    gain = _distance(place, centres[due]) - _distance(place, centres[seat])
    return gain >= LIMITS.nearer_share * _distance(centres[due], centres[seat])


def _over(place: Place, start: Place, end: Place) -> float:
    """Where ``place`` falls on the way from ``start`` to ``end``: 0 at the start, 1 at the end; 0 if they are one."""
    along = (end[0] - start[0], end[1] - start[1])
    length = along[0] ** 2 + along[1] ** 2
    if not length:
        return 0.0
    return ((place[0] - start[0]) * along[0] + (place[1] - start[1]) * along[1]) / length


def _distance(one: Place, other: Place) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
