"""Read from the log how the game in play came about: cards laid and taken back, and calls, in their order."""

from collections.abc import Iterator
from itertools import takewhile

from kiosk.rules.engine.announcements import Said
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.recast import Course, TakesBack
from kiosk.rules.engine.tricks import Laid
from kiosk.table.events.values import CardInserted, CardRetracted
from kiosk.table.round.fold import Round


def course(round: Round, game: Game) -> Course:
    """Return the course of ``game``, the one in play, as the corrections of the log have it."""
    return tuple(_steps(round, game))


def _steps(round: Round, game: Game) -> Iterator[Laid | TakesBack | Said]:
    laid = {one.event: one for trick in game.tricks for one in trick.cards}
    laid |= {one.event: one for one in game.open_trick} | {one.event: one for _, one in game.taken_back}
    said: dict[int, list[Said]] = {}
    for call in game.said:
        said.setdefault(call.event, []).append(call)
    taken_back = iter([one.seat for _, one in game.taken_back])
    events = list(takewhile(lambda noted: noted[0] > game.dealt, round.latest_first))
    for number, noted in reversed(events):
        if number in laid and not isinstance(noted, CardInserted):
            yield laid[number]
        elif number in said:
            yield from said[number]
        elif isinstance(round.words.get(number, noted), CardRetracted):
            yield next(taken_back)
        yield from (laid[card] for card in round.inserted.get(number, ()) if card in laid)
