"""Watch whom the table accuses of breaches, and whether the script has them."""

from kiosk.rules.engine.values import MISREAD
from kiosk.table.round.fold import Round
from kiosk.table.table import Table

#: A breach: number of its game, its code, and whose it is.
_Breach = tuple[int, str, int]


class Accused:
    """The breaches that a table has shown, for how long, and those that were committed."""

    def __init__(self) -> None:
        self._shown: dict[_Breach, tuple[float, float]] = {}  # first and last, s
        self._committed: set[_Breach] = set()  # those of cards that were taken back, too

    def watch(self, table: Table, truth: Round, now: float) -> None:
        """Look at what the table shows now, and what was played up to now."""
        for played in (*truth.games[-1:], *([truth.game] if truth.game is not None else [])):
            self._committed |= {(played.number, one.code, one.seat) for one in played.offences}
        game = table.round.game
        if game is None:
            return
        for one in table.view(now).offences:
            if one.code == MISREAD:
                continue  # accuses nobody: people are asked about the card
            key = game.number, one.code, one.seat
            self._shown[key] = self._shown.get(key, (now, now))[0], now

    def falsely(self) -> list[str]:
        """Describe those that nobody has committed."""
        return [
            f"game {game}, seat {seat}: accused of {code} for {last - first:.1f} s, and nobody did it"
            for (game, code, seat), (first, last) in self._shown.items()
            if (game, code, seat) not in self._committed
        ]
