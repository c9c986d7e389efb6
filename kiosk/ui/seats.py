"""Sitting down: who sits where, at which table, by which book."""

from typing import Any

from kivy.metrics import sp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.screenmanager import Screen

from kiosk.rules.books import BOOKS
from kiosk.ui.look import Key, Sheet, kv, plain, two_lines
from kiosk.ui.seating import Seating


class SeatTile(Key):
    """A seat to be named."""

    number = NumericProperty(0)


class SeatsScreen(Screen):
    """Names around a table; the request is the event ``open``."""

    table = NumericProperty(1)
    round = NumericProperty(1)
    rules = StringProperty("")
    book = StringProperty("")
    ready = BooleanProperty(False)
    missing = StringProperty("")
    hint = StringProperty("")
    several = BooleanProperty(False)
    camera_wrong = StringProperty("")  # why the camera cannot read cards, in a word
    fifth_text = StringProperty("")
    may_fifth = BooleanProperty(True)  # the book is played by five too, or a fifth seat is to go

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self.names: list[str] = []
        self._tiles: list[SeatTile] = []
        super().__init__(**kwargs)
        self.take(app.seating)
        self.ids.around.bind(size=lambda *_: self._place(), pos=lambda *_: self._place())

    def take(self, seating: Seating) -> None:
        """This is known now; names written here before make room for it."""
        self.names = [*seating.players, *[""] * (4 - len(seating.players))]
        self.table, self.round, self.rules = seating.table, seating.round, seating.rules
        self.several = len(seating.books) > 1 and not seating.tournament

    def show(self) -> None:
        """Draw the seats."""
        text, seating = self.app.words, self.app.seating
        self.hint = text["sit_hint"]
        if seating.tournament:
            self.hint = f"{self._told(seating)}. {text['plan_hint' if seating.seated else 'plan_names']}"
        crowded = len(self.names) > seating.mat_seats
        if crowded:
            self.hint = text["small_mat_hint"].format(people=len(self.names), seats=seating.mat_seats)
        around = self.ids.around
        if len(self._tiles) != len(self.names):
            for tile in self._tiles:
                around.remove_widget(tile)
            self._tiles = []
            for number in range(1, len(self.names) + 1):
                tile = SeatTile(number=number, size_hint=(None, None))
                tile.bind(on_release=self._touch)
                self._tiles.append(tile)
                around.add_widget(tile)
            self._place()
        for tile, name in zip(self._tiles, self.names, strict=True):
            below = text["seat_n"].format(seat=tile.number)
            if tile.number in seating.substitutes:
                below += " · " + text["substitute"]
            tile.text = two_lines(plain(name) or text["free"], below, "14sp")
            tile.tone = "ivory" if name else "green"
            tile.font_size = sp(21 if len(name) <= 12 else 16 if len(name) <= 26 else 13)
        notices = self.app.notices
        self.camera_wrong = (
            text["deck_missing"] if "deck" in notices else text["no_camera"] if "camera" in notices else ""
        )
        self.fifth_text = text["fifth"] if len(self.names) == 4 else text["no_fifth"]
        self.book = plain(dict(self.app.seating.books).get(self.rules, self.rules))
        fits = len(self.names) in BOOKS[self.rules].tables
        self.may_fifth = (5 in BOOKS[self.rules].tables and seating.mat_seats > 4) or len(self.names) > 4
        free = [str(number) for number, name in enumerate(self.names, 1) if not name]
        twice = next((name for name in self.names if name and self.names.count(name) > 1), "")
        self.ready = fits and not crowded and not free and not twice
        if not fits:
            self.missing = text["too_many"]
        elif crowded:
            self.missing = text["small_mat"].format(seats=seating.mat_seats)
        elif free:
            self.missing = text["start_missing"].format(seats=", ".join(free))
        else:
            self.missing = text["same_name"].format(name=plain(twice)) if twice else ""

    def _told(self, seating: Seating) -> str:
        """What the direction has set for the round: games, playing time, and how much differs from the book."""
        text, book = self.app.words, BOOKS[seating.rules]
        options, default = book.settle(seating.options), book.settle({})
        games = book.games(len(self.names), options)
        minutes = seating.minutes or book.minutes(len(self.names), options)
        shown = ("games", "games_5", "minutes", "minutes_5", "rounds")
        other = sum(options[name] != default[name] for name in options if name not in shown)
        numbers = (("plan_games", games), ("plan_minutes", minutes), ("plan_options", other))
        return ", ".join(text[key].format(n=f"{number:g}") for key, number in numbers if number) or text["plan_by_book"]

    def _place(self) -> None:
        from kiosk.ui.look import dp
        from kiosk.ui.play import FIVE, FOUR

        around = self.ids.around
        places = FOUR if len(self.names) == 4 else FIVE
        for tile in self._tiles:
            x, y = places[tile.number]
            tile.size = dp(156 if len(self.names) == 4 else 140), dp(78)
            tile.center_x = around.center_x + x * (around.width / 2 - tile.width / 2 - dp(6))
            tile.center_y = around.center_y + y * (around.height / 2 - tile.height / 2 - dp(6))

    def _touch(self, tile: SeatTile) -> None:
        self.app.open_sheet("name", seat=tile.number)

    def put(self, seat: int, name: str) -> None:
        """Put a name on a seat."""
        self.names[seat - 1] = " ".join(name.split())
        self.show()

    def badge(self, name: str) -> None:
        """A scanned badge takes the first free seat, or moves its name nowhere if it sits already."""
        if name in self.names or "" not in self.names:
            return
        self.put(self.names.index("") + 1, name)

    def fifth(self) -> None:
        """Add a fifth seat or take it away."""
        if len(self.names) == 4:
            self.names.append("")
        else:
            self.names.pop()
        self.show()

    def step(self, what: str, by: int) -> None:
        """Count table or round up or down."""
        setattr(self, what, max(1, int(getattr(self, what)) + by))

    def next_book(self) -> None:
        """The next rule book."""
        codes = [code for code, _ in self.app.seating.books]
        self.rules = codes[(codes.index(self.rules) + 1) % len(codes)]
        self.show()

    def start(self) -> None:
        """All sit."""
        seating = self.app.seating
        substitutes = [seat for seat in seating.substitutes if seat <= len(self.names)]
        direction = {"tournament": seating.tournament, "minutes": seating.minutes, "substitutes": substitutes}
        self.app.request(
            {
                "event": "open",
                "format": 1,
                "rules": self.rules,
                "table": int(self.table),
                "round": int(self.round),
                "players": list(self.names),
                "options": dict(seating.options) if self.rules == seating.rules else {},
                **{key: value for key, value in direction.items() if value},
            }
        )


class Letter(Key):
    """A key of the drawn keyboard."""


ROWS = ("QWERTZUIOPÜ", "ASDFGHJKLÖÄ", "YXCVBNMß-’")


class NameSheet(Sheet):
    """A keyboard for one name."""

    name = StringProperty("")

    def __init__(self, app: Any, seat: int, name: str | None = None, **kwargs: Any) -> None:
        self.seat = seat
        super().__init__(app, **kwargs)
        self.title = app.words["name_of"].format(seat=seat)
        self.name = app.screen("seats").names[seat - 1] if name is None else name
        self._untouched = True
        for letters, row in zip(ROWS, (self.ids.row1, self.ids.row2, self.ids.row3), strict=True):
            for letter in letters:
                key = Letter(text=letter)
                key.bind(on_release=lambda key: self.type(key.text))
                row.add_widget(key, index=int(row is self.ids.row3))

    def type(self, letter: str) -> None:
        """One letter more; capitals begin a word. The first one begins another name."""
        if self._untouched:
            self.name = ""
        self._untouched = False
        if len(self.name) >= 24:
            return
        begins = not self.name or self.name[-1] in " -’"
        self.name += letter if begins else letter.lower()

    def back(self) -> None:
        """One letter less."""
        self._untouched = False
        self.name = self.name[:-1]

    def space(self) -> None:
        """A gap between two names."""
        self._untouched = False
        if self.name and not self.name.endswith(" "):
            self.name += " "

    def done(self) -> None:
        """Take the name; go on to the next seat that has none."""
        screen = self.app.screen("seats")
        screen.put(self.seat, self.name)
        self.close()
        if self.name.strip() and "" in screen.names:
            self.app.open_sheet("name", seat=screen.names.index("") + 1)


kv(__file__)
