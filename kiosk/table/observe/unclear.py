"""Find the cards that nobody is accused for: what they are, or whose, is not clear yet.

Two more are told by arms and hands (``overlooked``): a card upon one that was never seen, and one that came after such.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from kiosk.rules.engine.game import Game
from kiosk.table.inference.position import Position
from kiosk.table.inference.seats import Place, Sight, fits_another
from kiosk.table.observe.gone import NumberedCard
from kiosk.table.observe.limits import LIMITS
from kiosk.table.observe.shown_hand import newest_together
from vision.messages import CardLaid


def perhaps_of_a_hand(lately: Sequence[CardLaid], known: Mapping[int, NumberedCard], now: float) -> frozenset[int]:
    """Find the events of the cards that came last, together and side by side: a hand laid open, or laid at once.

    It is clear once one of them has left the mat, something is laid elsewhere, or they stay.

    :param lately: the cards noted last, the newest last.
    :param known: vision's numbers → cards; ``now`` is when the mat was seen last, s.
    """
    there = {one.card: one for one in lately}
    events = {
        number: card.event
        for number in there
        if (card := known.get(number)) is not None and card.event is not None and not card.gone
    }
    cards = [there[number] for number in events]
    if not cards or now - cards[-1].at > LIMITS.shown_s:
        return frozenset()
    return frozenset(events[one.card] for one in newest_together(cards))


def perhaps_no_lead(position: Position, moved: Collection[int]) -> frozenset[int]:
    """Find the event of a lead that was put to another seat, while who had to lead has no card in the trick.

    His may not have been seen, and then nobody led out of turn; he lays it or the trick is taken in without.

    :param moved: the events of cards that were put to other seats last.
    """
    trick = position.open_trick
    if not trick or trick[0].event not in moved or position.order[0] not in position.waiting:
        return frozenset()
    return frozenset((trick[0].event,))


def leads_after(game: Game, asked: Collection[int]) -> frozenset[int]:
    """Find the events of leads after a trick of which it is asked whose cards are: another may have won it.

    :param asked: the events of cards that may be of other seats.
    """
    tricks = [*(trick.cards for trick in game.tricks), game.open_trick]
    return frozenset(
        after[0].event for before, after in pairwise(tricks) if after and any(one.event in asked for one in before)
    )


def perhaps_anothers(position: Position, centres: Mapping[int, Place]) -> frozenset[int]:
    """Find the events of cards that turn order alone gives to a seat: arm and place are another's.

    So is the place alone, where the arm that was seen is not clearly ahead of any other. That seat has no card in the
    trick yet; the one before may not have been seen.
    """
    return frozenset(
        one.event
        for one in position.open_trick
        if one.sight is not None
        and not one.settled
        and any(fits_another(sight, (one.seat,), position.waiting, centres) for sight in _readings(one.sight))
    )


def perhaps_thrown(position: Position) -> frozenset[int]:
    """Find the events of cards against turn whose arms nobody saw, though those of others were seen: a throw.

    Such a card lies anywhere. It is clear once all who were passed over have laid, or the trick has gone.
    """
    trick = position.open_trick
    if not any(one.sight is not None and one.sight.armed for one in (*position.last_trick, *trick)):
        return frozenset()
    return frozenset(
        one.event
        for one in trick
        if one.sight is not None
        and not (one.sight.armed or one.settled)
        and {*position.order[: position.order.index(one.seat)]} & {*position.waiting}
    )


def _readings(sight: Sight) -> tuple[Sight, ...]:
    clear = sight.arm is None or sight.arm[1] >= LIMITS.clear_arm_share
    return (sight,) if clear else (sight, Sight(sight.place))
