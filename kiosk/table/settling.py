"""Settle doubtful cards by the deck's composition, as events."""

import logging
from typing import Protocol

from kiosk.errors import BadEvent
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.table.events.values import CardCorrected, CardSeen, Event
from kiosk.table.inference.doubts import Decoding
from kiosk.table.inference.position import corrections, scanned, seen
from kiosk.table.round.fold import Round

log = logging.getLogger(__name__)


class NotingTable(Protocol):
    """The table's interface for settling doubts."""

    round: Round
    events: list[Event]

    def note(self, event: Event, picture: bytes | None = None) -> int:
        """Append an event to the log and return its number.

        :raises BadEvent: it cannot happen here.
        """


class DoubtSettler:
    """Settles open cards by the deck's composition and notes their labels.

    It may come to know better as long as cards of the game come in or are corrected.
    """

    def __init__(self, table: NotingTable) -> None:
        self._table = table
        self._busy = False
        self._impossible: set[tuple[int, Card]] = set()  # what the deck says and the events after it contradict

    def settle(self, all_games: bool = True) -> None:
        """Settle the doubts that can be settled in the round; ``all_games``: also in games without an open doubt."""
        if self._busy:
            return
        self._busy = True
        try:
            round = self._table.round
            for game in round.games_and_running:
                again = (all_games or game is round.game) and any(
                    isinstance(event, CardSeen) and event.doubt
                    for event in self._table.events[game.dealt : game.last_event + 1]
                )
                if game.doubts or again:
                    self._settle_in(game)
        finally:
            self._busy = False

    def _settle_in(self, game: Game) -> None:
        events, deck = self._table.events, self._table.round.book.deck
        spoken = corrections(events)
        cards = seen(game, events, spoken)
        complete = game.ended == "cards"
        now_read = {one.event: one.card for one in cards}
        still_open = {one.event for one in cards if one.open and spoken.get(one.event) is None}
        decoding = Decoding(cards, deck, complete, scanned(game, events))
        for number, card in decoding.settled().items():
            if (number, card) not in self._impossible and (number in still_open or now_read[number] != card):
                why = "the deck leaves no other card" if complete else "no other of its choices is left"
                self._note(number, card, why)

    def _note(self, number: int, card: Card, why: str) -> None:
        try:
            self._table.note(CardCorrected(of=number, card=card, by="composition", why=why))
        except BadEvent as error:
            # Something later, a claim say, could not have happened so: people are asked.
            log.warning("the deck's answer cannot stand: %s", error)
            self._impossible.add((number, card))
