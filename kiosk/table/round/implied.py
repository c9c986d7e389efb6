"""Find the answers that nobody has to touch: implied by another's word or by the first card (schaffkopf II 2).

All four are asked in turn, so whoever says that he plays says that those before him were *weiter*; who lays the first
card, or lets it lie, has let the game be. The events stay explicit, one answer each, marked ``implied``, and their
seats may still say otherwise until the first card.
"""

from kiosk.rules.engine.game import Game
from kiosk.table.events.values import AskingAnswered, CardPlayed, Event, GameDeclared
from kiosk.table.round.state import RoundState


def answers_before(round: RoundState, event: Event) -> list[AskingAnswered]:
    """List the answers implied by a seat that says it plays: of those before it, its own if it names the game."""
    game = round.game
    if game is None or not round.running or not game.book.classes or game.cards_laid:
        return []
    if game.declaration and not game.ahead:
        return []
    names = isinstance(event, GameDeclared) and event.ahead
    speaks = isinstance(event, AskingAnswered) and event.call in game.book.wanting
    if not (names or speaks) or not isinstance(event, GameDeclared | AskingAnswered) or event.seat not in game.seats:
        return []
    before = game.seats[: game.seats.index(event.seat)]
    implied = [_let_be(game, seat) for seat in before if seat not in game.spoken]
    if names and event.seat not in game.spoken:
        implied.append(AskingAnswered(seat=event.seat, call=game.book.answers[1]))
    return implied


def answers_by_card(round: RoundState, event: Event) -> list[AskingAnswered]:
    """List the answers that the first card of a game named ahead implies."""
    game = round.game
    first = isinstance(event, CardPlayed) and game is not None and game.ahead and not game.ended
    return rest_answers(round) if first else []


def rest_answers(round: RoundState) -> list[AskingAnswered]:
    """List the answers of all who have not spoken: nobody else wants to play, or all are gesund."""
    game = round.game
    if game is None or not round.running or not round.released or game.cards_laid or game.must_play is not None:
        return []
    if game.declaration and not game.ahead:
        return []
    return [_let_be(game, seat) for seat in game.seats if seat not in game.spoken]


def _let_be(game: Game, seat: int) -> AskingAnswered:
    """*Recht* of who sits behind one that plays, else *weiter* or *gesund*."""
    words, before = game.book.answers, game.seats[: game.seats.index(seat)]
    plays = bool(game.book.classes) and any(other in game.reserved for other in before)
    return AskingAnswered(seat=seat, call=words[2 if plays else 0], implied=True)
