"""Fold the game in play with other cards for those in doubt, to see what its calls come to.

Readings that begin alike share the fold up to the first card that differs; each is kept, and goes on with the next
event from where it was.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from kiosk.errors import BadEvent
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game
from kiosk.table.events.values import CardInserted
from kiosk.table.round.fold import Round, nearest, repeated
from kiosk.table.round.record import CountsAs

#: What cards are taken to be, by their events, in the order in which they were laid.
_Cards: TypeAlias = tuple[tuple[int, Card], ...]


class _Folded(NamedTuple):
    """A round that supposes some cards, folded up to an event."""

    until: int  # the number of the first event that is not folded yet
    round: Round


def supposed(round: Round, readings: Iterable[Mapping[int, Card]], last: int | None = None) -> Iterator[Game | None]:
    """Fold the game in play with each of the readings; None for one with which an event could not have happened.

    :param last: the event of the card after which nothing matters.
    """
    end = round.events if last is None else _place(round, last) + 1
    # A correction folds the round anew from one that has kept what was folded up to there, so this goes on being right.
    folded: dict[_Cards, _Folded] = dict(round.__dict__.get("kept_supposed", ()))
    whole: dict[_Cards, _Folded] = {}
    round.__dict__["kept_supposed"] = whole
    for reading in readings:
        placed = sorted((_place(round, event), event) for event in reading)
        cards = tuple((event, reading[event]) for place, event in placed if place < end)
        try:
            whole[cards] = _folded(round, cards, end, folded)
        except BadEvent:
            yield None
        else:
            yield whole[cards].round.game


def _place(round: Round, event: int) -> int:
    """The event with which a card was laid: one that nobody saw lies since the one it was put after."""
    noted = round.noted(event)
    return noted.after if isinstance(noted, CardInserted) else event


def _folded(round: Round, cards: _Cards, end: int, folded: dict[_Cards, _Folded]) -> _Folded:
    """The round with these cards, from the longest beginning of them that was folded and not beyond the next one."""
    ends = [*(_place(round, event) for event, _ in cards), end]
    at = next((n for n in range(len(cards), -1, -1) if cards[:n] in folded and folded[cards[:n]].until <= ends[n]), 0)
    one = folded.get(cards[:at])
    if one is None or one.until > ends[at]:
        one = _begun(round, ends[0])
    for number, until in enumerate(ends[at:], start=at):
        one = _on(round, one, cards[:number], until)
        folded[cards[:number]] = one
    return one


def _begun(round: Round, place: int) -> _Folded:
    """The round as it was before the trick, or the deal, in which event ``place`` happened."""
    first, start = nearest(round, place)
    game, now = start.game, round.game
    if game is not None and now is not None and game.dealt == now.dealt:
        start = evolve(start, game=evolve(game, supposed=True))
    return _Folded(first, start)


def _on(round: Round, one: _Folded, cards: _Cards, end: int) -> _Folded:
    """The same with all events before ``end``."""
    counts = {event: CountsAs(card, _seat(round, event)) for event, card in cards}
    start = evolve(
        one.round,
        earlier=round.earlier,
        lately=round.lately,
        corrections={**round.corrections, **counts},
        reseated=round.reseated,
        inserted=round.inserted,
        words=round.words,
    )
    new = list(takewhile(lambda noted: noted[0] >= one.until, round.latest_first))
    return _Folded(end, repeated(start, (noted for noted in reversed(new) if noted[0] < end)))


def _seat(round: Round, event: int) -> int | None:
    """The seat that a correction has put a card to."""
    before = round.corrections.get(event)
    return before.seat if before else None
