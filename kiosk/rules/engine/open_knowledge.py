"""Answer the questions that books ask of dealt hands where some cards are open: in doubt, not seen, misread."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.proof import Knowledge
from kiosk.rules.engine.readings import Readings, Slot, Way

#: Doubtful cards of one hand that a count of its cards is taken apart by; with more of them it proves nothing.
MOST_COUNTED = 8


@dataclass(frozen=True, slots=True)
class OpenKnowledge(Knowledge):
    """Knowledge of the dealt hands where some cards are open: each question is whether any world answers it so."""

    readings: Readings

    def fewest(self, seat: int, cards: frozenset[Card]) -> int:
        """Return the least number of ``cards`` that the dealt hand of ``seat`` can hold."""
        return self.room(seat, cards.__contains__)[0]

    def room(self, seat: int, wanted: Callable[[Card], bool]) -> tuple[int, int]:
        """Return the least and the largest number of ``wanted`` cards that the dealt hand of ``seat`` can hold."""
        bounds: list[tuple[int, int]] = []
        for way, own, slots in self.readings.hands(seat):
            open_ = len(slots) + way.free[seat]
            if len(slots) > MOST_COUNTED:
                return 0, len(own) + open_
            sure = sum(map(wanted, own))
            least = next((n for n in range(open_ + 1) if self._can_be(n, way, seat, slots, wanted)), None)
            if least is not None:
                most = next(n for n in range(open_, -1, -1) if n == least or self._can_be(n, way, seat, slots, wanted))
                bounds.append((sure + least, sure + most))
        if not bounds:  # no world at all: nothing is certain
            return 0, sum(self.sizes.values()) + len(self.shown[seat])
        return min(least for least, _ in bounds), max(most for _, most in bounds)

    def may_hold(self, seat: int, number: int, wanted: Callable[[Card], bool]) -> bool:
        """Report whether the dealt hand of ``seat`` can hold exactly so many ``wanted`` cards."""
        return any(
            len(slots) > MOST_COUNTED or self._can_be(number - sum(map(wanted, own)), way, seat, slots, wanted)
            for way, own, slots in self.readings.hands(seat)
        )

    def _can_be(self, number: int, way: Way, seat: int, slots: Sequence[Slot], wanted: Callable[[Card], bool]) -> bool:
        """Whether in one way so many of the open cards of a hand, doubtful and unseen, can be ``wanted`` ones."""
        free, kinds = way.free[seat], way.room[self.readings.pool(seat)]
        yes, no = frozenset(filter(wanted, kinds)), frozenset(card for card in kinds if not wanted(card))
        for unseen in range(max(0, number - len(slots)), min(number, free) + 1):
            for chosen in combinations(slots, number - unseen):
                own = {slot.event: yes if slot in chosen else no for slot in slots}
                if self.readings.match(way, seat, own, [yes] * unseen + [no] * (free - unseen)):
                    return True
        return False

    def fits(self, seat: int, held: Iterable[Card], lacking: Iterable[Card]) -> bool:
        """Report whether ``seat`` can have been dealt all of ``held`` and none of ``lacking`` (one of each card)."""
        wanted, out = tuple(held), frozenset(lacking)
        return any(
            not out.intersection(own) and self._dealt(way, seat, [card for card in wanted if card not in own], out)
            for way, own, slots in self.readings.hands(seat)
        )

    def _dealt(self, way: Way, seat: int, wanted: Sequence[Card], out: frozenset[Card]) -> bool:
        """Whether the open cards of a hand can be all ``wanted`` and none of ``out``, each wanted one in some place."""
        if out.intersection(wanted):
            return False
        slots = [slot for slot in way.slots if slot.seat == seat]
        rest = frozenset(way.room[self.readings.pool(seat)]) - out

        def put(index: int, own: dict[int, frozenset[Card]], unseen: list[frozenset[Card]]) -> bool:
            if len(unseen) > way.free[seat]:
                return False
            if index == len(wanted):
                kinds = {slot.event: own.get(slot.event, slot.kinds - out) for slot in slots}
                return self.readings.match(way, seat, kinds, [*unseen, *[rest] * (way.free[seat] - len(unseen))])
            one = frozenset((wanted[index],))
            if put(index + 1, own, [*unseen, one]):
                return True
            return any(
                put(index + 1, {**own, slot.event: one}, unseen)
                for slot in slots
                if slot.event not in own and one <= slot.kinds
            )

        return put(0, {}, [])

    def holds(self, seat: int, card: Card) -> bool:
        """Report whether ``seat`` certainly was dealt ``card``."""
        return not self.fits(seat, (), (card,))


def open_knowledge(readings: Readings) -> OpenKnowledge:
    """Return what is known of the dealt hands in the worlds left open."""
    way = readings.ways[0]
    return OpenKnowledge(
        shown=readings.shown,
        unseen=way.room[0],
        sizes=way.free,
        left=sum(way.room[0].values()),
        readings=readings,
    )
