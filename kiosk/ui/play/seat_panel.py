"""Show a seat's panel: its player, the words spoken, and the keys for what the seat may do now."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.table.events.codec import request_for
from kiosk.table.events.values import CallAnnounced, Request
from kiosk.table.view.book_view import BookView
from kiosk.table.view.table_view import CallView, DutyView, SeatView, TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.look import ArmedKey, kv, plain, two_lines

#: So many keys stand in a panel at once; further calls are behind the last of them.
MOST_KEYS = 3


@dataclass(frozen=True, slots=True)
class KeyFace:
    """Text and function of one key of a panel; ``act`` names a request, or a sheet to open."""

    text: str
    tone: str
    act: tuple[Any, ...]
    arm: bool = False  # wants a second touch


class SeatKey(ArmedKey):
    """A key in a seat's panel; keys that need no second touch act at once."""

    arm = BooleanProperty(False)
    face: KeyFace | None = None

    def on_release(self) -> None:
        if self.arm:
            super().on_release()
        elif self.go is not None:
            self.go()


def in_time(app: Any, call: CallView | DutyView, short: bool = False) -> str:
    """Write until when a call is in time, as the book counts; ``short`` for the narrow keys of a panel."""
    number = {0: "_last", 1: "_one"}.get(call.cards_left, "")
    key = "in_time" if call.counted == "hand" else "in_time_short" if short else "in_time_table"
    return str(app.words[key + number]).format(n=call.cards_left)


def announcing(seat: int, call: CallView) -> Request:
    """Make the request for an announcement."""
    if call.side is None:
        return request_for(CallAnnounced, seat=seat, call=call.call)
    return request_for(CallAnnounced, seat=seat, call=call.call, side=call.side)


def side_word(app: Any, side: str, book: BookView) -> str:
    """Name a side: by its announcement where the book has one, else by who plays."""
    return str(app.say(side) if side in book.calls else app.words["plays_" + side])


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
        faces.append(KeyFace(text, tone, ("answer", answer), arm=binds))
    if None in seat.bids:
        faces.append(KeyFace(f"[b]{app.say('no_higher')}[/b]", "ivory", ("bid_none",), arm=True))
    if any(seat.bids):
        faces.append(KeyFace(f"[b]{app.words['bid_key']}[/b]", "gold", ("bid",)))
    if seat.games:
        kinds = {str(game["game"]) for game in seat.games}
        name = app.words["name_game"] if len(kinds) > 1 or seat.turn else app.say(kinds.pop())
        faces.append(KeyFace(f"[b]{name}[/b]", "gold", ("declare",)))
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
            KeyFace(two_lines(say(call.call), in_time(app, call, short=True)), tone, ("announce", call), arm=True)
        )
    bids = [call for call in calls if call not in shown]
    if bids and room > len(shown):
        until = in_time(app, max(bids, key=lambda call: call.cards_left), short=True)
        faces.append(KeyFace(two_lines(app.words["other_calls"], until), "green", ("calls",)))
    return faces


def key_faces(app: Any, seat: SeatView, view: TableView) -> tuple[KeyFace, ...]:
    """Make the keys that a seat has now, at most ``MOST_KEYS``.

    While a game is played announcements come first; a correction of the asking that finds no room is under *More*.
    """
    if view.phase != "playing":
        calls = call_faces(app, seat, MOST_KEYS) if view.phase == "scored" else []
        return tuple([*answer_faces(app, seat, view), *calls][:MOST_KEYS])
    alone = seat.claims and not any(other.claims for other in view.seats if other is not seat)
    claims = [KeyFace(app.words["claim"], "green", ("claim",))] if alone else []
    calls = call_faces(app, seat, MOST_KEYS - len(claims))
    if calls:
        seat = replace(seat, asks=())  # a correction of the asking is under *More*
    return tuple([*calls, *claims, *answer_faces(app, seat, view)][:MOST_KEYS])


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
    busy = BooleanProperty(False)  # there are keys
    tall = BooleanProperty(True)  # room for keys, where the panel is a row
    side = StringProperty("")
    shape = OptionProperty("row", options=("row", "column"))
    act: Callable[..., None] | None = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._keys = [SeatKey() for _ in range(MOST_KEYS)]
        self._faces: tuple[KeyFace, ...] | None = None

    def show(self, app: Any, seat: SeatView, view: TableView) -> None:
        """Draw the seat; only what changed is redrawn."""
        say, text = app.say, app.words
        self.seat = seat.seat
        self.name = plain(seat.name)
        self.dealer, self.away = seat.dealer or view.next_dealer == seat.seat, seat.sits_out
        finding = view.phase in ("asking", "bidding", "declaring")
        self.turn = seat.turn and not seat.sits_out and (finding or view.phase == "playing")
        self.breach = any(one.seat == seat.seat and one.claimants for one in view.offences)
        self.side = seat.side or ""
        self.total = str(seat.total)
        if seat.sits_out:
            self.info = text["sits_out"]
        elif view.phase in ("playing", "resting"):
            cards = text["card"] if seat.cards_left == 1 else text["cards"].format(n=seat.cards_left)
            self.info = cards
            if seat.tricks_won is not None:
                tricks = text["trick"] if seat.tricks_won == 1 else text["tricks"].format(n=seat.tricks_won)
                self.info = f"{tricks} · {cards}"
            if seat.owes is not None and view.phase == "playing":
                self.info = f"[color={look.GOLD[1:]}][b]{text['owes']}[/b][/color]"
        else:
            self.info = text["duty_open"] if seat.duty_open else ""
        words_said = [say(call) for call in seat.said]
        if seat.side and seat.side not in seat.said:
            words_said.insert(0, f"({side_word(app, seat.side, view.book)})")
        if seat.ran:
            words_said = [text["ran"]]
        if finding:
            words_said = [say(seat.bid or seat.answer or ""), *words_said] if seat.bid or seat.answer else words_said
        if view.phase == "scored" and view.result is not None and not seat.sits_out:
            gained = view.result.score[seat.seat - 1]
            words_said = [f"{gained:+d}"] if gained else []
        self.said = " · ".join(words_said)
        self._lay_keys(key_faces(app, seat, view) if not seat.sits_out else ())

    def _lay_keys(self, faces: tuple[KeyFace, ...]) -> None:
        if faces == self._faces:
            return
        self._faces = faces
        self.busy = bool(faces)
        box = self.ids.key_box
        for key, face in zip(self._keys, faces, strict=False):
            if key.face is None or key.face.act[0] != face.act[0] or key.face.act[1:2] != face.act[1:2]:
                key.disarm()
            key.face = face
            key.arm, key.calm_tone = face.arm, face.tone
            key.calm_text = face.text
            key.armed_text = two_lines(face.text.split("[/b]")[0].removeprefix("[b]") + "?", self.again)
            key.go = self._going(face)
        wanted = self._keys[: len(faces)]
        for key in self._keys[len(faces) :]:
            key.disarm()
            key.face = None
        if [key for key in self._keys if key.parent] != wanted:
            box.clear_widgets()
            for key in wanted:
                box.add_widget(key)

    again = StringProperty("")

    def _going(self, face: KeyFace) -> Callable[[], None]:
        def go() -> None:
            if self.act is not None:
                self.act(self.seat, *face.act)

        return go


kv(__file__)
assert look  # the layout names its colours
