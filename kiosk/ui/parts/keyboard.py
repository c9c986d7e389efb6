"""Draw a keyboard with which a finger writes a name."""

from abc import abstractmethod
from typing import Any

from kivy.properties import StringProperty

from kiosk.ui.parts.look import Key, Sheet, kv


class Letter(Key):
    """A key of the drawn keyboard."""


#: The letters of a German keyboard, row by row.
ROWS = ("QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNMß-’")


class NameSheet(Sheet):
    """A keyboard for one name."""

    name = StringProperty("")
    of_person = True  # a badge writes it
    sideways = False  # its keys would be smaller than a finger

    def __init__(self, app: Any, title: str, name: str = "", **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title, self.name = title, name
        self._untouched = True
        for letters, row in zip(ROWS, (self.ids.row1, self.ids.row2, self.ids.row3), strict=True):
            for letter in letters:
                key = Letter(text=letter)
                key.bind(on_release=lambda key: self.type(key.text))
                row.add_widget(key, index=int(row is self.ids.row3))

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
