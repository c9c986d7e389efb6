"""Hold what the screen shows of a game that people go through, and what they ask for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kiosk.table.evenings import RoundKey
from kiosk.table.view.played_game import PlayedGame


@dataclass(frozen=True, slots=True)
class LookAtGame:
    """A game is wanted as it was played."""

    game: int | None = None  # of the table's own count; None: the newest that may be looked at
    key: RoundKey | None = None  # of a round that was played before; None: of the one that is up
    referee: bool = False  # the referee asks, by his code: he may see all of it


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedView:
    """A game with its pictures, JPEG by the number of the event that they are kept with."""

    asked: LookAtGame
    game: PlayedGame
    names: tuple[str, ...]  # seat 1 first
    bavarian: bool  # what its cards are called
    cards: Mapping[int, bytes] = field(default_factory=dict)
    mats: Mapping[int, bytes] = field(default_factory=dict)
    before: int | None = None  # the game before it that may be looked at
    after: int | None = None
    offered: bool = True  # this table keeps pictures


@dataclass(frozen=True, slots=True)
class GameRead:
    """A game's pictures were read from the disk."""

    view: PlayedView
