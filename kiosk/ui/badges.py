"""Answer what was scanned, on whatever screen people are: every badge says something, scanned twice the same again."""

from typing import Any, Final

from kiosk.language import say
from kiosk.ui.parts.keyboard import NameSheet
from kiosk.ui.root import SETTING_UP
from kiosk.ui.seats.badge import BadgeSheet

#: A name on a badge may be as long as this; a seat has no room for more.
LONGEST_NAME: Final = 40


def answer_badge(app: Any, name: str) -> None:
    """Answer a player's badge: it writes a name, takes a seat, or says who that is."""
    name = " ".join(name.split())[:LONGEST_NAME].rstrip()
    sheet = app.sheets.current
    if isinstance(sheet, NameSheet) and sheet.of_person:
        _fill(app, sheet, name)
    elif app.view is None:
        code, fill = app.screen("seats").badge(name)
        _tell(app, code, **fill)
    elif (seat := _seat_of(app, name)) is not None:
        _tell(app, "badge_sits", name=app.view.seat(seat).name, seat=seat)
    elif app.view.closed:
        _tell(app, "badge_closed", name=name)
    elif sheet is not None and not isinstance(sheet, BadgeSheet):
        _tell(app, "badge_busy", name=name)
    elif app.current in SETTING_UP:
        _tell(app, "badge_stranger", name=name)
    else:
        app.sheets.open("badge", by=0, name=name)


def answer_scan(app: Any, kind: str, text: str) -> None:
    """Answer what is no player's badge: ``unreadable``, ``card`` that nobody waits for, ``referee`` without a code."""
    if kind == "unreadable":
        app.refusal.tell(say("scanner", kind, app.language, text=text))
    else:
        _tell(app, f"scan_{kind}", text=text)


def _fill(app: Any, sheet: NameSheet, name: str) -> None:
    """Write the name on the open sheet, as a finger would; one that sits elsewhere stays there."""
    names = app.screen("seats").names if app.view is None else [seat.name for seat in app.view.seats]
    seat = _place(names, name)
    if seat is not None and seat != getattr(sheet, "seat", None):
        _tell(app, "badge_sits", name=names[seat - 1], seat=seat)
        return
    sheet.name = name
    sheet.done()
    _tell(app, "badge_written", name=name)


def _seat_of(app: Any, name: str) -> int | None:
    return _place([seat.name for seat in app.view.seats], name)


def _place(names: list[str], name: str) -> int | None:
    known = [one.casefold() for one in names]
    return known.index(name.casefold()) + 1 if name.casefold() in known else None


def _tell(app: Any, code: str, **fill: object) -> None:
    app.refusal.tell(say("evening", code, app.language, **fill))
