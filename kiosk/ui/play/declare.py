"""Name the game by holding a big tile."""

from functools import partial
from itertools import groupby
from typing import Any

from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from kiosk.language.table import word
from kiosk.table.consent import held
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import BidMade, GameDeclared
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import Sheet, kv, plain, two_lines


def in_rows(games: tuple[dict[str, Any], ...], columns: int) -> list[dict[str, Any] | None]:
    """Arrange games in rows so that those of one kind stay together, None where a row has room left."""
    rows: list[list[dict[str, Any] | None]] = []
    for _, group in groupby(games, key=lambda game: (game["game"], game.get("renonce", False), _rank(game))):
        alike = list(group)
        row = next((row for row in rows if len(row) + len(alike) <= columns), None)
        if row is None:
            rows.append(row := [])
        row += alike
    return [game for row in rows for game in row + [None] * (columns - len(row))]


def _rank(game: dict[str, Any]) -> str:
    return str(game.get("card", "  "))[1]


class DeclareSheet(Sheet):
    """The games that a seat may name now."""

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        self._games: tuple[dict[str, object], ...] | None = None
        super().__init__(app, **kwargs)

    def show(self, view: TableView) -> None:
        seat = view.seat(self.seat)
        self.title = self.app.words["declare_title"].format(name=plain(seat.name))
        if not seat.games:
            self.close()
            return
        if seat.games == self._games:
            return
        self._games = seat.games
        self.kinds = view.book.kinds
        self.duties = view.duties
        grid: GridLayout = self.ids.grid
        grid.clear_widgets()
        games = seat.games
        cards = any("card" in game for game in games)
        if cards:
            games = tuple(sorted(games, key=self._place))
        most = max(len(list(group)) for _, group in groupby(games, key=lambda game: game["game"]))
        grid.cols = 3 if cards and most > 4 else 4 if most > 2 or len(games) > 6 else 3 if len(games) > 4 else 2
        for game in in_rows(games, grid.cols):
            if game is None:
                grid.add_widget(Widget())
                continue
            grid.add_widget(
                HoldKey(calm_text=self._face(game), calm_tone=self._tone(game), go=partial(self._name, game))
            )

    def _place(self, game: dict[str, Any]) -> tuple[int, int, bool]:
        """The lowest game first; of those with a card as the book has them, aces, Renonce, tens, kings."""
        place = self.app.faces.ranks.index(_rank(game)) if "card" in game else 0
        return -self.kinds[str(game["game"])].rank, place, bool(game.get("renonce"))

    def _face(self, game: dict[str, Any]) -> str:
        text, faces = self.app.words, self.app.faces
        kind = str(game["game"])
        name = word(kind, self.app.language)
        if "suit" in game:
            name = f"{faces.printed(str(game['suit']))} {name}"
        if "card" in game:
            card = str(game["card"])
            called = f"[size=22sp]{faces.printed(card[0])} {faces.rank(card)}[/size]"
            return two_lines(called, f"{name}, {text['renonce']}" if game.get("renonce") else name)
        if game.get("leave"):
            return two_lines(name, text["leave_needed"])
        if "condition" in game:
            return two_lines(name, text["condition_" + str(game["condition"])])
        if game.get("raise"):
            raised = text["raised_with"].format(call=word(str(game["raise"][-1]), self.app.language))
            return two_lines(name, raised)
        if not self.kinds[kind].solo or not self.duties:
            return two_lines(name, "")
        return two_lines(name, text["duty"] if game.get("duty") else text["lust"])

    def _tone(self, game: dict[str, object]) -> str:
        kind = self.kinds[str(game["game"])]
        if kind.solo:
            return "ivory" if game.get("duty") or not self.duties else "blue"
        if game.get("renonce"):
            return "blue"
        return "ivory" if kind.variants else "green"

    def _name(self, game: dict[str, Any]) -> None:
        self.close()
        if game.get("leave"):  # its class alone: the direction is asked first
            self.app.request(held(request_for(BidMade, seat=self.seat, game=game["game"])))
        else:
            fields = {"raised" if key == "raise" else key: value for key, value in game.items()}
            self.app.request(held(request_for(GameDeclared, seat=self.seat, **fields)))


kv(__file__)
