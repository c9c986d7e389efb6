"""Show what the table is made of: version, packages, and the notice of each whole."""

import textwrap
from typing import Any

from kivy.properties import BooleanProperty, ListProperty

from kiosk.ui.hardware.hardware_view import NoticeView, ShowNotices
from kiosk.ui.parts.label import Label
from kiosk.ui.parts.look import Key, Sheet, kv, plain, two_lines

#: Letters in a line: notices are written for 80, and that many fit on the smallest screen.
COLUMNS = 80

#: Packages on a page: as many as fit on the smallest screen.
ON_A_PAGE = 15


class NoticeLine(Label):
    """A line of a notice, as it was written."""


class AboutSheet(Sheet):
    """The packages by name; touched, one shows its notice, which is read by pushing it up."""

    one = BooleanProperty(False)
    lines = ListProperty([])

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["about"]
        self._notices: tuple[NoticeView, ...] = ()
        self._page = 0
        app.request(ShowNotices())

    def draw(self, notices: tuple[NoticeView, ...]) -> None:
        """Show the packages."""
        self._notices = notices
        self.turn(0)

    def turn(self, by: int) -> None:
        """Go to another page of packages."""
        pages = max(1, -(-len(self._notices) // ON_A_PAGE))
        self._page = (self._page + by) % pages
        self.ids.packages.clear_widgets()
        for notice in self._notices[self._page * ON_A_PAGE :][:ON_A_PAGE]:
            key = Key(text=two_lines(plain(notice.name), plain(notice.version)))
            key.bind(on_release=lambda _, notice=notice: self.read(notice))
            self.ids.packages.add_widget(key)

    def read(self, notice: NoticeView) -> None:
        """Show the notice of a package from its beginning."""
        self.title = f"{notice.name} {notice.version}".strip()
        self.lines = [{"text": line} for line in folded(f"{notice.licence}\n\n{notice.text}")]
        self.ids.text.scroll_y = 1
        self.one = True

    def back(self) -> None:
        """Show the packages again."""
        self.title, self.one, self.lines = self.app.words["about"], False, []


def folded(text: str) -> list[str]:
    """Break lines that are too long at their spaces; nothing is left out."""
    return [
        part
        for line in text.expandtabs().splitlines()
        for part in (textwrap.wrap(line, COLUMNS, drop_whitespace=False) or [""])
    ]


kv(__file__)
