"""List what was said, signed and ruled, so that people can see it and put it right."""

from collections.abc import Iterator
from typing import Any

from kiosk.table.events.codec import encode
from kiosk.table.events.values import WORDS, ListSigned, RulingGiven, TableEvent, WordCorrected
from kiosk.table.round.fold import Round
from kiosk.table.round.taking_back import alone, needed_seats, who_may
from kiosk.table.view.table_view import RulingView, WordView

#: Keys of an event that tell nothing of what was said.
_BESIDE = ("at", "order_number", "anyway", "sign_anew")


def spoken(round: Round, directed: bool = True, since: int | None = None) -> tuple[WordView, ...]:
    """List all words since the last deal, oldest first: those taken back too, for they can be put right again.

    :param since: or since the event of this number.
    """
    if since is None:
        since = 0 if round.game is None else round.game.dealt
    return tuple(reversed([_word(round, number, event, directed) for number, event in words_back(round, since)]))


def words_back(round: Round, since: int = 0) -> Iterator[tuple[int, TableEvent]]:
    """Go through all words since an event with their numbers, from the last one back."""
    for number, event in round.latest_first:
        if number < since:
            return
        if isinstance(event, WORDS) and not (isinstance(event, ListSigned) and number < round.signed_from):
            yield number, event


def as_said(event: TableEvent) -> dict[str, Any]:
    """Tell what was said, as an event's keys."""
    return {key: value for key, value in encode(event).items() if key not in _BESIDE}


def rulings(round: Round, directed: bool = True) -> tuple[RulingView, ...]:
    """List all rulings of the round, oldest first: a wrong one can be put right after the next deal, too."""
    games = [*round.games, *([round.game] if round.game is not None else [])]
    found = []
    for number, event in round.latest_first:
        if isinstance(event, RulingGiven):
            game = next((one.number for one in reversed(games) if one.dealt < number), None)
            found.append(RulingView(game=game, ruling=_word(round, number, event, directed)))
    return tuple(reversed(found))


def _word(round: Round, number: int, said: TableEvent, directed: bool) -> WordView:
    counts = round.words.get(number, said)
    return WordView(
        event=number,
        word=None if counts is None else as_said(counts),
        said=as_said(said),
        alone=alone(round, number),
        who=who_may(round, WordCorrected(of=number, word=None), directed).value,
        seats=tuple(sorted(needed_seats(round, number))),
    )
