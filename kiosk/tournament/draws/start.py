"""Lay out a draw before anything is mended: by lot or by the standing, fixed seats and halls kept."""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import accumulate

from kiosk.errors import shorten
from kiosk.tournament.draws.tables import NoDraw
from kiosk.tournament.draws.wish import FINAL, SNAKE, STANDING, Wish


def by_lot(names: Iterable[str], seed: str, round_: int) -> list[str]:
    """Order names by the SHA-256 of ``seed/round/name``: who doubts a lot can draw it again (schaffkopf III 2.2)."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed}/{round_}/{name}".encode()).digest())


def laid_out(wish: Wish) -> tuple[dict[str, int], dict[str, frozenset[int]], tuple[str, ...]]:
    """Return each person's table, from 0, the tables at which each may sit, and who could not stay in their hall.

    :raises NoDraw: a fixed seat that is not there, or taken twice.
    """
    tables = _fixed(wish)
    room = {table: size - sum(one == table for one in tables.values()) for table, size in enumerate(wish.sizes)}
    halls, stays = (_halls(wish.halls, wish), wish.stays) if wish.kind != FINAL else _final(wish)
    allowed: dict[str, frozenset[int]] = {name: frozenset([table]) for name, table in tables.items()}
    moved: list[str] = []
    free = [name for name in _ordered(wish) if name not in tables]
    waiting = []
    for name in free:
        hall = halls.get(stays.get(name, -1))
        if hall is None:
            waiting.append(name)
        elif not any(room[table] for table in hall):
            moved.append(name)
            waiting.append(name)
        else:
            allowed[name] = hall
            _sit(name, _places(wish, room, hall), tables, room)
    for name in waiting:
        allowed[name] = frozenset(room)
        _sit(name, _places(wish, room, frozenset(room)), tables, room)
    return tables, allowed, tuple(moved)


def seated(wish: Wish, tables: dict[str, int]) -> dict[int, tuple[str, ...]]:
    """Give everybody a seat at their table: by lot, fixed seats kept."""
    found = {}
    lot = by_lot(wish.people, wish.seed, wish.round)
    for table, size in enumerate(wish.sizes):
        seats: list[str | None] = [None] * size
        here = [name for name in lot if tables[name] == table]
        for name in here:
            _, seat = wish.fixed.get(name, (0, None))
            if seat is not None:
                seats[seat - 1] = name
        rest = iter([name for name in here if name not in seats])
        found[table + 1] = tuple(next(rest) if name is None else name for name in seats)
    return found


def _ordered(wish: Wish) -> list[str]:
    """Everybody in the order in which the tables are filled."""
    if wish.kind in (STANDING, SNAKE):
        return list(wish.people)
    lot = by_lot(wish.people, wish.seed, wish.round)
    if wish.kind != FINAL:
        return lot
    best = wish.people[: wish.finalists]
    return [*best, *(name for name in lot if name not in set(best))]


def _fixed(wish: Wish) -> dict[str, int]:
    taken: dict[tuple[int, int | None], str] = {}
    tables: dict[str, int] = {}
    for name in wish.people:
        if name not in wish.fixed:
            continue
        table, seat = wish.fixed[name]
        there = wish.sizes[table - 1] if 1 <= table <= len(wish.sizes) else 0
        crowd = sum(one == table - 1 for one in tables.values())
        if not there or (seat is not None and seat > there):
            raise NoDraw("no_fixed_seat", f"{shorten(name)} has a fixed seat at table {table}, which this round "
                         "has not; change it", name=name, table=table)  # fmt: skip
        if crowd >= there or (seat is not None and (table, seat) in taken):
            raise NoDraw("fixed_twice", f"table {table} has more fixed seats than seats, {shorten(name)} is one too "
                         "many; change one", name=name, table=table)  # fmt: skip
        taken[table, seat] = name
        tables[name] = table - 1
    return tables


def _halls(counts: Sequence[int], wish: Wish) -> dict[int, frozenset[int]]:
    """The tables, from 0, of each hall; those beyond all that are named belong to the last one."""
    if not counts:
        return {}
    ends = [min(end, len(wish.sizes)) for end in accumulate(counts)]
    ends[-1] = len(wish.sizes)
    return {number: frozenset(range(*span)) for number, span in enumerate(zip([0, *ends], ends, strict=False))}


def _final(wish: Wish) -> tuple[dict[int, frozenset[int]], dict[str, int]]:
    """The tables of the final and those of all others, and who sits where."""
    sums = list(accumulate(wish.sizes))
    if wish.finalists not in sums:
        raise NoDraw("final_tables", f"{wish.finalists} finalists do not make up whole tables; choose {sums[0]}, "
                     f"{sums[min(1, len(sums) - 1)]} …", finalists=wish.finalists)  # fmt: skip
    best = set(wish.people[: wish.finalists])
    tables = sums.index(wish.finalists) + 1
    return _halls((tables, len(wish.sizes)), wish), {name: int(name not in best) for name in wish.people}


def _places(wish: Wish, room: dict[int, int], among: frozenset[int]) -> Sequence[int]:
    """The tables that are filled next, the very next one first."""
    open_ = [table for table in sorted(among) if room[table]]
    if wish.kind != SNAKE:
        return open_
    rows = {table: wish.sizes[table] - room[table] for table in open_}  # who sit there by now
    row = min(rows.values())
    here = [table for table in open_ if rows[table] == row]
    return here[::-1] if row % 2 else here


def _sit(name: str, places: Sequence[int], tables: dict[str, int], room: dict[int, int]) -> None:
    tables[name] = places[0]
    room[places[0]] -= 1
