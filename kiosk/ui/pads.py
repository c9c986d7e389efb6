"""Let a seat's number pad press that seat's keys on the screen.

The keys have small numbers as long as a pad is there. A digit presses its key; what binds is only chosen by it and
wants Enter held, as the key wants a finger held: the key itself is pressed, with all it asks for. ``+`` and ``-``
choose among more keys than there are digits, ``back`` closes what the seat has opened.
"""

from collections.abc import Mapping
from typing import Any

from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import Key
from kiosk.ui.play.seat_menu import SeatMenuKey

#: Keys that have a digit.
MOST_NUMBERS = 9


class PadHands:
    """The pads' hands on the screen, one a seat."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.seats: frozenset[int] = frozenset()  # those that have a pad
        self._chosen: dict[int, tuple[Key, object]] = {}  # and what it meant then
        self._held: dict[int, Key] = {}  # pressed by Enter
        self._marked: list[Key] = []

    def keys(self, seat: int) -> list[Key]:
        """List what a seat may press now: the keys of the sheet or choices that it has opened, else of its panel."""
        app = self._app
        sheet = app.sheets.current
        if sheet is not None:
            return _keys_in(sheet.ids.get("body", sheet)) if getattr(sheet, "seat", None) == seat else []
        if app.view is None or app.current != "play":
            return []
        own = app.screen("play").of_seat(seat)
        return _keys_in(own) if own is not None else []

    def mark(self) -> None:
        """Write the numbers on the keys that the pads can press, and take them from the others."""
        marked = []
        for seat in self.seats:
            keys = self.keys(seat)
            if self._choice(seat) not in keys:
                self._drop(seat)
            for number, key in enumerate(keys[:MOST_NUMBERS], 1):
                key.pad_number = str(number)
                marked.append(key)
        for key in self._marked:
            if key not in marked:
                key.pad_number = ""
        self._marked = marked

    def press(self, seat: int, sign: str) -> None:
        """Take a sign that a seat's pad begins to press."""
        if seat not in self.seats:
            return
        keys = self.keys(seat)
        if sign == "enter":
            self._hold(seat)
        elif sign == "back":
            self._back(seat)
        elif sign in "+-" and keys:
            chosen = self._choice(seat)
            at = keys.index(chosen) if chosen in keys else (-1 if sign == "+" else 0)
            self._choose(seat, keys[(at + (1 if sign == "+" else -1)) % len(keys)])
        elif sign.isdigit() and 0 < int(sign) <= min(len(keys), MOST_NUMBERS):
            key = keys[int(sign) - 1]
            self._choose(seat, key)
            if not _binds(key):
                self._tap(key)
        self.mark()

    def release(self, seat: int, sign: str) -> None:
        """Take a sign that a seat's pad lets go."""
        if sign == "enter":
            self._let_go(seat)

    def forget(self) -> None:
        """Forget all keys: they have gone with their tree."""
        self._chosen, self._held, self._marked = {}, {}, []

    def show(self, seats: Mapping[int, bool]) -> None:
        """Take which seats have a pad that is there."""
        there = frozenset(seat for seat, works in seats.items() if works)
        for seat in self.seats - there:
            self._drop(seat)
        self.seats = there
        self.mark()

    def _choose(self, seat: int, key: Key) -> None:
        if self._choice(seat) is not key:
            self._drop(seat)
            self._chosen[seat] = key, key.means()
        key.pad_chosen = True
        if _binds(key):
            key.dispatch("on_release")  # a short tap: it says that it wants to be held

    def _drop(self, seat: int) -> None:
        self._let_go(seat)
        if seat in self._chosen:
            self._chosen.pop(seat)[0].pad_chosen = False

    def _choice(self, seat: int) -> Key | None:
        """The key that a seat has chosen, as long as it means what it meant then: keys are used again."""
        key, meaning = self._chosen.get(seat, (None, None))
        return key if key is not None and key.means() == meaning else None

    def _hold(self, seat: int) -> None:
        key = self._choice(seat)
        if key is None or key not in self.keys(seat) or not _free(key):
            return
        if _binds(key):
            self._held[seat] = key
            key.state = "down"
        else:
            self._tap(key)

    def _let_go(self, seat: int) -> None:
        key = self._held.pop(seat, None)
        if key is not None:
            key.state = "normal"

    def _tap(self, key: Key) -> None:
        if _free(key):
            key.dispatch("on_press")
            key.dispatch("on_release")

    def _back(self, seat: int) -> None:
        app = self._app
        sheet = app.sheets.current
        if sheet is None and app.view is not None and app.current == "play":
            app.screen("play").fold(seat)
        elif getattr(sheet, "seat", None) == seat and sheet.closable:
            sheet.close()
        self._drop(seat)


def _keys_in(widget: Any) -> list[Key]:
    """The keys that can be pressed, in the order in which they are laid out."""
    keys = [
        one
        for one in widget.walk(restrict=True)
        if isinstance(one, Key) and not one.disabled and one.opacity and one.width > 1
    ]
    return sorted(keys, key=lambda one: isinstance(one, SeatMenuKey))  # what is played comes before the menu


def _binds(key: Key) -> bool:
    """Whether a key wants to be held."""
    return isinstance(key, HoldKey) and bool(getattr(key, "binds", True))


def _free(key: Key) -> bool:
    """Whether a key takes a press now: no finger is on it, and it has been there for long enough to be meant."""
    return key.state == "normal" and not key.disabled and key.takes(*key.center)
