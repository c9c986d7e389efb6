"""Show the list in the book's own columns, the dealer and the soloist marked."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from kivy.clock import Clock
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.language import Language
from kiosk.language.scoresheet import list_word
from kiosk.rules.engine.listing import note
from kiosk.table.consent import held
from kiosk.table.evenings import evening_text
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import ListHandedIn, ListSigned
from kiosk.table.round.taking_back import take_back
from kiosk.table.scoresheet.spielliste import list_words
from kiosk.table.scoresheet.written import footnote, mended_line
from kiosk.table.view.table_view import ListView, RowView, TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.fit import NEAR, first_fitting, fit_name, height_of
from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import dp, kv, plain, sp
from kiosk.ui.parts.played_view import LookAtGame
from kiosk.ui.parts.turning_screen import TurningScreen
from kiosk.ui.score_list.rows import Rows

#: What each column of a list holds, as ``ListView.fields``.
Fields: TypeAlias = tuple[tuple[str, int | None], ...]


#: Footnotes below the list, the newest.
MOST_FOOTNOTES = 3

#: Width of the words on a row's game, in units.
KIND_UNITS = 146

#: Room for all keys that sign, in units.
SIGNING_UNITS, UPENDED_SIGNING_UNITS = 470, 464

#: Width of a row's number, in units.
NUMBER_UNITS = 32


def _duty_words(text: dict[str, str], open_still: bool) -> list[str]:
    """Say whether the Pflichtsolo is played, in ever fewer words."""
    return [text["duty_open"], "Solo –"] if open_still else [text["duty_done"], f"Solo {look.sign('✓')}"]


def _rest_below(heights: Sequence[float], room: float) -> float:
    """Find what is left below the newest rows when as many as fit, all whole, begin at the top; in the same unit."""
    rest = room
    for height in reversed(heights):
        if height > rest:
            break
        rest -= height
    return rest


def _foot_word(name: str, language: Language) -> str:
    """A line's name: a word of the list, perhaps with a footnote, or a sign like Σ."""
    code, _, mark = name.partition(" *")
    return (list_word(code, language) if code.isascii() else code) + (f" *{mark}" if mark else "")


def _kind(app: Any, row: RowView, footnotes: tuple[int, ...]) -> str:
    """Say in a row which game it was, with its footnotes; whose it was its cell shows."""
    said = note(replace(row.listed, who=""), list_words(app.language))
    said = app.words["row_void"] if row.void and not said else said
    return " ".join([*([said] if said else []), *(f"*{mark}" for mark in footnotes)])


def _marks(sheet: ListView, place: int) -> tuple[int, ...]:
    """The footnotes of the row at a place of the list."""
    return sheet.marks[place] if sheet.marks else ()


def _own_signature(seat: int, view: TableView) -> int | None:
    """Find the signature that the seat may take back by itself: its event."""
    signed = (one for one in view.spoken if one.alone == seat and one.word is not None)
    return next((one.event for one in signed if one.said["event"] == ListSigned.name), None)


class HeadCell(BoxLayout):
    """A player's column head."""

    player = StringProperty("")
    among = ListProperty()  # all players
    name = StringProperty("")  # as it fits
    belows = ListProperty([""])  # what may stand below it, the first that fits
    below = StringProperty("")
    dealer = BooleanProperty(False)
    pair = BooleanProperty(False)  # over a plus and a minus column

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in ("width", "player", "among", "belows", "dealer"):
            self.fbind(name, self._fit)

    def _fit(self, *_: object) -> None:
        room, size = self.width - dp(4), sp(NEAR)
        room -= dp(24) if self.dealer else 0
        self.name = plain(fit_name(self.player, room, size, among=self.among))
        self.below = first_fitting(self.belows, self.width - dp(8), size)  # padded on both sides


class Cell(look.Text):
    """A player's cell of a row: the total, or the points of the game."""

    seat = NumericProperty(0)
    dealer = BooleanProperty(False)
    solo = BooleanProperty(False)
    gained = BooleanProperty(False)


class Row(BoxLayout):
    """A row of the list; cells are made once and changed in place."""

    number = StringProperty("")
    marks = StringProperty("")
    points = StringProperty("")
    kind = StringProperty("")
    shade = NumericProperty(0)
    tall = NumericProperty(27)  # dp
    open = BooleanProperty(False)
    void = BooleanProperty(False)
    marked = BooleanProperty(False)  # there is a column for the winners
    upended = BooleanProperty(False)  # the words on its game stand below
    opens = BooleanProperty(False)  # a touch shows the game as it was played

    def __init__(self, fields: Fields, **kwargs: Any) -> None:
        self._shown: tuple[RowView, tuple[str, ...], tuple[int, ...], str] | None = None
        super().__init__(**kwargs)
        self.fields = fields
        self.marked = any(kind == "winners" for kind, _ in fields)
        self.cells = {place: Cell(seat=seat) for place, (_, seat) in enumerate(fields) if seat is not None}
        for cell in self.cells.values():
            self.ids.cells.add_widget(cell)

    def show(self, app: Any, row: RowView, line: tuple[str, ...], footnotes: tuple[int, ...] = ()) -> None:
        """Draw the row if it changed; ``line`` has its cells as the book wants them."""
        if self._shown == (row, line, footnotes, app.language):
            return
        self._shown = (row, line, footnotes, app.language)
        self.number, self.opens = str(row.game), row.listed.own is not None
        self.points = "–" if row.void else str(row.points)
        self.marks = next((line[place] for place, (kind, _) in enumerate(self.fields) if kind == "winners"), "")
        self.kind = _kind(app, row, footnotes)
        self.open, self.void = row.open, row.void
        self.shade = row.game % 2
        seen = set()
        for place, cell in self.cells.items():
            score, text = row.score[cell.seat - 1], line[place]
            total = self.fields[place][0] == "total"
            cell.text = f"[s]{text}[/s]" if row.void and total and not score else text
            cell.dealer = row.dealer == cell.seat and cell.seat not in seen
            cell.solo = row.alone == cell.seat
            cell.gained = bool(score) if total else bool(text)
            seen.add(cell.seat)

    def foot(self, name: str, line: Sequence[str]) -> None:
        """Draw a line below the rows."""
        self.kind = name
        for place, cell in self.cells.items():
            cell.text, cell.gained = line[place], True


class ListScreen(TurningScreen):
    """The list, and at the round's end the signatures."""

    heading = StringProperty("")
    title = StringProperty("")
    two_titles = BooleanProperty(False)  # the evening stands there as well
    warning = StringProperty("")
    mended = StringProperty("")  # what the direction has put right
    corrected = StringProperty("")  # how often something said was put right
    signing = BooleanProperty(False)
    two_lines = BooleanProperty(False)  # of the head
    marked = BooleanProperty(False)  # there is a column for the winners
    archived = BooleanProperty(False)  # it shows a round that is not up: nothing is asked for here
    alone = BooleanProperty(False)  # nobody directs this table
    stick = BooleanProperty(False)  # lists can be written to USB sticks
    after = BooleanProperty(False)  # the list is handed in, and people say what comes next

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._shown: TableView | None = None  # what was prepared last, or shown
        self._tall = 27.0  # dp, of a row with a line
        self._fitted = (0.0, 0.0)  # height of all rows and the room for them, px
        self._scrolls = False
        # Kivy goes on with a scrolling that was under way, by the height that the list had then.
        self._settle = Clock.create_trigger(self._scroll, -1)
        self._heads: list[HeadCell] = []
        self._keys: list[HoldKey] = []
        self._fields: Fields = ()
        self._foot: list[Row] = []
        super().__init__(app, **kwargs)
        scroll = self.ids.scroll
        self.look: Callable[[int], None] = lambda game: app.request(LookAtGame(game))
        self.rows = Rows(lambda: Row(self._fields), self._show_row, self._touched)
        scroll.add_widget(self.rows)
        scroll.bind(size=self._fit, scroll_y=self.rows.setter("scroll_y"))
        self.fbind("upended", self._reshape)

    def show(self, view: TableView, most_new_rows: int | None = None) -> None:
        """Draw the view.

        :param most_new_rows: of so many rows at most the widgets are made; None: of all in view.
        """
        if not self.archived:
            self.face_reader()
        self._shown = view
        text = self.app.words
        self.title = text["table_n"].format(table=view.table, round=view.round)
        self.two_titles = bool(view.evening)
        if view.evening:
            self.title = f"{plain(evening_text(view.evening, self.app.language))} · {self.title}"
        self.alone, self.stick = self.app.seating.alone, self.app.stick_view is not None
        self.after = view.closed and not self.archived and (self.alone or self.stick)
        sheet = view.sheet
        if sheet is None:
            return
        self.heading = list_word(sheet.name, self.app.language)
        if (sheet.fields, len(view.seats)) != (self._fields, len(self._heads)):
            self._columns(len(view.seats), sheet.fields)
        pairs = any(kind == "plus" for kind, _ in sheet.fields)
        self.two_lines = pairs or bool(view.duties)
        for seat, head in zip(view.seats, self._heads, strict=True):
            head.among, head.player = view.names, seat.name
            head.belows = _duty_words(text, seat.duty_open) if view.duties else [""]
            head.dealer = seat.dealer or view.next_dealer == seat.seat
            head.pair = pairs
        self._show_foot(view, sheet, pairs)
        checks = [
            list_word(name, self.app.language) + (f" ({', '.join(map(str, games))})" if games else "")
            for name, _, games in sheet.wrong
        ]
        wrong = [text["list_wrong"].format(checks=", ".join(checks))] if checks else []
        again = [list_word("sign_anew", self.app.language)] if view.sign_anew else []
        self.warning = "\n".join([*wrong, *again])
        self.corrected = list_word("corrected", self.app.language, number=view.corrected) if view.corrected else ""
        self.mended = "\n".join(plain(line) for line in self._footnotes(view))
        self._fit(most_new_rows=most_new_rows)
        self._signatures(view)

    def prepare(self, view: TableView) -> None:
        """Make the rows ready, one at a time, while nobody looks: the list opens at once."""
        before = self._shown
        if before is None or (view.rows, view.sheet) != (before.rows, before.sheet) or not self.rows.complete:
            self.show(view, most_new_rows=1)

    def _show_row(self, widget: Row, place: int) -> None:
        """Have a row's widget show the row at a place of the list."""
        view = self._shown
        if view is not None and view.sheet is not None:
            widget.tall, widget.upended = self._tall, self.upended
            widget.show(self.app, view.rows[place], view.sheet.lines[place], _marks(view.sheet, place))

    def _touched(self, place: int) -> None:
        """Ask for the game of a row as it was played; one that the direction has added was not played here."""
        own = self._shown.rows[place].listed.own if self._shown is not None else None
        if own is not None:
            self.look(own)

    def _footnotes(self, view: TableView) -> list[str]:
        """What the direction has put right, a footnote each, and that the list was kept on paper."""
        language = self.app.language
        players = [seat.name for seat in view.seats]
        lines = [footnote(one) + mended_line(players, one, language, view.rules) for one in view.mended]
        if len(lines) > MOST_FOOTNOTES:  # the rows need their room; all of them stand on the paper and on the page
            lines = ["…", *lines[-MOST_FOOTNOTES:]]
        return [*lines, list_word("on_paper", language)] if view.on_paper else lines

    def _show_foot(self, view: TableView, sheet: ListView, pairs: bool) -> None:
        """Sums below the rows where these are single values, what counts beside the games, and the cash."""
        foot = sheet.foot if pairs else sheet.foot[1:]  # cumulated, the sums stand in the last row
        lines = [(_foot_word(name, self.app.language), list(line)) for name, line in foot]
        if view.fines:
            first: dict[int | None, int] = {}
            for place, (_, seat) in enumerate(sheet.fields):
                first.setdefault(seat, place)
            cash = [""] * len(sheet.fields)
            for seat, euros in enumerate(view.fines, 1):
                cash[first[seat]] = f"{-euros:+g} €" if euros else "0"
            lines.append((self.app.words["list_fines"], cash))
        box = self.ids.foot
        if len(self._foot) != len(lines):
            box.clear_widgets()
            self._foot = [Row(sheet.fields, tall=26, upended=self.upended) for _ in lines]
            for row in self._foot:
                box.add_widget(row)
        for row, (name, line) in zip(self._foot, lines, strict=True):
            row.foot(name, line)

    def _fit(self, *_: object, most_new_rows: int | None = None) -> None:
        """Rows are as high as there is room, and can be read; more scroll, and the newest is in view."""
        view = self._shown
        if view is None or view.sheet is None:
            return
        room = self.ids.scroll.height
        self._tall = max(25.0, min(30.0, room / dp(1) / max(1, len(view.rows))))
        said = [_kind(self.app, row, _marks(view.sheet, place)) for place, row in enumerate(view.rows)]
        if self.upended:  # the words stand below
            heights = [dp(self._tall) + height_of(words, self._kind_width(), sp(NEAR)) for words in said]
        else:
            heights = [max(dp(self._tall), height_of(words, dp(KIND_UNITS), sp(NEAR))) for words in said]
        scrolls = sum(heights) > room + dp(1)
        self.rows.lay(heights, _rest_below(heights, room) if scrolls else 0.0, room, most_new_rows)
        if (self.rows.height, room) != self._fitted:
            self._fitted = self.rows.height, room
            self._scrolls = scrolls
            self._scroll()
            self._settle()

    def _reshape(self, *_: object) -> None:
        """Have the sums and the signatures as the turned list has room; the rows follow its size."""
        for row in self._foot:
            row.upended = self.upended
        if self._shown is not None and self._shown.sheet is not None:
            self._signatures(self._shown)

    def _kind_width(self) -> float:
        """Room for the words on a row's game below the row, px."""
        return float(self.ids.scroll.width - dp(20 + NUMBER_UNITS))

    def _scroll(self, *_: object) -> None:
        """Have the newest row in view."""
        self.ids.scroll.scroll_y = 0 if self._scrolls else 1

    def _columns(self, players: int, fields: Fields) -> None:
        self._fields, self._foot = fields, []
        self.marked = any(kind == "winners" for kind, _ in fields)
        self.ids.foot.clear_widgets()
        self.ids.heads.clear_widgets()
        self.rows.forget()
        self.ids.signatures.clear_widgets()
        self._heads = [HeadCell() for _ in range(players)]
        self._keys = []
        for number, head in enumerate(self._heads):
            self.ids.heads.add_widget(head)
            key = HoldKey(go=partial(self._sign, number + 1))
            self._keys.append(key)
            self.ids.signatures.add_widget(key)

    def _signatures(self, view: TableView) -> None:
        text = self.app.words
        self.signing = bool(view.may_sign or view.signed or view.may_close or view.phase == "over")
        for seat, key in zip(view.seats, self._keys, strict=True):
            signed = seat.seat in view.signed
            room = dp(UPENDED_SIGNING_UNITS if self.upended else SIGNING_UNITS) / len(view.seats) - dp(24)
            name = plain(fit_name(seat.name, room, sp(NEAR), among=view.names))
            back = _own_signature(seat.seat, view)
            done = f"{name}\n{look.sign('✓')}"
            if back is not None:  # of five keys each has room for the word alone
                word = first_fitting((f"✓ {text['take_back']}", text["take_back"], text["back"]), room, sp(NEAR))
                done = f"{name}\n{word.replace('✓', look.sign('✓'))}"
            key.calm_text = done if signed else text["sign"].format(name=name)
            key.calm_tone = "green" if signed else "ivory"
            key.disabled = seat.seat not in view.may_sign and back is None
        close = self.ids.close_key
        close.disabled = not view.may_close
        handed = view.phase == "over" and len(view.signed) == len(view.seats) and not view.may_close
        close.calm_text = text["handed_in"] if handed else f"[b]{text['hand_in']}[/b]"
        close.binds = ListHandedIn.name not in view.needs_all  # with signatures missing all are asked

    def _sign(self, seat: int) -> None:
        back = _own_signature(seat, self.app.view)
        if back is not None:
            self.app.request(take_back(back, seat, self.app.words["why_slipped"]))
        else:
            self.app.request(held(request_for(ListSigned, seat=seat)))

    def hand_in(self) -> None:
        """Hand the list in to the director; with signatures missing everybody at the table has to agree."""
        request = request_for(ListHandedIn)
        if ListHandedIn.name not in self.app.view.needs_all:
            self.app.request(held(request))
            return
        missing = ", ".join(plain(seat.name) for seat in self.app.view.seats if seat.seat not in self.app.view.signed)
        self.app.sheets.open("agree", request=request, question=self.app.words["hand_in_without"].format(names=missing))

    def next_round(self) -> None:
        """Sit down for the next round of this evening."""
        self.app.next_round(self.app.view.evening)


kv(__file__)
