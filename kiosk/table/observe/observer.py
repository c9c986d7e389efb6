"""Turn the camera's reports into events: seat, reading, corrections by a second reading, missed cards.

The camera is never refused: what it saw is recorded as it was, legal or not. What it did not see, or saw in doubt, is
recorded as a doubt that people or the deck's composition settle. Of the vision package the table knows the reports
alone (``vision.messages``).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import hypot

from kiosk.table.inference.position import Lying, Position
from kiosk.table.inference.seats import Place, fits_another, likeliest_seat
from kiosk.table.observe.desk import Desk, ask_whose, seat_again
from kiosk.table.observe.gone import GoneCards, NumberedCard
from kiosk.table.observe.laying_order import Ordered, unordered
from kiosk.table.observe.left_down import LeftDown
from kiosk.table.observe.limits import LIMITS
from kiosk.table.observe.looked_at import LookedAt
from kiosk.table.observe.missed import end_trick, lay_open_by_lead, nearly_over, note_missed, put_right_by_lead
from kiosk.table.observe.next_game import NextGame
from kiosk.table.observe.noted import NotedCards
from kiosk.table.observe.noting import note_card, note_covered, read_again, sight_of
from kiosk.table.observe.overlooked import Overlooked
from kiosk.table.observe.shown_hand import ShownHand
from kiosk.table.observe.unclear import perhaps_anothers, perhaps_no_lead, perhaps_of_a_hand, perhaps_thrown
from kiosk.table.observe.unread import UnreadBetweenGames
from vision.messages import ArmReached, Blind, CardGone, CardLaid, HandInTheWay, HandRead, Report, Tick, TrickTaken


class Observer:
    """Map from vision's card numbers to events, and its upkeep.

    :param centres: the middle of each seat's field on the mat, in mm.
    """

    def __init__(self, desk: Desk, centres: Mapping[int, Place], *, dealing: float = LIMITS.dealing_s) -> None:
        self._desk, self._dealing = desk, dealing
        self.centres = dict(centres)
        self._known: dict[int, NumberedCard] = {}
        self._overlooked = Overlooked(desk, self._known, self.centres)
        self._gone = GoneCards(desk, self.centres, self._known, self._end_trick)
        self._noted = NotedCards(desk, self._known, self.centres)
        self._looked_at = LookedAt(desk, self._known, self.centres, self._noted)
        self._shown = ShownHand(desk, self._known, self._noted, self._lay_after_all)
        self._left_down = LeftDown(self._known, self.centres)
        self._next_game = NextGame(desk, self._known, self.centres, dealing)
        self._unread = UnreadBetweenGames(self.centres)
        self._stirred = 0.0  # a card was laid or went
        self._held: list[CardLaid] = []  # against turn order: one laid before them may still be hidden
        self._watched = 0.0  # the mat was seen last
        self._unwatched_s = 0.0  # longest time for which it was not, since a card was noted
        self._moved: Collection[int] = ()  # events of cards that were put to other seats last
        self.blind = ""
        self.covered = False
        self._hand_came = 0.0  # over the mat, the last time

    def observe(self, report: Report) -> None:
        """Process one report of ``vision.messages``."""
        if not isinstance(report, Report):
            raise TypeError(f"{type(report).__name__} is no report of the camera: {report!r}")
        self._keep_times(report.at)
        match report:
            case CardLaid():
                self._gone.lie_below(report, self._hand_came)
                self._gone.settle(report.at, now=True)
                self._left_down.see(report)
                self._overlooked.see(report)
                self._card_laid(report)
                self._stirred = report.at
            case CardGone() | TrickTaken():
                if not self._shown.postpones(report):
                    self._departed(report)
                self._stirred = report.at
            case ArmReached():
                self._overlooked.see(report)
            case HandInTheWay():
                self._overlooked.see(report)
                self.covered = not report.gone
                self._hand_came = self._hand_came if report.gone else report.at
            case Blind():
                self.blind = report.why
            case Tick():
                self._time_passed(report.at)

    def _keep_times(self, at: float) -> None:
        """Keep for how long the mat was not seen, and since when no game is in play."""
        self._next_game.watch(at)
        if not self.blind:
            self._unwatched_s = max(self._unwatched_s, at - self._watched)
            self._watched = at
        if self._shown.claimed and not self._desk.position().playing:
            self.show_hand(False)

    @property
    def lying(self) -> list[Lying]:
        """The cards of the open trick and the one before that still lie on the mat as far as the camera knows."""
        position = self._desk.position()
        there = {known.event for known in self._known.values() if not known.gone}
        return [one for one in (*position.open_trick, *position.last_trick) if one.event in there]

    @property
    def unclear(self) -> frozenset[int]:
        """Events of cards that nobody is accused for (``unclear``)."""
        position = self._desk.position()
        laid = self._noted.of_trick(position.open_trick)
        return (
            perhaps_of_a_hand(self._noted.cards, self._known, self._watched)
            | perhaps_no_lead(position, self._moved)
            | perhaps_anothers(position, self.centres)
            | perhaps_thrown(position)
            | self._overlooked.upon_unseen(position, laid).keys()
            | self._overlooked.perhaps_in_turn(position, laid)
        )

    # --- a hand is laid open

    def show_hand(self, shown: bool) -> None:
        """Take no card for laid while somebody claims the rest with his hand laid open, nor what of it has come before.

        :param shown: False: it is settled, or withdrawn.
        """
        playing = self._desk.position().playing
        self._desk.notices.pop(("hand_open", None), None)
        if shown and playing and not self._shown.claimed:
            self._keep_apart(LIMITS.shown_cards_claimed)
        self._shown.claimed = shown and playing
        for report in () if self._shown.claimed else self._shown.postponed():
            self._departed(report)

    def hand_read(self, read: HandRead, seat: int) -> None:
        """Take back what was noted of a claimed hand of which more is read now than was seen as cards.

        What lies beside the card that this seat laid last, and no hand has come since, came with it.
        """
        mine = {one.event for one in self._desk.position().open_trick if one.seat == seat}
        lately = [one for one in self._noted.as_noted() if one.at > self._hand_came]
        self._shown.read(read, [one for one in lately if self._known[one.card].event in mine], self.lying)

    def _keep_apart(self, least: int, now: Sequence[CardLaid] = ()) -> bool:
        """Keep a hand laid open apart, of so many cards at least; whether there is one that all ``now`` are of."""
        if not self._shown.keep_apart(least, [*self._held, *self._looked_at.perhaps], now):
            return False
        self._held = self._still_unknown(self._held)
        self._looked_at.perhaps = self._still_unknown(self._looked_at.perhaps)
        return True

    def _still_unknown(self, cards: Sequence[CardLaid]) -> list[CardLaid]:
        """Leave out cards of which it has turned out what they are."""
        return [one for one in cards if (known := self._known.get(one.card)) is None or known.gone]

    def _lay_after_all(self, report: CardLaid) -> None:
        """A card of a hand laid open is laid: its player has taken the others up."""
        if self._desk.position().playing:
            del self._known[report.card]
            self._new_card(report)

    def _departed(self, report: CardGone | TrickTaken) -> None:
        for one in self._unread.went(report):
            self._lay(one)
        self._looked_at.went({report.card} if isinstance(report, CardGone) else {*report.cards})
        self.flush()
        if isinstance(report, TrickTaken):
            self._gone.trick_taken(report)
            self._ask_upon()
            self._overlooked.trick_taken(report.at)
        elif report.foreign:
            if self._desk.position().open_trick:  # five cards lie there
                self._note_without(report.card, "lies on when the trick has gone: no card")
            if report.card in self._known:
                self._known[report.card].gone = True
        elif not self._was_pushed(report):
            self._gone.went(report)

    def _was_pushed(self, report: CardGone) -> bool:
        """Whether a card that went is the equal one near by that was noted as laid just now: it counts once then."""
        position, known = self._desk.position(), self._known.get(report.card)
        lying = {one.event: one for one in (*position.last_trick, *position.open_trick)}
        old = lying.get((known.event if known else None) or 0)
        if known is None or known.gone or old is None or old.sight is None:
            return False
        x, y = old.sight.place
        for one in self._noted.as_noted():
            near = hypot(one.x - x, one.y - y) <= LIMITS.pushed_mm and report.at - one.at <= LIMITS.pushed_s
            newer = one.card > report.card and one.label == old.card and near
            if newer and self._note_without(one.card, "of an equal one, pushed"):
                self._known[one.card] = NumberedCard(event=known.event, since=known.since)
                known.gone = True
                return True
        return False

    def _note_without(self, number: int, why: str) -> bool:
        """Take back what was noted of a card that is none, and note anew what came after it; whether that could be."""
        lately = self._noted.as_noted()
        numbers = [one.card for one in lately]
        if number not in numbers:
            return False
        later = lately[numbers.index(number) :]
        withdrawn = self._noted.withdraw(later, why)
        for one in [one for one in later if one not in self._noted.cards and one.card != number]:
            self._note(one)  # also where only these could be withdrawn: nothing is lost
        return withdrawn

    def _time_passed(self, at: float) -> None:
        self._gone.settle(at)
        self._shown.settle(at)
        if not self._shown.there:
            self._desk.notices.pop(("hand_open", None), None)
        if self._looked_at.waited(at):
            self._note_looked_at()
        if self._held and self._waited(at):
            self.flush()
        self._wonder(at)

    def flush(self) -> None:
        """Note the cards that are kept back, because something else is to be noted."""
        self._note_looked_at()
        held, self._held = self._held, []
        for one in held:
            self._note(one)

    def _waited(self, at: float) -> bool:
        """Whether a card laid before those that are kept back would have been seen by now."""
        if at - self._held[0].at >= LIMITS.order_wait_most_s:
            return True
        position = self._desk.position()
        last = {one.event for one in position.last_trick} if not position.open_trick else set()
        if any(known.event in last and not known.gone for known in self._known.values()):
            return False  # a full trick lies there: a card of it was turned or pushed, and goes with it
        wait = LIMITS.overlooked_wait_s if self._passes_over(self._held[0], position) else LIMITS.order_wait_s
        return at - self._held[-1].at >= wait and not self.covered

    def _wonder(self, at: float) -> None:
        """Ask whether the game is over if one of its last tricks is not begun for long, and whose card lies face down.

        Perhaps that trick was not seen; perhaps somebody has a card too few.
        """
        position = self._desk.position()
        if not (position.playing and nearly_over(position) and not position.open_trick):
            self._desk.notices.pop(("cards_lacking", None), None)
        elif at - self._stirred >= self._dealing:
            self._desk.notices["cards_lacking", None] = None
        if self._left_down.lies(at, position):
            self._desk.notices["left_down", None] = None
        else:
            self._desk.notices.pop(("left_down", None), None)

    # --- a card was laid

    def _card_laid(self, report: CardLaid) -> None:
        if self._unread.takes(report, playing=self._desk.position().playing):
            return
        for one in [] if report.face_down else self._unread.take():
            if one.card != report.card:
                self._lay(one)
        self._lay(report)

    def _lay(self, report: CardLaid) -> None:
        for kept in (self._held, self._looked_at.perhaps):
            for place, held in enumerate(kept):
                if held.card == report.card:
                    kept[place] = replace(report, at=held.at)
                    return
        position = self._desk.position()
        known = self._numbered(report, position)
        if known is not None:
            self._seen_again(report, known, position)
        elif self._shown.takes(report):
            self._shown.add(report)
        elif (event := note_covered(self._desk, self.centres, report, position)) is not None or report.face_down:
            self._known[report.card] = NumberedCard(event=event, since=report.at)
        elif self._looked_at.takes(report, position, self._held):
            self._held = self._still_unknown(self._held)
        else:
            self._note_looked_at()
            self._new_card(report)

    def _numbered(self, report: CardLaid, position: Position) -> NumberedCard | None:
        """The card of this number, or one that lay there already under another; None if it was laid now."""
        known = self._known.get(report.card)
        if known is not None and known.gone and known.event is not None and not _lies(known.event, position):
            known = None  # taken back, and laid once more
        if known is None and not report.face_down:
            event = self._lying_already(report, position) or self._overlooked.event_of(report, position)
            known = self._gone.pushed_to(report) if event is None else NumberedCard(event=event, since=report.at)
            if known is not None:
                self._known[report.card] = known
        return known

    def _seen_again(self, report: CardLaid, known: NumberedCard, position: Position) -> None:
        self._gone.back(report.card)
        known.gone = False
        self._shown.seen_again(report)
        if known.event is not None:
            self._lies_there_again(known.event, position)
            read_again(self._desk, report, known.event, position)

    def _new_card(self, report: CardLaid) -> None:
        """Note a card that was laid now, before others if it may have been laid before them and turn order says so."""
        if self._desk.position().playing and self._keep_apart(LIMITS.shown_cards, [report]):
            self._desk.notices["hand_open", None] = None
            return
        now, self._held = [*self._held, report], []
        before = unordered(self._noted.as_noted(), now, self._noted.of_trick(self._desk.position().open_trick))
        found, same = self._noted.lawful([*before, *now], len(before)) if before or len(now) > 1 else (None, 0)
        ordered: Sequence[Ordered] = ()
        if found is not None and self._noted.withdraw(before[same:]):
            now, ordered = [], found.cards[same:]
        if any(self._against_turn(one) for one in now):
            self._held = now
            if not self._waited(report.at):
                return
            self._held = []
        for one, seat in (*ordered, *((one, None) for one in now)):
            self._note(one, seat)
        if found is not None and ordered:
            self._ask_whose(found.unsure)

    def _ask_whose(self, unsure: Sequence[tuple[CardLaid, int]]) -> None:
        """Ask whose cards are that may be of these seats instead."""
        position = self._desk.position()
        seats = {one.event: one.seat for one in (*position.last_trick, *position.open_trick)}
        perhaps = {
            known.event: seat
            for card, seat in unsure
            if (known := self._known.get(card.card)) is not None and known.event is not None
        }
        if perhaps.keys() <= seats.keys():
            ask_whose(self._desk, {event: seats[event] for event in perhaps}, perhaps, at_once=True)

    def _note_looked_at(self) -> None:
        """Note the cards that were no look at the last trick."""
        for one in self._looked_at.take():
            self._new_card(one)

    def _against_turn(self, report: CardLaid) -> bool:
        """Whether a card seems to be out of turn by what is known so far, and its coming was seen."""
        position = self._desk.position()
        if position.due is None or report.rested is None:
            return False
        return fits_another(sight_of(report), (position.due, *position.perhaps_due), position.waiting, self.centres)

    def _note(self, report: CardLaid, seat: int | None = None) -> None:
        """Note a card in the game in play or the next one."""
        if self._gone.lead is not None:
            self._gone.lead_went_for(report, self._desk.position())
            if not self._desk.position().playing:  # it was the last trick's
                self._next_game.ended(self._stirred)
        if not self._desk.position().playing and not self._next_game.deal_for(report):
            return
        position = self._desk.position()
        overlooked = self._overlooked.event_of(report, position) if seat is None else None
        if overlooked is not None:  # what told of it was kept back until now
            self._known[report.card] = NumberedCard(event=overlooked, since=report.at)
            read_again(self._desk, report, overlooked, position)
            return
        if self._trick_missed(report, position):
            for _ in position.order:
                note_missed(self._desk)
            position = self._desk.position()
        self._unwatched_s = 0.0
        if not position.open_trick:
            position = self._led(report, position, seat)
        if seat is None and self._overlooked.note(report, position, self._noted.of_trick(position.open_trick)):
            position = self._desk.position()
        event = note_card(self._desk, self.centres, report, position, seat)
        self._known[report.card] = NumberedCard(event=event, since=report.at)
        self._noted.add(report)
        self._desk.notices.pop(("stray_card", None), None)
        if not self._next_game.was_begun_by(report) and event is not None:
            self._seat_together()

    def _led(self, report: CardLaid, position: Position, seat: int | None) -> Position:
        """Prepare for the card that leads a trick; the position then: who leads may tell of the trick before."""
        if seat is None and self._against_turn(report):
            leads = likeliest_seat(sight_of(report), self.centres, self.centres)
            lay_open_by_lead(self._desk, leads)
            put_right_by_lead(self._desk, self.centres, leads)
            position = self._desk.position()
        self._noted.led(position)
        self._next_game.led(paused=bool(position.seen) and report.at - self._stirred >= self._dealing)
        return position

    def _trick_missed(self, report: CardLaid, position: Position) -> bool:
        """Whether who leads against turn order may have won a whole trick that nobody saw."""
        return (
            not position.open_trick
            and self._unwatched_s >= LIMITS.unwatched_trick_s
            and len(position.order) < position.lacking < len(position.deck)
            and self._against_turn(report)
        )

    def _passes_over(self, report: CardLaid, position: Position) -> bool:
        """Whether a card seems to pass over seats that have laid, as their arms say."""
        return bool(self._overlooked.seats(report, position, self._noted.of_trick(position.open_trick)))

    def _end_trick(self) -> None:
        """Close the open trick, which left the mat before it was full."""
        position = self._desk.position()
        upon_unseen = self._overlooked.upon_unseen(position, self._noted.of_trick(position.open_trick), laid=True)
        end_trick(self._desk, self.centres, self._noted.leads, upon_unseen)
        self._ask_upon()

    def _ask_upon(self) -> None:
        """Ask whose a card of the trick that has gone is, if that is open."""
        trick = self._desk.position().last_trick
        self._overlooked.ask_upon(trick, self._noted.of_trick(trick))

    def _seat_together(self) -> None:
        """Put the cards of a trick to the seats that arms and places say together."""
        after = self._desk.position()
        trick = after.open_trick or after.last_trick
        if not trick or not self._noted.leads:
            return
        order, count = self._noted.leads[0], len(trick)
        armed = any(lying.sight is not None and lying.sight.armed for lying in trick)
        if after.open_trick and not (armed and count > 1):
            return  # place alone says little before the trick is full
        recorded = tuple(lying.seat for lying in trick)
        if armed:
            others = list(permutations(order, count))
        else:
            others = [order[start:] + order[:start] for start in range(len(order))]
        ways = [lead[:count] for lead in self._noted.leads]
        moved = seat_again(self._desk, self.centres, trick, ways, "so the cards lie together", [recorded, *others])
        self._moved = moved or self._moved

    def _lying_already(self, report: CardLaid, position: Position) -> int | None:
        """The event of a card that lay there before the camera (or this program) started anew."""
        tracked = {known.event for known in self._known.values() if not known.gone}
        labels = {report.label} if report.label else {label for label, _ in report.choices} or set(position.deck)
        for lying in (*position.open_trick, *position.last_trick):
            if lying.event in tracked or lying.card not in labels:
                continue
            if lying not in position.open_trick and any(known.event == lying.event for known in self._known.values()):
                continue  # this camera has seen it go with its trick
            if lying.sight is None:
                if lying in position.open_trick and not lying.doubt:
                    return lying.event  # laid by finger, while the camera did not see it
            elif hypot(lying.sight.place[0] - report.x, lying.sight.place[1] - report.y) <= LIMITS.same_place_mm:
                return lying.event
        return None

    def _lies_there_again(self, event: int, position: Position) -> None:
        if self._gone.lead == event:
            self._gone.lead = None
        for lying in position.open_trick:
            if lying.event == event:
                self._desk.notices.pop(("card_gone", lying.seat), None)


def _lies(event: int, position: Position) -> bool:
    return any(lying.event == event for lying in (*position.open_trick, *position.last_trick))
