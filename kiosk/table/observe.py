"""What the camera reports becomes events: whose card it is, what a second look changes, what was missed.

The camera is never refused: what it saw is recorded as it was, legal or not. What it did not see, or saw in doubt, is
recorded as a doubt that people or the deck's composition settle. Reports are taken by their shape
(``vision.reports``), because the table knows nothing of the vision package.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf
from typing import Any

from kiosk.errors import BadEvent
from kiosk.table.desk import Desk, Event, seat_again, second_thought
from kiosk.table.doubts import in_order
from kiosk.table.missed import cards_left, end_trick, is_another_game, nearly_over, play_out
from kiosk.table.position import Lying, Position
from kiosk.table.seats import Place, owner

#: A card that was reported gone sooner than this (seconds) was never laid: something that looked like a card. It must
#: be longer than vision waits before it says that a single card is gone (1.2 s). Higher forgets cards that players
#: take back quickly, lower lets phantoms count as cards that were shown.
PHANTOM = 1.8

#: How long (seconds) a card that went may wait for the others of its trick: a trick is not always lifted at once.
LIFTED_TOGETHER = 0.6

#: Nobody deals faster than this (seconds): cards seen sooner after a game belong to no new one. They are the old
#: tricks being counted, a hand thrown in or the soloist's shown cards.
DEALING = 10.0

#: Cards of the open trick that are seen again under a new number, after a restart, lie this near (mm).
SAME_PLACE = 40.0


@dataclass(slots=True)
class _Known:
    """A physical card that vision has numbered."""

    event: int | None  # None: it belongs to no game
    since: float
    gone: bool = False


class Observer:
    """Keeps the map from vision's card numbers to events.

    :param centres: the middle of each seat's field on the mat, in mm.
    """

    def __init__(self, desk: Desk, centres: Mapping[int, Place], *, dealing: float = DEALING) -> None:
        self._desk, self._dealing = desk, dealing
        self.centres = dict(centres)
        self._known: dict[int, _Known] = {}
        self._going: dict[int, float] = {}  # vision's number → when it went; waiting for the rest of its trick
        self._leads: tuple[tuple[int, ...], ...] = ()  # orders of seats that the open trick may have been laid in
        self._idle_since: float | None = None  # no game was in play from this report on
        self._lead_gone: int | None = None  # the event of a lead that went: taken back, or with a trick nobody saw
        self._stirred = 0.0  # a card was laid or went
        self._after_pause: list[Any] | None = None  # reports of a trick that may be another game's
        self.blind = ""
        self.covered = False

    def observe(self, report: Any) -> None:
        """Take one report of ``vision.reports``."""
        position = self._desk.position()
        if position.playing:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = report.at
        match type(report).__name__:
            case "CardLaid":
                self._settle_gone(report.at, now=True)
                self._card_laid(report)
                self._stirred = report.at
            case "CardGone":
                known = self._known.get(report.card)
                if known and not known.gone:
                    self._going[report.card] = report.at
                self._stirred = report.at
            case "TrickTaken":
                self._trick_taken(report)
                self._stirred = report.at
            case "HandInTheWay":
                self.covered = not report.gone
            case "Blind":
                self.blind = report.why
            case "Tick":
                self._settle_gone(report.at)
                self._wonder(report.at)
            case other:
                raise TypeError(f"{other} is no report of the camera: {report!r}")

    def _wonder(self, at: float) -> None:
        """Ask whether the game is over if one of its last tricks is not begun for long: perhaps it was not seen."""
        position = self._desk.position()
        if not (position.playing and nearly_over(position) and not position.open_trick):
            self._desk.notices.pop(("cards_lacking", None), None)
        elif at - self._stirred >= self._dealing:
            self._desk.notices["cards_lacking", None] = None

    # --- a card was laid

    def _card_laid(self, report: Any) -> None:
        known = self._known.get(report.card)
        position = self._desk.position()
        if known is not None and known.gone and known.event is not None and not _lies(known.event, position):
            known = None  # taken back, and laid once more
        if known is None and not report.face_down:
            event = self._lying_already(report, position)
            if event is not None:
                known = self._known[report.card] = _Known(event=event, since=report.at)
        if known is not None:
            self._going.pop(report.card, None)
            known.gone = False
            if known.event is not None:
                self._lies_there_again(known.event, position)
                self._read_again(report, known.event, position)
            return
        if report.face_down:
            self._known[report.card] = _Known(event=self._note_covered(report, position), since=report.at)
            return
        if report.label is None and not report.choices:
            return  # nothing was read; vision reports it again once it knows more
        if self._lead_gone is not None:
            self._lead_went_for(report, position)
            position = self._desk.position()
            if not position.playing:  # it was the last trick's
                self._idle_since = self._stirred
        if not position.playing:
            if not self._begins_a_game(report, position):
                self._known[report.card] = _Known(event=None, since=report.at)
                if self._dealt_by_now(report, position):
                    self._desk.notices["stray_card", None] = None
                return
            self._desk.deal()
            position = self._desk.position()
        if not position.open_trick:
            self._leads = (position.order, *position.perhaps_order)
            paused = position.seen and report.at - self._stirred >= self._dealing
            self._after_pause = [] if paused else None
        event = self._note_card(report, position)
        self._known[report.card] = _Known(event=event, since=report.at)
        self._desk.notices.pop(("stray_card", None), None)
        if self._after_pause is not None:
            self._after_pause.append(report)
            if is_another_game(self._desk.position(), {self._known[one.card].event for one in self._after_pause}):
                self._begin_another_game(self._after_pause)
                self._after_pause = None
                return
        after = self._desk.position()
        if event is not None and not after.open_trick and after.last_trick and self._leads:
            recorded = tuple(lying.seat for lying in after.last_trick)
            order = self._leads[0]
            others = [order[start:] + order[:start] for start in range(len(order))]
            why = "so the four cards lie together"
            seat_again(self._desk, self.centres, after.last_trick, self._leads, why, [recorded, *others])

    def _begin_another_game(self, reports: Sequence[Any]) -> None:
        """The game before lacks tricks that the camera did not see, which are in doubt; these cards are the next's."""
        for report in reversed(reports):
            self._no_card(self._known[report.card].event, "of the next game")
        if not play_out(self._desk) or not self._desk.position().may_deal:
            return
        self._desk.deal()
        for report in reports:
            self._known[report.card].event = self._note_card(report, self._desk.position())

    def _lying_already(self, report: Any, position: Position) -> int | None:
        """The event of a card that lay there before the camera (or this program) started anew."""
        tracked = {known.event for known in self._known.values() if not known.gone}
        labels = {report.label} if report.label else {label for label, _ in report.choices}
        for lying in (*position.open_trick, *position.last_trick):
            if lying.event in tracked or lying.card not in labels:
                continue
            if lying not in position.open_trick and any(known.event == lying.event for known in self._known.values()):
                continue  # this camera has seen it go with its trick
            if lying.place is None:
                if lying in position.open_trick and not lying.doubt:
                    return lying.event  # laid by finger, while the camera did not see it
            elif hypot(lying.place[0] - report.x, lying.place[1] - report.y) <= SAME_PLACE:
                return lying.event
        return None

    def _begins_a_game(self, report: Any, position: Position) -> bool:
        strays = any(known.event is None and not known.gone for known in self._known.values())
        return not strays and self._dealt_by_now(report, position)

    def _dealt_by_now(self, report: Any, position: Position) -> bool:
        """Whether a new game may have been dealt since the last one ended."""
        return position.may_deal and self._idle_since is not None and report.at - self._idle_since >= self._dealing

    def _note_card(self, report: Any, position: Position) -> int | None:
        assert position.due is not None
        whose = owner((report.x, report.y), position.due, position.waiting, self.centres, position.perhaps_due)
        event: Event = {
            "event": "card",
            "seat": whose.seat,
            "place": [round(report.x), round(report.y)],
            "margin": round(report.margin, 3),
        }
        if whose.sure < 1:
            event["sure"] = round(whose.sure, 2)  # of the seat
        event |= _reading(report, whose.seat, position)
        seats = [whose.seat, *(seat for seat in (position.due, *position.waiting) if seat != whose.seat)]
        for seat in dict.fromkeys(seats):
            try:
                return self._desk.note({**event, "seat": seat}, report.picture)
            except BadEvent:
                continue  # that seat cannot have laid it (its cards are used up): the next likely one
        self._desk.notices["stray_card", None] = None
        return None

    def _note_covered(self, report: Any, position: Position) -> int | None:
        """A card laid face down where the book allows it (durchgaenge 4b): which it was, the deck says in the end.

        Other backs are those of tricks won, or of a hand put down.
        """
        left = [card for card in position.covers if card in cards_left(position)]
        if position.due is None or not left:
            return None
        whose = owner((report.x, report.y), position.due, position.waiting, self.centres, position.perhaps_due)
        if whose.seat != position.due:
            return None
        place = [round(report.x), round(report.y)]
        event = {"event": "card", "seat": position.due, "card": left[0], "down": True, "doubt": left, "unseen": True}
        return second_thought(self._desk, {**event, "place": place})

    def _lies_there_again(self, event: int, position: Position) -> None:
        if self._lead_gone == event:
            self._lead_gone = None
        for lying in position.open_trick:
            if lying.event == event:
                self._desk.notices.pop(("card_gone", lying.seat), None)

    def _read_again(self, report: Any, event: int, position: Position) -> None:
        lying = next((one for one in (*position.open_trick, *position.last_trick) if one.event == event), None)
        if lying is None or lying.settled or report.label is None:
            return
        if report.label != lying.card or lying.doubt:
            why = "seen again" if lying.doubt else f"seen again, {report.label} instead of {lying.card}"
            said = {"card": report.label, "by": "camera", "why": why, "margin": round(report.margin, 3)}
            second_thought(self._desk, {"event": "correct", "of": event, **said})

    # --- a card went

    def _settle_gone(self, at: float, now: bool = False) -> None:
        """Decide about cards that went alone; ``now``: another card was laid, so the trick was not being lifted."""
        ripe = [n for n, went in self._going.items() if now or at - went >= LIFTED_TOGETHER]
        if not ripe:
            return
        position = self._desk.position()
        trick = {one.event for one in position.open_trick}
        there = {known.event for number, known in self._known.items() if not known.gone and number not in self._going}
        if len(trick) > 1 and trick <= {known.event for known in self._known.values()} - there:
            for number in self._going:
                self._known[number].gone = True
            self._going.clear()
            end_trick(self._desk, self.centres)
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
        if lying is None:
            return
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
        if went - known.since < PHANTOM and not lying.settled:
            self._no_card(lying.event, "gone at once: no card")
        elif [one.event for one in position.open_trick] == [lying.event]:
            self._lead_gone = lying.event
            self._desk.notices["card_gone", lying.seat] = lying.event
        elif lying.event in position.retractable:
            self._take_back(lying)
        elif position.open_trick:
            self._desk.notices["card_gone", lying.seat] = lying.event

    def _trick_taken(self, report: Any) -> None:
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
        if whole and len(on_table) == len(position.open_trick):
            # A full trick and something on top of it went together: no trick has five cards.
            for one in reversed(on_table):
                self._no_card(one.event, "went with a full trick: no card of its own")
            return
        end_trick(self._desk, self.centres)

    def _no_card(self, event: int | None, why: str) -> None:
        second_thought(self._desk, {"event": "correct", "of": event, "card": None, "by": "camera", "why": why})

    def _take_back(self, lying: Lying) -> None:
        second_thought(self._desk, {"event": "retract", "seat": lying.seat, "card": lying.card})

    def _lead_went_for(self, report: Any, position: Position) -> None:
        """A lead that went was taken back if its seat lays now, or that whose turn it was; else its trick is over."""
        lead, self._lead_gone = self._lead_gone, None
        if [one.event for one in position.open_trick] != [lead]:
            return  # people have put it right
        lying = position.open_trick[0]
        self._desk.notices.pop(("card_gone", lying.seat), None)
        away = {seat: hypot(x - report.x, y - report.y) for seat, (x, y) in self.centres.items()}
        nearest = min(position.order, key=lambda seat: (away.get(seat, inf), seat != lying.seat))
        if nearest in (lying.seat, position.order[0]):
            self._take_back(lying)
        else:
            end_trick(self._desk, self.centres)


def _reading(report: Any, seat: int, position: Position) -> Event:
    """What was read, and what else it may have been: keys of the event ``card``."""
    scores = {label: round(score, 3) for label, score in report.choices if label in position.deck}
    if report.label is None and not scores:
        return {"card": report.choices[0][0]}  # a card of another deck
    if report.label is None:
        order = in_order(tuple(scores.items()), report.margin, seat, position.seen, position.deck, position.hands)
        labels = list(dict.fromkeys((*order, *scores)))
        return {"card": labels[0], "doubt": labels, "scores": [scores[label] for label in labels]}
    if len(scores) < 2 or report.label not in scores:
        return {"card": report.label}
    rivals = [label for label in scores if label != report.label]
    return {"card": report.label, "rivals": rivals, "scores": [scores[label] for label in (report.label, *rivals)]}


def _lies(event: int, position: Position) -> bool:
    return any(lying.event == event for lying in (*position.open_trick, *position.last_trick))
