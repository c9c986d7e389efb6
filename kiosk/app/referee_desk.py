"""Keep the referee's call, by the button or on the screen, and admit him by his code or his badge."""

import json
from collections.abc import Callable

from kiosk.app.desk import Desk
from kiosk.app.inbox import Pressed
from kiosk.app.outputs import Outputs
from kiosk.app.referee_code import CodeChecked, RefereeCode
from kiosk.language import say
from kiosk.table.table import Table
from kiosk.ui.referee.calling import CallReferee, GiveCode, RefereeCall, WithdrawCall
from kiosk.ui.requests import ScreenRequest

#: Key under which a round's log keeps the call, so that a restart does not forget it.
_KEPT = "referee_call"


#: A press of the button so soon after the one before says nothing else, seconds.
AGAIN_S = 3.0


class RefereeDesk(Desk):
    """The referee's call and his admission."""

    hears = (Pressed, CodeChecked)

    def __init__(self, outputs: Outputs, now: Callable[[], float]) -> None:
        self.on_call: Callable[[], None] = lambda: None  # called when he is called
        self.code: RefereeCode | None = None
        self.call: RefereeCall | None = None
        self._outputs, self._now = outputs, now
        self._table: Table | None = None
        self._pressed_at = float("-inf")  # the button

    def sit(self, table: Table) -> None:
        """Serve this table from now on; a call that its round has kept stands."""
        self._table = table
        before, kept = self.call, json.loads(table.log.kept(_KEPT) or "null")
        self.call = RefereeCall(kept["seat"], kept["coming"]) if kept else None
        if self.call != before:
            self.begin()

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out a request about the referee; return False if it is none."""
        match request:
            case CallReferee(seat=seat):
                if self.call is None:
                    self._change(RefereeCall(seat))
            case WithdrawCall():
                self._change(None)
            case GiveCode(code=code):
                self.enter(code)
            case _:
                return False
        return True

    def heard(self, message: Pressed | CodeChecked) -> None:
        """Take the button, or the answer to a code."""
        if isinstance(message, CodeChecked):
            self._checked(message)
        else:
            self._press()

    def _press(self) -> None:
        """The button was pressed: it calls the referee, or says that he is not needed any more.

        Who presses twice to be sure, or two who press at once, have called him.
        """
        now = self._now()
        before, self._pressed_at = self._pressed_at, now
        if self.call is None:
            self._change(RefereeCall(None))
        elif now - before >= AGAIN_S:
            self._change(None)

    def comes(self) -> None:
        """The direction has seen the call and comes."""
        if self.call is not None and not self.call.coming:
            self._change(RefereeCall(self.call.seat, coming=True))
        self._outputs.signal("comes")
        self._outputs.herald.say(say("spoken", "comes", self._outputs.language), self._outputs.language)

    def enter(self, code: str) -> None:
        """Check the referee's code, typed or read from his badge; the answer comes as ``CodeChecked``."""
        if self.code is not None:
            self.code.ask(code)

    def _checked(self, answer: CodeChecked) -> None:
        """Tell the screen the answer; whoever has given the right code has come, so the call is over."""
        screen = self._outputs.screen
        if screen is not None:
            screen.code_checked(answer.right, answer.wait)
        if answer.right and self.call is not None:
            self._change(None)

    def _change(self, call: RefereeCall | None) -> None:
        begins = call is not None and self.call is None
        self.call = call
        if self._table is not None:
            kept = None if call is None else {"seat": call.seat, "coming": call.coming}
            self._table.log.keep(_KEPT, json.dumps(kept))
        if begins:
            self._outputs.signal("referee")
            self.on_call()
        self.begin()

    def tell_again(self) -> None:
        """Show the call in another language."""
        self.begin()

    def begin(self) -> None:
        """Show the call, on a screen that has just come up too."""
        call, language = self.call, self._outputs.language
        if call is None:
            text = ""
        elif call.coming:
            text = say("call_notices", "comes", language)
        elif call.seat is None or self._table is None:
            text = say("call_notices", "called", language)
        else:
            text = say("call_notices", "called_by", language, name=self._table.round.players[call.seat - 1])
        self._outputs.notice("referee_called", text)
        if self._outputs.screen is not None:
            self._outputs.screen.referee_called(call)
