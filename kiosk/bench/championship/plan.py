"""Say who comes to the championship, at which tables, by which books, and what goes wrong there."""

from dataclasses import dataclass
from itertools import islice
from typing import Any

NAME = "Hessenmeisterschaft 2026"

_FIRST = (
    "Anna", "Bernd", "Çelik", "Dörte", "Emil", "Friederike", "Günther", "Hannelore", "Ingo", "Jürgen", "Karl-Heinz",
    "Lieselotte", "Maximilian", "Nadja", "Oßwald", "Petra",
)  # fmt: skip
_LAST = ("Ackermann", "Böhm", "von der Heyden", "Dietz", "Eßer", "Schmidt-Rottluff", "Groß", "Öztürk")
_CLUBS = ("SV Eppstein", "BSV Frankfurt", "Doko Bad Soden", "TV Höchst", "Kreuzbube Offenbach", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A line of the list that is taken in."""

    number: int
    first: str
    last: str
    club: str
    substitute: bool = False

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


#: How far a table has played: games that are over, cards of the one that runs.
Moment = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Up to where the people of a round play before they hold."""

    look: Moment  # somebody looks around, somebody leaves
    ruled: Moment  # where somebody complained: the referee has ruled
    killed: Moment  # the director's process is killed on the way to it
    away: Moment  # they have played on without a director
    dies: Moment  # where the device dies: in the middle of a game


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A championship; the same one is always played the same way."""

    tables: int = 30
    paper: int = 4  # of them have no device: the last ones
    books: tuple[str, ...] = ("eppstein", "eppstein", "bsv")  # a round each
    games: int | None = None  # of a round without Pflichtsoli; None: as the books have it

    @property
    def kiosks(self) -> tuple[int, ...]:
        """Numbers of the tables that have a device."""
        return tuple(range(1, self.tables - self.paper + 1))

    @property
    def on_paper(self) -> tuple[int, ...]:
        """Numbers of the tables without one."""
        return tuple(range(self.tables - self.paper + 1, self.tables + 1))

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Everybody on the list: a player for each seat, and four substitutes."""
        names = ((first, last) for last in _LAST for first in _FIRST)
        players = 4 * self.tables
        return tuple(
            Entrant(
                number=number,
                first=first,
                last=last,
                club=_CLUBS[number % len(_CLUBS)],
                substitute=number > players,
            )
            for number, (first, last) in enumerate(islice(names, players + SUBSTITUTES), start=1)
        )

    @property
    def players(self) -> tuple[str, ...]:
        """Names of those who play for a place."""
        return tuple(one.name for one in self.entrants if not one.substitute)

    @property
    def substitutes(self) -> tuple[str, ...]:
        """Names of the substitutes; the last one comes late."""
        return tuple(one.name for one in self.entrants if one.substitute)

    @property
    def latecomer(self) -> str:
        """Who comes after the first round."""
        return self.players[-1]

    @property
    def stays_away(self) -> str:
        """Who is on the list and never comes."""
        return self.players[-2]

    def rules(self, number: int) -> dict[str, Any]:
        """Book and options of a round, as they are set on the page."""
        book = self.books[number - 1]
        options = {} if self.games is None else {"games": self.games}
        if self.games is not None and book == self.books[0]:
            options["pflichtsoli"] = 0
        return {"rules": book, "options": options}

    @property
    def moments(self) -> Moments:
        """When what happens in a round happens: in its first three games, in both of two, or all in one.

        Where a game may be shortened it is after its first trick at the earliest; in the only one nobody does that.
        """
        games = 3 if self.games is None else self.games
        if games == 1:
            return Moments(look=(0, 6), ruled=(0, 10), killed=(0, 14), away=(0, 20), dies=(0, 25))
        last = min(games, 3) - 1
        return Moments(look=(last - 1, 6), ruled=(last, 0), killed=(last, 0), away=(last, 3), dies=(last, 9))

    def csv(self) -> bytes:
        """The list as a club's spreadsheet writes it: semicolons, Windows letters."""
        lines = ["Nr.;Nachname;Vorname;Verein;Ersatz"]
        lines += [
            f"{one.number};{one.last};{one.first};{one.club};{'ja' if one.substitute else ''}" for one in self.entrants
        ]
        return ("\r\n".join(lines) + "\r\n").encode("cp1252")


SUBSTITUTES = 4

#: The table at which somebody calls for the referee, in the second round.
COMPLAINS = 2
#: The table that dies in the middle of a game of the second round; a spare device is there in the third.
DIES = 3
#: The table at which somebody leaves during the second round, and a substitute who has just come goes on.
LOSES_ONE = 1
#: The table whose list of the second round is put right after it was handed in.
APPEALS = 1
#: The table at which somebody is disqualified after the second round.
DISQUALIFIED_AT = 2

FEE_CENTS, GIFT_CENTS, RESERVE_PERCENT = 1000, 25000, 5
PRIZES = "1 = 35 %\n2 = 20 %\n3 = 12,5 %\n4 = 50 €\n5 = 25 €\n6 = Schinken"
