"""What the camera has missed of a game: noted as wholly in doubt, so that nothing that follows is counted a card off.

People are asked about each such card, and once the game is complete the deck says what it was.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import combinations

from kiosk.errors import Refused
from kiosk.rules.cards import Card
from kiosk.table.desk import Desk, seat_again, second_thought
from kiosk.table.position import Position
from kiosk.table.seats import Place

#: Tricks that a game may lack and have been played out: with more, it was rather given up.
_MOST_LACKING = 3

#: Cards of a trick that the game cannot have had, from which on it is the next game's: one alone may have been misread.
_ANOTHER_GAME = 2


def note_missed(desk: Desk) -> int | None:
    """Note a card that was not seen where the next one is due; its event, None if there can be none."""
    position = desk.position()
    if position.due is None:
        return None
    covered = [card for card in position.covers if card in cards_left(position)]  # a back is easily overlooked
    possible = covered or cards_left(position)
    if not possible:
        return None
    seat = position.due
    lying = {card.seat: card.event for card in position.open_trick}
    order = position.order
    before = [lying[other] for other in order[: order.index(seat)] if other in lying]
    behind = [lying[other] for other in order[order.index(seat) :] if other in lying]
    doubt = {"seat": seat, "card": possible[0], "doubt": possible, "unseen": True}
    if covered:
        doubt["down"] = True
    if behind:  # of two equal cards the first may win: it counts where its turn was
        after = max(before) if before else min(lying.values()) - 1
        number = second_thought(desk, {"event": "correct", "after": after, **doubt, "by": "camera", "why": "not seen"})
    else:
        number = second_thought(desk, {"event": "card", **doubt})
    desk.notices["missed_card", seat] = number
    return number


def end_trick(desk: Desk, centres: Mapping[int, Place]) -> None:
    """The open trick has gone before it was full."""
    position = desk.position()
    ways = combinations(position.order, len(position.open_trick))
    seat_again(desk, centres, position.open_trick, ways, "a card of this trick was not seen")
    for _ in position.waiting:
        note_missed(desk)


def end_game(desk: Desk) -> None:
    """The game was played out: the cards that it lacks were not seen.

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
    """Note all that the game in play lacks as not seen; False if it goes on all the same."""
    while desk.position().playing:
        if note_missed(desk) is None:
            return False
    return True


def nearly_over(position: Position) -> bool:
    """Whether so little lacks that the game may have been played out."""
    return position.lacking <= _MOST_LACKING * len(position.order)


def is_another_game(position: Position, events: Collection[int | None]) -> bool:
    """Whether the cards of these events are those of another game: the one in play cannot have had them."""
    left = Counter(position.deck) - Counter(one.card for one in position.seen if one.event not in events)
    now = Counter(one.card for one in position.seen if one.event in events and not one.open)
    return left.total() <= _MOST_LACKING * len(position.order) and (now - left).total() >= _ANOTHER_GAME


def cards_left(position: Position) -> list[Card]:
    """The cards that no clear sight accounts for yet, those of few Augen first: they change the least if wrong."""
    left = list(position.deck)
    for one in position.seen:
        if not one.open and one.card in left:
            left.remove(one.card)
    worth = {rank: place for place, rank in enumerate("9JQK8 7UOTA")}
    return sorted(dict.fromkeys(left), key=lambda card: (worth[card[1]], card))
