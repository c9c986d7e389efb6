"""Say how long a table's games take, by its own clock."""

from dataclasses import dataclass

from kiosk.table.round.fold import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How far a table has come, and how fast; times in ms since the epoch, None where the events carry none."""

    released_at: float | None
    ended_at: float | None  # when the last game ended; the game in play does not count yet
    last_at: float | None  # when something last happened
    games: int  # that are over

    @property
    def played_ms(self) -> int | None:
        """From the release to the last game's end."""
        known = self.released_at is not None and self.ended_at is not None and self.games > 0
        return int(self.ended_at - self.released_at) if known else None  # type: ignore[operator]

    @property
    def game_ms(self) -> int | None:
        """How long a game takes on average."""
        return None if self.played_ms is None else self.played_ms // self.games


def pace(round_: Round) -> Pace:
    """Compute a table's pace; every card of a hall has it, so it looks at no event but the last."""
    return Pace(
        released_at=round_.released_at,
        ended_at=round_.ended_at,
        last_at=next(round_.latest_first)[1].at,
        games=len(round_.games),
    )
