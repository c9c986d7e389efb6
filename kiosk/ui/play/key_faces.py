"""Make the faces of a seat's keys: what stands on each, and what it does."""

from dataclasses import dataclass, replace
from typing import Any

from kiosk.table.view.table_view import CallView, DutyView, SeatView, TableView, WordView
from kiosk.ui.parts.fit import NEAR, width_of
from kiosk.ui.parts.look import dp, sp, two_lines
from kiosk.ui.parts.told import told

#: So many keys stand in a panel at once; further calls are behind the last of them.
MOST_KEYS = 3

#: What limits words that raise cards: a card that is laid, however many come before it.
UNTIL_A_CARD = ("first_card", "own_card")

#: Room for the word in the key that takes it back, where three keys lie beside one another.
TAKE_BACK_UNITS = 84


@dataclass(frozen=True, slots=True)
class KeyFace:
    """Text and function of one key of a seat; ``act`` names a request, or the choices that unfold (``CHOICES``)."""

    text: str
    tone: str
    act: tuple[Any, ...]
    binds: bool = False  # it binds: a press that is held

    @property
    def means(self) -> tuple[object, ...]:
        """What a touch does: how long a call is in time changes nothing of it."""
        kind, *what = self.act
        return kind, *((one.call, one.side) if isinstance(one, CallView) else one for one in what)


def in_time(app: Any, call: CallView | DutyView, short: bool = False) -> str:
    """Write until when a call is in time, as the book counts; ``short`` for the narrow keys of a panel."""
    if call.counted == "asking" or call.counted in UNTIL_A_CARD:
        return str(app.words["in_time_short_last" if call.counted == "asking" else "in_time_" + call.counted])
    number = {0: "_last", 1: "_one"}.get(call.cards_left, "")
    key = "in_time_short" if short else "in_time" if call.counted == "hand" else "in_time_table"
    return str(app.words[key + number]).format(n=call.cards_left)


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
        faces.append(KeyFace(f"[b]{app.say('no_higher')}[/b]", "ivory", ("bid_as", None), binds=True))
    if any(seat.bids):
        faces.append(KeyFace(f"[b]{app.words['bid_key']}[/b]", "gold", ("bid",)))
    if seat.games:
        kinds = {str(game["game"]) for game in seat.games}
        late = view.phase == "playing"  # a card would do as well: a Hochzeit instead of a Ramsch
        name = app.words["name_game"] if len(kinds) > 1 or (seat.turn and not late) else app.say(kinds.pop())
        if any(game.get("ahead") for game in seat.games):  # says that it plays, and what, in one go
            name = app.words["i_play"]
        gold = (seat.turn or view.phase != "asking") and not late
        faces.append(KeyFace(f"[b]{name}[/b]", "gold" if gold else "green", ("declare",)))
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
        longest = max(bids, key=lambda call: call.cards_left)
        raising = any(call.counted in UNTIL_A_CARD for call in bids)
        word, until = app.words["more_calls" if raising else "other_calls"], in_time(app, longest, short=True)
        faces.append(KeyFace(two_lines(word, until), "green", ("calls",)))
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
        no = word.word.get("contested") == seat.seat  # to a rest that another claimed
        what = str(app.words["claim_reject"]) if no else told(app, word.word)
        fits = width_of(what, sp(NEAR)) <= dp(TAKE_BACK_UNITS)  # a long one stands above in the panel, or in the rail
        text = two_lines(app.words["take_back"], what if fits else "")
        back = [KeyFace(text, "dark", ("take_back", word.event))]
    room = MOST_KEYS - len(back)
    if view.phase != "playing":
        knocks = replace(seat, calls=tuple(call for call in seat.calls if call.counted == "asking"))
        calls = call_faces(app, seat, room) if view.phase == "scored" else []
        return (*[*call_faces(app, knocks, room), *answer_faces(app, seat, view), *calls][:room], *back)
    alone = seat.claims and not any(other.claims for other in view.seats if other is not seat)
    claims = [KeyFace(app.words["claim"], "green", ("claim",))] if alone else []
    calls = call_faces(app, seat, room - len(claims))
    if calls:
        seat = replace(seat, asks=())  # a correction of the asking is under *More*
    return (*[*calls, *claims, *answer_faces(app, seat, view)][:room], *back)
