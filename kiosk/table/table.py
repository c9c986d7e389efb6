"""One table: its log and everything that is computed from it, with one way in for each who speaks to it.

People's requests, the camera's reports, the director's orders and the passing of time go in; views and new events come
out. There are no threads in here, and time is an argument: ``now`` is in seconds on the machine's monotonic clock.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path

from kiosk.errors import KioskError, Refused
from kiosk.rules.engine.announcements import KLOPFEN
from kiosk.rules.engine.values import MISREAD
from kiosk.table.consent import by_direction, check_consent, needing_all
from kiosk.table.decide import decide, stands
from kiosk.table.events.log import Log
from kiosk.table.events.values import (
    AnswerForRest,
    AskingAnswered,
    BidMade,
    BreakEnded,
    CallAnnounced,
    CardCorrected,
    CardPlayed,
    CardRetracted,
    CardsReseated,
    DealVoided,
    Event,
    FinishGame,
    GameClaimed,
    GameDealt,
    GameDeclared,
    ListHandedIn,
    PlayingTimeEnded,
    Request,
    RoundOpened,
    RoundReleased,
    TableRequest,
    signing_anew,
    stamped,
)
from kiosk.table.inference.position import Position, position
from kiosk.table.inference.seats import Place
from kiosk.table.mending import keep_notes, kept_notes
from kiosk.table.observe.limits import LIMITS
from kiosk.table.observe.missed import end_game
from kiosk.table.observe.observer import Observer
from kiosk.table.observe.unclear import leads_after
from kiosk.table.playing_time import CLOCK_KEY, PlayingTime
from kiosk.table.preview import Preview, preview
from kiosk.table.restoring import restored_clock, restored_round
from kiosk.table.round.fold import Round, open_round
from kiosk.table.round.implied import answers_before, answers_by_card, rest_answers
from kiosk.table.scoresheet.berichtigung import ListNote, counted
from kiosk.table.scoresheet.rows import says_otherwise
from kiosk.table.scoresheet.spielliste import played_out
from kiosk.table.settling import DoubtSettler
from kiosk.table.standing_claim import StandingClaim, keep_claim, kept_claim
from kiosk.table.view.accusations import Accusations
from kiosk.table.view.show import view
from kiosk.table.view.table_view import FilmView, NoticeView, OffenceView, TableView
from kiosk.table.writer import EventWriter
from vision.messages import HandRead, Report

log = logging.getLogger(__name__)

#: Whoever deals, speaks or lays goes on: nobody need remember to end a break.
_ENDS_A_BREAK = (GameDealt, AskingAnswered, BidMade, GameDeclared, CallAnnounced, CardPlayed, ListHandedIn)


def _after_the_deal(event: object) -> bool:
    """Whether it can only come after the deal, so that this was done though nobody has touched its key."""
    knocks = isinstance(event, CallAnnounced) and event.call == KLOPFEN
    return knocks or isinstance(event, AskingAnswered | GameDeclared | CardPlayed)


class Table:
    """A table with one round.

    It opens from its log: a table that is restarted folds its events again and shows what it showed before.

    :param opening: the event ``open``; needed if the log is empty, else the log's own counts.
    :param centres: the middle of each seat's field on the mat in mm, for the camera.
    :param directed: somebody directs this table: a list that was handed in is his.
    :param boot: names this run of the machine (``clock.boot_id()``).
    :param wall: milliseconds since the Unix epoch, written into events and used for nothing else.
    :raises KioskError: the log cannot be folded, or there is neither a log nor an opening.
    """

    def __init__(
        self,
        events: Log,
        *,
        now: float,
        opening: RoundOpened | None = None,
        centres: Mapping[int, Place] | None = None,
        boot: str = "",
        wall: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        dealing: float = LIMITS.dealing_s,
        directed: bool = True,
    ) -> None:
        self.log = events
        self._wall, self._now, self._directed = wall, now, directed
        self._listeners: list[Callable[[int, Event], None]] = []
        self._writer = EventWriter(events, now)
        self._position: Position | None = None  # what is computed from the round, until the next event
        self._view: TableView | None = None
        self._accusations, self._seen_at = Accusations(), -inf  # and when the camera's last event was noted, s
        self._films: dict[int, Path] = {}
        self.notes = kept_notes(events)  # the direction's, on this list
        self._settler = DoubtSettler(self)
        self.events: list[Event] = []
        self.round = self._open(opening)
        clock = restored_clock(events.kept(CLOCK_KEY), self.round, now, boot)
        self._playing_time = PlayingTime(clock, events, self._writer, now)
        self.notices: dict[tuple[str, int | None], int | None] = {}
        self.observer = Observer(self, centres or {}, dealing=dealing)
        self._settler.settle()
        #: A rest that was claimed when the program ended, and is not settled.
        self.claim_left = kept_claim(events, self.round)
        if self.claim_left is not None:
            self.observer.show_hand(True)

    # --- opening

    def _open(self, opening: RoundOpened | None) -> Round:
        stored = [body for _, body in self.log.read()]
        if stored:
            self.events, round = restored_round(stored, opening)
            return round
        if opening is None:
            raise KioskError("the log is empty and nothing opens the table; give the event 'open'")
        first = stamped(opening, self._wall())
        round = open_round(first)
        self.events = [first]
        self._writer.add(0, first, None, self._now)
        return round

    # --- going in

    def request(self, request: TableRequest, now: float | None = None) -> list[int]:
        """Numbers of the events that a person's request made; none if it was the same touch twice.

        The first word or card of a new game deals it: nobody has to tell the table. What a word implies of others is
        noted before it. ``finish`` says that the game in play was played out: what the camera has missed of it is noted
        as wholly in doubt.

        :raises Refused: it is not allowed now, or not by who asks for it (``kiosk.table.consent``).
        """
        self._at(now)
        if isinstance(request, Request) and isinstance(request.event, GameClaimed) and request.event.kind == "rest":
            self.observer.show_hand(True)  # before it was said cards may have been laid open
            try:
                return self._requested(request)
            finally:
                self.observer.show_hand(False)
        return self._requested(request)

    def _requested(self, request: TableRequest) -> list[int]:
        self.observer.flush()
        if isinstance(request, Request) and stands(self.round, request.event):
            return []
        check_consent(self.round, request)
        if isinstance(request, Request) and isinstance(request.event, GameDealt) and self._played_out():
            raise Refused("round_over", "", "with the games that the direction has added all are played")
        if isinstance(request, FinishGame):
            return self._finish()
        if isinstance(request, AnswerForRest):
            return self._answer_for_rest()
        first: list[Event] = []
        round = self.round
        if _after_the_deal(request.event) and self._may_deal():
            deal = decide(round, Request(event=self._deal_event()))
            round = round.apply(deal)
            first = [deal]
        for answer in () if request.anyway else answers_before(round, request.event):
            first.append(decide(round, Request(event=answer)))
            round = round.apply(answer)
        event = decide(round, request, self._directed)
        return [self.note(one) for one in (*first, event)]

    def _answer_for_rest(self) -> list[int]:
        answers = rest_answers(self.round)
        if not answers:
            raise Refused("not_now", "", "nobody is being asked")
        return [self.note(decide(self.round, Request(event=one))) for one in answers]

    def _finish(self) -> list[int]:
        before = len(self.events)
        if self.round.game is not None and self.round.game.objection is not None:
            raise Refused("resting", "", "play rests until the ruling")
        end_game(self)
        return list(range(before, len(self.events)))

    def order(self, order: TableRequest, now: float | None = None) -> list[int]:
        """Numbers of the events that an order of the director made; one carried out before makes none.

        ``time_up`` leaves a table its own Nachspielzeit (eppstein 7.4.1): the event comes when that is used up.

        :raises Refused: it cannot be carried out here; ``detail`` says why.
        """
        now = self._at(now)
        if isinstance(order, FinishGame | AnswerForRest):
            raise Refused("bad_request", "", "only the people at the table know what was said and that a game is over")
        number = order.event.order_number
        if number is not None and any(event.order_number == number for event in self.events):
            return []
        if isinstance(order.event, RoundReleased) and self.round.released:
            return []
        if isinstance(order.event, PlayingTimeEnded):
            if self.round.time_up or not self._playing_time.end_by_order(number, now):
                return []
            return [self.note(self._playing_time.end())]
        order = by_direction(order)
        check_consent(self.round, order)
        return [self.note(decide(self.round, order))]

    def preview(self, request: Request) -> Preview:
        """What a request would change in the list; nothing is noted."""
        return preview(self.round, request, self._directed)

    def observe(self, report: Report, now: float | None = None) -> list[int]:
        """Numbers of the events that a report of the camera made (``vision.messages``)."""
        self._at(now)
        before = len(self.events)
        self.observer.observe(report)
        if len(self.events) > before:
            self._seen_at = self._now
        return list(range(before, len(self.events)))

    def show_hand(self, shown: bool, now: float | None = None, claim: StandingClaim | None = None) -> list[int]:
        """Numbers of the events that it made that somebody lays his hand open, or no longer: he claims the rest.

        No card is laid meanwhile; what the camera has taken for laid of that hand is taken back.

        :param claim: what he claims, to be kept over a restart.
        """
        keep_claim(self._writer, claim if shown else None, self.round)
        self.claim_left = None
        self._at(now)
        before = len(self.events)
        self.observer.show_hand(shown)
        return list(range(before, len(self.events)))

    def hand_read(self, read: HandRead, seat: int, now: float | None = None) -> list[int]:
        """Numbers of the events that a reading of the hand of this seat made, which claims the rest."""
        self._at(now)
        before = len(self.events)
        self.observer.hand_read(read, seat)
        return list(range(before, len(self.events)))

    def tick(self, now: float) -> list[int]:
        """Numbers of the events that the passing of time made. To be called a few times a second."""
        self._at(now)
        before = len(self.events)
        self._writer.retry(now)
        if self._playing_time.due(now) and not self.round.time_up:
            self.note(self._playing_time.end())
        self._playing_time.tick(now)
        return list(range(before, len(self.events)))

    def view(self, now: float | None = None) -> TableView:
        """What is to be shown."""
        now = self._now if now is None else now
        if self._view is None:
            self._view = view(
                self.round, pictures=self.picture, directed=self._directed, listed=counted(self.round, self.notes)
            )
        notices = [NoticeView(code=code, seat=seat, event=event) for (code, seat), event in self.notices.items()]
        if self._writer.trouble:
            notices.append(NoticeView(code=self._writer.trouble + ("" if self._directed else "_alone")))
        return replace(
            self._view,
            needs_all=needing_all(self.round),
            clock=self._playing_time.view(now),
            blind=self.observer.blind,
            covered=self.observer.covered,
            notices=tuple(notices),
            offences=self._accusations.shown(self._clear_offences(self._view), now, self._seen_at),
            unsaved=self.unsaved,
            films=tuple(FilmView(event=number, path=path) for number, path in sorted(self._films.items())),
        )

    def _clear_offences(self, shown: TableView) -> tuple[OffenceView, ...]:
        """The breaches but for those that rest on a card which may be none that was laid, or is one too many."""
        if not shown.offences:
            return ()
        unclear = self.observer.unclear | {one.event for one in shown.offences if one.code == MISREAD}
        if self.round.game is not None and self.round.perhaps:
            unclear |= leads_after(self.round.game, {event for one in self.round.perhaps for event in one})
        return tuple(one for one in shown.offences if one.code == MISREAD or not {one.event, one.proved} & unclear)

    def put_right(self, notes: Sequence[ListNote]) -> None:
        """Take what the direction has noted of this list: it counts from now on, and the events stay as they are."""
        self.notes, self._view, self._position = tuple(notes), None, None
        keep_notes(self.log, notes)

    @property
    def handed_in(self) -> bool:
        """Whether the list is handed in: here, or at the direction, which went on with it on paper."""
        return self.round.closed or (bool(self.notes) and counted(self.round, self.notes).closed)

    def keep_film(self, number: int, path: Path) -> None:
        """There is a film of the mat with this event."""
        self._films[number] = path

    def listen(self, listener: Callable[[int, Event], None]) -> None:
        """``listener(number, event)`` is called for every new event, in order, once it counts."""
        self._listeners.append(listener)

    # --- the observer's desk

    def position(self) -> Position:
        """The round as it stands, for the observer."""
        if self._position is None:
            self._position = position(
                self.round.game, self.round.book.deck, self._may_deal(), self.events, self.round.perhaps
            )
        return self._position

    @property
    def unsaved(self) -> int:
        """How many events the disk has not taken yet."""
        return self._writer.waiting

    def deal(self) -> None:
        """The next dealer has dealt."""
        self.note(self._deal_event())

    def note(self, event: Event, picture: bytes | None = None) -> int:
        """Number of an event, which counts from now on.

        It is on disk; where the disk is full it waits and is tried again, and the table goes on with what it has.

        :raises BadEvent: it cannot happen here; nothing has changed.
        """
        implied = self._implied(event)
        if implied:
            round = self.round
            for one in (*implied, event):
                round = round.apply(one)  # all of them, or none
        for one in implied:
            self._note(one)
        return self._note(event, picture)

    def _implied(self, event: Event) -> list[Event]:
        """What nobody has to say because of an event that says it."""
        ends = self.round.paused and isinstance(event, _ENDS_A_BREAK)
        return [*([BreakEnded()] if ends else []), *answers_by_card(self.round, event)]

    def _note(self, event: Event, picture: bytes | None = None) -> int:
        event = stamped(event, self._wall())
        before, round = self.round, self.round.apply(event)
        if self._changes_signed(before, round):
            event = signing_anew(event)
            round = before.apply(event)
        number = len(self.events)
        kept = self._playing_time.follow(event, before, round, self._now)
        self._writer.add(number, event, picture, self._now, kept)
        self.round, self._position, self._view = round, None, None
        self.events.append(event)
        if before.running and not round.running:
            self._writer.settle()
        self._forget_notices(event)
        for listener in self._listeners:
            listener(number, event)
        self._settler.settle(all_games=event.name == CardCorrected.name)
        return number

    # --- what follows from an event

    def _changes_signed(self, before: Round, after: Round) -> bool:
        """Whether people have signed a list that says something else from now on.

        What the direction puts right of a list that was handed in is its own, and stands there with its name: for the
        standing its reckoning alone counts (schaffkopf III 2.3).
        """
        theirs = not (before.closed and self._directed)
        return bool(before.signed) and theirs and says_otherwise(before, after)

    def _forget_notices(self, event: Event) -> None:
        """A notice goes when what it is about has been put right, or with the game."""
        match event:
            case GameDealt() | DealVoided():
                self.notices.clear()
            case CardRetracted(seat=seat):
                self.notices.pop(("card_gone", seat), None)
            case CardCorrected() | CardsReseated():
                events = {event.of} if isinstance(event, CardCorrected) else {*event.seats}
                for key in [key for key, number in self.notices.items() if number in events]:
                    del self.notices[key]

    # --- dealing

    def _may_deal(self) -> bool:
        round = self.round
        resting = round.game is not None and round.game.objection is not None
        if not round.released or round.running or round.over or round.closed or resting:
            return False
        return not self._played_out()

    def _played_out(self) -> bool:
        """Whether the direction has added the games that were left: they were played and not written down."""
        return bool(self.notes) and played_out(counted(self.round, self.notes))

    def _deal_event(self) -> Event:
        return GameDealt(dealer=self.round.next_dealer)

    # --- small things

    def renew_picture(self, number: int, picture: bytes) -> None:
        """Show a later picture of a card in doubt from now on."""
        self._writer.renew_picture(number, picture)
        self._view = None

    def picture(self, number: int) -> bytes | None:
        """JPEG of the card of an event as the camera saw it, as far as it is known still."""
        return self._writer.picture(number)

    def _at(self, now: float | None) -> float:
        if now is not None:
            self._now = now
        return self._now
