"""Keep the cards that were noted last: which of them lie there as noted, and in which order they may count."""

from collections.abc import Mapping, Sequence

from kiosk.table.events.values import CardCorrected
from kiosk.table.inference.position import Lying, Position
from kiosk.table.inference.seats import Place
from kiosk.table.observe.desk import Desk, second_thought
from kiosk.table.observe.gone import NumberedCard
from kiosk.table.observe.laying_order import LawfulOrder, lawful_order
from kiosk.table.observe.limits import LIMITS
from vision.messages import CardLaid


class NotedCards:
    """The cards noted last, and the orders of seats in which their tricks may have been laid.

    :param known: vision's numbers → cards, shared with the observer.
    :param centres: the middle of each seat's field on the mat, in mm.
    """

    def __init__(self, desk: Desk, known: Mapping[int, NumberedCard], centres: Mapping[int, Place]) -> None:
        self._desk, self._known, self._centres = desk, known, centres
        self.cards: list[CardLaid] = []  # the newest last
        self.leads: tuple[tuple[int, ...], ...] = ()  # orders of seats that the open trick may have been laid in
        self._leads_before: tuple[tuple[int, ...], ...] = ()  # and the trick before

    def add(self, report: CardLaid) -> None:
        """Keep a card that was noted."""
        self.cards = [*self.cards[-LIMITS.noted_lately :], report]

    def led(self, position: Position) -> None:
        """Begin a trick, which is led from this position."""
        self._leads_before, self.leads = self.leads, _orders(position)

    def as_noted(self) -> list[CardLaid]:
        """List the newest that lie there as they were noted: nobody has settled them."""
        position = self._desk.position()
        there = {one.event for one in (*position.last_trick, *position.open_trick) if not one.settled}
        for place in reversed(range(len(self.cards))):
            known = self._known.get(self.cards[place].card)
            if known is None or known.gone or known.event not in there:
                return self.cards[place + 1 :]
        return [*self.cards]

    def of_trick(self, trick: Sequence[Lying]) -> list[CardLaid]:
        """List the cards of a trick that the camera has seen."""
        events = {one.event for one in trick}
        known = ((one, self._known.get(one.card)) for one in self.cards)
        return [one for one, card in known if card is not None and card.event in events]

    def withdraw(self, cards: Sequence[CardLaid], why: str = "which was laid first was not seen") -> bool:
        """Withdraw cards that count otherwise, the last one first; return whether all could be."""
        for card in reversed(cards):
            event = self._known[card.card].event
            correction = CardCorrected(of=event or 0, card=None, by="camera", why=why)
            if second_thought(self._desk, correction) is None:
                return False
            self.cards.remove(card)
        if cards:
            self.leads = _orders(self._desk.position())
        return True

    def lawful(self, cards: list[CardLaid], noted: int) -> tuple[LawfulOrder | None, int]:
        """Order cards of which nobody has seen which was laid first; None if it is as they are noted.

        :param noted: the first so many are noted.
        :returns: with it, how many of these stand rightly at its beginning.
        """
        position = self._desk.position()
        if not position.playing:
            return None, 0
        by_event = {one.event: one for one in (*position.last_trick, *position.open_trick)}
        lying = [by_event[event] for card in cards[:noted] if (event := self._known[card.card].event) in by_event]
        if len(lying) < noted:
            return None, 0
        leads = _orders(position)
        if lying:
            leads = self._leads_before if position.open_trick and lying[0] not in position.open_trick else self.leads
        found = lawful_order(cards, lying, position, leads or (position.order,), self._centres)
        if found is None:
            return None, 0
        same = 0
        while same < noted and found.cards[same] == (cards[same], lying[same].seat):
            same += 1
        return found, same


def _orders(position: Position) -> tuple[tuple[int, ...], ...]:
    """List the orders of seats in which a trick that is led now may be laid."""
    return position.order, *position.perhaps_order
