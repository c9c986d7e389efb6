"""Admit the referee: by his code, by his badge, or by a long touch where the table has neither code nor direction."""

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, StringProperty

from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import Key, Sheet, kv, sign
from kiosk.ui.referee.calling import GiveCode

#: A code has at most so many digits.
MOST_DIGITS = 12


class GateSheet(Sheet):
    """The request for the referee's code; the table checks it, so the sheet knows neither the code nor its length.

    :param then: what follows; None: the ruling while play rests, else what the direction alone may do.
    """

    typed = StringProperty("")
    wrong = BooleanProperty(False)
    checking = BooleanProperty(False)  # an answer is awaited
    wait_s = NumericProperty(0)  # until a code is looked at again
    coded = BooleanProperty(False)
    shut = BooleanProperty(False)

    def __init__(self, app: Any, then: Callable[[], None] | None = None, **kwargs: Any) -> None:
        self.then = then
        super().__init__(app, **kwargs)
        self.coded, self.shut = app.gate == "code", app.gate == "shut"
        self.title = app.words["pin_title"] if self.coded else app.words["referee"]
        for digit in "123456789":
            self._key(digit, "ivory", partial(self.type, digit))
        self._key(sign("⌫"), "green", self._back)
        self._key("0", "ivory", lambda: self.type("0"))
        self._key(app.words["pin_ok"], "gold", self.enter)
        self._counting = Clock.create_trigger(self._count, 1, interval=True)

    def _key(self, text: str, tone: str, go: Callable[[], None]) -> None:
        key = Key(text=text, tone=tone, font_size="24sp")
        key.bind(on_release=lambda _: go())
        self.ids.digits.add_widget(key)

    def _back(self) -> None:
        self.typed = self.typed[:-1]

    def type(self, digit: str) -> None:
        """Append a digit."""
        self.wrong = False
        if len(self.typed) < MOST_DIGITS:
            self.typed += digit

    def enter(self) -> None:
        """Have the code checked."""
        if self.typed and not self.checking and not self.wait_s:
            self.checking = True
            self.app.request(GiveCode(self.typed))

    def answered(self, right: bool, wait: float) -> None:
        """Open what follows, or say that the code was wrong and how long no other is looked at."""
        self.typed, self.checking, self.wrong = "", False, not right
        if right:
            self.open()
        elif wait:
            self.wait_s = round(wait)
            self._counting()

    def _count(self, *_: object) -> None:
        self.wait_s = max(0, self.wait_s - 1)
        if not self.wait_s:
            self._counting.cancel()
            self.wrong = False

    def open(self) -> None:
        """Open what the referee came for."""
        if self.then is not None:
            self.close()
            self.then()
        else:
            self.admit(self.app)

    @staticmethod
    def admit(app: Any, by: int | None = None) -> None:
        """Open the referee's form, towards the seat that asks for it."""
        app.sheets.open("ruling" if app.view.phase == "resting" else "direction", by)

    def line(self, wait: int, wrong: bool, typed: str) -> str:
        """Write what stands above the digits."""
        text = self.app.words
        if wait:
            return str(text["pin_wait"].format(n=wait))
        return str(text["pin_wrong"]) if wrong else sign("●  " * len(typed))


assert issubclass(HoldKey, Key)  # the layout has it
kv(__file__)
