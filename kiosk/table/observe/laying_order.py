"""Order cards of which nobody has seen which was laid first: as turn order has it, if arms and places allow that.

Two cards may come between two pictures: the camera stalls, the machine is slow, or a hand hides the one while another
lays the next. Each report says from when on its card may have been laid and since when it has lain; where these times
overlap, nothing is held against anybody. Nor is it where two cards come to rest at once: whoever lays so soon after
another had begun before that card lay.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from kiosk.table.inference.position import Lying, Position
from kiosk.table.inference.seats import LIMITS as SEATS
from kiosk.table.inference.seats import Place, at_once_nats, seat_nats
from kiosk.table.observe.limits import LIMITS
from kiosk.table.observe.noting import sight_of
from vision.messages import CardLaid

#: A card with the seat that it is noted for; None: as it comes.
Ordered = tuple[CardLaid, int | None]


@dataclass(frozen=True, slots=True)
class LawfulOrder:
    """Cards in the order that turn order gives them; ``unsure``: those that are as likely of these seats instead."""

    cards: list[Ordered]
    unsure: tuple[tuple[CardLaid, int], ...]


def unordered(before: Sequence[CardLaid], now: Sequence[CardLaid], trick: Sequence[CardLaid]) -> list[CardLaid]:
    """Select the last of the cards noted before that may as well have been laid after one of those reported now.

    :param trick: those of the open trick: of another one a card that nobody saw come would have gone with it.
    """
    found: list[CardLaid] = []
    for one in reversed(before):
        others = [other for other in now if other.rested is not None or one in trick]
        if len(found) + len(now) >= LIMITS.unordered_cards or not any(_may_count_later(one, two) for two in others):
            break
        found.insert(0, one)
    return found


def lawful_order(
    cards: Sequence[CardLaid],
    noted: Sequence[Lying],
    position: Position,
    leads: Sequence[Sequence[int]],
    centres: Mapping[int, Place],
) -> LawfulOrder | None:
    """Find the likeliest order within turn order; None if what was noted is clearly likelier, a breach though it is.

    :param cards: as they were reported, the newest last.
    :param noted: those of them that are noted, as they count.
    :param leads: orders of seats in which the trick of the first of them may have been laid.
    """
    trick = position.open_trick
    if noted and noted[0] not in trick:
        trick = position.last_trick
    if any(seat not in centres for seat in (*position.order, *(seat for lead in leads for seat in lead))):
        return None
    laid = {one.seat for one in trick if one not in noted}
    # Who may have won the trick before, and has not laid, led this one only if nobody has laid before him.
    leads = sorted(leads, key=lambda lead: laid != {*lead[: len(laid)]})
    found: list[tuple[float, list[Ordered]]] = []
    for lead in leads:
        slots = [seat for seat in lead if seat not in laid]
        for way in _ways(cards):
            seated = [*zip(map(sight_of, way), slots, strict=False)]
            nats = at_once_nats([sight for sight, _ in seated], [seat for _, seat in seated], centres)
            nats += _next_trick(way[len(slots) :], position.order, centres)
            rest: list[int | None] = [None] * max(0, len(way) - len(slots))
            found.append((nats, list(zip(way, [*slots, *rest], strict=False))))
    most, best = max(found, key=lambda one: round(one[0], 6))  # of as likely ones the first
    seats = [one.seat for one in noted]
    free = [seat for seat in position.waiting if seat not in seats] or list(position.order)
    as_noted = at_once_nats([sight_of(card) for card in cards[: len(seats)]], seats, centres)
    as_noted += sum(max(seat_nats(sight_of(card), seat, centres) for seat in free) for card in cards[len(seats) :])
    if as_noted - SEATS.out_of_turn_nats - most > SEATS.sure_nats:
        return None
    return LawfulOrder(best, _as_likely_otherwise(most, best, found))


def _as_likely_otherwise(
    most: float, best: Sequence[Ordered], found: Sequence[tuple[float, list[Ordered]]]
) -> tuple[tuple[CardLaid, int], ...]:
    """Select the cards of an order that another one gives to other seats and that is not much less likely."""
    seats = {card.card: seat for card, seat in best}
    for nats, other in sorted(found, key=lambda one: -one[0]):
        moved = tuple((card, seat) for card, seat in other if seat is not None and seats[card.card] not in (None, seat))
        if moved:
            return moved if most - nats < LIMITS.as_likely_nats else ()
    return ()


def may_be_later(one: CardLaid, other: CardLaid) -> bool:
    """Report whether a card that was reported first may have been laid last."""
    return one.rested is not None and other.not_before is not None and one.rested > other.not_before


def _may_count_later(one: CardLaid, other: CardLaid) -> bool:
    """Report whether a card that was reported first may count as laid last: it may have been, or both came at once."""
    if one.rested is None or other.rested is None:
        return one.rested is not None  # nobody saw the other come: it may have lain there before
    return may_be_later(one, other) or other.rested - one.rested <= LIMITS.at_once_s


def _ways(cards: Sequence[CardLaid]) -> Iterator[tuple[CardLaid, ...]]:
    """Yield the orders that the times of the cards allow, first the one in which they were reported."""
    for way in permutations(cards):
        if all(
            _may_count_later(later, earlier) or cards.index(earlier) < cards.index(later)
            for place, earlier in enumerate(way)
            for later in way[place + 1 :]
        ):
            yield way


def _next_trick(cards: Sequence[CardLaid], seats: Sequence[int], centres: Mapping[int, Place]) -> float:
    """Weigh cards that begin a trick whose leader is not known yet."""
    if not cards:
        return 0.0
    return max(
        sum(
            seat_nats(sight_of(card), seat, centres)
            for card, seat in zip(cards, (*seats[first:], *seats[:first]), strict=False)
        )
        for first in range(len(seats))
    )
