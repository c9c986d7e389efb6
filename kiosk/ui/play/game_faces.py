"""Make the keys with which a seat names its game."""

from typing import Any

from kiosk.language.table import word
from kiosk.table.view.table_view import SeatView, TableView
from kiosk.ui.parts.fit import NEAR, fit_name
from kiosk.ui.parts.look import dp, plain, sp, two_lines
from kiosk.ui.play.key_faces import KeyFace

#: Room for a name on a key, in units.
NAME_UNITS = 110


def game_faces(app: Any, seat: SeatView, view: TableView) -> tuple[KeyFace, ...]:
    """List the games that a seat may name now, the lowest first; those with a card as the book has them."""
    games = seat.games
    if any("card" in game for game in games):
        games = tuple(sorted(games, key=lambda game: _place(app, view, game)))
    faces: list[KeyFace] = []
    for game in games:
        if "trumps" not in game:
            faces.append(_face(app, view, game, game_words(app, view, game)))
        elif game["trumps"] == 0:  # who takes the cards comes first, and then how many trumps come back
            name, partner = word(str(game["game"]), app.language), _name(app, view, int(str(game["partner"])))
            faces.append(KeyFace(two_lines(name, partner), _tone(view, game), (f"taken_by_{game['partner']}",)))
    return tuple(faces)


def back_faces(app: Any, seat: SeatView, view: TableView, partner: int) -> tuple[KeyFace, ...]:
    """List how many trumps may come back from the partner who takes the cards."""
    games = [game for game in seat.games if game.get("partner") == partner and "trumps" in game]
    back = [str(app.words["trumps_back"]).format(n=game["trumps"]).rsplit(" ", 1) for game in games]
    return tuple(_face(app, view, game, two_lines(*lines)) for game, lines in zip(games, back, strict=True))


def _face(app: Any, view: TableView, game: dict[str, Any], words: str) -> KeyFace:
    return KeyFace(words, _tone(view, game), ("declare_as", tuple(game.items())), binds=True)


def _name(app: Any, view: TableView, seat: int) -> str:
    """A player's name as it fits on a key."""
    return plain(fit_name(view.seat(seat).name, dp(NAME_UNITS), sp(NEAR), bold=True, among=view.names))


def _rank(game: dict[str, Any]) -> str:
    return str(game.get("card", "  "))[1]


def _place(app: Any, view: TableView, game: dict[str, Any]) -> tuple[int, int, bool]:
    """The lowest game first; of those with a card as the book has them, aces, Renonce, tens, kings."""
    place = app.faces.ranks.index(_rank(game)) if "card" in game else 0
    return -view.book.kinds[str(game["game"])].rank, place, bool(game.get("renonce"))


def game_words(app: Any, view: TableView, game: dict[str, Any]) -> str:
    """Write a game as its key has it, with what tells it from others of its kind."""
    text, faces = app.words, app.faces
    kind = str(game["game"])
    name = word(kind, app.language)
    if "suit" in game:
        name = f"{faces.printed(str(game['suit']))} {name}"
    if "card" in game:
        card = str(game["card"])
        called = f"{faces.printed(card[0])} {faces.rank(card)}"
        return two_lines(called, text["renonce"] if game.get("renonce") else name)
    if view.book.kinds[kind].exchange:
        return two_lines(*_exchange(app, view, game, name))
    if game.get("leave"):
        return two_lines(name, text["leave_needed"])
    if "condition" in game:
        return two_lines(name, text["condition_" + str(game["condition"])])
    if game.get("raise"):
        return two_lines(name, text["raised_with"].format(call=word(str(game["raise"][-1]), app.language)))
    if not view.book.kinds[kind].solo or not view.duties:
        return two_lines(name, "")
    return two_lines(name, text["duty"] if game.get("duty") else text["lust"])


def _exchange(app: Any, view: TableView, game: dict[str, Any], name: str) -> tuple[str, str]:
    """Who takes the cards of a game in which they change hands."""
    if "partner" not in game:
        return name, app.words["nobody_takes"]
    return _name(app, view, int(str(game["partner"]))), name


def _tone(view: TableView, game: dict[str, Any]) -> str:
    """Signs of suits are printed in their colours, which want a light key; what differs is said in words."""
    kind = view.book.kinds[str(game["game"])]
    return "ivory" if kind.solo or kind.variants or game.get("renonce") else "green"
