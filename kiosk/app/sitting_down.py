"""What is played at a table: rounds that the direction seats, or those that its people begin."""

from typing import Any

from kiosk.app.config import TableConfig
from kiosk.app.held_lists import HeldLists
from kiosk.app.own_rounds import OwnRounds
from kiosk.app.table_lists import TableLists
from kiosk.table.events.codec import decode_opening
from kiosk.table.events.values import RoundOpened
from kiosk.table.round.book_played import with_its_book
from kiosk.table.table import Table


def follow_direction(lists: TableLists, *, headless: bool) -> None:
    """Play the rounds that the direction seats; until it is heard of, the one that was begun last."""
    kiosk, opener = lists.kiosk, lists.kiosk.opener
    tournament, number = lists.last_begun()
    if lists.log_of(number, tournament).read():
        kiosk.sit(lists.open(None, number, tournament))
    opener.open_table = lambda opened: lists.open(opened, opened.round, opened.tournament or "")
    opener.resume_table, opener.fetching = lists.resume, lists.fetching
    kiosk.add(HeldLists(kiosk, lists, lambda: kiosk.outputs.screen))
    opener.unattended = _opening(lists.config, number) if headless else None


def play_alone(lists: TableLists, rounds: OwnRounds, *, headless: bool) -> None:
    """Play the rounds that the people at the table begin; the last one is up, a closed list too."""

    def open_table(opening: RoundOpened) -> Table:
        opening = with_its_book(rounds.checked(opening))
        return rounds.released(lists.open(opening, opening.round, opening.tournament or ""))

    kiosk, last = lists.kiosk, rounds.last()
    kiosk.opener.open_table = open_table
    if last is not None:
        kiosk.sit(rounds.released(lists.open(None, last.round, last.evening)))
    elif headless:
        kiosk.sit(open_table(decode_opening(_opening(lists.config, lists.config.round.number))))


def _opening(config: TableConfig, number: int) -> dict[str, Any]:
    """The event that opens the round as the configuration has it."""
    return {
        "event": "open",
        "format": 1,
        "rules": config.round.rules,
        "table": config.table,
        "round": number,
        "players": list(config.round.players),
        **({"options": dict(config.round.options)} if config.round.options else {}),
    }
