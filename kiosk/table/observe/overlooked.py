"""Tell by arms whether a seat that seems to have been passed over may have laid a card that nobody has seen.

A card right upon an equal one leaves the picture as it was. Who follows then seems to lay before his turn; but an arm
of the seat passed over has reached in and gone, and no card has been seen that it brought.
"""

from collections.abc import Mapping, Sequence
from math import inf, pi, remainder

from kiosk.table.inference.position import Position
from kiosk.table.inference.seats import Place, seat_bearing
from kiosk.table.observe.limits import LIMITS
from vision.messages import ArmReached, CardLaid


def passed_over(position: Position, seat: int) -> list[int]:
    """List the seats whose turn it was before ``seat``, in their order; () where nobody is due."""
    if position.due is None or seat not in position.waiting:
        return []
    turn = [one for one in position.order if one in position.waiting]
    turn = [*turn[turn.index(position.due) :], *turn[: turn.index(position.due)]]
    return turn[: turn.index(seat)]


def laid_unseen(
    seats: Sequence[int], reached: Sequence[ArmReached], cards: Sequence[CardLaid], centres: Mapping[int, Place]
) -> bool:
    """Report whether each of some seats has reached into the middle without a card of its having been seen.

    :param reached: arms since the last trick was taken in.
    :param cards: those of the trick that were seen, the last one is against turn; their arms are no others'.
    """
    before = max((card.not_before for card in cards[:-1] if card.not_before is not None), default=inf)
    left = [one for one in reached if one.until > before]
    for card in cards:
        for one in [one for one in left if _brought(one, card)]:
            left.remove(one)
    for seat in seats:  # each arm has laid one card
        near = min(left, key=lambda one: _away(one, seat, centres), default=None)
        if near is None or _away(near, seat, centres) > LIMITS.seat_arm_rad:
            return False
        left.remove(near)
    return bool(seats)


def _brought(arm: ArmReached, card: CardLaid) -> bool:
    """Report whether an arm may have brought a card."""
    if card.rested is None or card.not_before is None:
        return False
    if arm.since > card.rested or arm.until < card.not_before:
        return False
    return card.arm is None or abs(remainder(arm.bearing - card.arm, 2 * pi)) <= LIMITS.same_arm_rad


def _away(arm: ArmReached, seat: int, centres: Mapping[int, Place]) -> float:
    return abs(remainder(arm.bearing - seat_bearing(seat, len(centres)), 2 * pi))
