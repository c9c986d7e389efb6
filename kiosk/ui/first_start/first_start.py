"""Show one step of the first start at a time, with the ways back and on."""

from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.screenmanager import Screen

from kiosk.ui.first_start.direction_step import DirectionStep
from kiosk.ui.first_start.language_step import LanguageStep
from kiosk.ui.first_start.network_step import NetworkStep
from kiosk.ui.first_start.screen_step import ScreenStep
from kiosk.ui.first_start.start_view import STEPS, ShowStep, StartView
from kiosk.ui.parts.look import kv

#: Step → the word that heads it, and what draws it.
_KINDS = {
    "screen": ("start_screen", ScreenStep),
    "language": ("start_language", LanguageStep),
    "network": ("start_network", NetworkStep),
    "direction": ("start_direction", DirectionStep),
}


class FirstStartScreen(Screen):
    """The step that is up; it can be left once the table belongs to somebody or to nobody."""

    heading = StringProperty("")
    warned = BooleanProperty(False)  # what is answered here lies in memory alone
    first = BooleanProperty(True)  # there is nothing to go back to
    last = BooleanProperty(False)  # there is nothing to go on to

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self.view = StartView()
        self._checked = False  # touches, by this screen
        self._shown: tuple[str, str] = ("", "")  # step and language that are laid out
        super().__init__(**kwargs)

    def show_start(self, view: StartView) -> None:
        """Draw the step that is up."""
        self.view = view
        wanted = view.step, self.app.language
        word, kind = _KINDS[view.step]
        if wanted != self._shown:
            self._shown = wanted
            self.ids.step.clear_widgets()
            self.ids.step.add_widget(kind(self.app))
        place = STEPS.index(view.step)
        title = self.app.words[word]
        self.warned = "storage" in self.app.notices
        self.heading = (
            self.app.words["start_storage"]
            if self.warned
            else self.app.words["start_n"].format(n=place + 1, of=len(STEPS), title=title)
        )
        self.first = place == 0 and view.first
        self.last = place == len(STEPS) - 1 and view.first
        self.ids.step.children[0].draw(view)
        if view.first and view.step == "screen" and not self._checked:
            self._checked = True  # before anybody has to hit a key
            self.app.sheets.open("touch_check", by=0)

    def back(self) -> None:
        """Go to the step before, from the first one to the table."""
        self._go(STEPS.index(self.view.step) - 1)

    def on(self) -> None:
        """Go to the next step, after the last one to the table."""
        self._go(STEPS.index(self.view.step) + 1)

    def _go(self, place: int) -> None:
        if 0 <= place < len(STEPS):
            self.app.request(ShowStep(STEPS[place]))
        elif not self.view.first:
            self.app.request(ShowStep(""))


kv(__file__)
