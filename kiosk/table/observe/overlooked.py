"""Tell by arms whether a seat that seems to have been passed over may have laid a card that nobody has seen.

A card right upon an equal one leaves the picture as it was. Who follows then seems to lay before his turn; but an arm
of the seat passed over has reached in and gone, and no card has been seen that it brought. And of two cards that were
laid at once, the later right upon the other, only the later is seen, in the place of the other.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from math import dist, inf, pi, remainder

from kiosk.table.inference.position import Lying, Position
from kiosk.table.inference.seats import Place, lies_upon, seat_bearing, seat_nats
from kiosk.table.observe.desk import Desk, ask_whose, remove_card
from kiosk.table.observe.gone import NumberedCard
from kiosk.table.observe.limits import LIMITS
from kiosk.table.observe.missed import UPON_UNSEEN, note_missed
from kiosk.table.observe.noting import note_card, owner_of, sight_of
from vision.messages import ArmReached, CardLaid, HandInTheWay


class Overlooked:
    """The arms over the mat, and the cards that they alone have told of.

    :param known: vision's numbers → cards, the observer's.
    :param centres: the middle of each seat's field on the mat, in mm.
    """

    def __init__(self, desk: Desk, known: Mapping[int, NumberedCard], centres: Mapping[int, Place]) -> None:
        self._desk, self._known, self._centres = desk, known, centres
        self._reached = deque[ArmReached](maxlen=LIMITS.arms_lately)  # since a trick was taken in
        self._seen: dict[int, CardLaid] = {}  # vision's numbers → cards that were reported since then
        self._visits: list[tuple[float, float]] = []  # hands over the middle since then, from when to when, s
        self._came: float | None = None  # that which is there
        self._at = 0.0  # of the newest report
        self._taken = 0.0  # when a trick was taken in last
        self._noted: dict[int, float] = {}  # events of cards that only their arms told of → when that was noted

    def see(self, report: ArmReached | CardLaid | HandInTheWay) -> None:
        """Keep an arm that has reached into the middle, a card that was laid, or a hand that has come or gone."""
        self._at = report.at
        if isinstance(report, ArmReached):
            self._reached.append(report)
        elif isinstance(report, CardLaid):
            self._seen[report.card] = report
        elif not report.gone:
            self._came = report.at
        elif self._came is not None:
            self._visits.append((self._came, report.at))
            self._came = None

    def trick_taken(self, at: float) -> None:
        """Forget arms and hands: they brought cards of a trick that is over."""
        self._taken = at
        self._reached.clear()
        self._seen.clear()
        self._visits.clear()

    def seats(self, report: CardLaid, position: Position, lately: Sequence[CardLaid]) -> list[int]:
        """Find the seats that a card seems to pass over, if arms say that all of them have laid; else none.

        :param lately: the cards of the open trick that have been noted.
        """
        if not position.playing or not lately:  # a lead lies upon no other card
            return []
        upon = self.upon_unseen(position, lately[-1:], by_arms=True).values()
        cards = [*lately, report]
        later = [self._seen[number] for number in self._seen.keys() - {card.card for card in cards}]  # not noted yet
        arms = [one for one in self._reached if not any(_brought(one, card) for card in later)]
        # Whose card lies upon one that was never seen has laid, as has whose arm came for nothing: who follows is due.
        has_laid = position.due in upon or laid_unseen(turn_of(position)[:1], arms, cards, self._centres)
        follows = turn_of(position)[1:2] if has_laid else []
        perhaps = replace(position, perhaps_due=(*position.perhaps_due, *follows))
        whose = owner_of(report, perhaps, self._centres).seat
        if whose in (position.due, *position.perhaps_due):
            return []
        seats = passed_over(position, whose)
        rest = [seat for seat in seats if seat not in upon]
        return seats if not rest or laid_unseen(rest, arms, cards, self._centres) else []

    def note(self, report: CardLaid, position: Position, lately: Sequence[CardLaid]) -> bool:
        """Note as missed the cards of these seats; whether there are any."""
        seats = self.seats(report, position, lately)
        below = self.upon_unseen(position, lately[-1:], laid=True).values()
        upon = lately[-1] if seats and seats[0] in below else None
        # Upon another card it would have been seen.
        equal = {one.card for one in position.open_trick} if upon is None else ()
        if upon is not None:  # noted anew after the one that it lies upon
            remove_card(self._desk, self._known[upon.card].event, UPON_UNSEEN)
        for number in range(len(seats)):
            event = note_missed(self._desk, equal, upon.label if upon is not None and number == 0 else None)
            if event is not None:
                self._noted[event] = report.rested or report.at
            if upon is not None and number == 0:
                event = note_card(self._desk, self._centres, upon, self._desk.position(), seats[0])
                self._known[upon.card].event = event
        return bool(seats)

    def upon_unseen(
        self, position: Position, lately: Sequence[CardLaid], *, by_arms: bool = False, laid: bool = False
    ) -> dict[int, int]:
        """Find cards of the open trick, which lacks some, that lie upon one that was never seen: event → seat.

        Such a card is noted for the seat in whose place it lies. It is the next one's if arms of both were there when
        it came to rest, and his brought it; or, where nobody can tell, the other's did not leave clearly later; or,
        once the missing one must have been laid, the other's did not leave later, and no hand has come since. So it is
        where his arm was not told apart, but another was there than the card's, or one with his, and no hand has come
        since. And one that lies in the next seat's own place, and whose arm was there, is that seat's: the missing one
        lies elsewhere, and covered a way to it as an arm does.

        :param lately: the cards of the open trick that have been noted.
        :param by_arms: only where both arms were told apart: the card that is missing may still come.
        :param laid: the cards that it lacks were laid: the trick has gone, or who follows has laid.
        """
        shared = LIMITS.shared_arm_share if laid else LIMITS.clear_arm_share
        found: dict[int, int] = {}
        for report in lately:
            event, seats = self._known[report.card].event, self._before_waiting(report, position)
            if event is None or seats is None or report.rested is None:
                continue  # of one that nobody saw come the arm is that of who has taken it up
            seat, later = seats
            there = self._arms_at(report)
            arms = _of_each((seat, later), there, self._centres)
            if not by_arms and self._is_in_place_of(report, later, seat, there):
                upon = True
            elif not arms and by_arms:
                upon = False
            elif not arms:
                two = report.arm is not None and report.arm_share < shared
                two |= any(self._reached_further(one, report, later) for one in there)
                upon = two and self._lies_before(report, seat, later) and not self._has_come_since(report, later)
            elif sight_of(report).armed and self._seat_of_arm(report, (seat, later)) == seat:
                # Where both have hidden it, which of them more says nothing.
                last = (laid or by_arms) and arms[0].until <= arms[1].until
                upon = last and self._is_shared(report, seat, later)
            elif sight_of(report).armed:
                upon = True
            else:  # who was there last has laid what is on top; where both left together, they laid in turn
                upon = arms[0].until <= arms[1].until + LIMITS.left_together_s
            if upon:
                found[event] = later
        return found

    def ask_upon(self, trick: Sequence[Lying], lately: Sequence[CardLaid]) -> None:
        """Ask whose a card of a trick that has gone is, if it lay in a seat's place, or upon that seat's unseen card.

        Another arm has hidden the place too, and that of the next seat left together with its own or was not told
        apart, so nothing tells.

        :param lately: the cards of the trick that were seen.
        """
        reports = {self._known[report.card].event: report for report in lately}
        for one, two in pairwise(trick):
            report = reports.get(one.event if two.doubt else two.event)
            if report is None or report.rested is None or not (one.doubt or two.doubt) or one.settled or two.settled:
                continue
            arms = _of_each((one.seat, two.seat), self._arms_at(report), self._centres)
            together = abs(arms[0].until - arms[1].until) <= LIMITS.left_together_s if arms else bool(two.doubt)
            tells = not sight_of(report).armed or self._seat_of_arm(report, (one.seat, two.seat)) != one.seat
            if together and not tells and self._is_shared(report, one.seat, two.seat):
                seats = {one.event: one.seat, two.event: two.seat}
                ask_whose(self._desk, seats, {one.event: two.seat, two.event: one.seat}, at_once=True)

    def _arms_at(self, report: CardLaid) -> list[ArmReached]:
        """List the arms that were over the middle when a card came to rest.

        Its own is among them also where only another was told when both had gone.
        """
        there = [one for one in self._reached if _was_there(one, report)]
        timed, arm = _timed(report), report.arm if sight_of(report).armed else None
        if timed is not None and arm is not None and not any(_brought(one, report) for one in there):
            there.append(ArmReached(at=report.at, since=timed[0], until=timed[1], bearing=arm))
        return there

    def _is_in_place_of(self, report: CardLaid, seat: int, other: int, there: Sequence[ArmReached]) -> bool:
        """Report whether a card lies in a seat's place, whose arm was there, and no other seat's is clearly its."""
        if report.arm_share >= LIMITS.clear_arm_share or not self._lies_before(report, seat, other):
            return False
        return any(_away(one, seat, self._centres) < _away(one, other, self._centres) for one in there)

    def _is_shared(self, report: CardLaid, seat: int, later: int) -> bool:
        """Report whether a card lies in its seat's place that another arm has hidden too, and no hand came since."""
        shared = report.arm_share < LIMITS.lone_arm_share
        return shared and self._lies_before(report, seat, later) and not self._has_come_since(report, later)

    def _reached_further(self, arm: ArmReached, report: CardLaid, other: int) -> bool:
        """Report whether an arm lay clearly further towards another seat than where the card came from: two in one."""
        if report.arm is None:
            return False
        further = remainder(arm.bearing - report.arm, 2 * pi)
        towards = remainder(seat_bearing(other, len(self._centres)) - report.arm, 2 * pi)
        return further * towards > 0 and abs(further) >= LIMITS.two_arms_rad

    def _has_come_since(self, report: CardLaid, seat: int) -> bool:
        """Report whether a hand, or the arm of ``seat`` among hands, came since a card lay, and laid nothing seen.

        One that has left just now may have taken the trick in.
        """
        since, until = report.rested or report.at, self._at - LIMITS.takes_in_s
        own = [(one.since, one.until) for one in self._reached if self._nearest(one) == seat]
        came = [one for one in [*self._visits, *own] if one[0] >= since and one[1] < until]
        return any(_empty(one, self._seen.values()) for one in came)

    def _nearest(self, arm: ArmReached) -> int:
        """Find the seat towards which an arm lies."""
        return min(self._centres, key=lambda seat: _away(arm, seat, self._centres))

    def _lies_before(self, report: CardLaid, seat: int, other: int) -> bool:
        """Report whether a card lies nearer to the one seat's place than to the other's."""
        place, centres = (report.x, report.y), self._centres
        return {seat, other} <= centres.keys() and dist(place, centres[seat]) < dist(place, centres[other])

    def _seat_of_arm(self, report: CardLaid, seats: Sequence[int]) -> int:
        """Find the seat towards which the arm of a card lies."""
        assert report.arm is not None
        away = {seat: remainder(report.arm - seat_bearing(seat, len(self._centres)), 2 * pi) for seat in seats}
        return min(seats, key=lambda seat: abs(away[seat]))

    def perhaps_in_turn(self, position: Position, lately: Sequence[CardLaid]) -> set[int]:
        """Find events of cards of the open trick before which each seat passed over may have laid unseen.

        As many hands came to the trick before them, or as many arms, as nothing was seen of and seats were passed over:
        whose they were need not be known. Or another arm than its own had hidden the card of the seat before.

        :param lately: the cards of the open trick that have been noted.
        """
        noted = {one.event: one.seat for one in position.open_trick}
        found: set[int] = set()
        excused = {*self.upon_unseen(position, lately).values()}  # seats that may have laid before an earlier card
        for report in lately:
            seats = self._before_waiting(report, position)
            if seats is not None and report.arm is not None and self._is_shared(report, *seats):
                excused.add(seats[1])
        for place, report in enumerate(lately):
            event = self._known[report.card].event or 0
            if event not in noted:
                continue
            passed = [seat for seat in takewhile(noted[event].__ne__, position.order) if seat in position.waiting]
            others = [*noted].index(event)  # cards before it, seen or not
            if passed and ({*passed} <= excused or self._spare(lately[:place], others, report) >= len(passed)):
                found.add(event)
                excused.update(passed)
        return found

    def _before_waiting(self, report: CardLaid, position: Position) -> tuple[int, int] | None:
        """Return the seat that a card of the open trick is noted for and the next one, if that has still to lay."""
        event = self._known[report.card].event
        seat = next((one.seat for one in position.open_trick if one.event == event), None)
        return next((two for two in pairwise(position.order) if two[0] == seat and two[1] in position.waiting), None)

    def _spare(self, seen: Sequence[CardLaid], others: int, report: CardLaid) -> int:
        """Count the hands, or the arms if they are more, that came to a trick before a card and laid nothing else.

        Before the first card of a trick those count that came once the one before had been taken in.

        :param seen: those of the ``others`` that were seen.
        """
        came = report.not_before or report.at
        if seen:
            began = seen[0].not_before or seen[0].at
            visits = [one for one in self._visits if one[1] > began]
            arms = [arm for arm in self._reached if arm.until >= began]
        else:
            visits = [one for one in self._visits if one[0] >= self._taken]
            arms = [arm for arm in self._reached if arm.since >= self._taken]
        empty = sum(one[1] <= came and _empty(one, seen) for one in visits)
        untimed = others - sum(_timed(card) is not None for card in seen)
        arms = [arm for arm in arms if arm.since < came]
        its_own = any(_was_there(arm, report) for arm in arms)
        return max(empty - untimed, len(arms) - others - its_own)

    def event_of(self, report: CardLaid, position: Position) -> int | None:
        """The event of a card noted so, if this is it: laid before the one that told of it, or lying upon another.

        Mostly it is read only when a later hand has touched the place, and then its time says nothing.
        """
        if report.rested is None:
            return None
        there = {known.event for known in self._known.values() if not known.gone}
        for trick in (position.open_trick, position.last_trick):
            for place, one in enumerate(trick):
                lower = [other.sight for other in trick[:place] if other.event in there and other.sight is not None]
                below = any(lies_upon((report.x, report.y), sight.place) for sight in lower)
                if one.event in self._noted and one.doubt and below:
                    return one.event
        open_ = {one.event: one for one in (*position.open_trick, *position.last_trick) if one.doubt}
        for event, before in self._noted.items():
            if event in open_ and (report.not_before or report.rested) < before:
                seats = (open_[event].seat, *position.waiting)
                nats = {s: seat_nats(sight_of(report), s, self._centres) for s in seats if s in self._centres}
                if nats and max(nats, key=lambda seat: nats[seat]) == open_[event].seat:
                    return event
        return None


def turn_of(position: Position) -> list[int]:
    """List the seats without a card in the trick, in their order from the one that is due; [] where nobody is."""
    if position.due is None:
        return []
    turn = [one for one in position.order if one in position.waiting]
    return [*turn[turn.index(position.due) :], *turn[: turn.index(position.due)]]


def passed_over(position: Position, seat: int) -> list[int]:
    """List the seats whose turn it was before ``seat``, in their order; [] where nobody is due."""
    turn = turn_of(position)
    return turn[: turn.index(seat)] if seat in turn else []


def laid_unseen(
    seats: Sequence[int], reached: Sequence[ArmReached], cards: Sequence[CardLaid], centres: Mapping[int, Place]
) -> bool:
    """Report whether each of some seats has reached into the middle without a card of its having been seen.

    :param reached: arms since the last trick was taken in.
    :param cards: those of the trick that were seen, the last one is against turn; their arms are no others'.
    """
    before = max((card.not_before for card in cards[:-1] if card.not_before is not None), default=inf)
    left = [one for one in reached if one.until > before]
    for card in cards:
        for one in [one for one in left if _brought(one, card)]:
            left.remove(one)
    return bool(_of_each(seats, left, centres))


def _of_each(seats: Sequence[int], arms: Sequence[ArmReached], centres: Mapping[int, Place]) -> list[ArmReached]:
    """Find an arm of its own for each of some seats among these, each has laid one card; [] unless all have one."""
    left, found = [*arms], []
    for seat in seats:
        near = min(left, key=lambda one: _away(one, seat, centres), default=None)
        if near is None or _away(near, seat, centres) > LIMITS.seat_arm_rad:
            return []
        left.remove(near)
        found.append(near)
    return found


def _brought(arm: ArmReached, card: CardLaid) -> bool:
    """Report whether an arm may have brought a card."""
    same = card.arm is None or abs(remainder(arm.bearing - card.arm, 2 * pi)) <= LIMITS.same_arm_rad
    return same and _was_there(arm, card)


def _was_there(arm: ArmReached, card: CardLaid) -> bool:
    """Report whether an arm was over the middle when a card came to rest."""
    return not _empty((arm.since, arm.until), [card])


def _empty(hand: tuple[float, float], cards: Iterable[CardLaid]) -> bool:
    """Report whether none of some cards came to rest while a hand was there, from when to when (s)."""
    times = filter(None, map(_timed, cards))
    return not any(hand[0] <= rested and hand[1] >= not_before for not_before, rested in times)


def _timed(card: CardLaid) -> tuple[float, float] | None:
    """Return from when on a card may have been laid, and since when it has lain (s); None if nobody saw that."""
    return None if card.not_before is None or card.rested is None else (card.not_before, card.rested)


def _away(arm: ArmReached, seat: int, centres: Mapping[int, Place]) -> float:
    return abs(remainder(arm.bearing - seat_bearing(seat, len(centres)), 2 * pi))
