"""Turn the camera's reports into events: seat, reading, corrections by a second reading, missed cards.

The camera is never refused: what it saw is recorded as it was, legal or not. What it did not see, or saw in doubt, is
recorded as a doubt that people or the deck's composition settle. Of the vision package the table knows the reports
alone (``vision.messages``).
"""

from collections.abc import Mapping, Sequence
from math import hypot

from kiosk.table.inference.position import Position
from kiosk.table.inference.seats import Place
from kiosk.table.observe.desk import Desk, remove_card, seat_again
from kiosk.table.observe.gone import GoneCards, NumberedCard
from kiosk.table.observe.limits import LIMITS
from kiosk.table.observe.missed import is_another_game, nearly_over, play_out
from kiosk.table.observe.noting import note_card, note_covered, read_again
from vision.messages import Blind, CardGone, CardLaid, HandInTheWay, Report, Tick, TrickTaken


class Observer:
    """Map from vision's card numbers to events, and its upkeep.

    :param centres: the middle of each seat's field on the mat, in mm.
    """

    def __init__(self, desk: Desk, centres: Mapping[int, Place], *, dealing: float = LIMITS.dealing_s) -> None:
        self._desk, self._dealing = desk, dealing
        self.centres = dict(centres)
        self._known: dict[int, NumberedCard] = {}
        self._gone = GoneCards(desk, self.centres, self._known)
        self._leads: tuple[tuple[int, ...], ...] = ()  # orders of seats that the open trick may have been laid in
        self._idle_since: float | None = None  # no game was in play from this report on
        self._stirred = 0.0  # a card was laid or went
        self._after_pause: list[CardLaid] | None = None  # reports of a trick that may be another game's
        self.blind = ""
        self.covered = False

    def observe(self, report: Report) -> None:
        """Process one report of ``vision.messages``."""
        position = self._desk.position()
        if position.playing:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = report.at
        match report:
            case CardLaid():
                self._gone.settle(report.at, now=True)
                self._card_laid(report)
                self._stirred = report.at
            case CardGone():
                self._gone.went(report)
                self._stirred = report.at
            case TrickTaken():
                self._gone.trick_taken(report)
                self._stirred = report.at
            case HandInTheWay():
                self.covered = not report.gone
            case Blind():
                self.blind = report.why
            case Tick():
                self._gone.settle(report.at)
                self._wonder(report.at)
            case other:
                raise TypeError(f"{type(other).__name__} is no report of the camera: {other!r}")

    def _wonder(self, at: float) -> None:
        """Ask whether the game is over if one of its last tricks is not begun for long: perhaps it was not seen."""
        position = self._desk.position()
        if not (position.playing and nearly_over(position) and not position.open_trick):
            self._desk.notices.pop(("cards_lacking", None), None)
        elif at - self._stirred >= self._dealing:
            self._desk.notices["cards_lacking", None] = None

    # --- a card was laid

    def _card_laid(self, report: CardLaid) -> None:
        position = self._desk.position()
        known = self._numbered(report, position)
        if known is not None:
            self._seen_again(report, known, position)
        elif report.face_down:
            event = note_covered(self._desk, self.centres, report, position)
            self._known[report.card] = NumberedCard(event=event, since=report.at)
        elif report.label is not None or report.choices:  # else vision reports it again once it knows more
            self._new_card(report)

    def _numbered(self, report: CardLaid, position: Position) -> NumberedCard | None:
        """The card of this number, or one that lay there already under another; None if it was laid now."""
        known = self._known.get(report.card)
        if known is not None and known.gone and known.event is not None and not _lies(known.event, position):
            known = None  # taken back, and laid once more
        if known is None and not report.face_down:
            event = self._lying_already(report, position)
            if event is not None:
                known = self._known[report.card] = NumberedCard(event=event, since=report.at)
        return known

    def _seen_again(self, report: CardLaid, known: NumberedCard, position: Position) -> None:
        self._gone.back(report.card)
        known.gone = False
        if known.event is not None:
            self._lies_there_again(known.event, position)
            read_again(self._desk, report, known.event, position)

    def _new_card(self, report: CardLaid) -> None:
        """Note a card that was laid now, in the game in play or the next one."""
        if self._gone.lead is not None:
            self._gone.lead_went_for(report, self._desk.position())
            if not self._desk.position().playing:  # it was the last trick's
                self._idle_since = self._stirred
        if not self._desk.position().playing and not self._deal_for(report):
            return
        position = self._desk.position()
        if not position.open_trick:
            self._leads = (position.order, *position.perhaps_order)
            paused = position.seen and report.at - self._stirred >= self._dealing
            self._after_pause = [] if paused else None
        event = note_card(self._desk, self.centres, report, position)
        self._known[report.card] = NumberedCard(event=event, since=report.at)
        self._desk.notices.pop(("stray_card", None), None)
        if not self._was_another_games(report) and event is not None:
            self._seat_full_trick()

    def _deal_for(self, report: CardLaid) -> bool:
        """Whether a card that was laid between the games begins the next one, which is dealt then."""
        position = self._desk.position()
        if self._begins_a_game(report, position):
            self._desk.deal()
            return True
        self._known[report.card] = NumberedCard(event=None, since=report.at)
        if self._dealt_by_now(report, position):
            self._desk.notices["stray_card", None] = None
        return False

    def _was_another_games(self, report: CardLaid) -> bool:
        """Whether the trick begun after a pause turned out to be the next game's, and was noted there."""
        if self._after_pause is None:
            return False
        self._after_pause.append(report)
        events = {self._known[one.card].event for one in self._after_pause}
        if not is_another_game(self._desk.position(), events):
            return False
        self._begin_another_game(self._after_pause)
        self._after_pause = None
        return True

    def _seat_full_trick(self) -> None:
        """Put the cards of a trick that is just full to the seats in front of which they lie together."""
        after = self._desk.position()
        if after.open_trick or not after.last_trick or not self._leads:
            return
        recorded = tuple(lying.seat for lying in after.last_trick)
        order = self._leads[0]
        others = [order[start:] + order[:start] for start in range(len(order))]
        why = "so the four cards lie together"
        seat_again(self._desk, self.centres, after.last_trick, self._leads, why, [recorded, *others])

    def _begin_another_game(self, reports: Sequence[CardLaid]) -> None:
        """The game before lacks tricks that the camera did not see, which are in doubt; these cards are the next's."""
        for report in reversed(reports):
            remove_card(self._desk, self._known[report.card].event, "of the next game")
        if not play_out(self._desk) or not self._desk.position().may_deal:
            return
        self._desk.deal()
        for report in reports:
            self._known[report.card].event = note_card(self._desk, self.centres, report, self._desk.position())

    def _lying_already(self, report: CardLaid, position: Position) -> int | None:
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
            elif hypot(lying.place[0] - report.x, lying.place[1] - report.y) <= LIMITS.same_place_mm:
                return lying.event
        return None

    def _begins_a_game(self, report: CardLaid, position: Position) -> bool:
        strays = any(known.event is None and not known.gone for known in self._known.values())
        return not strays and self._dealt_by_now(report, position)

    def _dealt_by_now(self, report: CardLaid, position: Position) -> bool:
        """Whether a new game may have been dealt since the last one ended."""
        return position.may_deal and self._idle_since is not None and report.at - self._idle_since >= self._dealing

    def _lies_there_again(self, event: int, position: Position) -> None:
        if self._gone.lead == event:
            self._gone.lead = None
        for lying in position.open_trick:
            if lying.event == event:
                self._desk.notices.pop(("card_gone", lying.seat), None)


def _lies(event: int, position: Position) -> bool:
    return any(lying.event == event for lying in (*position.open_trick, *position.last_trick))
