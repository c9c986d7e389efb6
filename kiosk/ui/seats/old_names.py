"""Ask whether those sit here who wrote and chose before the table was switched off."""

from typing import Any, Protocol

from kivy.properties import StringProperty

from kiosk.language.rules import book_name
from kiosk.table.view.options_view import options_view
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.look import Sheet, kv, plain
from kiosk.ui.seats.seats_view import Written


class SeatingKept(Protocol):
    """What was written and chosen, and outlives the program, as ``kiosk.app.kept_seating.KeptSeating``."""

    written: Written

    def keep(self, written: Written) -> None: ...


class OldNamesSheet(Sheet):
    """Names and book as they were chosen; nobody is sat down by a table that only guesses who has come."""

    names = StringProperty("")
    chosen = StringProperty("")  # the book, and how much differs from it

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        text, written = app.words, app.kept_seating.written
        self.title = text["old_names_title" if any(written.names) else "old_choice_title"]
        self.names = "\n".join(plain(name) for name in written.names if name)
        if written.rules and app.screen("seats").may_choose(written):
            changed = sum(one.changed for one in options_view(written.rules, written.options))
            told = text["set_options_n"].format(n=changed) if changed else text["set_options_none"]
            self.chosen = f"{plain(book_name(written.rules, app.language))} · {told}"

    def show(self, view: TableView) -> None:
        self.close()  # a round goes on: its names are known

    def take(self) -> None:
        """Put the names back on their seats, and the book with its options."""
        self.close()
        self.app.screen("seats").take_written(self.app.kept_seating.written)

    def leave(self) -> None:
        """Forget them: others have come."""
        self.app.kept_seating.keep(Written())
        self.close()


kv(__file__)
assert look  # the layout names its sizes
