"""Ask which seat somebody takes whose badge was scanned and who sits nowhere yet."""

from functools import partial
from typing import Any

from kivy.properties import StringProperty

from kiosk.table.default_names import is_default
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import PlayerSubstituted, SeatNamed
from kiosk.table.view.table_view import SeatView, TableView
from kiosk.ui.parts.look import Key, Sheet, kv, plain, two_lines


class BadgeSheet(Sheet):
    """The seats: one without a name is taken at once, for another one everybody, or the referee, has to agree."""

    name = StringProperty("")

    def __init__(self, app: Any, name: str, **kwargs: Any) -> None:
        self.name = name
        self._seats: tuple[str, ...] = ()
        super().__init__(app, **kwargs)
        self.title = app.words["badge_title"].format(name=plain(name))

    def show(self, view: TableView) -> None:
        names = tuple(seat.name for seat in view.seats)
        if view.closed or self.name in names:
            self.close()
        elif names != self._seats:
            self._seats = names
            self.ids.seats.clear_widgets()
            for seat in view.seats:
                self.ids.seats.add_widget(self._key(seat))

    def _key(self, seat: SeatView) -> Key:
        text, free = self.app.words, is_default(seat.name)
        below = text["badge_takes"] if free else text["badge_replaces"].format(name=plain(seat.name))
        key = Key(text=two_lines(text["seat_n"].format(seat=seat.seat), below))
        key.tone, key.meaning = "gold" if free else "ivory", (seat.seat, self.name, seat.name)
        key.bind(on_release=partial(self._take, seat, free))
        return key

    def _take(self, seat: SeatView, free: bool, *_: object) -> None:
        self.close()
        if free:
            self.app.request(request_for(SeatNamed, seat=seat.seat, player=self.name))
            return
        question = self.app.words["replace_for"].format(name=plain(seat.name)) + f" {plain(self.name)}"
        request = request_for(PlayerSubstituted, seat=seat.seat, player=self.name)
        self.app.sheets.open("agree", request=request, question=question)


kv(__file__)
