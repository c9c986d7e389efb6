"""The final standing of schaffkopf III 2.6 from the finished lists of all rounds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from kiosk.rules.listing import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A table's list of one round. Players are known by their names, which must be unique in the tournament."""

    round: int
    players: tuple[str, ...]  # seat 1 first
    rows: tuple[Row, ...]
    substitutes: frozenset[str] = frozenset()  # counted at the table, not in the standing (III 1.3)
    left: frozenset[str] = frozenset()  # replaced during the round: they have not played it in full


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's place."""

    place: int  # equal where only the lot can decide and has not been drawn
    name: str
    points: int  # sum of the rounds
    games_won: int
    alleinspiele_won: int
    rounds: tuple[int, ...]  # result of each round
    needs_lot: bool  # equal with another in everything, and their lots are missing or equal


def standings(lists: Sequence[Finished], lots: Mapping[str, int], rounds: Collection[int]) -> tuple[Standing, ...]:
    """All who played every one of ``rounds`` in full, best first (III 2.6).

    Ties are decided by games won, then by Alleinspiele won, then by ``lots``: drawn numbers by name, lower is better.

    :raises ValueError: if a player is on two lists of one round.
    """
    results: dict[str, dict[int, tuple[int, int, int]]] = {}
    out = {name for one in lists for name in one.substitutes | one.left}
    for one in lists:
        for seat, name in enumerate(one.players, start=1):
            played = results.setdefault(name, {})
            if one.round in played:
                raise ValueError(f"{name!r} is on two lists of round {one.round}; a player sits at one table")
            played[one.round] = _result(one.rows, seat)
    full = [name for name, played in results.items() if set(played) == set(rounds) and name not in out]
    sums = {name: tuple(map(sum, zip(*results[name].values(), strict=True))) for name in full}
    drawn = sorted(full, key=lambda name: (*(-number for number in sums[name]), _lot(lots, name), name))
    found: list[Standing] = []
    for number, name in enumerate(drawn, start=1):
        equal = [other for other in full if sums[other] == sums[name] and _lot(lots, other) == _lot(lots, name)]
        before = found[-1] if found and found[-1].name in equal else None
        found.append(
            Standing(
                place=before.place if before else number,
                name=name,
                points=sums[name][0],
                games_won=sums[name][1],
                alleinspiele_won=sums[name][2],
                rounds=tuple(results[name][one][0] for one in sorted(rounds)),
                needs_lot=len(equal) > 1,
            )
        )
    return tuple(found)


def _lot(lots: Mapping[str, int], name: str) -> float:
    return lots.get(name, float("inf"))


def _result(rows: Sequence[Row], seat: int) -> tuple[int, int, int]:
    """Points, games won and Alleinspiele won of one seat in one round."""
    won = [row for row in rows if row.score[seat] > 0]
    return sum(row.score[seat] for row in rows), len(won), sum(row.alone == seat for row in won)
