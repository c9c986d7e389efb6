"""Show a seat's panel: its player, the words spoken, and the keys for what the seat may do now."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.table.events.codec import request_for
from kiosk.table.events.values import CallAnnounced, Request
from kiosk.table.view.table_view import CallView, DutyView, SeatView, TableView, WordView
from kiosk.ui.parts import look
from kiosk.ui.parts.fit import FAR, NEAR, first_fitting, fit_name, width_of
from kiosk.ui.parts.hold import FaceKey
from kiosk.ui.parts.look import dp, kv, plain, sp, two_lines
from kiosk.ui.parts.told import told
from kiosk.ui.play.seat_words import SeatWords, seat_words

#: So many keys stand in a panel at once; further calls are behind the last of them.
MOST_KEYS = 3

#: So long the key stands that takes back what was just said, seconds.
TAKE_BACK_S = 8


@dataclass(frozen=True, slots=True)
class KeyFace:
    """Text and function of one key of a panel; ``act`` names a request, or a sheet to open."""

    text: str
    tone: str
    act: tuple[Any, ...]
    binds: bool = False  # it binds: a press that is held

    @property
    def means(self) -> tuple[object, ...]:
        """What a touch does: how long a call is in time changes nothing of it."""
        kind, *what = self.act
        return kind, *((one.call, one.side) if isinstance(one, CallView) else one for one in what)


class SeatKey(FaceKey):
    """A key in a seat's panel."""


def in_time(app: Any, call: CallView | DutyView, short: bool = False) -> str:
    """Write until when a call is in time, as the book counts; ``short`` for the narrow keys of a panel."""
    number = {0: "_last", 1: "_one"}.get(call.cards_left, "")
    key = "in_time_short" if short else "in_time" if call.counted == "hand" else "in_time_table"
    return str(app.words[key + number]).format(n=call.cards_left)


def announcing(seat: int, call: CallView) -> Request:
    """Make the request for an announcement."""
    if call.side is None:
        return request_for(CallAnnounced, seat=seat, call=call.call)
    return request_for(CallAnnounced, seat=seat, call=call.call, side=call.side)


def answer_faces(app: Any, seat: SeatView, view: TableView) -> list[KeyFace]:
    """Make the keys of the asking: answers open to the seat, bids, and naming its game."""
    faces = []
    binds = bool(view.book.classes)  # what was said cannot be taken back (schaffkopf II 2.2)
    for answer in seat.asks:
        if seat.answer is None:
            tone = "gold" if answer in view.book.wanting else "ivory"
            text = f"[b]{app.say(answer)}[/b]"
        else:
            tone, text = "green", app.words["doch"].format(answer=app.say(answer))
        faces.append(KeyFace(text, tone, ("answer", answer), binds=binds))
    if None in seat.bids:
        faces.append(KeyFace(f"[b]{app.say('no_higher')}[/b]", "ivory", ("bid_none",), binds=True))
    if any(seat.bids):
        faces.append(KeyFace(f"[b]{app.words['bid_key']}[/b]", "gold", ("bid",)))
    if seat.games:
        kinds = {str(game["game"]) for game in seat.games}
        name = app.words["name_game"] if len(kinds) > 1 or seat.turn else app.say(kinds.pop())
        if any(game.get("ahead") for game in seat.games):  # says that it plays, and what, in one go
            name = app.words["i_play"]
        faces.append(
            KeyFace(f"[b]{name}[/b]", "gold" if seat.turn or view.phase != "asking" else "green", ("declare",))
        )
    return faces


def call_faces(app: Any, seat: SeatView, room: int) -> list[KeyFace]:
    """Make the keys of announcements: Re, Kontra and the next bid; the others are behind the last key."""
    say = app.say
    calls = sorted(seat.calls, key=lambda call: call.call not in ("re", "kontra"))
    shown = [call for call in calls if call.call in ("re", "kontra")][:room]
    words = [call.call for call in calls]
    if not shown and len(words) == len(set(words)):  # a word for either side needs the sheet, where sides are named
        shown = calls[: max(0, room - (len(calls) > 1))]
    faces = []
    for call in shown:
        tone = {"re": "ivory", "kontra": "blue"}.get(call.call, "green")
        faces.append(
            KeyFace(two_lines(say(call.call), in_time(app, call, short=True)), tone, ("announce", call), binds=True)
        )
    bids = [call for call in calls if call not in shown]
    if bids and room > len(shown):
        until = in_time(app, max(bids, key=lambda call: call.cards_left), short=True)
        faces.append(KeyFace(two_lines(app.words["other_calls"], until), "green", ("calls",)))
    return faces


def own_word(seat: SeatView, view: TableView) -> WordView | None:
    """Find the last word that the seat may take back by itself now."""
    return next((one for one in reversed(view.spoken) if one.alone == seat.seat), None)


def key_faces(app: Any, seat: SeatView, view: TableView, word: WordView | None = None) -> tuple[KeyFace, ...]:
    """Make the keys that a seat has now, at most ``MOST_KEYS``.

    While a game is played announcements come first; a correction of the asking that finds no room is under *More*.

    :param word: what it has just said and may take back.
    """
    back = []
    if word is not None and word.word is not None:
        back = [KeyFace(two_lines(app.words["take_back"], told(app, word.word)), "dark", ("take_back", word.event))]
    room = MOST_KEYS - len(back)
    if view.phase != "playing":
        calls = call_faces(app, seat, room) if view.phase == "scored" else []
        return (*[*answer_faces(app, seat, view), *calls][:room], *back)
    alone = seat.claims and not any(other.claims for other in view.seats if other is not seat)
    claims = [KeyFace(app.words["claim"], "green", ("claim",))] if alone else []
    calls = call_faces(app, seat, room - len(claims))
    if calls:
        seat = replace(seat, asks=())  # a correction of the asking is under *More*
    return (*[*calls, *claims, *answer_faces(app, seat, view)][:room], *back)


class SeatPanel(BoxLayout):
    """One seat at its side of the table."""

    seat = NumericProperty(0)
    name = StringProperty("")
    info = StringProperty("")
    said = StringProperty("")
    total = StringProperty("")
    dealer = BooleanProperty(False)
    away = BooleanProperty(False)
    turn = BooleanProperty(False)
    breach = BooleanProperty(False)
    owes = BooleanProperty(False)  # the info says what is owed
    busy = BooleanProperty(False)  # there are keys
    tall = BooleanProperty(True)  # room for keys, where the panel is a row
    side = StringProperty("")
    shape = OptionProperty("row", options=("row", "column"))
    act: Callable[..., None] | None = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._keys = [SeatKey() for _ in range(MOST_KEYS)]
        self._faces: tuple[KeyFace, ...] | None = None
        self._words: SeatWords | None = None
        self._drawn: tuple[Any, SeatView, TableView] | None = None
        self._just_said: int | None = None  # event of the word that it may take back
        self._too_late = False  # the key for that has stood long enough
        self._forgetting = Clock.create_trigger(self._forget_word, TAKE_BACK_S)
        self.bind(width=self._write, shape=self._write)

    def show(self, app: Any, seat: SeatView, view: TableView) -> None:
        """Draw the seat; only what changed is redrawn."""
        self.seat = seat.seat
        self.dealer, self.away = seat.dealer or view.next_dealer == seat.seat, seat.sits_out
        finding = view.phase in ("asking", "bidding", "declaring")
        self.turn = seat.turn and not seat.sits_out and (finding or view.phase == "playing")
        self.breach = any(one.seat == seat.seat and one.claimants for one in view.offences)
        self.side = seat.side or ""
        self._words = seat_words(app, seat, view)
        self._write()
        self._drawn = app, seat, view
        self._draw_keys()

    def _draw_keys(self) -> None:
        """Draw the keys; the one that takes a word back stands for some seconds."""
        if self._drawn is None:
            return
        app, seat, view = self._drawn
        word = own_word(seat, view)
        said = None if word is None or word.word is None else word.event
        if said != self._just_said:
            self._just_said, self._too_late = said, False
            self._forgetting.cancel()
            if said is not None:
                self._forgetting()
        self._lay_keys(key_faces(app, seat, view, None if self._too_late else word) if not seat.sits_out else ())

    def _forget_word(self, _: float) -> None:
        self._too_late = True
        self._draw_keys()

    def _write(self, *_: object) -> None:
        """Write what is known of the seat as it fits."""
        words = self._words
        if words is None:
            return
        room = self.width - 2 * dp(8)
        far, near = sp(FAR), sp(NEAR)
        self.total = words.total
        marks = dp(34) * (self.dealer + (self.turn or self.breach)) + width_of(words.total, far) + dp(8)
        if self.shape == "row":
            self.name = plain(fit_name(words.name, room - marks, far))
            self.said = first_fitting(words.said, room, far, True)
            room -= width_of(self.said, far, True) + dp(8)
        else:
            self.name = plain(fit_name(words.name, room, far))
            self.said = first_fitting(("\n".join(said.split(" · ")) for said in words.said), room, far, True)
            room -= marks
        self.owes = words.owes
        self.info = first_fitting((*words.info, ""), room, near)

    def _lay_keys(self, faces: tuple[KeyFace, ...]) -> None:
        if faces == self._faces:
            return
        self._faces = faces
        self.busy = bool(faces)
        box = self.ids.key_box
        for key, face in zip(self._keys, faces, strict=False):
            key.meaning = face.means
            key.binds, key.calm_tone, key.calm_text = face.binds, face.tone, face.text
            key.go = self._going(face)
        wanted = self._keys[: len(faces)]
        if [key for key in self._keys if key.parent] != wanted:
            box.clear_widgets()
            for key in wanted:
                box.add_widget(key)

    def _going(self, face: KeyFace) -> Callable[[], None]:
        def go() -> None:
            if self.act is not None:
                self.act(self.seat, face)

        return go


kv(__file__)
assert look  # the layout names its colours
