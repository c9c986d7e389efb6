"""The list as the book wants it (eppstein 6.3): cumulated points, the dealer and the soloist recognisable."""

from typing import Any

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import Screen

from kiosk.table import words
from kiosk.table.view import RowView, TableView
from kiosk.ui import look
from kiosk.ui.look import Key, dp, kv, plain


class HeadCell(BoxLayout):
    """A player's column head."""

    name = StringProperty("")
    below = StringProperty("")
    dealer = BooleanProperty(False)


class Cell(BoxLayout):
    """One player's total in a row."""

    text = StringProperty("")
    dealer = BooleanProperty(False)
    solo = BooleanProperty(False)
    gained = BooleanProperty(False)


class Row(BoxLayout):
    """A row of the list; cells are made once and changed in place."""

    number = StringProperty("")
    points = StringProperty("")
    kind = StringProperty("")
    shade = NumericProperty(0)
    tall = NumericProperty(27)  # dp
    open = BooleanProperty(False)
    void = BooleanProperty(False)

    def __init__(self, players: int, **kwargs: Any) -> None:
        self._shown: tuple[RowView, str] | None = None
        super().__init__(**kwargs)
        self.cells = [Cell() for _ in range(players)]
        for cell in self.cells:
            self.ids.cells.add_widget(cell)

    def show(self, app: Any, row: RowView) -> None:
        """Draw the row if it changed."""
        if self._shown == (row, app.language):
            return
        self._shown = (row, app.language)
        self.number = str(row.game)
        self.points = "–" if row.void else str(row.points)
        kind = "" if row.kind == "normal" else words.game_word(row.kind, duty=row.duty, language=app.language)
        self.kind = app.words["row_void"] if row.void else kind
        self.open, self.void = row.open, row.void
        self.shade = row.game % 2
        for number, cell in enumerate(self.cells):
            total = str(row.total[number])
            cell.text = f"[s]{total}[/s]" if row.void and not row.score[number] else total
            cell.dealer = row.dealer == number + 1
            cell.solo = row.declarer == number + 1 and row.kind not in ("normal", "hochzeit")
            cell.gained = bool(row.score[number])


class ListScreen(Screen):
    """The list, and at the round's end the signatures."""

    title = StringProperty("")
    signing = BooleanProperty(False)
    sums = ListProperty([])

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self._rows: list[Row] = []
        self._heads: list[HeadCell] = []
        self._keys: list[Key] = []
        super().__init__(**kwargs)
        self.ids.scroll.bind(height=self._fit)

    def show(self, view: TableView) -> None:
        """Draw the view."""
        text = self.app.words
        self.title = text["table_n"].format(table=view.table, round=view.round)
        if len(self._heads) != len(view.seats):
            self._columns(len(view.seats))
        for seat, head in zip(view.seats, self._heads, strict=True):
            head.name = plain(seat.name)
            head.below = text["duty_open"] if seat.duty_open else text["duty_done"]
            head.dealer = seat.dealer or view.next_dealer == seat.seat
        box = self.ids.rows
        while len(self._rows) > len(view.rows):
            box.remove_widget(self._rows.pop())
        grew = len(self._rows) < len(view.rows)
        while len(self._rows) < len(view.rows):
            self._rows.append(Row(len(view.seats)))
            box.add_widget(self._rows[-1])
        for row, widget in zip(view.rows, self._rows, strict=True):
            widget.show(self.app, row)
        if grew:
            self._fit()
        self._signatures(view)

    def _fit(self, *_: object) -> None:
        """Sixteen games fit without scrolling; more scroll, and the newest is in view."""
        room = self.ids.scroll.height / dp(1)
        tall = max(21.0, min(28.0, room / max(1, len(self._rows))))
        for widget in self._rows:
            widget.tall = tall
        self.ids.scroll.scroll_y = 0 if tall * len(self._rows) > room + 1 else 1

    def _columns(self, players: int) -> None:
        self.ids.heads.clear_widgets()
        self.ids.rows.clear_widgets()
        self.ids.signatures.clear_widgets()
        self._rows = []
        self._heads = [HeadCell() for _ in range(players)]
        self._keys = []
        for number, head in enumerate(self._heads):
            self.ids.heads.add_widget(head)
            key = Key(font_size="16sp")
            key.seat = number + 1
            key.bind(on_release=self._sign)
            self._keys.append(key)
            self.ids.signatures.add_widget(key)

    def _signatures(self, view: TableView) -> None:
        text = self.app.words
        self.signing = bool(view.may_sign or view.signed or view.may_close or view.phase == "over")
        for seat, key in zip(view.seats, self._keys, strict=True):
            signed = seat.seat in view.signed
            name = plain(seat.name)
            key.text = f"{name} {look.sign('✓')}" if signed else text["sign"].format(name=name)
            key.tone = "green" if signed else "ivory"
            key.disabled = not signed and seat.seat not in view.may_sign
        close = self.ids.close_key
        close.disabled = not view.may_close
        handed = view.phase == "over" and len(view.signed) == len(view.seats) and not view.may_close
        close.text = text["handed_in"] if handed else f"[b]{text['hand_in']}[/b]"

    def _sign(self, key: Any) -> None:
        if key.tone == "ivory":
            self.app.request({"event": "sign", "seat": key.seat})

    def hand_in(self) -> None:
        """The list goes to the director."""
        self.app.request({"event": "close"})


kv(__file__)
