"""Draw a keyboard with which a finger writes a name."""

from abc import abstractmethod
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.ui.parts.look import Key, Sheet, kv


class Letter(Key):
    """A key of the drawn keyboard."""


#: The letters of a German keyboard, row by row.
ROWS = ("QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNMß-’")

#: The same where eight keys beside each other have room: those rows would be torn apart, so it goes by the alphabet.
UPENDED_ROWS = ("ABCDEFGH", "IJKLMNOP", "QRSTUVWX", "YZÄÖÜß-’")


class Letters(BoxLayout):
    """A row of letters."""


class NameSheet(Sheet):
    """A keyboard for one name."""

    name = StringProperty("")
    of_person = True  # a badge writes it

    def __init__(self, app: Any, title: str, name: str = "", **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title, self.name = title, name
        self._untouched = True
        self.bind(upended=self._lay_keys)
        self._lay_keys()

    def _lay_keys(self, *_: object) -> None:
        """Make the letters' keys, row by row; the last upright row begins with the key back."""
        rows, back = self.ids.rows, self.ids.back_key.__self__
        if back.parent is not None:
            back.parent.remove_widget(back)
        rows.clear_widgets()
        for letters in UPENDED_ROWS if self.upended else ROWS:
            row = Letters()
            for letter in letters:
                key = Letter(text=letter)
                key.bind(on_release=lambda key: self.type(key.text))
                row.add_widget(key)
            rows.add_widget(row)
        (self.ids.last if self.upended else row).add_widget(back, index=0 if not self.upended else 2)

    def type(self, letter: str) -> None:
        """Append a letter; capitals begin a word. The first one begins another name."""
        if self._untouched:
            self.name = ""
        self._untouched = False
        if len(self.name) >= 24:
            return
        begins = not self.name or self.name[-1] in " -’"
        self.name += letter if begins else letter.lower()

    def back(self) -> None:
        """Delete the last letter."""
        self._untouched = False
        self.name = self.name[:-1]

    def space(self) -> None:
        """Append a space between two names."""
        self._untouched = False
        if self.name and not self.name.endswith(" "):
            self.name += " "

    @abstractmethod
    def done(self) -> None:
        """Take the name; each kind of sheet has its own use for it."""


kv(__file__)
