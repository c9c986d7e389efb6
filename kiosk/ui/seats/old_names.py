"""Ask whether those sit here whose names were written before the table was switched off."""

from typing import Any, Protocol

from kivy.properties import StringProperty

from kiosk.table.view.table_view import TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.look import Sheet, kv, plain


class NamesKept(Protocol):
    """Names that outlive the program, as ``kiosk.app.kept_names.KeptNames``."""

    names: tuple[str, ...]

    def keep(self, names: tuple[str, ...]) -> None: ...


class OldNamesSheet(Sheet):
    """The names as they were written; nobody is sat down by a table that only guesses who has come."""

    names = StringProperty("")

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["old_names_title"]
        self.names = "\n".join(plain(name) for name in app.kept_names.names if name)

    def show(self, view: TableView) -> None:
        self.close()  # a round goes on: its names are known

    def take(self) -> None:
        """Put the names back on their seats."""
        screen = self.app.screen("seats")
        screen.names = list(self.app.kept_names.names)
        self.close()
        screen.show()

    def leave(self) -> None:
        """Forget the names: others have come."""
        self.app.kept_names.keep(())
        self.close()


kv(__file__)
assert look  # the layout names its sizes
