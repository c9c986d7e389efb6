"""One table: its log and everything that is computed from it, with one way in for each who speaks to it.

People's requests, the camera's reports, the director's orders and the passing of time go in; views and new events come
out. There are no threads in here, and time is an argument: ``now`` is in seconds on the machine's monotonic clock.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kiosk.errors import BadEvent, KioskError, Refused
from kiosk.rules.cards import Card
from kiosk.table.clock import BadClock, RoundClock
from kiosk.table.decide import decide
from kiosk.table.doubts import Decoding
from kiosk.table.fold import Round, open_round
from kiosk.table.log import Log, LogError, LogFull
from kiosk.table.missed import end_game
from kiosk.table.observe import DEALING, Observer
from kiosk.table.position import Position, corrections, position, scanned, seen
from kiosk.table.seats import Place
from kiosk.table.show import view
from kiosk.table.view import FilmView, NoticeView, TableView

Event = dict[str, Any]

log = logging.getLogger(__name__)

#: How often the running clock is kept (seconds): what a power cut can take away from it.
KEEP_CLOCK = 10.0

#: How often a full disk is tried again (seconds).
RETRY = 2.0

#: Pictures of cards seen clearly that are remembered: those of the game in play and of the one before.
PICTURES = 100


class Table:
    """A table with one round.

    It opens from its log: a table that is restarted folds its events again and shows what it showed before.

    :param opening: the event ``open``; needed if the log is empty, else the log's own counts.
    :param centres: the middle of each seat's field on the mat in mm, for the camera.
    :param boot: names this run of the machine (``clock.boot_id()``).
    :param wall: milliseconds since the Unix epoch, written into events and used for nothing else.
    :raises KioskError: the log cannot be folded, or there is neither a log nor an opening.
    """

    def __init__(
        self,
        events: Log,
        *,
        now: float,
        opening: Mapping[str, Any] | None = None,
        centres: Mapping[int, Place] | None = None,
        boot: str = "",
        wall: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        dealing: float = DEALING,
    ) -> None:
        self.log = events
        self._wall, self._now = wall, now
        self._listeners: list[Callable[[int, Event], None]] = []
        self._unsaved: list[tuple[Event, bytes | None]] = []
        self._trouble = ""
        self._retry_at = now
        self._position: Position | None = None  # what is computed from the round, until the next event
        self._view: TableView | None = None
        self._films: dict[int, Path] = {}
        self._pictures: dict[int, bytes] = {}  # of cards seen clearly: not in the log, for hardly one is ever asked for
        self._settling = False
        self._impossible: set[tuple[int, Card]] = set()  # what the deck says and the events after it contradict
        self.events: list[Event] = []
        self.round = self._fold(opening)
        self.clock = self._clock(now, boot)
        self._kept_at = now
        self._keep_clock(now)
        self.notices: dict[tuple[str, int | None], int | None] = {}
        self.observer = Observer(self, centres or {}, dealing=dealing)
        self._settle_doubts()

    # --- opening

    def _fold(self, opening: Mapping[str, Any] | None) -> Round:
        stored = [event for _, event in self.log.read()]
        if not stored:
            if opening is None:
                raise KioskError("the log is empty and nothing opens the table; give the event 'open'")
            first = {**opening, "at": self._wall()}
            round = open_round(first)
            self.events = [first]
            self._unsaved.append((first, None))
            self._save(self._now)
            return round
        if opening is not None and any(stored[0].get(key) != opening.get(key) for key in ("rules", "players")):
            log.warning("the log was opened with %s, not with %s; the log counts", stored[0], dict(opening))
        round = open_round(stored[0])
        for number, event in enumerate(stored[1:], start=1):
            try:
                round = round.apply(event)
            except BadEvent as error:
                raise KioskError(
                    f"event {number} of the stored log does not follow from those before: {error}; "
                    "replay the file to see more, or begin another round"
                ) from error
        self.events = stored
        return round

    def _clock(self, now: float, boot: str) -> RoundClock:
        kept = self.log.kept("clock")
        if kept is not None:
            try:
                return self._released(RoundClock.restored(kept, now, boot), now)
            except BadClock as error:
                log.warning("%s", error)
        clock = self._released(RoundClock.new(self.round.minutes, now, boot), now)
        for event in self.events:
            if event["event"] == "rule" and event.get("minutes"):
                clock = clock.extend(event["minutes"], now)
            elif event["event"] == "time_up":
                clock = clock.signalled(now)
        return clock

    def _released(self, clock: RoundClock, now: float) -> RoundClock:
        return clock.release(now) if self.round.released else clock

    # --- going in

    def request(self, request: Mapping[str, Any], now: float | None = None) -> list[int]:
        """Numbers of the events that a person's request made; none if it was the same touch twice.

        The first word or card of a new game deals it: nobody has to tell the table. ``finish`` says that the game in
        play was played out: what the camera has missed of it is noted as wholly in doubt.

        :raises Refused: it is not allowed now.
        """
        self._at(now)
        if self._stands(request):
            return []
        if request.get("event") == "finish":
            return self._finish()
        first = []
        round = self.round
        if request.get("event") in ("call", "declare", "card") and self._may_deal():
            deal = decide(round, self._deal_event())
            round = round.apply(deal)
            first = [deal]
        event = decide(round, dict(request))
        return [self.note(one) for one in (*first, event)]

    def _finish(self) -> list[int]:
        before = len(self.events)
        if self.round.game is not None and self.round.game.objection is not None:
            raise Refused("resting", "", "play rests until the ruling")
        end_game(self)
        return list(range(before, len(self.events)))

    def _stands(self, request: Mapping[str, Any]) -> bool:
        """Whether this has just been said by the same player, and stands."""
        game, seat = self.round.game, request.get("seat", 0)
        match request.get("event"):
            case "call":
                return self.round.running and game is not None and game.spoken.get(seat) == request.get("call")
            case "bid":
                made = [bid for bid in game.bids if bid.seat == seat] if self.round.running and game else []
                return bool(made) and made[-1].game == request.get("class")
            case "announce":
                said = {(one.seat, one.call, one.side) for one in game.said} if game is not None else set()
                return self.round.running and (seat, request.get("call"), request.get("side")) in said
            case "sign":
                return seat in self.round.signed
            case "release":
                return self.round.released
        return False

    def order(self, order: Mapping[str, Any], now: float | None = None) -> list[int]:
        """Numbers of the events that an order of the director made; one carried out before makes none.

        ``time_up`` leaves a table its own Nachspielzeit (eppstein 7.4.1): the event comes when that is used up.

        :raises Refused: it cannot be carried out here; ``detail`` says why.
        """
        now = self._at(now)
        number = order.get("order_number")
        if number is not None and any(event.get("order_number") == number for event in self.events):
            return []
        kind = order.get("event")
        if kind == "release" and self.round.released:
            return []
        if kind == "time_up":
            return self._time_up_ordered(order, now)
        return [self.note(decide(self.round, dict(order)))]

    def observe(self, report: Any, now: float | None = None) -> list[int]:
        """Numbers of the events that a report of the camera made (``vision.reports``)."""
        self._at(now)
        before = len(self.events)
        self.observer.observe(report)
        return list(range(before, len(self.events)))

    def tick(self, now: float) -> list[int]:
        """Numbers of the events that the passing of time made. To be called a few times a second."""
        self._at(now)
        before = len(self.events)
        if self._unsaved and now >= self._retry_at:
            self._save(now)
        if self.clock.due(now) and not self.round.time_up:
            self._signal_time_up(now)
        if self.clock.running and now - self._kept_at >= KEEP_CLOCK:
            self._keep_clock(now)
        return list(range(before, len(self.events)))

    def view(self, now: float | None = None) -> TableView:
        """What is to be shown."""
        now = self._now if now is None else now
        if self._view is None:
            self._view = view(self.round, pictures=self.picture)
        notices = [NoticeView(code=code, seat=seat, event=event) for (code, seat), event in self.notices.items()]
        if self._trouble:
            notices.append(NoticeView(code=self._trouble))
        return replace(
            self._view,
            clock=self.clock.view(now),
            blind=self.observer.blind,
            covered=self.observer.covered,
            notices=tuple(notices),
            unsaved=len(self._unsaved),
            films=tuple(FilmView(event=number, path=path) for number, path in sorted(self._films.items())),
        )

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
            self._position = position(self.round.game, self.round.book.deck, self._may_deal(), self.events)
        return self._position

    def deal(self) -> None:
        """The next dealer has dealt."""
        self.note(self._deal_event())

    def note(self, event: Event, picture: bytes | None = None) -> int:
        """Number of an event, which counts from now on.

        It is on disk; where the disk is full it waits and is tried again, and the table goes on with what it has.

        :raises BadEvent: it cannot happen here; nothing has changed.
        """
        stamped = {**event, "at": self._wall()}
        round = self.round.apply(stamped)
        number = len(self.events)
        doubtful = bool(stamped.get("doubt"))
        self._unsaved.append((stamped, picture if doubtful else None))
        if picture is not None and not doubtful:
            self._pictures[number] = picture
            if len(self._pictures) > PICTURES:
                del self._pictures[min(self._pictures)]
        self._save(self._now)
        self.round, self._position, self._view = round, None, None
        self.events.append(stamped)
        self._clock_follows(stamped)
        self._forget_notices(stamped)
        for listener in self._listeners:
            listener(number, stamped)
        self._settle_doubts(all_games=stamped["event"] == "correct")
        return number

    def _save(self, now: float) -> None:
        """Bring the events that wait onto the disk, in order."""
        while self._unsaved:
            event, picture = self._unsaved[0]
            try:
                stored = self.log.append(event)
                self._trouble = ""
            except LogError as error:
                if not self._trouble:
                    log.error("%s", error)
                self._trouble = "disk_full" if isinstance(error, LogFull) else "log_failed"
                self._retry_at = now + RETRY
                return
            del self._unsaved[0]
            if picture is not None:
                try:
                    self.log.keep_picture(stored, picture)
                except LogError as error:
                    log.warning("the picture of event %d is not kept: %s", stored, error)

    # --- what follows from an event

    def _clock_follows(self, event: Event) -> None:
        now = self._now
        match event["event"]:
            case "release":
                self.clock = self.clock.release(now)
            case "rule" if event.get("minutes"):
                self.clock = self.clock.extend(float(event["minutes"]), now)
            case "time_up":
                self.clock = self.clock.signalled(now)
            case _:
                return
        self._keep_clock(now)

    def _keep_clock(self, now: float) -> None:
        self._kept_at = now
        self._keep("clock", self.clock.kept(now))

    def _keep(self, key: str, value: str) -> None:
        try:
            self.log.keep(key, value)
        except LogError as error:
            log.warning("%s is not kept: %s", key, error)

    def _forget_notices(self, event: Event) -> None:
        """A notice goes when what it is about has been put right, or with the game."""
        match event["event"]:
            case "deal" | "void":
                self.notices.clear()
            case "retract":
                self.notices.pop(("card_gone", event["seat"]), None)
            case "correct":
                of = event.get("of")
                for key in [key for key, number in self.notices.items() if number is not None and number == of]:
                    del self.notices[key]

    def _settle_doubts(self, all_games: bool = True) -> None:
        """What the deck's composition says about open cards becomes events.

        It may come to know better as long as cards of the game come in or are corrected.
        """
        if self._settling:
            return
        self._settling = True
        try:
            current = self.round.game
            for game in (*self.round.games, *([current] if self.round.running and current else [])):
                again = (all_games or game is current) and any(
                    event.get("doubt") for event in self.events[game.dealt : game.last_event + 1]
                )
                if not game.doubts and not again:
                    continue
                spoken = corrections(self.events)
                cards = seen(game, self.events, spoken)
                complete = game.ended == "cards"
                now_read = {one.event: one.card for one in cards}
                still_open = {one.event for one in cards if one.open and spoken.get(one.event) is None}
                decoding = Decoding(cards, self.round.book.deck, complete, scanned(game, self.events))
                for number, card in decoding.settled().items():
                    if (number, card) not in self._impossible and (number in still_open or now_read[number] != card):
                        why = "the deck leaves no other card" if complete else "no other of its choices is left"
                        self._settle_one(number, card, why)
        finally:
            self._settling = False

    def _settle_one(self, number: int, card: Card, why: str) -> None:
        try:
            self.note({"event": "correct", "of": number, "card": card, "by": "composition", "why": why})
        except BadEvent as error:
            # Something later, a claim say, could not have happened so: people are asked.
            log.warning("the deck's answer cannot stand: %s", error)
            self._impossible.add((number, card))

    # --- dealing and time

    def _may_deal(self) -> bool:
        round = self.round
        resting = round.game is not None and round.game.objection is not None
        return round.released and not (round.running or round.over or round.closed or resting)

    def _deal_event(self) -> Event:
        return {"event": "deal", "dealer": self.round.next_dealer}

    def _time_up_ordered(self, order: Mapping[str, Any], now: float) -> list[int]:
        if self.round.time_up:
            return []
        self.clock = self.clock.end_official(now)
        if "order_number" in order:
            self._keep("time_up_order", str(order["order_number"]))
        self._keep_clock(now)
        if self.clock.left(now) > 0:
            return []
        return [self._signal_time_up(now)]

    def _signal_time_up(self, now: float) -> int:
        ordered = self.log.kept("time_up_order")
        self._keep("time_up_order", "")
        return self.note({"event": "time_up", **({"order_number": int(ordered)} if ordered else {})})

    # --- small things

    def picture(self, number: int) -> bytes | None:
        """JPEG of the card of an event as the camera saw it, as far as it is known still."""
        if number in self._pictures:
            return self._pictures[number]
        waiting = number - (len(self.events) - len(self._unsaved))
        if waiting >= 0:
            return self._unsaved[waiting][1]
        try:
            return self.log.picture(number)
        except LogError:
            return None

    def _at(self, now: float | None) -> float:
        if now is not None:
            self._now = now
        return self._now
