"""Ask to which direction this table belongs: those found in the network, one by its address, or none."""

from functools import partial
from typing import Any
from urllib.parse import urlsplit

from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.ui.first_start.start_view import ChooseDirection, DirectionLine, StartView
from kiosk.ui.parts.hold import FaceKey
from kiosk.ui.parts.look import Key, kv, plain, sign, two_lines
from kiosk.ui.parts.typing import TypeSheet

#: Directions on a page.
ON_A_PAGE = 4

#: Where a direction listens if its address names no port.
PORT = 8377


class DirectionStep(BoxLayout):
    """Keys of the directions that answer, each with its address: two may have one name."""

    told = StringProperty("")
    page = NumericProperty(0)
    pages = NumericProperty(1)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self._view = StartView()
        super().__init__(**kwargs)
        self._keys = [FaceKey(go=partial(self._chosen, number)) for number in range(ON_A_PAGE)]
        for key in self._keys:
            self.ids.found.add_widget(key)
        self._turn_key = Key(text=sign("›"), font_size="26sp", size_hint_x=0.3, on_release=lambda _: self.turn())

    def draw(self, view: StartView) -> None:
        """Show who was found, and to whom the table belongs."""
        text, self._view = self.app.words, view
        found = view.found or ()
        self.pages = max(1, -(-len(found) // ON_A_PAGE))
        self.page = min(self.page, self.pages - 1)
        if (self.pages > 1) != (self._turn_key.parent is not None):
            others = self.ids.others
            (others.add_widget if self.pages > 1 else others.remove_widget)(self._turn_key)
        if view.found is None:
            self.told = text["start_looking"]
        else:
            self.told = text["start_found" if found else "start_nobody"]
        for number, key in enumerate(self._keys):
            line = self._line(number)
            key.disabled, key.opacity = line is None, float(line is not None)
            if line is not None:
                key.calm_text = two_lines(plain(line.name), plain(shown_address(line.url)))
                key.calm_tone, key.meaning = ("gold" if line.url == view.url else "ivory"), line.url
                key.binds = not view.first  # a table that has a direction already leaves it
        known = {line.url for line in found}
        self.ids.typed.text = (
            two_lines(text["start_type"], plain(shown_address(view.url)))
            if view.url and view.url not in known
            else text["start_type"]
        )
        self.ids.alone.calm_tone = "gold" if view.alone else "green"

    def turn(self) -> None:
        """Go to the next page, after the last to the first."""
        self.page = (self.page + 1) % self.pages
        self.draw(self._view)

    def _line(self, number: int) -> DirectionLine | None:
        found, place = self._view.found or (), int(self.page) * ON_A_PAGE + number
        return found[place] if place < len(found) else None

    def _chosen(self, number: int) -> None:
        line = self._line(number)
        if line is not None:
            self.app.request(ChooseDirection(line.url))

    def type_address(self) -> None:
        """Ask for the address by the keyboard."""
        self.app.sheets.open("address", by=0)

    def stay_alone(self) -> None:
        """Belong to nobody."""
        self.app.request(ChooseDirection(""))


class AddressSheet(TypeSheet):
    """The address of a direction, as people read it from its page."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, app.words["start_type"], hint="192.168.1.10", **kwargs)

    def done(self) -> None:
        """Take the address, once it is one."""
        url = whole_address(self.typed)
        if url is None:
            self.wrong = self.app.words["start_no_address"]
            return
        self.close()
        self.app.request(ChooseDirection(url))


def whole_address(typed: str) -> str | None:
    """Complete an address that somebody has typed: ``leitung.local`` is at https and the usual port.

    None: it is none.
    """
    text = typed.strip().rstrip("/")
    if "://" not in text:
        text = f"https://{text}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or any(sign.isspace() for sign in text) or parts.username:
        return None
    if not all(sign.isalnum() or sign in ".-:%_" for sign in host):
        return None
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port or PORT}"


def shown_address(url: str) -> str:
    """An address as it stands below a name: without what every one begins with."""
    return url.removeprefix("https://")


assert issubclass(FaceKey, Key)  # the layout has it
kv(__file__)
