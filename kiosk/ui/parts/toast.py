"""Show a short text in the middle of the stage: a refusal for a moment, a call or notices until they are touched."""

from typing import Any

from kivy.clock import Clock
from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.table.events.values import Request
from kiosk.ui.parts import hold
from kiosk.ui.parts.look import kv, plain
from kiosk.ui.parts.seen import Seen

#: A refusal is shown this long, and an answer, which may lie over keys, seconds.
REFUSAL_S, ANSWER_S = 6.0, 3.0


class Toast(Seen, BoxLayout):
    """A short text where no keys are; a touch closes it."""

    text = StringProperty("")
    section = StringProperty("")
    tone = StringProperty("red")
    degrees = NumericProperty(0)  # by which it is turned
    #: The word is out: this enters it all the same, and others may object.
    argued: Request | None = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        self._hide_later = Clock.create_trigger(self.hide, REFUSAL_S)
        self._hide_soon = Clock.create_trigger(self.hide, ANSWER_S)
        super().__init__(**kwargs)

    def refuse(self, text: str, below: str, argued: Request | None = None, degrees: int = 0) -> None:
        """Show a refusal for a moment; ``below`` are the book's rule and its section.

        :param argued: what enters it all the same; None: nothing does.
        :param degrees: by which it is turned counterclockwise, towards who is refused.
        """
        self.show("red", text, below)
        self.argued, self.degrees = argued, degrees
        self._hide_later()

    def tell(self, text: str, below: str = "") -> None:
        """Show words for a moment that answer what somebody did with his hands."""
        self.show("gold", text, below)
        self._hide_soon()

    def show(self, tone: str, text: str, below: str = "") -> None:
        """Show words until they are touched."""
        self.tone, self.text, self.section, self.opacity = tone, plain(text), plain(below), 1
        self.argued, self.degrees = None, 0
        self._hide_later.cancel()
        self._hide_soon.cancel()

    def hide(self, *_: object) -> None:
        """Close the text."""
        self.opacity = 0

    def on_touch_down(self, touch: Any) -> bool:
        if not self.opacity or not self.collide_point(*touch.pos):
            return False
        if super().on_touch_down(touch):
            return True
        self.hide()
        return True


assert hold  # the layout has its key
kv(__file__)
