"""Touch what the screen of a table shows, and notice what takes no touch."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kiosk.errors import KioskError
from kiosk.table.table import Table

if TYPE_CHECKING:  # the window opens with its import
    from kiosk.ui.stage import Stage

Event = Mapping[str, Any]

#: Frames over which layouts settle.
SETTLING_FRAMES = 3


class FingerError(KioskError):
    """The screen does not offer what is to be done, a key takes no touch, or the table noted something else."""


class Touching:
    """A finger on the screen of a table; in any language, for keys are known by what they mean.

    :param stage: the app on its stage; its requests go to the table, and it shows each view.
    """

    def __init__(self, stage: "Stage", table: Table | None) -> None:
        self.stage = stage
        self.app: Any = stage.app
        self.touches = 0
        self._table = table

    @property
    def table(self) -> Table:
        """The table in play; another one with the next round."""
        if self._table is None:
            raise FingerError("nobody sits at this table")
        return self._table

    @property
    def sheet(self) -> Any:
        """The open sheet."""
        if self.app.sheets.current is None:
            raise FingerError("no sheet is open")
        return self.app.sheets.current

    def word(self, code: str) -> str:
        """Look up a word of the screen in its language."""
        return str(self.app.words[code])

    def touch(self, key: Any, seconds: float = 0.0) -> None:
        """Touch the middle of a key for a while.

        :raises FingerError: the key is dead, or something that lies over it takes the touch.
        """
        from kiosk.ui.parts.touchable import QUIET_S
        from kiosk.ui.stage import FRAME_S, LOOK_S

        if key.disabled or not key.opacity:
            raise FingerError(f"{_told(key)} takes no touch")
        self.stage.wait(QUIET_S + FRAME_S, LOOK_S)
        self.touches += 1
        finger = self.stage.put(*self.stage.middle_of(key))
        takers = [ref() for ref in finger.grab_list]
        if not any(taker == key for taker in takers):
            self.stage.lift(finger)
            raise FingerError(f"{_told(key)} does not get its touch, but {[_told(one) for one in takers]}")
        self.stage.wait(seconds)
        self.stage.lift(finger)
        self.stage.step(SETTLING_FRAMES)

    def hold(self, key: Any) -> None:
        """Hold a key until its ring is full."""
        from kiosk.ui.parts.hold import HOLD_S
        from kiosk.ui.stage import FRAME_S

        self.touch(key, HOLD_S + 2 * FRAME_S)

    # --- looking for keys

    def keys(self, among: Any) -> list[Any]:
        """List all that takes touches below a widget and is seen."""
        from kiosk.ui.parts.touchable import Touchable

        return [one for one in among.walk(restrict=True) if isinstance(one, Touchable) and not one.disabled]

    def saying(self, among: Any, words: str) -> Any:
        """Find the key that says just this.

        :raises FingerError: none does.
        """
        found = [key for key in self.keys(among) if bare(getattr(key, "text", "")) == bare(words)]
        return found[0] if found else self._lost(repr(words), self.keys(among))

    def having(self, among: Any, words: str) -> Any:
        """Find the first key whose words have these."""
        found = [key for key in self.keys(among) if bare(words) in bare(getattr(key, "text", ""))]
        return found[0] if found else self._lost(repr(words), self.keys(among))

    def meaning(self, among: Iterable[Any], meaning: tuple[object, ...]) -> Any | None:
        """Find the key that means this; None without one."""
        return next((key for key in among if getattr(key, "meaning", None) == meaning and not key.disabled), None)

    def _lost(self, what: str, keys: Iterable[Any]) -> Any:
        raise FingerError(f"no key says {what}: {[_told(key) for key in keys]}")

    # --- what several acts begin with

    def more(self, code: str) -> None:
        """Open something of the menu."""
        if not self.app.root.rail.hidden:
            self.touch(self.saying(self.app.root.rail, self.word("more")))
        self.touch(self.saying(self.sheet, self.word(code)))

    def all_agree(self) -> None:
        """Hold everybody's key, where all are asked."""
        from kiosk.ui.parts.agreement import SeatAgrees

        sheet = self.app.sheets.current
        for key in [key for key in sheet.walk() if isinstance(key, SeatAgrees)] if sheet is not None else ():
            self.hold(key)

    def write(self, name: str) -> None:
        """Write a name on the open keyboard, letter by letter."""
        for letter in name:
            self.touch(self.saying(self.sheet, letter.upper()) if letter != " " else self.having(self.sheet, " "))
        self.touch(self.saying(self.sheet, self.word("done")))

    def card(self, card: str) -> None:
        """Touch a card of the open picker."""
        from kiosk.ui.parts.cards import CardKey

        found = [key for key in self.keys(self.sheet) if isinstance(key, CardKey) and key.card == card]
        self.touch(found[0] if found else self._lost(card, self.keys(self.sheet)))


def bare(text: str) -> str:
    for mark in ("[b]", "[/b]"):
        text = text.replace(mark, "")
    return text


def _told(key: Any) -> str:
    return f"{type(key).__name__} {bare(str(getattr(key, 'text', '')))!r}"
