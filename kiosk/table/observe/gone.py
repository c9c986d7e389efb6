"""Decide about cards that left the mat: taken back, taken in with their trick, or never laid."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import dist

from kiosk.table.inference.position import Lying, Position
from kiosk.table.inference.seats import LIMITS as SEATS
from kiosk.table.inference.seats import Place, arm_nats, likeliest_seat, seat_nats
from kiosk.table.observe.desk import Desk, remove_card, take_back
from kiosk.table.observe.limits import LIMITS
from kiosk.table.observe.noting import sight_of
from vision.messages import CardGone, CardLaid, TrickTaken


@dataclass(slots=True)
class NumberedCard:
    """A physical card that vision has numbered."""

    event: int | None  # None: it belongs to no game
    since: float
    gone: bool = False


class GoneCards:
    """Cards that left the mat, kept until the reason is known.

    :param known: vision's numbers → cards, shared with the observer.
    :param end_trick: closes the open trick, which left before it was full.
    """

    def __init__(
        self,
        desk: Desk,
        centres: Mapping[int, Place],
        known: Mapping[int, NumberedCard],
        end_trick: Callable[[], None],
    ) -> None:
        self._desk, self._centres, self._known, self._end_trick = desk, centres, known, end_trick
        self._going: dict[int, float] = {}  # vision's number → when it went; waiting for the rest of its trick
        self.lead: int | None = None  # the event of a lead that went: taken back, or with a trick nobody saw

    def went(self, report: CardGone) -> None:
        """Keep a card that left the mat until more is known."""
        known = self._known.get(report.card)
        if known and not known.gone:
            self._going[report.card] = report.at

    def back(self, number: int) -> None:
        """Note that the card of this number is there again."""
        self._going.pop(number, None)

    def pushed_to(self, report: CardLaid) -> NumberedCard | None:
        """Find the equal card of the open trick that has left its place for this one, told as a new card.

        Who laid it has pushed it: the arm is nobody's who has still to lay.
        """
        position, sight = self._desk.position(), sight_of(report)
        waiting = [seat for seat in position.waiting if seat in self._centres]
        if not waiting or not sight.armed or report.arm_share < LIMITS.clear_arm_share:
            return None
        there = {known.event: known for known in self._known.values() if not known.gone}
        for lying in position.open_trick:
            if lying.card != report.label or lying.sight is None or lying.event not in there:
                continue
            other = max(seat_nats(sight, seat, self._centres) for seat in waiting)
            clearly = seat_nats(sight, lying.seat, self._centres) - other >= SEATS.sure_nats
            if clearly and dist(sight.place, lying.sight.place) <= LIMITS.pushed_mm:
                there[lying.event].gone = True
                return NumberedCard(event=lying.event, since=there[lying.event].since)
        return None

    def lie_below(self, report: CardLaid, hand_came: float) -> None:
        """Take no card for taken back upon which another seat has just laid one: it is covered, or was pushed so.

        :param hand_came: when a hand came over the mat last, s.
        """
        open_ = {one.event: one for one in self._desk.position().open_trick}
        for number, went in [*self._going.items()]:
            lying = open_.get(self._known[number].event or 0)
            if lying is None or lying.sight is None or abs(report.at - went) > LIMITS.covers_s:
                continue
            near = dist((report.x, report.y), lying.sight.place) <= LIMITS.covers_mm
            if near and self._is_anothers(report, lying, self._known[number].since, hand_came):
                del self._going[number]
                self._known[number].gone = True

    def _is_anothers(self, report: CardLaid, lying: Lying, since: float, hand_came: float) -> bool:
        """Report whether another seat has laid a card where one has gone that was read ``since``.

        Its arm tells, with its place, or alone where it is clear: whoever lays upon a card lays in its seat's place.
        Without one, or where it is little nearer to another seat: a hand that came since had no time to take up the one
        and to lay another.
        """
        sight, began = sight_of(report), report.not_before
        if sight.armed and report.arm_share >= LIMITS.clear_arm_share:
            seats = [seat for seat in self._desk.position().order if seat in self._centres]
            if likeliest_seat(sight, seats, self._centres) not in (None, lying.seat):
                return True
            arms = {seat: arm_nats(sight, seat, len(self._centres)) for seat in {*seats, lying.seat}}
            ahead = max(arms.values()) - arms[lying.seat]
            if ahead >= LIMITS.as_likely_nats:
                return True
            if ahead <= 0:
                return False
            began = max(began or 0.0, hand_came)
        if report.rested is None or began is None or report.label in (None, lying.card) or lying.doubt:
            return False
        return since <= began and report.rested - began < LIMITS.exchanged_s

    def settle(self, at: float, now: bool = False) -> None:
        """Decide about cards that left alone; ``now``: another card was laid, so the trick was not being lifted."""
        ripe = [n for n, went in self._going.items() if now or at - went >= LIMITS.lifted_together_s]
        if not ripe:
            return
        position = self._desk.position()
        trick = {one.event for one in position.open_trick}
        there = {known.event for number, known in self._known.items() if not known.gone and number not in self._going}
        if len(trick) > 1 and trick <= {known.event for known in self._known.values()} - there:
            for number in self._going:
                self._known[number].gone = True
            self._going.clear()
            self._end_trick()
        for number in ripe:
            went = self._going.pop(number, None)
            if went is not None:
                self._went_alone(number, went)

    def _went_alone(self, number: int, went: float) -> None:
        known = self._known[number]
        known.gone = True
        position = self._desk.position()
        trick = position.open_trick or position.last_trick
        lying = next((one for one in trick if one.event == known.event), None)
        if lying is None or (position.open_trick and not position.playing):
            return  # who ends a game within a trick gathers its cards
        others = [n for n in self._going if self._known[n].event in {one.event for one in trick}]
        rest = {one.event for one in trick} - {lying.event}
        taken = {one.event for one in self._known.values() if one.gone}
        if not position.open_trick and rest <= taken:
            return  # the last card of a full trick that is being taken in
        if not position.open_trick and others:
            # A full trick lifted card by card.
            for other in others:
                del self._going[other]
                self._known[other].gone = True
            return
        if went - known.since < LIMITS.phantom_s and not lying.settled:
            remove_card(self._desk, lying.event, "gone at once: no card")
        elif [one.event for one in position.open_trick] == [lying.event]:
            self.lead = lying.event
            self._desk.notices["card_gone", lying.seat] = lying.event
        elif lying.event in position.retractable:
            take_back(self._desk, lying)
        elif position.open_trick:
            self._desk.notices["card_gone", lying.seat] = lying.event

    def trick_taken(self, report: TrickTaken) -> None:
        numbers = [number for number in (*report.cards, *self._going) if number in self._known]
        events = {self._known[number].event for number in numbers}
        position = self._desk.position()
        on_table = [one for one in position.open_trick if one.event in events]
        whole = any(one.event in events for one in position.last_trick)
        if position.playing and len(position.open_trick) == 1 and len(on_table) == 1 and not whole:
            # A lead taken back looks like a trick of one card.
            for number in numbers:
                if self._known[number].event == on_table[0].event:
                    self._going.pop(number, None)
                    self._went_alone(number, report.at)
            return
        for number in numbers:
            self._known[number].gone = True
            self._going.pop(number, None)
        if not position.playing or not on_table:
            return
        shown = {one.card for one in position.last_trick}
        again = len(on_table) == 1 or all(one.card in shown for one in on_table)
        if whole and again and len(on_table) == len(position.open_trick):
            # A full trick and something on top of it, or its own cards read again, went together: no trick has five
            # cards. Several other ones are the next trick's.
            for one in reversed(on_table):
                remove_card(self._desk, one.event, "went with a full trick: no card of its own")
            return
        self._end_trick()

    def lead_went_for(self, report: CardLaid, position: Position) -> None:
        """Decide about a lead that left: taken back if its seat or the one in turn lays now; else its trick is over."""
        lead, self.lead = self.lead, None
        if [one.event for one in position.open_trick] != [lead]:
            return  # people have put it right
        lying = position.open_trick[0]
        self._desk.notices.pop(("card_gone", lying.seat), None)
        seats = [seat for seat in (lying.seat, *position.order) if seat in self._centres]
        if likeliest_seat(sight_of(report), seats, self._centres) in (None, lying.seat, position.order[0]):
            take_back(self._desk, lying)
        else:
            self._end_trick()
