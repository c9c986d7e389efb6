"""Keep the programme of an evening: by what each round is drawn and played, when it begins, and the breaks.

It releases nothing: a round begins when the direction releases it (eppstein 7.4.1, bsv 8.5).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import time
from typing import Any, Final

from kiosk.errors import BadNote, shorten
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import RuleBook
from kiosk.tournament.draws.wish import FINAL, KINDS, LOT
from kiosk.tournament.round_rules import RoundRules, takes

#: The note by which the whole programme is set.
PROGRAMME: Final = "programme"

MOST_ROUNDS, LONGEST_PAUSE, MOST_FINALISTS = 99, 999, 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """One round as planned; None: as the tournament has it."""

    kind: str = LOT  # how it is drawn
    rules: str | None = None
    games: int | None = None
    minutes: int | None = None
    start: time | None = None  # when it is wished to begin, by the wall clock
    pause: int = 0  # minutes of break before it
    finalists: int = 0  # of a final: how many sit at the first tables

    def played_by(self, rules: RoundRules) -> RoundRules:
        """Return what it is played by in a tournament that is played by ``rules``.

        A number that the book does not take any more, because the tournament has another book by now, is left out.
        """
        if self.rules is not None and self.rules != rules.rules:
            rules = RoundRules(rules=self.rules)
        book, numbers = rules.book, {"games": self.games, "minutes": self.minutes}
        own = {name: int(value) for name, value in numbers.items() if value and takes(book, name, value)}
        if "minutes" in own and takes(book, "minutes_5", own["minutes"]):
            own["minutes_5"] = own["minutes"]
        default = book.settle({})
        options = {**rules.options, **own}
        changed = replace(rules, options={name: one for name, one in options.items() if one != default[name]})
        return changed if "minutes" in own or not self.minutes else replace(changed, minutes=float(self.minutes))


def noted(note: Mapping[str, Any], rules: str) -> dict[int, PlannedRound]:
    """Read the programme from its note: ``rounds``, one value for each, none for no programme any more.

    :param rules: the tournament's book.
    :raises BadNote: a value that cannot be.
    """
    rounds = note.get("rounds")
    if not isinstance(rounds, Sequence) or isinstance(rounds, str) or len(rounds) > MOST_ROUNDS:
        raise BadNote("malformed", f"rounds {shorten(rounds)}: a list of at most {MOST_ROUNDS} rounds is wanted")
    return {number: _round(number, one, rules) for number, one in enumerate(rounds, start=1)}


def _round(number: int, said: object, rules: str) -> PlannedRound:
    if not isinstance(said, Mapping):
        raise BadNote("malformed", f"round {number}: {shorten(said)} is no round")
    kind = said.get("kind", LOT)
    if kind not in KINDS:
        raise BadNote("malformed", f"round {number}: kind {shorten(kind)}; there are {', '.join(KINDS)}")
    book = said.get("rules") or None
    if book is not None and book not in BOOKS:
        raise BadNote("malformed", f"round {number}: rules {shorten(book)}; there are {', '.join(BOOKS)}")
    one = PlannedRound(
        kind=str(kind),
        rules=None if book == rules else book,
        games=_whole(said, "games", 1, 999),
        minutes=_whole(said, "minutes", 1, 999),
        start=wished_time(said.get("start")),
        pause=_whole(said, "pause", 0, LONGEST_PAUSE) or 0,
        finalists=(_whole(said, "finalists", 4, MOST_FINALISTS) or 4) if kind == FINAL else 0,
    )
    _check_games(number, BOOKS[book or rules], one.games)
    return one


def _check_games(number: int, book: RuleBook, games: int | None) -> None:
    if games is not None and not takes(book, "games", games):
        raise BadNote(
            "games_by_book",
            f"round {number}: {games} games are not to be had by {book.name}; choose another number or none",
            round=number,
            games=games,
            title=book.title,
        )


def _whole(said: Mapping[str, Any], key: str, low: int, high: int) -> int | None:
    value = said.get(key)
    if value in (None, ""):
        return None
    if type(value) is not int or not low <= value <= high:
        raise BadNote("number", f"{key} {shorten(value)}: a number from {low} to {high} is wanted, or nothing", low=low,
                      high=high)  # fmt: skip
    return value


def wished_time(value: object) -> time | None:
    """Read a time by the wall clock, such as 19:30; None where none is wished.

    :raises BadNote: it is none.
    """
    if value in (None, ""):
        return None
    try:
        return time.fromisoformat(str(value))
    except ValueError:
        raise BadNote("malformed", f"start {shorten(value)}: a time such as 19:30 is wanted") from None
