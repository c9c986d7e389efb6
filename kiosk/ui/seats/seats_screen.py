"""Choose the player of each seat, the table and the book."""

from typing import Any

from kivy.metrics import sp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.screenmanager import Screen

from kiosk.language.rules import book_name
from kiosk.table.consent import held
from kiosk.table.default_names import is_default
from kiosk.table.evenings import evening_text, parts
from kiosk.table.events.codec import FORMAT, request_for
from kiosk.table.events.values import RoundOpened
from kiosk.table.view.options_view import options_view
from kiosk.ui.parts import hold as _layout_of_keys  # noqa: F401
from kiosk.ui.parts.keyboard import NameSheet
from kiosk.ui.parts.look import Key, dp, kv, plain, two_lines
from kiosk.ui.parts.turned import Turned, turn
from kiosk.ui.seats.seats_requests import TakeList
from kiosk.ui.seats.seats_view import SeatsView, Written


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
    list_there = StringProperty("")  # the direction's list of this table is "fetching", or "offered"
    start_text = StringProperty("")
    may_start = BooleanProperty(False)
    alone = BooleanProperty(False)  # nobody directs this table
    kept = BooleanProperty(False)  # the rounds that were begun here can be seen again
    evening = StringProperty("")
    told_evening = StringProperty("")
    told_options = StringProperty("")
    may_fifth = BooleanProperty(True)  # the book is played by five too, or a fifth seat is to go

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self.names: list[str] = []
        self.options: dict[str, object] = {}
        self._tiles: list[SeatTile] = []
        self._holders: list[Turned] = []  # of the tiles
        super().__init__(**kwargs)
        self.take(app.seating)
        self.ids.around.bind(size=lambda *_: self._place(), pos=lambda *_: self._place())

    def take(self, seating: SeatsView) -> None:
        """Take what is known of the table; it replaces names written here before."""
        self.names = [*seating.players, *[""] * (4 - len(seating.players))]
        self.table, self.round, self.rules = seating.table, seating.round, seating.rules
        self.several = len(seating.books) > 1 and not seating.tournament
        self.options, self.alone, self.evening = dict(seating.options), seating.alone, seating.evening
        self.kept = seating.kept

    @property
    def written(self) -> dict[str, Any]:
        """What people have written and chosen here."""
        return {"names": list(self.names), "rules": self.rules, "options": dict(self.options), "evening": self.evening}

    @written.setter
    def written(self, written: dict[str, Any]) -> None:
        for name, value in written.items():
            setattr(self, name, value)

    def show(self) -> None:
        """Draw the seats."""
        text, seating = self.app.words, self.app.seating
        self.hint = text["sit_hint"]
        if seating.tournament:
            self.hint = f"{self._told(seating)}. {text['plan_hint' if seating.seated else 'plan_names']}"
        if len(self.names) > seating.mat_seats:
            self.hint = text["small_mat_hint"].format(people=len(self.names), seats=seating.mat_seats)
        if seating.alone:
            self._show_evening(seating)
        notices = self.app.notices
        self.hint = notices.get("enrol", notices.get("storage", self.hint))
        self._draw_tiles()
        self.camera_wrong = (
            text["deck_missing"] if "deck" in notices else text["no_camera"] if "camera" in notices else ""
        )
        self.fifth_text = text["fifth"] if len(self.names) == 4 else text["no_fifth"]
        self.book = book_name(self.rules, self.app.language)
        self.may_fifth = (5 in seating.book(self.rules).tables and seating.mat_seats > 4) or len(self.names) > 4
        self.list_there = self.app.list_there
        self.missing = self._lacking()
        self.may_start = not self.missing or self.list_there == "offered"
        self.start_text = text["start"]
        if self.list_there == "offered":
            self.missing, self.start_text = "", text["take_list"].format(table=int(self.table))
        elif self.list_there:
            fetched = text["list_fetched"].format(table=int(self.table))
            self.hint = notices.get("enrol", notices.get("storage", fetched))
            self.missing = self.missing or fetched
        self.ready = not self.missing

    def _show_evening(self, seating: SeatsView) -> None:
        """Draw the evening with its round, and how much differs from the book."""
        text = self.app.words
        if not seating.new:
            self.hint = text["evening_goes_on"]
        evening = plain(evening_text(self.evening, self.app.language))
        self.told_evening = two_lines(evening, f"{text['evening']} · {text['round']} {int(self.round)}", "16sp")
        changed = sum(one.changed for one in options_view(self.rules, self.options))
        told = text["set_options_n"].format(n=changed) if changed else text["set_options_none"]
        self.told_options = two_lines(text["set_options"], told, "16sp")

    def _draw_tiles(self) -> None:
        """Draw a tile for each seat, with the name of who sits there."""
        text, around = self.app.words, self.ids.around
        if len(self._tiles) != len(self.names):
            for holder in self._holders:
                around.remove_widget(holder)
            self._tiles, self._holders = [], []
            for number in range(1, len(self.names) + 1):
                tile = SeatTile(number=number, size_hint=(None, None))
                tile.bind(on_release=self._touch)
                self._tiles.append(tile)
                self._holders.append(Turned(tile))
                around.add_widget(self._holders[-1])
        self._place()
        for tile, name in zip(self._tiles, self.names, strict=True):
            below = text["seat_n"].format(seat=tile.number)
            if tile.number in self.app.seating.substitutes:
                below += " · " + text["substitute"]
            tile.text = two_lines(plain(name) or text["free"], below, "16sp")
            tile.tone = "ivory" if name else "green"
            tile.font_size = sp(22 if len(name) <= 12 else 16)

    def _lacking(self) -> str:
        """Name what has to be put right before the round can begin; "" if nothing has."""
        text, seating = self.app.words, self.app.seating
        if len(self.names) not in seating.book(self.rules).tables:
            return str(text["too_many"])
        if len(self.names) > seating.mat_seats:
            return str(text["small_mat"].format(seats=seating.mat_seats))
        free = [str(number) for number, name in enumerate(self.names, 1) if not name]
        if free:
            return str(text["start_missing"].format(seats=", ".join(free)))
        twice = next((name for name in self.names if self.names.count(name) > 1), "")
        return str(text["same_name"].format(name=plain(twice))) if twice else ""

    def _told(self, seating: SeatsView) -> str:
        """List what the direction has set for the round: games, playing time, and how much differs from the book."""
        text, frame = self.app.words, seating.frame(len(self.names))
        numbers = (("plan_games", frame.games), ("plan_minutes", frame.minutes), ("plan_options", frame.deviations))
        return ", ".join(text[key].format(n=f"{number:g}") for key, number in numbers if number) or text["plan_by_book"]

    def _place(self) -> None:
        around = self.ids.around
        places = self.app.place.places(len(self.names))
        for tile, holder in zip(self._tiles, self._holders, strict=True):
            x, y = places[tile.number]
            wide, high = dp(156 if len(self.names) == 4 else 140), dp(78)
            degrees = self.app.place.turn(places[tile.number])
            turn(holder, degrees)
            tile.size = wide, high
            if degrees in (90, 270):
                wide, high = high, wide
            middle_x = around.center_x + x * (around.width / 2 - wide / 2 - dp(6))
            middle_y = around.center_y + y * (around.height / 2 - high / 2 - dp(6))
            holder.put(middle_x - wide / 2, middle_y - high / 2)

    def _touch(self, tile: SeatTile) -> None:
        self.app.sheets.open("name", tile.number, seat=tile.number)

    def put(self, seat: int, name: str) -> None:
        """Put a name on a seat."""
        self.names[seat - 1] = " ".join(name.split())
        self._keep()
        self.show()

    def badge(self, name: str) -> tuple[str, dict[str, Any]]:
        """Put a scanned name on the first seat that has none of its own, and return the words of the answer."""
        known = [one.casefold() for one in self.names]
        if name.casefold() in known:
            seat = known.index(name.casefold()) + 1
            return "badge_sits", {"name": self.names[seat - 1], "seat": seat}
        free = next((seat for seat, one in enumerate(self.names, 1) if is_default(one)), None)
        if free is None:
            return "badge_full", {"name": name}
        self.put(free, name)
        return "badge_seated", {"name": name, "seat": free}

    def fifth(self) -> None:
        """Add a fifth seat or take it away."""
        if len(self.names) == 4:
            self.names.append("")
        else:
            self.names.pop()
        self._keep()
        self.show()

    def step(self, what: str, by: int) -> None:
        """Count the round up or down."""
        setattr(self, what, max(1, int(getattr(self, what)) + by))

    def next_book(self) -> None:
        """Choose the next rule book."""
        codes = [code for code, _ in self.app.seating.books]
        self.rules = codes[(codes.index(self.rules) + 1) % len(codes)]
        self.options = dict(self.app.seating.options) if self.rules == self.app.seating.rules else {}
        self._keep()
        self.show()

    def set_options(self, options: dict[str, object]) -> None:
        """Play with these options of the chosen book."""
        self.options = options
        self._keep()
        self.show()

    def _keep(self) -> None:
        """Keep what differs from what the table begins with; a direction's book is not the table's to keep."""
        seating = self.app.seating
        names = tuple(self.names) if any(self.names) else ()
        chosen = (self.rules, self.options) != (seating.rules, seating.options) and not seating.tournament
        written = Written(names=names, rules=self.rules, options=dict(self.options)) if chosen else Written(names=names)
        self.app.keep_seating(written)

    def may_choose(self, written: Written) -> bool:
        """Whether people may choose that book with its options at this table."""
        seating = self.app.seating
        known = written.rules in [code for code, _ in seating.books]
        return known and not seating.tournament and (seating.alone or not written.options)

    def take_written(self, written: Written) -> None:
        """Put back what was written and chosen before the table was switched off."""
        if any(written.names):
            self.names = list(written.names)
        if self.may_choose(written):
            self.rules, self.options = written.rules, dict(written.options)
        self.show()

    def name_evening(self) -> None:
        """Write the name of a new evening; one that goes on has its name."""
        if self.app.seating.new:
            self.app.sheets.open("evening", by=0)

    def start(self) -> None:
        """Send who sits where, so that the round begins; a table that is not admitted shows its code again."""
        if self.app.enrolling is not None:
            self.app.sheets.open("enrol", by=0)
            return
        if self.list_there == "offered":
            self.app.request(TakeList())
            return
        seating = self.app.seating
        substitutes = tuple(seat for seat in seating.substitutes if seat <= len(self.names))
        direction: dict[str, Any] = {
            "tournament": seating.tournament or self.evening,
            "minutes": seating.minutes,
            "substitutes": substitutes,
        }
        opening = request_for(
            RoundOpened,
            format=FORMAT,
            rules=self.rules,
            table=int(self.table),
            round=int(self.round),
            players=tuple(self.names),
            options=dict(self.options),
            **{key: value for key, value in direction.items() if value},
        )
        self.app.request(held(opening))


class SeatNameSheet(NameSheet):
    """A keyboard for the name of one seat."""

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        super().__init__(app, app.words["name_of"].format(seat=seat), app.screen("seats").names[seat - 1], **kwargs)

    def done(self) -> None:
        """Take the name; go on to the next seat that has none."""
        screen = self.app.screen("seats")
        screen.put(self.seat, self.name)
        self.close()
        if self.name.strip() and "" in screen.names:
            self.app.sheets.open("name", seat=screen.names.index("") + 1)


class EveningSheet(NameSheet):
    """A keyboard for the name of a new evening; its day stands before it."""

    of_person = False

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._day, name = parts(app.screen("seats").evening)
        super().__init__(app, app.words["evening_name"], name, **kwargs)

    def done(self) -> None:
        """Take the name; none at all leaves the day alone."""
        screen = self.app.screen("seats")
        day = [self._day.isoformat()] if self._day is not None else []
        screen.evening = " ".join([*day, *self.name.split()]) or self.app.seating.evening
        self.close()
        screen.show()


kv(__file__)
