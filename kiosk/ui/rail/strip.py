"""Draw lamps, display and buzzer for machines that have no pins."""

from typing import Any

from kivy.properties import BooleanProperty, ListProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.ui.parts.label import Label
from kiosk.ui.parts.look import kv


class DrawnLamp(Label):
    """A lamp: off, turn (steady) or breach (red)."""

    state = StringProperty("off")


class SmallLamp(DrawnLamp):
    """A lamp of the rail's row."""


class Strip(BoxLayout):
    """One line below the stage."""

    #: Its height in the units the screens are drawn for.
    UNITS = 46

    display = StringProperty("")
    referee = BooleanProperty(False)
    buzzer = BooleanProperty(False)
    lamps = ListProperty([])

    def show(self, value: dict[str, Any]) -> None:
        """Draw ``{"display": "12:34", "lamps": {1: "off" | "turn" | "breach"}, "referee": bool, "buzzer": bool}``."""
        self.display = str(value.get("display", ""))
        self.referee, self.buzzer = bool(value.get("referee")), bool(value.get("buzzer"))
        _draw(self.ids.lamps, {str(seat): str(state) for seat, state in (value.get("lamps") or {}).items()}, DrawnLamp)


class LampRow(BoxLayout):
    """The lamps alone, as narrow as the rail: those of the seats, the referee's ``S``, and ``♪`` while it buzzes."""

    def show(self, value: dict[str, Any]) -> None:
        """Draw what ``Strip.show`` does, without the display: the rail has the clock."""
        lamps = {str(seat): str(state) for seat, state in (value.get("lamps") or {}).items()}
        lamps["S"] = "breach" if value.get("referee") else "off"
        if value.get("buzzer"):
            lamps["♪"] = "turn"
        _draw(self, lamps, SmallLamp)


def _draw(box: BoxLayout, lamps: dict[str, str], kind: type[DrawnLamp]) -> None:
    """Draw a lamp for each state, in the order of their names."""
    names = sorted(lamps)
    if [lamp.text for lamp in reversed(box.children)] != names:
        box.clear_widgets()
        for name in names:
            box.add_widget(kind(text=name))
    for lamp in box.children:
        lamp.state = lamps[lamp.text]


kv(__file__)
