"""Collect the round's state for the observer and the doubts: which cards lie, what was read of the deck."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.rights import covers
from kiosk.rules.engine.tricks import Laid, best
from kiosk.table.events.values import CardCorrected, CardInserted, CardSeen, CardsReseated, Event, HandScanned
from kiosk.table.inference.doubts import Observation
from kiosk.table.inference.seats import Sight

#: Margin (0 … 1) of a second reading whose event has none.
SECOND_READING_MARGIN = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """A card of the log that may still lie on the table."""

    event: int
    seat: int
    card: Card
    doubt: tuple[Card, ...]  # read with doubt, not settled: the choices
    settled: bool  # a person has said what it is, or whose
    sight: Sight | None  # where it was seen, and the arm that brought it
    perhaps_open: bool = False  # counts as face down, but nobody saw that it does


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What the observer needs of the round, by the log."""

    playing: bool  # a game is dealt and not over: cards belong to it
    begun: bool  # somebody has spoken or laid a card in it: hands are taken up
    may_deal: bool  # released, and the round has a game left
    due: int | None  # the seat that lays next
    perhaps_due: tuple[int, ...]  # seats that would lead if an open doubt in the last trick were settled otherwise
    waiting: tuple[int, ...]  # seats without a card in the trick that the next card belongs to
    order: tuple[int, ...]  # the seats clockwise from the one who had to lead the open trick
    perhaps_order: tuple[tuple[int, ...], ...]  # and from each of ``perhaps_due``
    open_trick: tuple[Lying, ...]
    last_trick: tuple[Lying, ...]  # the finished one before it, in this game or the one that just ended
    retractable: frozenset[int]  # events of cards that their seats may take back
    seen: tuple[Observation, ...]  # all cards of this game, for the deck's composition
    deck: tuple[Card, ...]
    hands: Mapping[int, tuple[Card, ...]]  # scanned hands of this game as dealt, by seat
    covers: tuple[Card, ...]  # cards that the seat due may lay face down, the least trump first (durchgaenge 4b)
    asked: tuple[Mapping[int, int], ...] = ()  # the seats that cards, by their events, may be of instead: not settled
    takers: Callable[[Mapping[int, int]], frozenset[int]] = lambda seats: frozenset()  # see ``_takers``
    wins_open: Callable[[int], tuple[Card, ...]] = lambda event: ()  # see ``_wins_open``

    @property
    def lacking(self) -> int:
        """Cards of the deck that were not laid in this game, or not seen."""
        return len(self.deck) - len(self.seen)


def position(
    game: Game | None,
    deck: tuple[Card, ...],
    may_deal: bool,
    events: Sequence[Event],
    asked: tuple[Mapping[int, int], ...] = (),
) -> Position:
    """Collect the position of ``game``, the one in play or the last; ``events`` are the whole log."""
    if game is None:
        return Position(
            playing=False,
            begun=False,
            may_deal=may_deal,
            due=None,
            perhaps_due=(),
            waiting=(),
            order=(),
            perhaps_order=(),
            open_trick=(),
            last_trick=(),
            retractable=frozenset(),
            seen=(),
            deck=deck,
            hands={},
            covers=(),
        )
    playing = not game.ended
    perhaps_due = _perhaps_due(game) if playing and not game.open_trick else ()
    spoken = corrections(events)
    settled = {of for of, event in spoken.items() if event.by_person}
    settled |= {of for event in events if isinstance(event, CardsReseated) and event.by_person for of in event.seats}
    last = game.open_trick or (game.tricks[-1].cards if game.tricks else ())
    laid = {card.seat for card in game.open_trick}
    return Position(
        playing=playing,
        begun=playing and bool(game.spoken or game.tricks or game.open_trick),
        may_deal=may_deal,
        due=game.next_to_lay if playing else None,
        perhaps_due=perhaps_due,
        waiting=tuple(seat for seat in game.seats if seat not in laid) if playing else (),
        order=_clockwise(game.seats, _leader(game)),
        perhaps_order=tuple(_clockwise(game.seats, seat) for seat in perhaps_due),
        open_trick=tuple(_lying(card, events, settled) for card in game.open_trick),
        last_trick=tuple(_lying(card, events, settled) for card in game.tricks[-1].cards) if game.tricks else (),
        retractable=frozenset(one.event for one in last if playing and game.book.retractable(game, one.seat, one.card)),
        seen=seen(game, events, spoken),
        deck=deck,
        hands=scanned(game, events),
        covers=covers(game, game.next_to_lay),
        asked=asked,
        takers=partial(_takers, game),
        wins_open=partial(_wins_open, game, deck),
    )


def _leader(game: Game) -> int:
    """Find who had to lead the open trick; who has led it, if the doubt in the one before leaves open who won that."""
    if not game.tricks:
        return game.book.leader(game)
    leads = game.open_trick[0].seat if game.open_trick else None
    doubtful = any(laid.doubt for laid in game.tricks[-1].cards)
    return leads if leads is not None and doubtful and leads in _takers(game, {}) else game.tricks[-1].winner


def _clockwise(seats: tuple[int, ...], first: int) -> tuple[int, ...]:
    start = seats.index(first)
    return seats[start:] + seats[:start]


def _perhaps_due(game: Game) -> tuple[int, ...]:
    """Other seats that would have won the last trick if its doubtful cards were others of their choices."""
    doubtful = game.tricks and any(laid.doubt for laid in game.tricks[-1].cards)
    return tuple(sorted(_takers(game, {}) - {game.next_to_lay})) if doubtful else ()


def _takers(game: Game, seats: Mapping[int, int]) -> frozenset[int]:
    """Find who may have won the last trick, by its doubtful cards, if some of its cards were of other seats.

    :param seats: whose they were then, by their events.
    """
    cards = game.tricks[-1].cards
    turn = [laid.seat for laid in cards]
    moved = sorted(
        (replace(laid, seat=seats.get(laid.event, laid.seat)) for laid in cards), key=lambda one: turn.index(one.seat)
    )
    second_wins = game.book.second_wins(game.contract, game.options)
    winners = set()
    for index, laid in enumerate(moved):
        for choice in laid.doubt or (laid.card,):
            tried = (*moved[:index], replace(laid, card=choice), *moved[index + 1 :])
            winners.add(best(game.contract, game.book.equal_order(tried), second_wins).seat)
    return frozenset(winners)


def _wins_open(game: Game, deck: Sequence[Card], event: int) -> tuple[Card, ...]:
    """List the labels with which a card of the last trick, by its event, would have won it if it lay open."""
    cards = game.tricks[-1].cards
    place = next(place for place, laid in enumerate(cards) if laid.event == event)
    second_wins = game.book.second_wins(game.contract, game.options)

    def wins(card: Card) -> bool:
        tried = (*cards[:place], replace(cards[place], card=card, down=False), *cards[place + 1 :])
        return best(game.contract, game.book.equal_order(tried), second_wins).event == event

    return tuple(card for card in dict.fromkeys(deck) if wins(card))


def corrections(events: Sequence[Event]) -> dict[int, CardCorrected]:
    """Collect the last correction of each card, by the card's event."""
    return {event.of: event for event in events if isinstance(event, CardCorrected)}


def scanned(game: Game, events: Sequence[Event]) -> dict[int, tuple[Card, ...]]:
    """Collect the scanned hands of a game, by seat."""
    return {
        event.seat: event.cards for event in events[game.dealt : game.last_event + 1] if isinstance(event, HandScanned)
    }


def seen(game: Game, events: Sequence[Event], spoken: Mapping[int, CardCorrected]) -> tuple[Observation, ...]:
    """List every card of a game that lies or was taken in, as read and as it counts."""
    cards = [card for trick in game.tricks for card in trick.cards] + list(game.open_trick)
    return tuple(_seen(card, events[card.event], spoken.get(card.event)) for card in cards)


def _seen(card: Laid, event: Event, spoken: CardCorrected | None) -> Observation:
    assert isinstance(event, CardSeen)
    scores = event.scores or (1.0,) * len(event.doubt)
    rivals = (event.card, *event.rivals) if event.rivals else ()
    again = spoken if spoken is not None and spoken.by == "camera" else None
    # What the composition has said stays open for it: with more cards known it may know better.
    margin = again.margin if again is not None else event.margin
    return Observation(
        event=card.event,
        card=card.card,
        choices=() if event.unseen else tuple(zip(event.doubt, scores, strict=False)),
        unseen=event.unseen,
        fixed=(spoken is not None and spoken.by_person) or (isinstance(event, CardInserted) and not event.unseen),
        margin=margin if margin is not None else 1.0 if again is None else SECOND_READING_MARGIN,
        seat=card.seat,
        rivals=tuple(zip(rivals, scores, strict=False)) if again is None else (),
        reread=again is not None,
    )


def _lying(card: Laid, events: Sequence[Event], settled: Collection[int]) -> Lying:
    event = events[card.event]
    assert isinstance(event, CardSeen)
    return Lying(
        event=card.event,
        seat=card.seat,
        card=card.card,
        doubt=card.doubt,
        settled=card.event in settled,
        sight=None if event.place is None else Sight(event.place, event.arm),
        perhaps_open=card.down and event.unseen and event.margin is None,
    )
