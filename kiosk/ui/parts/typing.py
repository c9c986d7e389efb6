"""Draw a keyboard with which a finger writes an address or a password: every sign of ASCII, and the umlauts."""

from abc import abstractmethod
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.ui.parts.look import Key, Sheet, kv, plain

#: What each page of the keyboard has, eleven keys a row.
PAGES = {
    "small": ("1234567890ß", "qwertzuiopü", "asdfghjklöä", "yxcvbnm.-_:"),
    "large": ("1234567890ß", "QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNM.-_:"),
    "signs": ("1234567890€", "!\"#$%&'()*+", ",-./:;<=>?@", "[\\]^_`{|}~§"),
}

#: Signs of what was typed that are seen at a time.
SEEN = 32

#: Keys in a row where the sheet stands upright.
_UPENDED = 7


class Sign(Key):
    """A key of the drawn keyboard."""


class Signs(BoxLayout):
    """A row of keys."""


class TypeSheet(Sheet):
    """A keyboard for one text; what is typed is seen, for whoever types it stands alone before the screen.

    :param hint: what stands in the empty field.
    """

    typed = StringProperty("")
    hint = StringProperty("")
    wrong = StringProperty("")  # why what was typed cannot be
    page = StringProperty("small")
    most = 200  # signs

    def __init__(self, app: Any, title: str, hint: str = "", **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title, self.hint = title, hint
        self.fbind("upended", self._lay_keys)
        self.fbind("page", self._lay_keys)
        self._lay_keys()

    def _lay_keys(self, *_: object) -> None:
        rows: tuple[str, ...] = PAGES[self.page]
        if self.upended:
            every = "".join(rows)
            rows = tuple(every[at : at + _UPENDED] for at in range(0, len(every), _UPENDED))
        self.ids.rows.clear_widgets()
        for signs in rows:
            row = Signs()
            for one in signs:
                key = Sign(text=_shown(one), meaning=one)
                key.bind(on_release=lambda _, one=one: self.type(one))
                row.add_widget(key)
            self.ids.rows.add_widget(row)

    def turn_to(self, page: str) -> None:
        """Show a page of the keyboard; the one that is up already gives way to the small letters."""
        self.page = "small" if self.page == page else page

    def type(self, sign: str) -> None:
        """Append a sign; after a large letter small ones follow."""
        self.wrong = ""
        if len(self.typed) < self.most:
            self.typed += sign
        if self.page == "large":
            self.page = "small"

    @staticmethod
    def end_of(typed: str) -> str:
        """Return markup of as much of the end as fits."""
        return plain(typed if len(typed) <= SEEN else f"…{typed[-SEEN:]}")

    def back(self) -> None:
        """Delete the last sign."""
        self.wrong, self.typed = "", self.typed[:-1]

    @abstractmethod
    def done(self) -> None:
        """Take what was typed; each kind of sheet has its own use for it."""


def _shown(one: str) -> str:
    return {"&": "&amp;", "[": "&bl;", "]": "&br;"}.get(one, one)


kv(__file__)
