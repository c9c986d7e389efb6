"""Keep what the direction puts up for everybody in the hall: announcements, and the club's sign."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kiosk.errors import BadNote, shorten

ANNOUNCEMENT, SIGN = "announcement", "sign"

#: Notes on the notice board.
NOTES = frozenset({ANNOUNCEMENT, SIGN})

#: Announcements that hang at once: more are not read.
MOST = 6

#: Letters of one, which fill a projector's picture.
LONGEST = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What is announced until its note is undone."""

    number: int  # of the note
    at_ms: int  # ms since the epoch
    text: str  # one line


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeBoard:
    """What hangs now, the latest announcement last."""

    announcements: tuple[Announcement, ...] = ()
    sign: int = 0  # number of the club's sign among the pictures; 0: none


def noted(board: NoticeBoard, note: Mapping[str, Any], at_ms: int, number: int) -> NoticeBoard:
    """Apply a note to the board.

    :raises BadNote: the text cannot be, or too much hangs already.
    """
    if note.get("note") == SIGN:
        sign = note.get("picture")
        if type(sign) is not int or sign < 0:
            raise BadNote("malformed", f"picture {shorten(sign)}: its number is wanted, or 0 for none")
        return replace(board, sign=sign)
    text = note.get("text")
    text = " ".join(text.split()) if isinstance(text, str) else ""
    if not text or len(text) > LONGEST or any(unicodedata.category(sign)[0] == "C" for sign in text):
        raise BadNote("odd_announcement", f"an announcement has 1 to {LONGEST} letters, not {len(text)}", most=LONGEST)
    if len(board.announcements) >= MOST:
        raise BadNote("many_announcements", f"{MOST} announcements hang already; take one down first", most=MOST)
    return replace(board, announcements=(*board.announcements, Announcement(number=number, at_ms=at_ms, text=text)))
