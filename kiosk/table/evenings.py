"""List the rounds that a table's file keeps, evening by evening, and name the evening and the round that come next.

A table on its own has nobody who numbers its rounds. An evening is a word that stands in the log as the tournament, the
day first: ``2026-11-22 Vereinsabend``. No two evenings of a file have the same one, whatever the machine's date says:
a Raspberry Pi without a network may believe that it is yesterday again.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from kiosk.errors import BadEvent, Refused
from kiosk.table.events.codec import decode_opening
from kiosk.table.events.log import Log
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.values import RoundOpened

#: Under this key a log keeps how often somebody had sat down at this table before: the last one is up after a restart.
_SAT = "sat"

#: Letters of the longest name of an evening, without its day.
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundKey:
    """One round of one table in its file."""

    evening: str  # or the tournament, where a direction had seated it
    table: int
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRound:
    """A round that was begun here."""

    key: RoundKey
    opening: RoundOpened
    handed_in: bool  # once; only its fold says whether the list is closed still


def kept_rounds(file: LogFile) -> list[KeptRound]:
    """List the rounds that were begun, in the order in which people sat down last; what cannot be read is left out."""
    found = []
    for place, summary in enumerate(file.summaries(_SAT)):
        try:
            opening = decode_opening(summary.first)
        except BadEvent:
            continue
        key = RoundKey(evening=summary.tournament, table=summary.table, round=summary.round)
        order = (int(summary.kept) if summary.kept else 0, place)
        found.append((order, KeptRound(key=key, opening=opening, handed_in=summary.closed)))
    return [kept for _, kept in sorted(found, key=lambda one: one[0])]


def note_sitting(file: LogFile, log: Log) -> None:
    """Note that people sit down at this round now: before its first event, so that a restart finds both or neither."""
    counts = [int(one.kept) for one in file.summaries(_SAT) if one.kept]
    log.keep(_SAT, str(max(counts, default=0) + 1))


def next_number(rounds: Iterable[KeptRound], evening: str, table: int, first: int) -> int:
    """Count the round that comes next on this evening; its first one has the number ``first``."""
    numbers = [one.key.round for one in rounds if (one.key.evening, one.key.table) == (evening, table)]
    return max(numbers) + 1 if numbers else first


def check_free(rounds: Collection[KeptRound], evening: str, table: int, number: int) -> None:
    """Check that a round of this number was not begun on this evening yet.

    :raises Refused: it was; with the number that is free.
    """
    if any(one.key == RoundKey(evening=evening, table=table, round=number) for one in rounds):
        free = next_number(rounds, evening, table, 1)
        raise Refused("round_taken", "", f"round {number} of {evening} was begun already; take {free}")


def evening_word(day: date, name: str, taken: Collection[str]) -> str:
    """Name a new evening by its day and perhaps a name of its own; a word that was used before gets a number."""
    base = " ".join([day.isoformat(), *name.split()])[: len("2026-11-22 ") + LONGEST_NAME].rstrip()
    known = {one.casefold() for one in taken}
    word, number = base, 2
    while word.casefold() in known:
        word, number = f"{base} ({number})", number + 1
    return word


def parts(evening: str) -> tuple[date | None, str]:
    """Split an evening's word into its day and its name; no day where it has none."""
    first, _, name = evening.partition(" ")
    try:
        return date.fromisoformat(first), name
    except ValueError:
        return None, evening


def evening_text(evening: str, language: str) -> str:
    """Write an evening for people: ``22.11.2026 · Vereinsabend``; English keeps the day as it is."""
    day, name = parts(evening)
    if day is None:
        return name
    written = f"{day:%d.%m.%Y}" if language == "de" else day.isoformat()
    between = " " if name.startswith("(") else " · "  # the second one of a day
    return f"{written}{between}{name}" if name else written
