"""Tables of every book at moments that several tests look at."""

from typing import Any

from kiosk.table.events.codec import decode

NAMES = ("Anna", "Bernd", "Cem", "Dora", "Emil")

LONG_NAMES = (
    "Hans Maier-Leibnitz von der Au",
    "Maximiliane-Alexandra",
    "Bartholomäus Schwarzenberger",
    "Li",
    "An-Na Ü",
)


def of_book(rules: str, *events: dict[str, Any], players: int = 4, names: tuple[str, ...] = NAMES) -> Any:
    """The view of a table of that book after these events, dealt by seat 1."""
    from kiosk.table.round.fold import fold
    from kiosk.table.view.show import view

    opened = {"event": "open", "format": 1, "rules": rules, "players": list(names[:players])}
    return view(fold(map(decode, [opened, {"event": "release"}, {"event": "deal", "dealer": 1}, *events])))


def said(*words: str) -> list[dict[str, Any]]:
    return [{"event": "call", "seat": seat, "call": word} for seat, word in zip((2, 3, 4, 1), words, strict=False)]


ONE_PLAYS = said("spielen", "recht", "recht", "recht")
TOUT = {"event": "bid", "seat": 2, "class": "wenz-tout"}
WENZ = {"event": "declare", "seat": 2, "game": "wenz"}
MARRIED = [*said("gesund", "gesund", "gesund", "vorbehalt"), {"event": "declare", "seat": 1, "game": "hochzeit"}]
OBJECTED = {"event": "object", "seat": 3, "against": 2}
CLUBS = [{"event": "card", "seat": seat, "card": card} for seat, card in ((2, "CA"), (3, "CK"), (4, "CT"))]
