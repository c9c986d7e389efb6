"""Apply the events of a game to the round: dealing, asking, announcing, cards, shortening.

Each function takes the round with the event noted in it, the event's number and the event, and returns the round after.
"""

from math import inf

from kiosk.errors import BadEvent
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import deal
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import Declaration
from kiosk.rules.steps import asking, calling, ending, laying
from kiosk.table.events.values import (
    AskingAnswered,
    BidMade,
    CallAnnounced,
    CardRetracted,
    CardSeen,
    DealVoided,
    GameClaimed,
    GameDealt,
    GameDeclared,
    HandScanned,
    LeaveDecided,
)
from kiosk.table.round.bounds import State, card_of, cards_of, current_game, seat_of, still_running, with_game
from kiosk.table.round.likelihood import nats_against


def dealt(round: State, number: int, event: GameDealt) -> State:
    """Begin the next game."""
    dealer = seat_of(round, event.dealer)
    if round.running:
        raise still_running(round)
    if round.over:
        more = "; Nachspielzeit would open it again" if round.time_up else "; a game struck with replay would be"
        raise BadEvent(f"the round is complete, nothing is left to be dealt{more}")
    rotation, replays = round.turn_to_deal()
    replaying = replays[0] if replays else None
    if replaying is None:
        rotation = round.next_dealer
    owing = frozenset(seat for seat, left in round.duties_left.items() if left)
    game = deal(
        round.book,
        round.options,
        event=number,
        number=len(round.games) + 1,
        dealer=dealer,
        due=round.next_dealer,
        seats=round.playing(dealer),
        must_play=round.vorgefuehrt(dealer),
        duties_open=owing,
        lost=round.solos_lost,
        doubled=round.bock_left > 0,
    )
    return evolve(
        round,
        game=game,
        rotation=rotation,
        replays=replays[1:],
        replaying=replaying,
        before=(number, _lighter(round)),
        leads=(),
        # Where a round ends when people like, who signed and plays on has signed another list.
        signed=() if round.games_left is None else round.signed,
    )


def _lighter(round: State) -> State:
    """The round to be kept at a deal: only of the last game it knows where its tricks began."""
    if round.before is None:
        return round
    number, kept = round.before
    return evolve(round, before=(number, evolve(kept, leads=())))


def scanned(round: State, number: int, event: HandScanned) -> State:
    """Take a hand that a scanner has read."""
    cards = cards_of(round, event.cards, len(round.book.deck), "a hand")
    return with_game(round, laying.scan(current_game(round), number, seat_of(round, event.seat), cards))


def answered(round: State, number: int, event: AskingAnswered) -> State:
    """Take an answer in the asking."""
    game, seat = current_game(round), seat_of(round, event.seat)
    return with_game(round, asking.answer(game, number, seat, event.call, event.implied))


def bid(round: State, number: int, event: BidMade) -> State:
    """Take a bid."""
    return with_game(round, asking.bid(current_game(round), number, seat_of(round, event.seat), event.game))


def leave(round: State, number: int, event: LeaveDecided) -> State:
    """Take the direction's leave, or its refusal."""
    return with_game(round, asking.leave(current_game(round), number, seat_of(round, event.seat), event.granted))


def declared(round: State, number: int, event: GameDeclared) -> State:
    """Take the game that was named."""
    game = current_game(round)
    declaration = Declaration(
        event=number,
        seat=seat_of(round, event.seat),
        game=event.game,
        suit=event.suit,
        duty=event.duty,
        condition=event.condition,
        card=event.card,
        renonce=event.renonce,
        raised=event.raised,
        ahead=event.ahead,
        partner=None if event.partner is None else seat_of(round, event.partner),
        trumps=event.trumps,
    )
    return with_game(round, asking.declare(game, declaration))


def announced(round: State, number: int, event: CallAnnounced) -> State:
    """Take an Ansage or Absage."""
    game, seat = current_game(round), seat_of(round, event.seat)
    return with_game(round, calling.announce(game, number, seat, event.call, event.side, event.together))


def played(round: State, number: int, event: CardSeen) -> State:
    """Lay a card; where it leads a trick the round before it is kept, for corrections."""
    if round.game is None or round.game.open_trick:
        return lay(round, number, event)
    place = next((place for place, card in round.order.items() if card == number), number)
    return lay(evolve(round, leads=(*round.leads, (place, round))), number, event)


def lay(round: State, number: int, event: CardSeen) -> State:
    """Lay a card as it counts by all corrections; a card that there was not changes nothing."""
    seat, card = seat_of(round, round.reseated.get(number, event.seat)), card_of(round, event.card)
    doubt = tuple([card_of(round, choice) for choice in event.doubt])
    read: str | None = None
    against = inf if doubt else nats_against(event, tuple(round.book.normal.classes))
    correction, down = round.corrections.get(number), event.down
    if correction is not None:
        if correction.card is None:
            return round
        if event.unseen and (correction.readable or correction.card not in event.doubt):
            down = False  # it may not lie face down, or does not: it was laid open
        doubt, against = (), inf
        if correction.card != card:
            read = card
        card = card_of(round, correction.card)
        seat = seat_of(round, seat if correction.seat is None else correction.seat)
    laid = Laid(number, seat, card, read, down, doubt, against)
    return with_game(round, laying.lay(current_game(round), laid))


def retracted(round: State, number: int, event: CardRetracted) -> State:
    """Take a card back; one that was put to another seat since, that seat has taken back."""
    seat, card, game = seat_of(round, event.seat), card_of(round, event.card), current_game(round)
    last = game.open_trick or [laid for trick in game.tricks[-1:] for laid in trick.cards]
    lying = [laid for laid in last if card in (laid.card, laid.read)]
    if all(laid.seat != seat for laid in lying):
        noted = ((laid.seat, round.noted(laid.event)) for laid in reversed(lying))
        seat = next((now for now, was in noted if isinstance(was, CardSeen) and was.seat == seat), seat)
    return with_game(round, laying.retract(game, number, seat, card))


def claimed(round: State, number: int, event: GameClaimed) -> State:
    """Shorten the game."""
    order = cards_of(round, event.order, round.book.hand_size, "a claim's order")
    seat = seat_of(round, event.seat)
    if event.contested is not None:
        seat_of(round, event.contested)
    return with_game(round, ending.claim(current_game(round), number, seat, event.kind, order, event.accepted))


def voided(round: State, number: int, event: DealVoided) -> State:
    """Count the deal as none."""
    return with_game(round, ending.void(current_game(round), number))
