"""Seat who came after the draw, and take out who left, without a new draw: as few people as possible change places."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from kiosk.rules.engine.book import RuleBook
from kiosk.tournament.draws.start import by_lot
from kiosk.tournament.draws.tables import NoDraw

#: How many sit at a table that nothing speaks against (eppstein 7.2.1, bsv 8.3).
FULL = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A plan as it stands, and who is here now."""

    seats: Mapping[int, tuple[str, ...]]
    begun: Collection[int]  # tables that have opened their list: nobody is moved there
    players: Sequence[str]
    substitutes: Sequence[str]


def adjusted(book: RuleBook, now: Standing, fives: bool, seed: str, round_: int) -> dict[int, tuple[str, ...]]:
    """Return the seats with everybody who is here and nobody else, at all tables that have not begun.

    A free seat goes to who came, before a substitute who fills up; then somebody from a table of five moves there, then
    a substitute; else the smallest table is given up and its people are seated as if they had come. Who is over after
    that makes a new table, sits fifth where ``fives`` are wanted, or is joined by substitutes.

    :param fives: whether tables of five are wanted, where the book has them.
    :raises NoDraw: somebody would be left without a seat.
    """
    hands = _Hands(book, now, fives, seed, round_)
    hands.take_out()
    hands.replace_substitutes()
    hands.fill()
    hands.seat_rest()
    return hands.seats()


class _Hands:
    def __init__(self, book: RuleBook, now: Standing, fives: bool, seed: str, round_: int) -> None:
        self._now, self._fives = now, fives and 5 in book.tables
        self._lot = partial(by_lot, seed=seed, round_=round_)
        self._open = {table: list[str | None](names) for table, names in now.seats.items() if table not in now.begun}
        seated = {name for names in now.seats.values() for name in names}
        self._late = self._lot(name for name in now.players if name not in seated)
        self._spare = [name for name in now.substitutes if name not in seated]

    def take_out(self) -> None:
        """Leave the seats of those free who are not here any more."""
        here = {*self._now.players, *self._now.substitutes}
        for seats in self._open.values():
            for seat, name in enumerate(seats):
                if name not in here:
                    seats[seat] = None
            while len(seats) > FULL and None in seats:
                seats.remove(None)

    def replace_substitutes(self) -> None:
        """Give who came a free seat, or that of a substitute, who is not needed then."""
        self._sit_free()
        for table, seat in self._places(set(self._now.substitutes)):
            if self._late:
                name = self._open[table][seat]
                assert name is not None
                self._spare.insert(0, name)
                self._open[table][seat] = self._late.pop(0)

    def fill(self) -> None:
        """Fill what is still free: from tables of five, by substitutes, by giving up a table."""
        while free := self._places({None}):
            table, seat = free[0]
            large = [other for other, seats in self._open.items() if len(seats) > FULL]
            if large:
                self._open[table][seat] = self._open[max(large)].pop()
            elif self._spare:
                self._open[table][seat] = self._spare.pop(0)
            else:
                small = min({one for one, _ in free}, key=lambda one: (len(self._people(one)), -one))
                self._late = self._people(small) + self._late
                del self._open[small]
                self._sit_free()

    def seat_rest(self) -> None:
        """Seat who is over: at a new table, as fifth, or with substitutes."""
        while len(self._late) >= FULL:
            self._new_table([self._late.pop(0) for _ in range(FULL)])
        fours = self._lot_of_tables([table for table, seats in self._open.items() if len(seats) == FULL])
        if self._fives and len(self._late) <= len(fours):
            for table in fours[: len(self._late)]:
                self._open[table].append(self._late.pop(0))
        if self._late and len(self._late) + len(self._spare) >= FULL:
            self._new_table(self._late + self._spare[: FULL - len(self._late)])
            self._late = []
        if self._late:
            missing = FULL - len(self._late) - len(self._spare)
            raise NoDraw(
                "nowhere",
                f"{', '.join(self._late)}: no seat is free, and there are too few for another table; "
                f"{missing} more (substitutes will do) make one",
                names=", ".join(self._late),
                missing=missing,
            )

    def seats(self) -> dict[int, tuple[str, ...]]:
        """Return the seats of all tables, those too that have begun."""
        found = {table: tuple(name for name in seats if name is not None) for table, seats in self._open.items()}
        begun = {table: tuple(names) for table, names in self._now.seats.items() if table in self._now.begun}
        return dict(sorted({**found, **begun}.items()))

    def _sit_free(self) -> None:
        for table, seat in self._places({None}):
            if self._late:
                self._open[table][seat] = self._late.pop(0)

    def _places(self, of: Collection[str | None]) -> list[tuple[int, int]]:
        """Tables and seats, from 0, at which one of these sits."""
        return [
            (table, seat) for table, seats in sorted(self._open.items()) for seat, who in enumerate(seats) if who in of
        ]

    def _people(self, table: int) -> list[str]:
        return [name for name in self._open[table] if name is not None]

    def _new_table(self, names: list[str]) -> None:
        taken = {*self._open, *self._now.begun}
        number = next(number for number in range(1, len(taken) + 2) if number not in taken)
        self._open[number] = list[str | None](names)

    def _lot_of_tables(self, tables: list[int]) -> list[int]:
        return [int(one) for one in self._lot([str(table) for table in tables])]
