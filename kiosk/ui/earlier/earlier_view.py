"""Hold what the screen shows of the rounds that were begun at this table."""

from dataclasses import dataclass

from kiosk.table.evenings import RoundKey
from kiosk.table.view.table_view import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLine:
    """A round in the list of all."""

    key: RoundKey
    rules: str  # name of the book
    players: tuple[str, ...]
    handed_in: bool
    up: bool  # it is the one that is played at the table just now


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierView:
    """The list of one round, as it stands in the table's file."""

    key: RoundKey
    view: TableView
    may_resume: bool  # its list was not handed in, and it is not the one that is up
    may_follow: bool  # the next round of its evening can be begun
