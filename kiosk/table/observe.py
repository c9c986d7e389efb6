"""What the camera reports becomes events: whose card it is, what a second look changes, what was missed.

The camera is never refused: what it saw is recorded as it was, legal or not. What it did not see, or saw in doubt, is
recorded as a doubt that people or the deck's composition settle. Reports are taken by their shape
(``vision.reports``), because the table knows nothing of the vision package.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot
from typing import Any, Protocol

from kiosk.errors import BadEvent
from kiosk.rules.cards import Card
from kiosk.table.doubts import in_order
from kiosk.table.position import Lying, Position
from kiosk.table.seats import Place, best_order, owner

Event = dict[str, Any]

log = logging.getLogger(__name__)

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

#: More cards than this missing from a trick that was taken were not missed one by one: people are asked in words.
_MOST_MISSED = 2


class Desk(Protocol):
    """The table as the observer writes to it."""

    def position(self) -> Position:
        """The round as it stands now."""

    def deal(self) -> None:
        """The next dealer has dealt."""

    def note(self, event: Event, picture: bytes | None = None) -> int:
        """Number of the event, now in the log.

        :raises BadEvent: it cannot happen here.
        """


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
        self.blind = ""
        self.covered = False
        self.notices: dict[tuple[str, int | None], int | None] = {}  # (code, seat) → event, if any

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
            case "CardGone":
                known = self._known.get(report.card)
                if known and not known.gone:
                    self._going[report.card] = report.at
            case "TrickTaken":
                self._trick_taken(report)
            case "HandInTheWay":
                self.covered = not report.gone
            case "Blind":
                self.blind = report.why
            case "Tick":
                self._settle_gone(report.at)
            case other:
                raise TypeError(f"{other} is no report of the camera: {report!r}")

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
                self._read_again(report, known.event, position)
            return
        if report.face_down:
            self._known[report.card] = _Known(event=self._note_covered(report, position), since=report.at)
            return
        if report.label is None and not report.choices:
            return  # nothing was read; vision reports it again once it knows more
        if not position.playing:
            if not self._begins_a_game(report, position):
                self._known[report.card] = _Known(event=None, since=report.at)
                if self._dealt_by_now(report, position):
                    self.notices["stray_card", None] = None
                return
            self._desk.deal()
            position = self._desk.position()
        if not position.open_trick:
            self._leads = (position.order, *position.perhaps_order)
        event = self._note_card(report, position)
        self._known[report.card] = _Known(event=event, since=report.at)
        self.notices.pop(("stray_card", None), None)
        after = self._desk.position()
        if event is not None and not after.open_trick and after.last_trick and self._leads:
            recorded = tuple(lying.seat for lying in after.last_trick)
            order = self._leads[0]
            others = [order[start:] + order[:start] for start in range(len(order))]
            self._seat_again(after.last_trick, self._leads, "so the four cards lie together", [recorded, *others])

    def _lying_already(self, report: Any, position: Position) -> int | None:
        """The event of a card that lay there before the camera (or this program) started anew."""
        tracked = {known.event for known in self._known.values() if not known.gone}
        labels = {report.label} if report.label else {label for label, _ in report.choices}
        for lying in (*position.open_trick, *position.last_trick):
            if lying.event in tracked or lying.card not in labels:
                continue
            if any(known.event == lying.event for known in self._known.values()):
                continue  # this camera has seen it go
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
        self.notices["stray_card", None] = None
        return None

    def _note_covered(self, report: Any, position: Position) -> int | None:
        """A card laid face down where the book allows it (durchgaenge 4b): which it was, the deck says in the end.

        Other backs are those of tricks won, or of a hand put down.
        """
        left = [card for card in position.covers if card in _left(position)]
        if position.due is None or not left:
            return None
        whose = owner((report.x, report.y), position.due, position.waiting, self.centres, position.perhaps_due)
        if whose.seat != position.due:
            return None
        place = [round(report.x), round(report.y)]
        event = {"event": "card", "seat": position.due, "card": left[0], "down": True, "doubt": left, "unseen": True}
        return self._note({**event, "place": place})

    def _read_again(self, report: Any, event: int, position: Position) -> None:
        lying = next((one for one in (*position.open_trick, *position.last_trick) if one.event == event), None)
        if lying is None or lying.settled or report.label is None:
            return
        if report.label != lying.card or lying.doubt:
            why = "seen again" if lying.doubt else f"seen again, {report.label} instead of {lying.card}"
            margin = round(report.margin, 3)
            self._note(
                {"event": "correct", "of": event, "card": report.label, "by": "camera", "why": why, "margin": margin}
            )

    # --- a card went

    def _settle_gone(self, at: float, now: bool = False) -> None:
        """Decide about cards that went alone; ``now``: another card was laid, so the trick was not being lifted."""
        for number in [n for n, went in self._going.items() if now or at - went >= LIFTED_TOGETHER]:
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
            why = "gone at once: no card"
            self._note({"event": "correct", "of": lying.event, "card": None, "by": "camera", "why": why})
        elif lying.event in position.retractable:
            self._note({"event": "retract", "seat": lying.seat, "card": lying.card})
        elif position.open_trick:
            self.notices["card_gone", lying.seat] = lying.event

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
                why = "went with a full trick: no card of its own"
                self._note({"event": "correct", "of": one.event, "card": None, "by": "camera", "why": why})
            return
        if len(position.waiting) > _MOST_MISSED:
            self.notices["card_gone", on_table[-1].seat] = on_table[-1].event
            return
        ways = combinations(position.order, len(position.open_trick))
        self._seat_again(position.open_trick, ways, "a card of this trick was not seen")
        for _ in position.waiting:
            self._note_missed()

    def _seat_again(
        self,
        trick: tuple[Lying, ...],
        orders: Iterable[Sequence[int]],
        why: str,
        against: Sequence[tuple[int, ...]] = (),
    ) -> None:
        """Puts the cards of a trick to the seats in front of which they lie, as far as an order of seats allows.

        Turn order decides card by card while they are laid; seen together, their places say more.
        """
        places = [lying.place for lying in trick if lying.place is not None]
        if len(places) < len(trick) or any(lying.settled for lying in trick):
            return
        seats = best_order(places, orders, self.centres, against)
        changed = {str(lying.event): seat for lying, seat in zip(trick, seats, strict=True) if lying.seat != seat}
        if changed:
            self._note({"event": "correct", "seats": changed, "by": "camera", "why": why})

    def _note_missed(self) -> None:
        """A trick was taken before it was full: the camera missed a card. It is recorded as wholly in doubt.

        People are asked, and once the game is complete the deck says what it was.
        """
        position = self._desk.position()
        if position.due is None:
            return
        covered = [card for card in position.covers if card in _left(position)]  # a back is easily overlooked
        possible = covered or _left(position)
        if not possible:
            return
        seat = position.due
        lying = {card.seat: card.event for card in position.open_trick}
        order = position.order
        before = [lying[other] for other in order[: order.index(seat)] if other in lying]
        behind = [lying[other] for other in order[order.index(seat) :] if other in lying]
        doubt = {"seat": seat, "card": possible[0], "doubt": possible, "unseen": True}
        if covered:
            doubt["down"] = True
        if behind:  # of two equal cards the first may win: it counts where its turn was
            after = max(before) if before else min(lying.values()) - 1
            number = self._note({"event": "correct", "after": after, **doubt, "by": "camera", "why": "not seen"})
        else:
            number = self._note({"event": "card", **doubt})
        self.notices["missed_card", seat] = number

    def _note(self, event: Event) -> int | None:
        """A second thought of the camera. If something that happened since cannot be so then, all stands as it was."""
        try:
            return self._desk.note(event)
        except BadEvent as error:
            log.warning("%s cannot stand: %s", event, error)
            return None


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


def _left(position: Position) -> list[Card]:
    """The cards that no clear sight accounts for yet, those of few Augen first: they change the least if wrong."""
    left = list(position.deck)
    for one in position.seen:
        if not one.open and one.card in left:
            left.remove(one.card)
    worth = {rank: place for place, rank in enumerate("9JQK8 7UOTA")}
    return sorted(dict.fromkeys(left), key=lambda card: (worth[card[1]], card))
