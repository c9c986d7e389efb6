"""Check the values of an event against its round: seats, cards, numbers of events, the game in play."""

from collections.abc import Sequence
from typing import TypeVar

from kiosk.errors import BadEvent, shorten
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game
from kiosk.table.round.state import RoundState

State = TypeVar("State", bound=RoundState)


def seat_of(round: RoundState, seat: int) -> int:
    """Check that the table has this seat.

    :raises BadEvent: the table does not have it.
    """
    if seat not in round.seats:
        raise BadEvent(f"unknown seat {seat}; this table has seats 1 to {len(round.players)}")
    return seat


def card_of(round: RoundState, card: Card) -> Card:
    """Check that the deck has this card.

    :raises BadEvent: the deck does not have it.
    """
    if card not in round.book.normal.classes:
        raise BadEvent(
            f"unknown card {shorten(card)}; {round.book.name} plays with {' '.join(dict.fromkeys(round.book.deck))}"
        )
    return card


def cards_of(round: RoundState, cards: Sequence[Card], most: int, what: str) -> tuple[Card, ...]:
    """Check the number of cards, and that the deck has them.

    :raises BadEvent: they are more than ``most``, or the deck does not have one of them.
    """
    if len(cards) > most:
        raise BadEvent(f"{what} has {most} cards at most, not {len(cards)}")
    return tuple(card_of(round, card) for card in cards)


def event_of(number: int | None, now: int) -> int | None:
    """Check that the event of this number has happened.

    :raises BadEvent: it has not happened yet.
    """
    if number is not None and number > now:  # its own line at most, which is what it means if it names none
        raise BadEvent(f"event {shorten(number)} has not happened yet; this is event {now}")
    return number


def still_running(round: RoundState) -> BadEvent:
    """Return the error of an event that needs the game in play to be over."""
    number = round.game.number if round.game else 0
    return BadEvent(f"game {number} is still running; it ends with its last card, a claim, a ruling or void")


def current_game(round: RoundState) -> Game:
    """Return the game in play, or the last one.

    :raises BadEvent: nothing was dealt yet.
    """
    if round.game is None:
        raise BadEvent("no game is running; deal first")
    return round.game


def with_game(round: State, game: Game) -> State:
    """Replace the round's current game; a game that ended with a result is listed."""
    listed = round.games
    if listed and listed[-1].number == game.number:
        listed = listed[:-1]
    if game.result is not None:
        listed = (*listed, game)
    elif listed is round.games:
        return evolve(round, game=game)
    done = round.noted(listed[-1].last_event) if listed else None
    return evolve(round, game=game, games=listed, ended_at=done and done.at)
