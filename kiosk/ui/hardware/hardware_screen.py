"""Show each part of the table's hardware with its state; a touch tries it out and says what to do."""

from typing import Any

from kivy.properties import BooleanProperty, ColorProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import Screen

from kiosk.language import say
from kiosk.ui.hardware.hardware_view import HardwareView, PartView, ShowHardware, TestPart
from kiosk.ui.parts.look import GOLD, RED_PALE, SAND, Key, hex, kv, plain, two_lines

#: State → its sign and colour; the sign tells it without the colour.
_MARKS = {
    "works": ("✓", "#8FD694"),
    "silent": ("?", GOLD),
    "gone": ("✕", RED_PALE),
    "bad": ("!", RED_PALE),
    **dict.fromkeys(("absent", "unknown", "none"), ("–", SAND)),
}


class PartKey(Key):
    """A part's key: its name, and its state below."""

    mark = StringProperty("")
    colour = ColorProperty(SAND)
    chosen = BooleanProperty(False)


class HardwareScreen(Screen):
    """The table's hardware for people who set it up."""

    told = StringProperty("")
    about = StringProperty("")
    teachable = BooleanProperty(False)  # scanner and number pads can be taught here

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self.view = HardwareView()
        self._chosen = ""
        self._keys: dict[str, PartKey] = {}
        super().__init__(**kwargs)
        self._about_key = Key(tone="dark", font_size="18sp", on_release=lambda _: self.app.sheets.open("about"))
        self._parcels_key = Key(tone="dark", font_size="18sp", on_release=lambda _: self.app.sheets.open("parcels"))
        self._last = BoxLayout(spacing="7dp")  # both in one place: a row more would make all keys smaller
        self._last.add_widget(self._parcels_key)
        self._last.add_widget(self._about_key)
        self._release_key = Key(tone="dark", font_size="18sp", on_release=lambda _: self.take_release())

    def open(self) -> None:
        """Ask how everything is."""
        self._chosen = ""
        self.app.request(ShowHardware(True))
        self.show_hardware(self.view)

    def on_leave(self) -> None:
        """However people leave the page, the table hears of it."""
        self.app.request(ShowHardware(False))

    def show_hardware(self, view: HardwareView) -> None:
        """Draw how everything is."""
        self.view, self.about = view, plain(view.about)
        self._about_key.text, self._parcels_key.text = self.app.words["about"], self.word("parcels")
        self.teachable = self.app.devices_view is not None
        self._release_key.text = self.word("new_release")
        names = [part.name for part in view.parts]
        takes = self.app.release_view is not None
        if names != list(self._keys) or self._last.parent is None or takes != bool(self._release_key.parent):
            self.ids.parts.clear_widgets()
            self._keys = {}
            for name in names:
                key = self._keys[name] = PartKey(tone="green", meaning=name)
                key.bind(on_release=lambda _, name=name: self.touch(name))
                self.ids.parts.add_widget(key)
            if takes:
                self.ids.parts.add_widget(self._release_key)
            self.ids.parts.add_widget(self._last)
        for part in view.parts:
            key = self._keys[part.name]
            mark, colour = _MARKS[part.state]
            key.mark, key.colour, key.chosen = mark, hex(colour), part.name == self._chosen
            key.text = two_lines(self.name_of(part.name), self.word(part.state), "16sp")
        self._tell()

    def touch(self, name: str) -> None:
        """Try a part out and say what to do about it; camera and network open by a second touch."""
        if name == self._chosen == "camera":
            self.app.set_up()
            return
        if name == self._chosen == "network":
            self.app.open_start()
            return
        self._chosen = name
        self.app.request(TestPart(name))
        self.show_hardware(self.view)

    def take_release(self) -> None:
        """Show the releases on the sticks; while a list is open that is for the referee."""
        view = self.app.view
        if view is None or view.closed:
            self.app.sheets.open("release")
        else:
            self.app.sheets.open("referee", then=lambda: self.app.sheets.open("release", referee=True))

    def _tell(self) -> None:
        part = next((one for one in self.view.parts if one.name == self._chosen), None)
        self.told = self.words_about(part) if part is not None else self.word("choose")

    def words_about(self, part: PartView) -> str:
        """Say how a part is and what to do."""
        head = f"[b]{self.name_of(part.name)}: {self.word(part.state)}[/b]"
        if part.name == "network":
            head += f" · {self.word('to_start')}"
        if not part.code:
            return head
        return f"{head}\n" + plain(say(self._subject(part.code), part.code, self.app.language, detail=part.detail))

    def name_of(self, name: str) -> str:
        """Name a part: ``lamp 2`` is the lamp of seat 2."""
        kind, _, number = name.partition(" ")
        return say("technik", f"part_{kind}", self.app.language, seat=number)

    def word(self, code: str) -> str:
        """Look up a word of this page."""
        return say("technik", code, self.app.language)

    @staticmethod
    def _subject(code: str) -> str:
        return "hardware" if code.startswith("display_") else "technik"


kv(__file__)
