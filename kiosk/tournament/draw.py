"""Draw the seats: number and sizes of tables, and the place of each player.

A draw follows from its seed alone: names are put in the order of the SHA-256 of ``seed/round/name`` and fill the tables
in that order. So everybody is equally likely to get each place and each company (schaffkopf III 2.2), and who doubts a
draw can do it again.
"""

import hashlib
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from kiosk.errors import LocalisedError
from kiosk.rules.engine.book import RuleBook

#: How many lots are drawn, and mended, to find one with few people who have sat together already.
TRIES = 8


class NoDraw(LocalisedError):
    """People who cannot be seated; the text lists what is possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The result of a draw."""

    seed: str
    seats: dict[int, tuple[str, ...]]  # table → names, seat 1 first
    substitutes: tuple[str, ...]  # who of the substitutes fill up
    met_again: int  # pairs who have sat at one table before


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSizes:
    """The tables for a number of people."""

    sizes: tuple[int, ...] | None  # of the tables; None: they cannot sit
    filling: int = 0  # substitutes who are needed
    missing: int = 0  # people who would have to come yet
    surplus: int = 0  # people who would have to stand out; 0: that does not help
    fives_would_do: bool = False  # tables of five, which the book has as an exception, would do


def tables_for(people: int, book: RuleBook, fives: bool) -> tuple[int, ...] | None:
    """Find the sizes of the tables for so many people, tables of four preferred (eppstein 7.2.1); None if impossible.

    :param fives: whether tables of five are wanted, where the book has them.
    """
    many = people % 4
    if people < 4 or (many and not (fives and 5 in book.tables)) or people < 5 * many:
        return None
    return (4,) * ((people - 5 * many) // 4) + (5,) * many


def draw(
    book: RuleBook,
    round_: int,
    people: Sequence[str],
    substitutes: Sequence[str] = (),
    *,
    seed: str = "",
    fives: bool = True,
    avoid: Iterable[Collection[str]] = (),
) -> Drawn:
    """Draw everybody's place in a round.

    :param substitutes: who may fill up, the first ones first, where the people alone do not make up tables.
    :param seed: text that the draw follows from; "": a new one.
    :param fives: whether tables of five are wanted, where the book has them.
    :param avoid: companies of earlier tables that shall not meet again if that can be helped.
    :raises NoDraw: so many people cannot be seated.
    """
    seed = seed or f"{secrets.randbelow(1_000_000):06d}"
    how = seating(book, len(people), len(substitutes), fives)
    if how.sizes is None:
        raise _impossible(how, len(people), len(substitutes))
    sizes, filling, met = how.sizes, tuple(substitutes[: how.filling]), _pairs(avoid)
    names = [*people, *filling]
    found = _seated(names, sizes, seed, round_)
    if met:
        lots = (_seated(names, sizes, f"{seed}.{number}" if number else seed, round_) for number in range(TRIES))
        found = min((_mended(lot, met) for lot in lots), key=lambda seats: _again(seats, met))
    return Drawn(seed=seed, seats=found, substitutes=filling, met_again=_again(found, met))


def seating(book: RuleBook, people: int, substitutes: int, fives: bool) -> TableSizes:
    """Describe how a number of people sit, and what it takes where they cannot."""
    for more in range(substitutes + 1):
        if tables_for(people + more, book, fives):
            return TableSizes(sizes=tables_for(people + more, book, fives), filling=more)
    if not people:
        return TableSizes(sizes=None)
    wanted = next(n for n in range(people, people + 8) if tables_for(n, book, fives))
    return TableSizes(
        sizes=None,
        missing=wanted - people - substitutes,
        surplus=next((people - n for n in range(people - 1, 3, -1) if tables_for(n, book, fives)), 0),
        fives_would_do=not fives and tables_for(people, book, True) is not None,
    )


def _impossible(found: TableSizes, people: int, substitutes: int) -> NoDraw:
    if not people:
        return NoDraw("nobody", "nobody is here to be seated; enter people and check them in")
    ways = [f"{found.missing} more (substitutes will do)"]
    if found.surplus:
        ways.append(f"{found.surplus} fewer")
    if found.fives_would_do:
        ways.append("tables of five")
    have = f"{people} people" + (f" and {substitutes} substitutes" if substitutes else "")
    return NoDraw(
        "no_seating",
        f"{have} do not make up tables: it takes {', or '.join(ways)}",
        people=people,
        substitutes=substitutes,
        missing=found.missing,
        surplus=found.surplus,
        fives=found.fives_would_do,
    )


def _seated(names: Iterable[str], sizes: Sequence[int], seed: str, round_: int) -> dict[int, tuple[str, ...]]:
    order = sorted(names, key=lambda name: hashlib.sha256(f"{seed}/{round_}/{name}".encode()).digest())
    seats, taken = {}, 0
    for table, size in enumerate(sizes, start=1):
        seats[table] = tuple(order[taken : taken + size])
        taken += size
    return seats


def _mended(seats: dict[int, tuple[str, ...]], met: set[frozenset[str]]) -> dict[int, tuple[str, ...]]:
    """The lot with people changed between tables, one pair after the other, as long as fewer meet again."""
    lists = {table: list(names) for table, names in seats.items()}
    places = [(table, seat) for table, names in lists.items() for seat in range(len(names))]

    def known(name: str, table: int, but: str) -> int:
        return sum(frozenset((name, other)) in met for other in lists[table] if other not in (name, but))

    better = True
    while better:
        better = False
        for (one, a), (two, b) in combinations(places, 2):
            first, second = lists[one][a], lists[two][b]
            if one == two:
                continue
            now = known(first, one, first) + known(second, two, second)
            if now > known(first, two, second) + known(second, one, first):
                lists[one][a], lists[two][b], better = second, first, True
    return {table: tuple(names) for table, names in lists.items()}


def _pairs(companies: Iterable[Collection[str]]) -> set[frozenset[str]]:
    return {frozenset(pair) for names in companies for pair in combinations(sorted(names), 2)}


def _again(seats: Mapping[int, Sequence[str]], met: set[frozenset[str]]) -> int:
    return len(_pairs(seats.values()) & met) if met else 0
