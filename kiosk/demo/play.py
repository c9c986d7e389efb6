"""Simulate rounds as four or five people might play them: hands from a seed, played by the book, as events.

What comes out is the truth of a round: an event file that ``stichwart replay`` accepts, and the script by which the
demo lays cards before its camera and lets players speak. Everything is decided by the seed.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kiosk.demo.doppelkopf import DoppelkopfPeople
from kiosk.demo.pace import timed
from kiosk.demo.people import NAMES, Habits, People
from kiosk.demo.round_script import play_round
from kiosk.demo.schafkopf import SchafkopfPeople
from kiosk.errors import BadConfig
from kiosk.paper.command import write
from kiosk.rules.books import BOOKS
from kiosk.rules.describe.command import named
from kiosk.rules.engine.book import RuleBook
from kiosk.table.events.codec import decode_opening, encode, format_body
from kiosk.table.round.book_played import with_its_book

Event = dict[str, Any]


def simulate(
    rules: str,
    seed: int,
    games: int | None = None,
    players: int = 4,
    mistakes: float = 0.0,
    *,
    shorten: float = 0.0,
    mishaps: float = 0.0,
    time_up: bool = False,
    table: int = 1,
    round_number: int = 1,
    options: Mapping[str, Any] | None = None,
) -> Iterator[Event]:
    """Yield the events of a round, from ``open`` on; with the book's number of games it ends signed and handed in.

    :param games: stop after this many games of the list; None: the whole round.
    :param mistakes: chance, for each card, of a breach; some are objected to and ruled, some nobody claims.
    :param shorten: chance that who can lays down or throws in the rest, where the book allows it.
    :param mishaps: chance, for each deal, that it is void, that a game is struck, that a word is corrected.
    :param time_up: the playing time ends before all games are played.
    :param options: the book's points that are decided otherwise.
    """
    opening = opening_of(rules, players, table=table, round_number=round_number, options=options)
    habits = Habits(offences=mistakes, shorten=shorten, mishaps=mishaps, time_up=time_up)
    yield from play_round(people_at(opening, seed, games, habits))


def opening_of(
    rules: str,
    players: int = 4,
    *,
    table: int = 1,
    round_number: int = 1,
    options: Mapping[str, Any] | None = None,
) -> Event:
    """Make the event that opens a round, with the content of a club's own book."""
    opening: Event = {
        "event": "open",
        "format": 1,
        "rules": rules,
        "table": table,
        "round": round_number,
        "players": list(NAMES[:players]),
        **({"options": dict(options)} if options else {}),
    }
    return encode(with_its_book(decode_opening(opening)))


def people_at(opening: Event, seed: int, games: int | None, habits: Habits) -> People:
    """Return the people of a table who are about to play a round."""
    people = SchafkopfPeople if BOOKS[opening["rules"]].classes else DoppelkopfPeople
    return people(opening, seed, games, habits)


def checked_book(rules: str, players: int, *, time_up: bool = False) -> RuleBook:
    """Return the book of that name.

    :raises BadConfig: there is none, it is not played by so many, or has no playing time that could be up.
    """
    book = named(rules)
    if players not in book.tables:
        raise BadConfig(f"{rules} is played by {' or '.join(map(str, book.tables))} at a table, not by {players}")
    if time_up and book.minutes(players, book.settle({})) is None:
        raise BadConfig(f"{rules} has no playing time that could end; leave out --time-up")
    return book


def write_simulation(
    rules: str, seed: int, games: int | None, players: int, habits: Habits, out: Path | None = None
) -> int:
    """Write an event file of a simulated round with its times; to standard output without ``out``.

    :raises KioskError: a book, or a number of players, that there is not; a file that cannot be written.
    """
    book = checked_book(rules, players, time_up=habits.time_up)
    events = simulate(
        book.name,
        seed,
        games,
        players,
        habits.offences,
        shorten=habits.shorten,
        mishaps=habits.mishaps,
        time_up=habits.time_up,
    )
    lines = (format_body(event) + "\n" for event in timed(events, seed))
    if out is not None:
        write(out, "".join(lines).encode())
        return 0
    sys.stdout.writelines(lines)
    return 0
