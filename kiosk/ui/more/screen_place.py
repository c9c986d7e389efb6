"""Ask how the screen stands at the table, so that seats lie on it as they really lie."""

from dataclasses import replace
from typing import Any

from kivy.properties import BooleanProperty

from kiosk.ui.parts.fit import NEAR, fit_name
from kiosk.ui.parts.look import Key, Sheet, dp, kv, plain, sp, two_lines

#: Size of a seat's key, in units.
SEAT_UNITS = 150, 62


class ScreenPlaceSheet(Sheet):
    """The seats as they lie on the screen: the one that is touched comes before it; and whether the screen lies."""

    flat = BooleanProperty(False)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        names = [seat.name for seat in app.view.seats] if app.view is not None else app.screen("seats").names
        self._keys: dict[int, Key] = {}
        for seat, name in enumerate(names, 1):
            key = self._keys[seat] = Key(size_hint=(None, None), size=(dp(SEAT_UNITS[0]), dp(SEAT_UNITS[1])))
            where = app.words["seat_n"].format(seat=seat)
            fitted = plain(fit_name(name, key.width - dp(12), sp(NEAR), among=names))
            key.text = two_lines(fitted, where) if name else f"[b]{where}[/b]"
            key.meaning = seat
            key.bind(on_release=lambda _, seat=seat: self._stand(seat))
            self.ids.around.add_widget(key)
        self.ids.around.bind(pos=self._place, size=self._place)
        self._place()

    def _place(self, *_: object) -> None:
        """Lay the seats as the screen does, and name the one before it."""
        around, place = self.ids.around, self.app.place
        places = place.places(len(self._keys))
        for seat, key in self._keys.items():
            x, y = places[seat]
            key.tone = "gold" if (x, y) == (0, -1) else "ivory"
            key.center_x = around.center_x + x * (around.width - key.width) / 2
            key.center_y = around.center_y + y * (around.height - key.height) / 2
            if (x, y) == (0, -1):
                self.title = self.app.words["screen_at"].format(seat=seat)
        self.flat = place.flat

    def _stand(self, seat: int) -> None:
        self.app.stand(replace(self.app.place, seat=seat))
        self._place()

    def lay(self) -> None:
        """Lay the screen down, or stand it up."""
        self.app.stand(replace(self.app.place, flat=not self.app.place.flat))
        self._place()


kv(__file__)
