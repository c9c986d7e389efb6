"""Set the options of a round at a table that nobody directs, a page of them at a time."""

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.language.rules import section_word
from kiosk.table.view.options_view import OptionView, contradiction, options_view
from kiosk.ui.parts.look import Sheet, kv, plain

#: Options on a page: as many as fit on the smallest screen.
ON_A_PAGE = 3


class OptionRow(BoxLayout):
    """An option with its value between two keys."""

    name = StringProperty("")
    told = StringProperty("")
    cited = StringProperty("")
    value = StringProperty("")
    changed = BooleanProperty(False)
    there = BooleanProperty(False)


class OptionsSheet(Sheet):
    """The options of the chosen book; whatever contradicts itself is said and not taken."""

    page = NumericProperty(0)
    pages = NumericProperty(1)
    chapter = StringProperty("")
    wrong = StringProperty("")

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self._rows = [OptionRow() for _ in range(ON_A_PAGE)]
        for row in self._rows:
            self.ids.options.add_widget(row)
        self.title = app.words["set_options"]
        self.draw()

    def draw(self) -> None:
        """Draw the page."""
        screen, language = self.app.screen("seats"), self.app.language
        shown = options_view(screen.rules, screen.options, language)
        pages = [part for chapter in _chapters(shown) for part in _cut(chapter)]
        self.pages = max(1, len(pages))
        self.page = min(self.page, self.pages - 1)
        here = pages[int(self.page)] if pages else ()
        self.chapter = here[0].chapter if here else ""
        for number, row in enumerate(self._rows):
            row.there = number < len(here)
            if row.there:
                one = here[number]
                row.name, row.told, row.value = one.name, plain(one.told), plain(one.value_told)
                row.cited, row.changed = plain(section_word(one.section, language)), one.changed

    def turn(self, by: int) -> None:
        """Go to another page."""
        self.page, self.wrong = (self.page + by) % self.pages, ""
        self.draw()

    def step(self, name: str, by: int) -> None:
        """Give an option its next value, unless it contradicts another."""
        screen = self.app.screen("seats")
        option = next(one for one in options_view(screen.rules, screen.options) if one.name == name)
        wanted = {**screen.options, name: option.step(by)}
        self.wrong = plain(contradiction(screen.rules, wanted, self.app.language))
        if not self.wrong:
            screen.set_options(wanted)
            self.draw()

    def by_the_book(self) -> None:
        """Set all as the book has it."""
        self.wrong = ""
        self.app.screen("seats").set_options({})
        self.draw()


def _chapters(options: tuple[OptionView, ...]) -> list[tuple[OptionView, ...]]:
    """The options chapter by chapter."""
    names = list(dict.fromkeys(one.chapter for one in options))
    return [tuple(one for one in options if one.chapter == name) for name in names]


def _cut(options: tuple[OptionView, ...]) -> list[tuple[OptionView, ...]]:
    """The pages of a chapter."""
    return [options[at : at + ON_A_PAGE] for at in range(0, len(options), ON_A_PAGE)]


kv(__file__)
