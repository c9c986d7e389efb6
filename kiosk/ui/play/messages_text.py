"""Write the messages for the people at the table, the most urgent first."""

from dataclasses import dataclass
from typing import Any

from kiosk.language.scoresheet import list_word
from kiosk.table.view.explanation import explain_withdrawn
from kiosk.table.view.table_view import NoticeView, TableView
from kiosk.ui.parts.fit import NEAR, fit_name
from kiosk.ui.parts.look import dp, plain, sp
from kiosk.ui.play.claiming import can_be_filled, can_be_lost, claim_words
from kiosk.ui.play.key_faces import in_time

#: The kind of the notice that the referee is called.
CALL = "referee_called"

#: The kind of the notice that the deck is learned in play.
LEARNING = "learning"

#: The kind of the notice that the direction has put the list right; it goes once people have looked at the list.
MENDED = "mended"

#: The kind of the notice that this table's storage is broken, with where its list lies.
STORAGE = "storage"

#: Room for the name of who lays next, in units.
NAME_UNITS = 180


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message, whole; ``act`` is what a touch on it opens, () for nothing."""

    key: str  # what it is about: the same message stays where it is
    text: str
    tone: str = "gold"  # red: play is stopped or the rules are broken; gold; plain
    act: tuple[Any, ...] = ()
    picture: bytes | None = None


def messages(app: Any, view: TableView) -> tuple[Message, ...]:
    """List what people have to know now: why play rests, what is owed, broken or in doubt; else what comes next."""
    found = [
        *_stopped(app, view),
        *_owed(app, view),
        *_broken(app, view),
        *_to_be_signed(app, view),
        *(
            _noticed(app, view, one)
            for one in view.notices
            if not one.code.startswith("log_failed") or STORAGE not in app.notices
        ),
        *_withdrawn(app, view),
        *_doubted(app, view),
    ]
    return (*(found or _next_step(app, view)), *_learned(app))


def _learned(app: Any) -> list[Message]:
    """What the table knows so far of a deck that it learns in play; nobody has to do anything."""
    return [Message(key=LEARNING, text=plain(app.notices[LEARNING]), tone="plain")] if LEARNING in app.notices else []


def _stopped(app: Any, view: TableView) -> list[Message]:
    """Play rests, or the referee is awaited; a touch on his call can withdraw it."""
    found = []
    if view.phase == "resting":
        found.append(Message(key="resting", text=app.words["resting"], tone="red", act=("referee",)))
    if view.paused:
        found.append(Message(key="paused", text=app.words["paused_" + view.paused], act=("go_on",)))
    if CALL in app.notices:
        found.append(Message(key=CALL, text=plain(app.notices[CALL]), act=("call_referee",)))
    return found


def _owed(app: Any, view: TableView) -> list[Message]:
    """What somebody at the table has to do before play goes on."""
    text, found = app.words, []
    if view.phase != "playing":
        return []
    if claimed := claim_words(app, view):
        act = ("claim_lost",) if can_be_lost(app) else ("claim_hand",) if can_be_filled(app) else ()
        found.append(Message(key="claim", text=claimed, act=act))
    if view.leave is not None and view.leave.state != "granted":
        name = plain(view.seat(view.leave.seat).name)
        said = text["leave_" + view.leave.state].format(name=name, game=app.say(view.leave.game))
        found.append(Message(key="leave", text=said))
    for seat in view.seats:
        if seat.owes is not None:
            key = "owes_until" if seat.owes.certain else "owes_perhaps"
            said = text[key].format(name=plain(seat.name), until=in_time(app, seat.owes))
            found.append(Message(key=f"owes {seat.seat}", text=said))
    return found


def _broken(app: Any, view: TableView) -> list[Message]:
    """What does not work, and what to do meanwhile."""
    text, found = app.words, []
    if view.unsaved and STORAGE not in app.notices:
        found.append(Message(key="unsaved", text=text["unsaved"].format(n=view.unsaved), tone="red"))
    if view.blind:
        lays = view.phase in ("playing", "resting")  # between games nobody has to touch cards
        said = text["blind" if lays else "no_sight"].format(why=text["blind_" + view.blind])
        found.append(Message(key="blind", text=said, act=("lay_by_finger",)))
    for kind in app.notices:
        if kind not in (CALL, LEARNING) and (kind != "camera" or not view.blind):  # the camera's fault is said already
            act = ("show_list",) if kind == MENDED else ("tell", kind)
            tone = "red" if kind == STORAGE else "gold"
            found.append(Message(key=kind, text=_notice_words(app, kind), tone=tone, act=act))
    return found


def _to_be_signed(app: Any, view: TableView) -> list[Message]:
    """That who has signed the list signs it again: it says something else since."""
    if not view.sign_anew:
        return []
    return [Message(key="sign_anew", text=list_word("sign_anew", app.language), act=("show_list",))]


def _notice_words(app: Any, kind: str) -> str:
    """What is to be done about a notice where there are words for its kind, else its own text."""
    word = app.say(kind)
    return plain(app.notices[kind]) if word == kind else str(word)


def _noticed(app: Any, view: TableView, notice: NoticeView) -> Message:
    name = f"{plain(view.seat(notice.seat).name)}: " if notice.seat else ""
    act: tuple[Any, ...] = ()
    if notice.code == "cards_lacking":
        act = ("finish",)
    elif notice.code == "hand_open":
        act = ("who_claims",)
    elif notice.event is not None:
        act = ("ask_about", notice.event)
    return Message(key=f"{notice.code} {notice.seat} {notice.event}", text=name + app.say(notice.code), act=act)


def _withdrawn(app: Any, view: TableView) -> list[Message]:
    """What is held against nobody any more, with the cards that are doubted; a touch asks about one of them."""
    said = explain_withdrawn(view, [plain(seat.name) for seat in view.seats], app.language)
    if not said:
        return []
    doubted = {one.event for one in view.doubted}
    asked = next((one.event for one in view.doubts if one.event in doubted), None)
    return [Message(key="withdrawn", text=said, act=() if asked is None else ("ask_about", asked))]


def _doubted(app: Any, view: TableView) -> list[Message]:
    """The open questions: play goes on meanwhile."""
    if not view.doubts:
        return []
    first, text = view.doubts[0], app.words
    said = text["doubt"] if len(view.doubts) == 1 else text["doubts"].format(n=len(view.doubts))
    if len(view.doubts) == 1 and first.perhaps:
        said = f"{app.faces.name(first.choices[0])}   {text['choose_first']}"
    return [Message(key="doubt", text=said, act=("ask_about", first.event), picture=first.picture)]


def _next_step(app: Any, view: TableView) -> list[Message]:
    """Whose card is awaited, and what to do about a wrong one."""
    if view.phase != "playing":
        return []
    begun = bool(view.trick and view.trick.cards)
    acting = next((seat.name for seat in view.seats if seat.turn and not seat.sits_out), "")
    acting = plain(fit_name(acting, dp(NAME_UNITS), sp(NEAR), among=view.names))
    if not acting:
        return []
    said = app.words["to_lay" if begun else "leads"].format(name=acting)
    if begun or view.last_trick:
        said += "\n" + app.words["wrong_card"]
    return [Message(key="next", text=said, tone="plain", act=("lay_by_finger",))]
