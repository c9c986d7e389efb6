"""Naming the game: one touch on a big tile."""

from typing import Any

from kivy.uix.gridlayout import GridLayout

from kiosk.table import words
from kiosk.table.view import TableView
from kiosk.ui.calls import seat_of
from kiosk.ui.look import Key, Sheet, kv, plain, two_lines

#: Games that are no solo, so that neither Pflicht- nor Lustsolo is said with them.
PLAIN = {"hochzeit", "schmeissen", "trumpfschwach", "normal"}


class DeclareSheet(Sheet):
    """The games that a seat may name now."""

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        self._games: tuple[dict[str, object], ...] | None = None
        super().__init__(app, **kwargs)

    def show(self, view: TableView) -> None:
        seat = seat_of(view, self.seat)
        self.title = self.app.words["declare_title"].format(name=plain(seat.name))
        if not seat.games:
            self.close()
            return
        if seat.games == self._games:
            return
        self._games = seat.games
        grid: GridLayout = self.ids.grid
        grid.clear_widgets()
        suits = sum("suit" in game for game in seat.games)
        grid.cols = 4 if suits or len(seat.games) > 6 else 3 if len(seat.games) > 4 else 2
        for game in seat.games:
            key = Key(text=self._face(game), tone=self._tone(game))
            key.bind(on_release=lambda _, game=game: self._name(game))
            grid.add_widget(key)

    def _face(self, game: dict[str, Any]) -> str:
        text = self.app.words
        kind = str(game["game"])
        name = words.word(kind, self.app.language)
        if "suit" in game:
            name = f"{self.app.faces.suit(str(game['suit']))} {name}"
        if "condition" in game:
            return two_lines(name, text["condition_" + str(game["condition"])])
        if kind in PLAIN:
            return two_lines(name, "")
        if game.get("raise"):
            return two_lines(name, words.word(str(game["raise"][-1]), self.app.language), "13sp")
        return two_lines(name, text["duty"] if game.get("duty") else text["lust"], "13sp")

    @staticmethod
    def _tone(game: dict[str, object]) -> str:
        if game["game"] in PLAIN:
            return "green"
        return "ivory" if game.get("duty") else "blue"

    def _name(self, game: dict[str, object]) -> None:
        self.close()
        self.app.request({"event": "declare", "seat": self.seat, **game})


kv(__file__)
