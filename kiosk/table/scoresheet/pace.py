"""Say how long a table's games take, by its own clock."""

from dataclasses import dataclass

from kiosk.rules.engine.evolve import remembered
from kiosk.table.events.values import RoundReleased
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
    """Compute a table's pace."""
    of = round_.games, round_.earlier, round_.lately
    return remembered(round_, "kept_pace", of, lambda: _pace(round_))


def _pace(round_: Round) -> Pace:
    done = round_.noted(round_.games[-1].last_event) if round_.games else None
    released = next((event.at for _, event in round_.log if isinstance(event, RoundReleased)), None)
    return Pace(
        released_at=released,
        ended_at=None if done is None else done.at,
        last_at=round_.log[-1][1].at if round_.log else None,
        games=len(round_.games),
    )
