"""Ask tables for the pictures of a game that a referee looks at; they pass through and are kept nowhere."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from kiosk.director.refusals import NotAnEvent, PicturesBusy, PicturesGone
from kiosk.director.tables.line_end import LineEnd
from kiosk.errors import shorten

#: Questions that wait for a table at once: each answer may be 8 MB of memory.
MOST_AT_ONCE = 4

#: Seconds for which a table is waited for.
PATIENCE_S = 20.0

#: Pictures by their event's number, JPEG in base64: those of cards, and of the mat.
Pictures: TypeAlias = Mapping[str, Mapping[str, str]]


@dataclass(slots=True)
class _Asked:
    device: str
    answer: asyncio.Future[Pictures]


class TablePictures:
    """The questions that wait for a table's answer; nothing comes in that nobody has asked for."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._asked: dict[str, _Asked] = {}

    async def fetch(self, end: LineEnd | None, tournament: str, round_: int, of: Sequence[tuple[int, int]]) -> Pictures:
        """Ask a table for the pictures of these events, each with its time, and wait for them.

        :raises PicturesGone: the table is not there, keeps none, or does not answer.
        :raises PicturesBusy: so many ask already.
        """
        if end is None:
            raise PicturesGone("pictures_away", "the table is not connected here; its pictures are on its own disk")
        if not end.pictures:
            raise PicturesGone("pictures_off", "this table keeps no pictures")
        if len(self._asked) >= MOST_AT_ONCE:
            raise PicturesBusy("pictures_busy", "others look at games just now; ask again in a moment")
        ask = secrets.token_hex(16)
        asked = self._asked[ask] = _Asked(end.holder, asyncio.get_running_loop().create_future())
        try:
            wanted = {"ask": ask, "tournament": tournament, "round": round_, "of": [list(one) for one in of]}
            await end.send({"pictures": wanted})
            async with asyncio.timeout(self._patience_s):
                return await asked.answer
        except TimeoutError:
            raise PicturesGone("pictures_slow", "the table has not sent its pictures; ask again") from None
        finally:
            del self._asked[ask]

    def awaits(self, ask: str, device: str) -> bool:
        """Report whether that device was asked so, and has not answered yet."""
        asked = self._asked.get(ask)
        return asked is not None and asked.device == device and not asked.answer.done()

    def take_in(self, ask: str, device: str, said: Mapping[str, Any]) -> None:
        """Take what a device sends, if it was asked for it.

        :raises NotAnEvent: it is something else.
        """
        pictures = {kind: _pictures(said.get(kind)) for kind in ("cards", "mats")}
        if self.awaits(ask, device):
            self._asked[ask].answer.set_result(pictures)


def _pictures(said: object) -> Mapping[str, str]:
    """Read pictures by their event's number; the page shows what is none as missing."""
    if not isinstance(said, dict):
        raise NotAnEvent(f"the pictures are {shorten(said)}; an object is wanted")
    for event, jpeg in said.items():
        if not (event.isascii() and event.isdecimal() and isinstance(jpeg, str) and jpeg.isascii()):
            raise NotAnEvent(f"a picture of {shorten(event)} is {shorten(jpeg)}; base64 by an event's number is wanted")
    return said
