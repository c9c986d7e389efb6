"""Ask which way the screen stands, and check that touches land where the finger is."""

from typing import Any

from kivy.clock import Clock
from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.language import next_language
from kiosk.ui.first_start.start_view import KeepTouch, KeepTurn, StartView
from kiosk.ui.parts.look import Sheet, kv
from kiosk.ui.parts.texts import screen_words

#: Where the circles stand, as parts of the picture: no two maps of a panel put all three into their places.
SPOTS = ((0.12, 0.85), (0.12, 0.15), (0.88, 0.15))

#: Nobody touches for so long: the check ends, seconds.
PATIENCE_S = 40.0

#: Tries until the check gives up.
TRIES = 3


class ScreenStep(BoxLayout):
    """An arrow that shows upwards, and keys that turn the picture."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        super().__init__(**kwargs)

    def draw(self, _: StartView) -> None:
        """There is nothing that changes."""

    def turn(self, degrees: int) -> None:
        """Turn the picture on by so much, counterclockwise."""
        turned = (self.app.turned + degrees) % 360
        self.app.request(KeepTurn(turned))
        self.app.turn(turned)

    def check(self) -> None:
        """Check touches."""
        self.app.sheets.open("touch_check", by=0)


class TouchCheckSheet(Sheet):
    """Three circles, one after the other; where touches land otherwise the panel's map is changed, and tried."""

    spot_x = NumericProperty(SPOTS[0][0])
    spot_y = NumericProperty(SPOTS[0][1])
    told = StringProperty("")

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self._touches: list[tuple[float, float]] = []  # as the panel reports them
        self._tries = 0
        self._ending = Clock.create_trigger(lambda _: self.close(), PATIENCE_S)
        self._ask("touch_circle")

    def on_touch_down(self, touch: Any) -> bool:
        """Take a touch anywhere: nobody knows yet where it lands."""
        self._touches.append(getattr(touch, "on_panel", (touch.sx, touch.sy)))
        if len(self._touches) < len(SPOTS):
            self._ask("touch_circle")
        else:
            self._judge()
        return True

    def close(self) -> None:
        """Close the sheet."""
        self._ending.cancel()
        super().close()

    def _ask(self, word: str) -> None:
        self.spot_x, self.spot_y = SPOTS[len(self._touches)]
        number = {"n": len(self._touches) + 1, "of": len(SPOTS)}
        self.told = self.app.words[word].format(**number)
        # Nobody may have chosen the language yet.
        self.title = screen_words(next_language(self.app.language))[word].format(**number)
        self._ending.cancel()
        self._ending()

    def _judge(self) -> None:
        """Go by the only map that fits all touches, and have it tried; one that fits already is right."""
        found = self.app.maps_fitting(self._touches, SPOTS)
        self._touches.clear()
        self._tries += 1
        if self.app.touch_map in found:
            self._end("touch_right")
        elif self._tries >= TRIES:
            self._end("touch_amiss")
        elif len(found) == 1:
            self.app.request(KeepTouch(found[0]))
            self.app.map_touches(found[0])
            self._ask("touch_changed")
        else:
            self._ask("touch_again")

    def _end(self, word: str) -> None:
        self.close()
        self.app.refusal.tell(self.app.words[word])


kv(__file__)
