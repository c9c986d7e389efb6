"""Associate a card that the camera reports with a seat: by turn, unless it clearly lies in front of somebody else.

Players lay their cards into the middle, more or less towards themselves. Turn order is right nearly always and place
is vague; but a card laid before its turn or by the wrong seat is a fact that must be recorded as it was (it is
``out_of_turn``), so place wins where it is clear: where the card lies well over on another seat's side, and that
seat still has to lay a card.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
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
    # How far careless laying may be off in all, so that four cards seen together are no proof against turn order.
    careless_mm: float = 70.0


LIMITS = SeatLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The seat of a card, and how sure that is: 1 where turn and place agree, 0 where it is a guess."""

    seat: int
    sure: float


def owner(
    place: Place | None,
    due: int,
    waiting: Collection[int],
    centres: Mapping[int, Place],
    perhaps: Collection[int] = (),
) -> Owner:
    """Find the seat that laid a card at ``place``.

    :param place: where the card lies, in mm; None where nobody saw it (a scanner, a finger).
    :param due: the seat whose turn it is.
    :param waiting: the seats without a card in the open trick, ``due`` among them.
    :param centres: the middle of each seat's field on the mat, in mm; seats without one are never chosen by place.
    :param perhaps: seats that are due as well if a card in doubt is another one than it counts as (who has won the
        trick is not certain then): among them and ``due`` place decides.
    """
    if place is None or due not in centres:
        return Owner(seat=due, sure=0.5)
    near = {seat: _distance(place, centres[seat]) for seat in {due, *perhaps} if seat in centres}
    due = min(near, key=lambda seat: (near[seat], seat != due))
    over = {seat: _over(place, centres[due], centres[seat]) for seat in waiting if seat != due and seat in centres}
    clear = {
        seat: share for seat, share in over.items() if share >= LIMITS.over_share and _near(place, due, seat, centres)
    }
    if clear:
        # The nearest of them: opposite the due seat, the card may be "over" towards its neighbours too.
        seat = min(clear, key=lambda seat: (_distance(place, centres[seat]), seat))
        return Owner(seat=seat, sure=min(1.0, 0.5 + 2 * (clear[seat] - LIMITS.over_share)))
    # Towards a seat that has laid already the card cannot be that seat's: turn order wins, but it is odd.
    others = [_over(place, centres[due], centre) for seat, centre in centres.items() if seat != due]
    furthest = max(others, default=0.0)
    return Owner(seat=due, sure=max(0.0, min(1.0, 1.5 - furthest)) if furthest > 0.5 else 1.0)


def best_order(
    places: Sequence[Place],
    orders: Iterable[Sequence[int]],
    centres: Mapping[int, Place],
    against: Iterable[Sequence[int]] = (),
) -> tuple[int, ...]:
    """Find the order of seats that fits the places of a trick's cards best, taken together.

    :param places: where the cards lie, in the order of laying.
    :param orders: the orders of seats that turn order allows, each as long as ``places``; the first is the likeliest.
    :param against: orders against turn order, which must fit clearly better: as it seemed card by card, or with
        another leader, if a card that was read wrongly has given the last trick to the wrong seat.
    """
    possible = [(0.0, tuple(order)) for order in orders] + [(LIMITS.careless_mm**2, tuple(order)) for order in against]
    if any(seat not in centres for _, order in possible for seat in order):
        return possible[0][1]

    def misfit(way: tuple[float, tuple[int, ...]]) -> float:
        extra, seats = way
        return extra + sum(_distance(place, centres[seat]) ** 2 for place, seat in zip(places, seats, strict=True))

    return min(possible, key=misfit)[1]


def _near(place: Place, due: int, seat: int, centres: Mapping[int, Place]) -> bool:
    gain = _distance(place, centres[due]) - _distance(place, centres[seat])
    return gain >= LIMITS.nearer_share * _distance(centres[due], centres[seat])


def _over(place: Place, start: Place, end: Place) -> float:
    """Where ``place`` falls on the way from ``start`` to ``end``: 0 at the start, 1 at the end."""
    along = (end[0] - start[0], end[1] - start[1])
    length = along[0] ** 2 + along[1] ** 2
    if not length:
        return 0.0
    return ((place[0] - start[0]) * along[0] + (place[1] - start[1]) * along[1]) / length


def _distance(one: Place, other: Place) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
