"""Recognise the last trick when somebody looks at it: cards that have been taken in lie open once more, together."""

from collections import Counter
from collections.abc import Sequence
from math import hypot, pi, remainder

from kiosk.table.inference.position import Position
from kiosk.table.observe.laying_order import may_be_later
from kiosk.table.observe.limits import LIMITS
from vision.messages import CardLaid


def may_be_looked_at(report: CardLaid, position: Position) -> bool:
    """Report whether a card may be one of the last trick, shown again."""
    return _label(report) in {one.card for one in position.last_trick}


def has_copies_left(report: CardLaid, position: Position) -> bool:
    """Report whether the card may as well be laid now: the deck has another one that nobody has laid."""
    label = _label(report)
    return position.deck.count(label) > sum(one.card == label for one in position.seen)


def is_looked_at(cards: Sequence[CardLaid], position: Position, noted: int = 0) -> bool:
    """Report whether cards came together and are the last trick's: nobody lays so many of the same at once.

    :param noted: the first so many are noted as laid now, and counted among the seen.
    """
    labels = Counter(_label(one) for one in cards)
    if labels - Counter(one.card for one in position.last_trick):
        return False
    if not all(may_be_later(one, other) for one in cards for other in cards):
        return False
    seen = Counter(one.card for one in position.seen) - Counter(_label(one) for one in cards[:noted])
    impossible = (labels + seen) - Counter(position.deck)
    few = impossible or _in_a_fan(cards)
    return len(cards) >= (LIMITS.looked_at_cards if few else LIMITS.looked_at_cards_left)


def _in_a_fan(cards: Sequence[CardLaid]) -> bool:
    """Report whether cards lie side by side as one hand lays them: two people's do not."""
    first = cards[0]
    return all(
        hypot(one.x - first.x, one.y - first.y) <= LIMITS.fan_mm
        and abs(remainder(one.angle - first.angle, pi)) <= LIMITS.fan_rad
        for one in cards[1:]
    )


def _label(report: CardLaid) -> str:
    return report.label or (report.choices[0][0] if report.choices else "")
