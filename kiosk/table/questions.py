"""What people are asked about a round's cards: those read in doubt, and clear ones that the deck contradicts."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from kiosk.rules.cards import Card
from kiosk.rules.game import Game
from kiosk.table.doubts import contradiction
from kiosk.table.fold import Doubt, Round
from kiosk.table.position import corrections, seen
from kiosk.table.view import DoubtView

#: The picture of an event, if there is one.
Pictures: TypeAlias = Callable[[int], bytes | None]


def questions(round: Round, pictures: Pictures = lambda event: None) -> tuple[DoubtView, ...]:
    """Everything that somebody has to say before the list is certain, oldest game first."""
    covered = _face_down(round)
    asked = [_of_doubt(round, doubt, pictures) for doubt in round.doubts if doubt.event not in covered]
    for game in _games(round):
        if any(offence.code == "impossible_card" for offence in game.faults):
            found = _of_contradiction(round, game, pictures)
            if found is not None and all(found.event != question.event for question in asked):
                asked.append(found)
    return tuple(sorted(asked, key=lambda question: (question.game, question.event)))


def _games(round: Round) -> list[Game]:
    return [*round.games, *([round.game] if round.running and round.game else [])]


def _face_down(round: Round) -> set[int]:
    """Cards of the game in play that were laid face down: nobody is to look at them yet (durchgaenge 4b)."""
    if not round.running or round.game is None:
        return set()
    return {laid.event for _, laid in round.game.doubts if laid.down}


def _of_doubt(round: Round, doubt: Doubt, pictures: Pictures) -> DoubtView:
    game = next(game for game in _games(round) if game.number == doubt.game)
    missing = _missing(round, game)
    # In a complete game the card is one of those that nobody has laid, likeliest those that the camera named too.
    choices = dict.fromkeys(
        (*(card for card in doubt.choices if card in missing), *missing, doubt.card, *doubt.choices)
        if missing
        else (doubt.card, *doubt.choices)
    )
    return DoubtView(
        event=doubt.event,
        seat=doubt.seat,
        choices=tuple(choices),
        picture=pictures(doubt.event),
        game=doubt.game,
        trick=doubt.trick,
    )


def _missing(round: Round, game: Game) -> tuple[Card, ...]:
    """The cards that a complete game must have shown and clear sight has not."""
    if game.ended != "cards":
        return ()
    clear = Counter(laid.card for trick in game.tricks for laid in trick.cards if not laid.doubt)
    return tuple(sorted(Counter(round.book.deck) - clear))


def _of_contradiction(round: Round, game: Game, pictures: Pictures) -> DoubtView | None:
    events: Sequence[Mapping[str, Any]] = [event for _, event in round.log]
    found = contradiction(seen(game, events, corrections(events)), round.book.deck, game.ended == "cards")
    if found is None:
        return None
    event, choices = found
    tricks = [*(trick.cards for trick in game.tricks), game.open_trick]
    trick, laid = next(
        (number, laid) for number, cards in enumerate(tricks, start=1) for laid in cards if laid.event == event
    )
    return DoubtView(
        event=event, seat=laid.seat, choices=choices, picture=pictures(event), game=game.number, trick=trick
    )
