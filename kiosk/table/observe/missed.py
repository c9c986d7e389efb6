"""Note cards that the camera has missed as wholly in doubt, so that no later card is counted at a wrong place.

People are asked about each such card, and once the game is complete the deck says what it was.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import dist

from kiosk.errors import Refused
from kiosk.rules.engine.cards import Card
from kiosk.table.events.values import CardInserted, CardPlayed, Event
from kiosk.table.inference.position import Position
from kiosk.table.inference.seats import LIMITS, Place, Sight, order_nats
from kiosk.table.observe.desk import Desk, put_to_seats, remove_card, seat_again, second_thought

#: Tricks that a game may lack and have been played out: with more, it was rather given up.
_MOST_TRICKS_MISSED = 3

#: Why a card counts as the next seat's, and why an unseen one as another seat's.
UPON_UNSEEN = "it lies upon one that was not seen"

LED_NEXT = "it lay open: its seat leads the next trick"

WON_UNSEEN = "who leads has won the trick of which one was not seen"

#: Cards of a trick that the game cannot have had, from which on it is the next game's: one alone may have been misread.
_CARDS_OF_ANOTHER_GAME = 2


def note_missed(
    desk: Desk,
    likely: Collection[Card] = (),
    besides: Card | None = None,
    *,
    may_be_covered: bool = True,
    picture: bytes | None = None,
) -> int | None:
    """Note an unseen card where the next one is due; return its event, None if there can be none.

    :param likely: what it probably was: it counts as one of these until it is known.
    :param besides: a card that lies there and is noted after it.
    :param may_be_covered: where the book allows it, it lies face down.
    """
    position = desk.position()
    if position.due is None:
        return None
    covers = position.covers if may_be_covered else ()
    covered = [card for card in covers if card in cards_left(position)]  # a back is easily overlooked
    possible = covered or sorted(cards_left(position, besides), key=lambda card: card not in likely)
    if not possible:
        return None
    seat = position.due
    lying = {card.seat: card.event for card in position.open_trick}
    order = position.order
    before = [lying[other] for other in order[: order.index(seat)] if other in lying]
    behind = [lying[other] for other in order[order.index(seat) :] if other in lying]
    card, doubt, down = possible[0], tuple(possible), bool(covered)
    event: Event
    if behind:  # of two equal cards the first may win: it counts where its turn was
        after = max(before) if before else min(lying.values()) - 1
        event = CardInserted(
            after=after, seat=seat, card=card, doubt=doubt, unseen=True, down=down, by="camera", why="not seen"
        )
    else:
        event = CardPlayed(seat=seat, card=card, doubt=doubt, unseen=True, down=down)
    number = second_thought(desk, event, picture)
    if number is None and isinstance(event, CardInserted):  # after what its seat has taken back
        number = second_thought(desk, replace(event, after=min(behind) - 1))
    desk.notices["missed_card", seat] = number
    return number


def end_trick(
    desk: Desk,
    centres: Mapping[int, Place],
    leads: Sequence[tuple[int, ...]] = (),
    upon_unseen: Mapping[int, int] | None = None,
) -> None:
    """Close the open trick, which left the mat before it was full.

    :param leads: orders of seats in which it may have been laid; by default from the one who had to lead it.
    :param upon_unseen: cards that lie upon the missing ones, and whose they are: event → seat.
    """
    position = desk.position()
    if upon_unseen:
        put_to_seats(desk, upon_unseen, UPON_UNSEEN)
    else:
        count, noted = len(position.open_trick), tuple(one.seat for one in position.open_trick)
        ways = dict.fromkeys(way for lead in leads or (position.order,) for way in combinations(lead, count))
        seat_again(desk, centres, position.open_trick, ways, "a card of this trick was not seen", [noted])
    for _ in position.waiting:
        note_missed(desk)


def put_right_by_lead(desk: Desk, centres: Mapping[int, Place], seat: int | None) -> None:
    """Put the unseen card of the last trick to another seat if ``seat``, who leads now, has won the trick then.

    Arms and places must not say otherwise more clearly than turn order does.
    """
    position = desk.position()
    trick = position.last_trick
    seen = [one for one in trick if one.sight is not None]
    unseen = [one for one in trick if one.sight is None and one.doubt]
    if len(unseen) != 1 or len(seen) < len(trick) - 1 or any(one.settled for one in trick):
        return
    order = [one.seat for one in trick]
    if any(one not in centres for one in order):
        return

    def without(gap: int) -> dict[int, int]:
        seats = [one for one in order if one != gap]
        return {one.event: to for one, to in zip(seen, seats, strict=True)}

    def nats(gap: int) -> float:
        seats = without(gap)
        later = order[order.index(gap) :]
        sights = [(one.sight, seats[one.event]) for one in seen if one.sight is not None]
        placed = [_as_upon(sight, to, gap, centres) if to in later else sight for sight, to in sights]
        return order_nats(placed, [to for _, to in sights], centres)

    now = unseen[0].seat
    won = [gap for gap in order if seat in position.takers({unseen[0].event: gap, **without(gap)})]
    best = max(won, key=nats, default=now)
    if best == now or nats(now) - nats(best) >= LIMITS.out_of_turn_nats:
        return
    remove_card(desk, unseen[0].event, WON_UNSEEN)
    before = {one.event: one.seat for one in seen}
    put_to_seats(desk, {event: to for event, to in without(best).items() if to != before[event]}, WON_UNSEEN)
    note_missed(desk)


def lay_open_by_lead(desk: Desk, seat: int | None) -> None:
    """Lay the last trick's card open that nobody saw lie face down if ``seat``, whose it is, leads now.

    It has won the trick then: what lies face down wins nothing.
    """
    position = desk.position()
    covered = next((one for one in position.last_trick if one.seat == seat and one.perhaps_open), None)
    if covered is None or covered.settled:
        return
    left = cards_left(position)
    winning = [card for card in position.wins_open(covered.event) if card in left]
    if winning:
        picture = desk.picture(covered.event)
        remove_card(desk, covered.event, LED_NEXT)
        note_missed(desk, winning, may_be_covered=False, picture=picture)


def _as_upon(sight: Sight, seat: int, below: int, centres: Mapping[int, Place]) -> Sight:
    """Move a card that may lie upon an unseen one of another seat to where it would lie before its own."""
    (x, y), own, other = sight.place, centres[seat], centres[below]
    if dist(sight.place, own) <= dist(sight.place, other):
        return sight
    return replace(sight, place=(x - other[0] + own[0], y - other[1] + own[1]))


def end_game(desk: Desk) -> None:
    """Close a game that was played out: the missing cards were not seen.

    :raises Refused: no game is in play, or it lacks too much to have been played out.
    """
    position = desk.position()
    if not position.playing or not position.seen:
        raise Refused("no_game", "", "no game is in play that could lack cards")
    if not nearly_over(position):
        raise Refused("too_few_seen", "", f"{position.lacking} cards were not seen; deal again, or strike the game")
    if not play_out(desk):
        raise Refused("not_now", "", "the cards that were not seen cannot have been laid now")


def play_out(desk: Desk) -> bool:
    """Note all missing cards of the game in play as unseen; False if it goes on all the same."""
    while desk.position().playing:
        if note_missed(desk) is None:
            return False
    return True


def nearly_over(position: Position) -> bool:
    """Report whether so few cards are missing that the game may have been played out."""
    return position.lacking <= _MOST_TRICKS_MISSED * len(position.order)


def is_another_game(position: Position, events: Collection[int | None]) -> bool:
    """Report whether the cards of these events are those of another game: the one in play cannot have had them."""
    left = Counter(position.deck) - Counter(one.card for one in position.seen if one.event not in events)
    now = Counter(one.card for one in position.seen if one.event in events and not one.open)
    return left.total() <= _MOST_TRICKS_MISSED * len(position.order) and (now - left).total() >= _CARDS_OF_ANOTHER_GAME


def cards_left(position: Position, besides: Card | None = None) -> list[Card]:
    """List the cards that no clear reading accounts for, those of few Augen first: they change the least if wrong.

    :param besides: a card that lies there and is not noted yet.
    """
    left = list(position.deck)
    for card in [*(one.card for one in position.seen if not one.open), *([] if besides is None else [besides])]:
        if card in left:
            left.remove(card)
    worth = {rank: place for place, rank in enumerate("9JQK8 7UOTA")}
    return sorted(dict.fromkeys(left), key=lambda card: (worth[card[1]], card))
