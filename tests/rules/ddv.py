"""What tests of ddv share."""

from typing import Any

TABLE = "ddv"
#: Trumps of every game with the two Herz 10.
HAVE_HT = "HT CQ SQ HQ DQ CJ SJ HJ DJ"


def coded(table: Any) -> list[tuple[str, int, str]]:
    return [(offence.code, offence.event, offence.section) for offence in table.game.offences]


def found_of(table: Any, event: int) -> list[tuple[str, str]]:
    return [(code, section) for code, at, section in coded(table) if at == event]


def no_duties(by_book: Any, players: int = 4, **options: Any) -> Any:
    return by_book(TABLE, players, pflichtsoli=0, **options)
