"""Show scanner and number pads, and ask for a code or a key that teaches one."""

from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from kiosk.ui.devices.device_requests import Forget, Teach
from kiosk.ui.devices.devices_view import DevicesView
from kiosk.ui.parts.look import Key, Sheet, dp, kv, plain, two_lines


class DevicesSheet(Sheet):
    """A key for the scanner and for each seat's pad; while one is taught, what to do."""

    told = StringProperty("")
    teaching = BooleanProperty(False)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._drawn: tuple[DevicesView, int] | None = None
        super().__init__(app, **kwargs)
        self.title = app.words["devices_title"]
        self.show(None)

    def show(self, view: Any) -> None:
        shown: DevicesView = self.app.devices_view or DevicesView()
        seats = len(self.app.view.seats) if self.app.view is not None else self.app.seating.mat_seats
        if (shown, seats) == self._drawn:
            return
        self._drawn = shown, seats
        words = self.app.words
        self.teaching = shown.lesson is not None
        if shown.lesson is None:
            self.told = shown.learned or words["devices_hint"]
        elif shown.lesson == "scanner":
            self.told = words["devices_scan"]
        else:
            self.told = words["devices_press"].format(n=shown.lesson)
        box = self.ids.key_box
        box.clear_widgets()
        if shown.lesson is not None:
            box.add_widget(
                Key(text=words["devices_cancel"], size_hint_y=None, height=dp(64), on_release=lambda _: self.stop())
            )
        else:
            box.add_widget(self._scanner_key(shown))
            for seat in range(1, seats + 1):
                box.add_widget(self._pad_key(shown, seat))
            if shown.scanner:
                self._add(words["devices_no_scanner"], Forget("scanner"))
            for seat in sorted(shown.pads):
                self._add(words["devices_no_pad"].format(n=seat), Forget(seat))

    def _scanner_key(self, shown: DevicesView) -> Key:
        words = self.app.words
        state = (
            words["devices_works" if shown.scanner_works else "devices_gone"]
            if shown.scanner
            else words["devices_none"]
        )
        name = plain(shown.scanner.partition(" ")[2]) if shown.scanner else ""
        line = f"{name} · {state}" if name else state
        return self._key(two_lines(words["devices_scanner"], line), "ivory", Teach("scanner"))

    def _pad_key(self, shown: DevicesView, seat: int) -> Key:
        words = self.app.words
        there = shown.pads.get(seat)
        state = words["devices_none"] if there is None else words["devices_works" if there else "devices_gone"]
        return self._key(two_lines(words["devices_pad"].format(n=seat), state), "ivory", Teach(seat))

    def _add(self, text: str, request: Forget) -> None:
        self.ids.key_box.add_widget(self._key(text, "green", request))

    def _key(self, text: str, tone: str, request: Teach | Forget) -> Key:
        return Key(text=text, tone=tone, on_release=lambda _: self.app.request(request))

    def stop(self) -> None:
        """Teach nothing after all."""
        self.app.request(Teach(None))

    def close(self) -> None:
        if self.teaching:
            self.stop()
        super().close()


kv(__file__)
