"""Find numbers and sizes of the tables for a number of people, by the book."""

from dataclasses import dataclass

from kiosk.errors import LocalisedError
from kiosk.rules.engine.book import RuleBook


class NoDraw(LocalisedError):
    """People who cannot be seated; the text lists what is possible."""


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


def impossible(found: TableSizes, people: int, substitutes: int) -> NoDraw:
    """Make the refusal that names the ways in which they could sit."""
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
