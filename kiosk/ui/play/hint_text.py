"""Write the line below the trick: a fault, else the next step."""

from dataclasses import dataclass
from typing import Any

from kiosk.table.view.table_view import NoticeView, TableView
from kiosk.ui.parts.look import GOLD, INK, IVORY, RED, SAND, plain
from kiosk.ui.play.seat_panel import in_time


@dataclass(frozen=True, slots=True, kw_only=True)
class HintText:
    """The line, its colours, and the notice that a touch is about."""

    text: str = ""
    ground: str = ""  # colour; "": none
    ink: str = SAND
    notice: NoticeView | None = None


def hint_text(app: Any, view: TableView) -> HintText:
    """Write the line for a view: warnings before the next step."""
    warning, notice = _warning(app, view)
    if warning:
        return HintText(text=warning, ground=GOLD, ink=INK, notice=notice)
    if view.phase == "resting":
        return HintText(text=app.words["resting"], ground=RED, ink=IVORY)
    if view.phase == "playing":
        return HintText(text=_next_card(app, view))
    return HintText()


def _warning(app: Any, view: TableView) -> tuple[str, NoticeView | None]:
    """The gravest warning, "" if there is none, and the table's notice that it tells."""
    text = app.words
    if view.unsaved:
        return text["unsaved"].format(n=view.unsaved), None
    if view.phase == "playing" and (pressing := _pressing(app, view)):
        return pressing, None
    if view.blind:
        return text["blind"].format(why=text["blind_" + view.blind]), None
    if app.notices:
        return "  ·  ".join(_notice_words(app, kind) for kind in app.notices), None
    if view.notices:
        first = view.notices[0]
        name = f"{plain(view.seat(first.seat).name)}: " if first.seat else ""
        return name + app.say(first.code), first
    return "", None


def _pressing(app: Any, view: TableView) -> str:
    """What somebody at the table has to do before play goes on; "" for nothing."""
    text = app.words
    if view.leave is not None and view.leave.state != "granted":
        name = plain(view.seat(view.leave.seat).name)
        return str(text["leave_" + view.leave.state].format(name=name, game=app.say(view.leave.game)))
    for seat in view.seats:
        if seat.owes is not None:
            key = "owes_until" if seat.owes.certain else "owes_perhaps"
            return str(text[key].format(name=plain(seat.name), until=in_time(app, seat.owes)))
    return ""


def _notice_words(app: Any, kind: str) -> str:
    """What is to be done about a notice where there are words for its kind, else its own text."""
    word = app.say(kind)
    return plain(app.notices[kind]) if word == kind else str(word)


def _next_card(app: Any, view: TableView) -> str:
    """Whose card is awaited, and what to do about a wrong one."""
    text, begun = app.words, bool(view.trick and view.trick.cards)
    acting = next((plain(seat.name) for seat in view.seats if seat.turn and not seat.sits_out), "")
    line = str(text["to_lay" if begun else "leads"].format(name=acting)) if acting else ""
    return line + "  ·  " + str(text["wrong_card"]) if view.last_trick or begun else line
