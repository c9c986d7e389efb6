"""Show the rounds that were begun at this table, and the list of one of them."""

from dataclasses import replace
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.screenmanager import Screen

from kiosk.language.rules import book_name
from kiosk.table.evenings import evening_text
from kiosk.table.events.values import Consent
from kiosk.ui.earlier.earlier_requests import ListRounds, NextRound, ResumeRound, ShowRound
from kiosk.ui.earlier.earlier_view import EarlierView, RoundLine
from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import Key, kv, plain, two_lines
from kiosk.ui.parts.played_view import LookAtGame

#: Rounds on a page: as many as fit on the smallest screen.
ON_A_PAGE = 5


class EarlierScreen(Screen):
    """The rounds, the newest first, a page at a time; or one of them.

    :param sheet: draws the list of one round.
    """

    page = NumericProperty(0)
    pages = NumericProperty(1)
    none = BooleanProperty(False)
    one = BooleanProperty(False)  # the list of one round is up
    may_resume = BooleanProperty(False)
    may_follow = BooleanProperty(False)
    stick = BooleanProperty(False)  # lists can be written to USB sticks
    heading = StringProperty("")

    def __init__(self, app: Any, sheet: Any, **kwargs: Any) -> None:
        self.app, self.sheet = app, sheet
        self._lines: tuple[RoundLine, ...] = ()
        self._earlier: EarlierView | None = None
        super().__init__(**kwargs)
        self._keys = [Key(tone="ivory") for _ in range(ON_A_PAGE)]
        for number, key in enumerate(self._keys):
            key.bind(on_release=lambda _, number=number: self._open(number))
            self.ids.rounds.add_widget(key)
        self.ids.sheet.add_widget(sheet)

    def open(self) -> None:
        """Ask for the rounds."""
        self.page, self.one = 0, False
        self.list_rounds(())
        self.app.request(ListRounds())

    def list_rounds(self, lines: tuple[RoundLine, ...]) -> None:
        """Show these rounds."""
        self._lines, self.none = lines, not lines
        self.pages = max(1, -(-len(lines) // ON_A_PAGE))
        self.draw()

    def draw(self) -> None:
        """Draw the page of rounds."""
        self.heading = self.app.words["earlier"]
        for number, key in enumerate(self._keys):
            place = int(self.page) * ON_A_PAGE + number
            there = place < len(self._lines)
            key.disabled, key.opacity = not there, float(there)
            if there:
                key.text = self._told(self._lines[place])

    def _told(self, line: RoundLine) -> str:
        text = self.app.words
        evening = evening_text(line.key.evening, self.app.language)
        state = text["earlier_up" if line.up else "earlier_done" if line.handed_in else "earlier_open"]
        book = book_name(line.rules, self.app.language)
        head = text["earlier_line"].format(round=line.key.round, evening=plain(evening))
        return two_lines(f"{head} · {state}", plain(f"{book}: {', '.join(line.players)}"))

    def turn(self, by: int) -> None:
        """Go to another page."""
        self.page = (self.page + by) % self.pages
        self.draw()

    def _open(self, number: int) -> None:
        place = int(self.page) * ON_A_PAGE + number
        if place < len(self._lines):
            self.app.request(ShowRound(self._lines[place].key))

    def show_round(self, earlier: EarlierView) -> None:
        """Show the list of one round; nobody signs or hands it in here."""
        self._earlier, self.one = earlier, True
        self.sheet.look = lambda game: self.app.request(LookAtGame(game, earlier.key))
        self.may_resume, self.may_follow = earlier.may_resume, earlier.may_follow
        self.stick = self.app.stick_view is not None
        self.sheet.show(replace(earlier.view, may_sign=(), may_close=False))

    def back(self) -> None:
        """Go back to the rounds, or to the table."""
        if self.one:
            self.open()
        else:
            self.app.leave_setting_up()

    def to_stick(self) -> None:
        """Write the list that is shown to a stick."""
        if self._earlier is not None:
            self.app.sheets.open("stick", key=self._earlier.key)

    def resume(self) -> None:
        """Go on with the round that is shown."""
        if self._earlier is not None:
            self.app.begin_elsewhere(ResumeRound(self._earlier.key, Consent(deliberate=True)))

    def follow(self) -> None:
        """Sit down for the next round of the evening that is shown."""
        if self._earlier is not None:
            self.app.begin_elsewhere(NextRound(self._earlier.key.evening))


kv(__file__)
assert issubclass(HoldKey, Key)  # the layout has it
