"""Judge a game anew as if some of its cards had been others: its tricks, its Klärungsstich, its calls, its duties.

Nothing is proved here, and what was laid, taken back and said stays as it was. Everything else of a game that hangs on
its cards alone is found by ``breaches``, without trying one reading after the other.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from kiosk.rules.engine.announcements import Said
from kiosk.rules.engine.book import Klaerung
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.exchange import BEFORE_THE_FIRST
from kiosk.rules.engine.game import Game, moment, taken
from kiosk.rules.engine.proof import know
from kiosk.rules.engine.tricks import Laid, Trick
from kiosk.rules.engine.values import Lapsed

#: A seat that takes back the card that it has in the open trick, or in the last one while no other is open.
TakesBack: TypeAlias = int

#: The course of a game: cards laid, those taken back among them, seats that take one back, and calls, in their order.
Course: TypeAlias = tuple[Laid | TakesBack | Said, ...]


def recast(game: Game, course: Course, reading: Mapping[int, Card], due: int | None) -> Game:
    """Return the game as it would be, for what is judged by its course, if some cards were as ``reading`` has them.

    :param reading: cards by their events.
    :param due: the card with which a duty's time may have run out; None if no duty matters.
    """
    return _Recast(game, reading, due).through(course)


class _Recast:
    """A game on its way through its course."""

    def __init__(self, game: Game, reading: Mapping[int, Card], due: int | None) -> None:
        self._game, self._reading = game, reading
        self._due = due if game.book.must_announce is not None else None
        self._hands = dict(game.hands)  # scanned, and not contradicted by what was laid
        self._tricks: list[Trick] = []
        self._open: list[Laid] = []
        self._shown: dict[int, list[Card]] = {seat: [] for seat in game.seats}
        self._queens: tuple[tuple[int, int], ...] = ()
        self._said: list[Said] = []
        self._lapsed: Lapsed | None = None
        named_before = game.klaerung is not None and game.klaerung.trick == BEFORE_THE_FIRST
        self._klaerung: Klaerung | None = game.klaerung if named_before else None
        self._klaerung_event = game.klaerung_event if named_before else -1

    def through(self, course: Course) -> Game:
        for step in course:
            if isinstance(step, Laid):
                self._lay(step)
            elif isinstance(step, Said):
                self._said.append(self._say(step))
            else:
                self._take_back(step)
        return self._ended()

    def _now(self) -> Game:
        return evolve(
            self._game,
            tricks=tuple(self._tricks),
            open_trick=tuple(self._open),
            klaerung=self._klaerung,
            klaerung_event=self._klaerung_event,
            queens=self._queens,
            said=tuple(self._said),
            lapsed=self._lapsed,
        )

    def _lay(self, step: Laid) -> None:
        card = self._reading.get(step.event)
        laid = step if card is None else replace(step, card=card, doubt=())
        if self._due is not None and self._lapsed is None:
            self._lapses(laid)
        number = 1 + self._in_tricks(laid.seat, laid.card)
        if laid.seat in self._hands and not laid.doubt and number > self._hands[laid.seat].count(laid.card):
            del self._hands[laid.seat]
        self._show(laid.event, laid.seat, laid.card, number)
        self._open.append(laid)
        if len(self._open) == len(self._game.seats):
            self._tricks.append(self._taken(tuple(self._open)))
            self._open = []
            self._settle(laid.event)

    def _lapses(self, laid: Laid) -> None:
        """Whether a duty's time runs out with a card; after the one that matters no other does."""
        duty = self._game.book.must_announce
        assert duty is not None
        self._lapsed = duty.lapses(self._now(), laid)
        if laid.event == self._due:
            self._due = None

    def _in_tricks(self, seat: int, card: Card) -> int:
        return [trick.card_of(seat) for trick in self._tricks].count(card) if card in self._shown[seat] else 0

    def _show(self, event: int, seat: int, card: Card, number: int) -> None:
        """``seat`` is seen to hold, or to have held, so many of a card."""
        new = number - self._shown[seat].count(card)
        self._shown[seat] += [card] * new
        if card == self._game.contract.re_card:
            self._queens += ((event, seat),) * new

    def _taken(self, cards: tuple[Laid, ...]) -> Trick:
        """A full trick with its winner: what the game knows of it, where its cards are the same."""
        number = len(self._tricks)
        if number < len(self._game.tricks):
            before = self._game.tricks[number]
            if all(one is other for one, other in zip(cards, before.cards, strict=True)):
                return before
        return taken(self._game, number, cards)

    def _settle(self, event: int) -> None:
        """Settle a Hochzeit by the trick that is full."""
        game = self._game
        if game.declaration is not None and not game.contract.solo and self._klaerung is None:
            self._klaerung = game.book.klaerung(evolve(game, tricks=tuple(self._tricks), klaerung=None))
            if self._klaerung is not None:
                self._klaerung_event = event

    def _take_back(self, seat: int) -> None:
        if not self._open:
            self._open = list(self._tricks.pop().cards)
            if self._klaerung is not None and self._klaerung.trick >= len(self._tricks):
                self._klaerung = None
        self._open = [laid for laid in self._open if laid.seat != seat]

    def _say(self, said: Said) -> Said:
        """A call, as the moment of it would have been; before the first card it is what it was."""
        if not any(self._shown.values()):
            return said
        if self._game.declaration is None and tuple(seat for _, seat in self._queens) == said.moment.queens:
            return said  # of the cards nothing else tells sides or windows then
        then = moment(self._now(), said.seat)
        return said if then == said.moment else replace(said, moment=then)

    def _ended(self) -> Game:
        game = self._game
        if game.claim is not None:
            self._claimed(game.claim.event, game.claim.seat, game.claim.order)
        shown = {seat: tuple(cards) for seat, cards in self._shown.items()}
        known = know(game.book.deck, game.book.hand_size, shown, self._hands)
        return evolve(self._now(), hands=self._hands, shown=shown, known=known)

    def _claimed(self, event: int, seat: int, order: tuple[Card, ...]) -> None:
        """The cards that a claim names are shown with it, beside those that lie."""
        lying = [(laid.seat, laid.card) for laid in (*chain(*(trick.cards for trick in self._tricks)), *self._open)]
        for card in set(order):
            self._show(event, seat, card, order.count(card) + lying.count((seat, card)))
