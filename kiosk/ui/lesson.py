"""The guided lesson of a deck: which card to show next, and how it went."""

from typing import Any

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.screenmanager import Screen

from kiosk.ui.look import kv


class LessonScreen(Screen):
    """One face after the other before the camera."""

    asked = StringProperty("")
    word = StringProperty("")
    verdict = StringProperty("")
    progress = StringProperty("")
    part = NumericProperty(0)
    texture = ObjectProperty(None, allownone=True)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        super().__init__(**kwargs)


kv(__file__)
