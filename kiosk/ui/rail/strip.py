"""Draw lamps, display and buzzer for machines that have no pins."""

from typing import Any

from kivy.properties import BooleanProperty, ListProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label

from kiosk.ui.parts.look import kv


class DrawnLamp(Label):
    """A lamp: off, turn (steady) or breach (red)."""

    state = StringProperty("off")


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
        lamps = dict(value.get("lamps") or {})
        box = self.ids.lamps
        if [lamp.text for lamp in reversed(box.children)] != [str(seat) for seat in sorted(lamps)]:
            box.clear_widgets()
            for seat in sorted(lamps):
                box.add_widget(DrawnLamp(text=str(seat)))
        for lamp in box.children:
            lamp.state = str(lamps[next(seat for seat in lamps if str(seat) == lamp.text)])


kv(__file__)
