"""List the questions about a round's cards: read in doubt, contradicted by the deck, or perhaps another seat's."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from kiosk.rules.engine.game import Game
from kiosk.rules.engine.values import MISREAD
from kiosk.table.inference.doubts import Decoding
from kiosk.table.inference.position import corrections, scanned, seen
from kiosk.table.round.fold import Round
from kiosk.table.round.record import Doubt
from kiosk.table.view.table_view import DoubtView

#: The picture of an event, if there is one.
Pictures: TypeAlias = Callable[[int], bytes | None]

#: Faults that a misread card may be behind: more copies than the deck has, or none in the hand that was scanned.
_CONTRADICTED = (MISREAD, "card_not_held")


def questions(round: Round, pictures: Pictures = lambda event: None) -> tuple[DoubtView, ...]:
    """List all questions open before the list is certain, oldest game first.

    Of a game the one that contradicts the deck comes first: its answer tells most, the deck then settles others.
    """
    covered = _face_down(round)
    open_ = [doubt for doubt in round.doubts if doubt.event not in covered]
    decoded = {
        game.number: _decoding(round, game)
        for game in round.games_and_running
        if any(doubt.game == game.number and not doubt.perhaps for doubt in open_)
    }
    asked = [_of_doubt(doubt, decoded, pictures) for doubt in open_]
    for game in round.games_and_running:
        if any(offence.code in _CONTRADICTED for offence in game.faults):
            found = _of_contradiction(round, game, pictures)
            if found is not None and all(found.event != question.event for question in asked):
                asked.append(found)
    first = {found[0] for found in (one.contradiction() for one in decoded.values()) if found is not None}
    return tuple(sorted(asked, key=lambda question: (question.game, question.event not in first, question.event)))


def _face_down(round: Round) -> set[int]:
    """Cards of the game in play that were laid face down: nobody is to look at them yet (durchgaenge 4b)."""
    return {laid.event for game in round.games_and_running if not game.ended for _, laid in game.doubts if laid.down}


def _of_doubt(doubt: Doubt, decoded: Mapping[int, Decoding], pictures: Pictures) -> DoubtView:
    """View a doubt; ``decoded``: by the numbers of their games."""
    choices = doubt.choices
    if not doubt.perhaps:
        choices = tuple(dict.fromkeys((*decoded[doubt.game].choices(doubt.event), *choices)))
    return DoubtView(
        event=doubt.event,
        seat=doubt.seat,
        choices=choices,
        picture=pictures(doubt.event),
        game=doubt.game,
        trick=doubt.trick,
        perhaps=doubt.perhaps,
    )


def _decoding(round: Round, game: Game) -> Decoding:
    events = [event for _, event in round.log]
    cards = seen(game, events, corrections(events))
    return Decoding(cards, round.book.deck, game.ended == "cards", scanned(game, events))


def _of_contradiction(round: Round, game: Game, pictures: Pictures) -> DoubtView | None:
    found = _decoding(round, game).contradiction()
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
