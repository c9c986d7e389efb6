"""Say which event stands in the way of a correction: what it was, whose, in which game and trick."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kiosk.rules.engine.game import Game
from kiosk.table.events.codec import encode
from kiosk.table.events.values import CardPlayed, Event
from kiosk.table.round.fold import Round
from kiosk.table.round.taking_back import counts


def in_the_way(round: Round, number: int) -> Mapping[str, Any]:
    """Return the event's ``number``, its keys as it counts (``word``), the running ``game`` and the ``trick``, from 1.

    Game and trick are left out where it belongs to none, the word where nothing counts.
    """
    event = counts(round, number)
    if event is None:
        return {"number": number}
    games = [*round.games, *([round.game] if round.game is not None else [])]
    game = next((one for one in reversed(games) if one.dealt <= number), None)
    place: dict[str, int] = {"game": game.number} if game is not None else {}
    if game is not None and (trick := _trick_of(game, number)):
        place["trick"] = trick
    return {
        "number": number,
        "word": {key: value for key, value in encode(_as_it_lies(round, number, event)).items() if key != "at"},
        **place,
    }


def _as_it_lies(round: Round, number: int, event: Event) -> Event:
    if not isinstance(event, CardPlayed):
        return event
    correction = round.corrections.get(number)
    seat = round.reseated.get(number, event.seat)
    card = event.card
    if correction is not None:
        seat, card = correction.seat or seat, correction.card or card
    return replace(event, seat=seat, card=card, body=None)


def _trick_of(game: Game, number: int) -> int | None:
    """The trick in which the card of an event lies."""
    tricks = [trick.cards for trick in game.tricks] + [game.open_trick]
    return next((place for place, cards in enumerate(tricks, 1) if number in [one.event for one in cards]), None)
