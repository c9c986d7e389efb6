"""Find the winner and the value of a game of Schafkopf (schaffkopf II 5).

The playing side is Re, the others are Kontra. In a Muss-Spiel the two are judged as if they were swapped (II 5.1.3).
"""

from collections.abc import Sequence

from kiosk.rules.engine.announcements import KONTRA, OTHER, RE
from kiosk.rules.engine.scoring import Item, Part, Tally, number

#: The option that holds the value of each game (II 5.2).
VALUE_OF = {
    "sie": "value_sie",
    "solo-tout": "value_tout",
    "wenz-tout": "value_tout",
    "solo": "value_solo",
    "wenz": "value_wenz",
    "rufspiel": "value_rufspiel",
    "muss": "value_muss",
    # Of clubs alone
    "geier": "value_geier",
    "geier-tout": "value_tout",
    "farbwenz": "value_farbwenz",
    "farbwenz-tout": "value_tout",
    "bettel": "value_bettel",
    "ramsch": "value_ramsch",
    "hochzeit": "value_hochzeit",
}
_ALL_TRICKS = frozenset(game for game, value in VALUE_OF.items() if value in ("value_sie", "value_tout"))

#: Trumps of a game with Ober, Unter and a suit are more than these.
_MANY = 8

#: Games in which Schneider and schwarz are nothing, and neither are Laufende.
_PLAIN = _ALL_TRICKS | {"bettel", "ramsch"}


def _attacker(tally: Tally) -> str:
    """The side that must reach more than half and is Schneider with 30 (II 5.1.2, 5.1.3)."""
    return KONTRA if tally.game == "muss" else RE


def winner(tally: Tally) -> str:
    """Find the winner: Tout and Sie with every trick (II 5.1.1), a Bettel with none; else by more than 60 Augen."""
    if tally.game == "bettel":
        return RE if tally.taken[RE] == 0 else KONTRA
    if tally.game in _ALL_TRICKS:
        return RE if tally.taken[KONTRA] == 0 else KONTRA
    side = _attacker(tally)
    return side if tally.points[side] >= number(tally.options, "win_points") else OTHER[side]


def base(tally: Tally) -> Sequence[Item]:
    """Return the game's own value (II 5.2), in a Ramsch that of a Durchmarsch where somebody took every trick."""
    assert tally.game is not None  # without a game nobody has won, and nothing is scored
    if tally.game == "ramsch" and tally.winner == RE and _took_all(tally):
        return (Item("durchmarsch", number(tally.options, "value_durchmarsch"), Part.BASE),)
    return (Item("base", number(tally.options, VALUE_OF[tally.game]), Part.BASE),)


def _took_all(tally: Tally) -> bool:
    return tally.complete and all(trick.winner in tally.re for trick in tally.tricks)


def schneider_schwarz(tally: Tally) -> Sequence[Item]:
    """Score Schneider and schwarz of the losing side; not in Tout and Sie (II 5.1)."""
    if tally.game in _PLAIN or tally.winner is None:
        return ()
    loser = OTHER[tally.winner]
    limit = number(tally.options, "schneider_points")
    items = []
    if tally.points[loser] < limit or (loser == _attacker(tally) and tally.points[loser] == limit):
        items.append(Item("schneider", number(tally.options, "value_schneider"), Part.BASE))
    if tally.taken[loser] == 0:
        items.append(Item("schwarz", number(tally.options, "value_schwarz"), Part.BASE))
    return items


def laufende(tally: Tally) -> Sequence[Item]:
    """Score each of the highest trumps in a row that one side has held, a usual point of clubs.

    From the highest on, as many as the options want at least, of a Wenz and the like fewer. Held is what was laid: of a
    game that was broken off only that can be counted.
    """
    if tally.game in _PLAIN or tally.winner is None or not tally.trumps:
        return ()
    sides = {laid.card: tally.side(laid.seat) for trick in tally.tricks for laid in trick.cards}
    row = 0
    for card in tally.trumps:
        if card not in sides or sides[card] != sides.get(tally.trumps[0]):
            break
        row += 1
    few = tally.trumps[0][1] == "U" or len(tally.trumps) < _MANY
    least = number(tally.options, "laufende_from_wenz" if few else "laufende_from")
    if row < least:
        return ()
    return (Item("laufende", row * number(tally.options, "value_laufende"), Part.BASE),)
