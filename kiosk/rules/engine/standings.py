"""Rank the players of a tournament by its book, from the lists of all tables and rounds."""

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kiosk.rules.engine.listing import ListRow

DAY, YEAR = "day", "year"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A sum over all games that places people; more is better."""

    name: str
    of: Callable[[ListRow, int], int]  # what a row adds for a seat


POINTS = Measure(name="points", of=lambda row, seat: row.score[seat])
GAMES_WON = Measure(name="games_won", of=lambda row, seat: int(seat in row.won))
ALLEINSPIELE_WON = Measure(name="alleinspiele_won", of=lambda row, seat: int(seat in row.won and row.alone == seat))


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRule:
    """A book's ranking rule for the players of a tournament."""

    measures: tuple[Measure, ...]  # the first places; each next one decides what is equal so far
    lot: bool  # whether the lot decides what is equal in all of them; else equal ones share a place
    all_rounds: bool  # whether only those have a place who played every round in full
    trophies: tuple[str, ...]  # rankings for which the book gives a trophy: of a day, of a year
    section: str  # "" where the book says nothing of it


#: What every book that is silent comes to: the sum of the rounds, equal sums share a place.
BY_POINTS = StandingRule(measures=(POINTS,), lot=False, all_rounds=False, trophies=(), section="")


#: What a direction may choose where the book is silent on equal sums.
SHARED, BY_LOT, BY_GAMES = "shared", "lot", "games_won"
EQUAL_PLACES = (SHARED, BY_LOT, BY_GAMES)


def decided_by(rule: StandingRule, equal: str) -> StandingRule:
    """Return the rule with the direction's choice for equal sums; ``games_won`` is schaffkopf III 2.6."""
    if equal == SHARED:
        return rule
    measures = (POINTS, GAMES_WON, ALLEINSPIELE_WON) if equal == BY_GAMES else rule.measures
    return replace(rule, measures=measures, lot=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A table's list of one round. Players are known by their names, which must be unique in the tournament."""

    round: int
    table: int
    players: tuple[str, ...]  # seat 1 first
    rows: tuple[ListRow, ...]
    closed: bool  # handed in
    substitutes: frozenset[str] = frozenset()  # counted at the table, without a place (schaffkopf III 1.3)
    left: frozenset[str] = frozenset()  # replaced during the round: they have not played it in full
    disqualified: frozenset[str] = frozenset()  # excluded from the tournament (eppstein 8.7.2, bsv 9.5)


#: Why somebody has no place, strongest first.
DISQUALIFIED, SUBSTITUTE, TWICE, LEFT, MISSING = "disqualified", "substitute", "twice", "left", "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A player's place."""

    place: int | None  # None: out of the standing; equal where nothing decides, or the lot is still to be drawn
    name: str
    values: tuple[int, ...]  # by the rule's measures, the points first
    rounds: Mapping[int, int]  # points of each round played
    tables: Mapping[int, tuple[int, ...]]  # where each round was played
    decided: int  # of the measures how many it takes to tell this player from all others
    lot: int | None  # place among the equal ones by the lot that decided
    needs_lot: bool  # equal with another in everything, and their lot is not drawn
    out: str  # "" or why there is no place: disqualified, substitute, twice (at two tables at once), left, missing
    final: bool  # whether all of this player's lists are handed in
    finalist: bool = False  # plays for the first places, before all who do not


def draw(names: Iterable[str], seed: str) -> tuple[str, ...]:
    """Order the names by a lot that anybody can check: by SHA-256 of the seed, a line end and the name.

    Two names come in the same order whoever else is in the lot.
    """
    return tuple(sorted(set(names), key=lambda name: (hashlib.sha256(f"{seed}\n{name}".encode()).digest(), name)))


def standings(
    rule: StandingRule,
    lists: Sequence[Finished],
    draws: Sequence[Sequence[str]] = (),
    first: Collection[str] = (),
) -> tuple[Place, ...]:
    """Rank everybody on the lists: players with a place, best first, then players without one.

    ``draws``: lots drawn, each the names in their order, oldest first; for people who are equal in all measures the
    latest one counts that has all of them. Who was replaced during a round, or misses one of which all lists are
    handed in, has no place where the book wants every round played; elsewhere that round gives him nothing.
    ``first``: finalists, each of whom has a place before all others, whatever the points.
    """
    seen: dict[str, dict[int, list[tuple[Finished, int]]]] = {}
    for one in lists:
        for seat, name in enumerate(one.players, start=1):
            seen.setdefault(name, {}).setdefault(one.round, []).append((one, seat))
        for name in one.left:
            seen.setdefault(name, {})
    over = {number for number in {one.round for one in lists} if all(o.closed for o in lists if o.round == number)}
    sums = {name: _sums(rule, rounds) for name, rounds in seen.items()}
    out = {name: _out(rule, name, rounds, lists, over) for name, rounds in seen.items()}
    inside = [name for name in seen if not out[name]]
    sums = {name: (int(name in first), *values) for name, values in sums.items()}
    tied = _tied(inside, sums) if rule.lot else set()
    lots = _lots(tied, sums, draws)

    ranks = {name: (*(-value for value in sums[name]), lots.get(name, 0)) for name in inside}
    ordered = sorted(ranks.values())
    places = [
        Place(
            place=None if out[name] else 1 + bisect_left(ordered, ranks[name]),
            name=name,
            values=sums[name][1:],
            rounds={number: sum(_points(*part) for part in parts) for number, parts in sorted(rounds.items())},
            tables={number: tuple(part[0].table for part in parts) for number, parts in sorted(rounds.items())},
            decided=_decided(name, inside, sums),
            finalist=bool(sums[name][0]),
            lot=lots.get(name),
            needs_lot=name in tied and name not in lots,
            out=out[name],
            final=all(one.closed for parts in rounds.values() for one, _ in parts),
        )
        for name, rounds in seen.items()
    ]
    return tuple(sorted(places, key=lambda one: (one.place or len(places) + 1, [-v for v in one.values], one.name)))


def to_draw(places: Sequence[Place]) -> tuple[tuple[str, ...], ...]:
    """List the groups of names between which the lot must still decide."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for one in places:
        if one.needs_lot:
            groups.setdefault((int(one.finalist), *one.values), []).append(one.name)
    return tuple(tuple(sorted(names)) for names in groups.values())


def is_final(lists: Sequence[Finished], rounds: int | None) -> bool:
    """Report whether nothing can change any more: all lists handed in, of all ``rounds`` (None: of those there are)."""
    there = {one.round for one in lists}
    return bool(lists) and all(one.closed for one in lists) and (rounds is None or len(there) >= rounds)


def year(days: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Sum everybody's points over the days of a year (schnittchen "Pokale")."""
    sums: dict[str, int] = {}
    for day in days:
        for name, points in day.items():
            sums[name] = sums.get(name, 0) + points
    return sums


def ranking(points: Mapping[str, int]) -> list[tuple[int, str, int]]:
    """Rank names by points, best first: place, name, points; equal points share a place."""
    ordered = sorted(points.items(), key=lambda one: (-one[1], one[0]))
    return [(1 + sum(other > own for other in points.values()), name, own) for name, own in ordered]


def _points(one: Finished, seat: int) -> int:
    return sum(row.score[seat] for row in one.rows)


def _sums(rule: StandingRule, rounds: Mapping[int, list[tuple[Finished, int]]]) -> tuple[int, ...]:
    counted = _counted(rule, rounds)
    return tuple(sum(measure.of(row, seat) for one, seat in counted for row in one.rows) for measure in rule.measures)


def _counted(rule: StandingRule, rounds: Mapping[int, list[tuple[Finished, int]]]) -> list[tuple[Finished, int]]:
    """Lists and seats that count for somebody: where not every round is wanted, those played in full."""
    parts = [part for parts in rounds.values() for part in parts]
    return [(one, seat) for one, seat in parts if rule.all_rounds or one.players[seat - 1] not in one.left]


def _out(
    rule: StandingRule,
    name: str,
    rounds: Mapping[int, list[tuple[Finished, int]]],
    lists: Sequence[Finished],
    over: Collection[int],
) -> str:
    if any(name in one.disqualified for one in lists):
        return DISQUALIFIED
    if any(name in one.substitutes for one in lists):
        return SUBSTITUTE
    if any(len(parts) > 1 for parts in rounds.values()):
        return TWICE
    if any(name in one.left for one in lists) and (rule.all_rounds or not _counted(rule, rounds)):
        return LEFT
    return MISSING if rule.all_rounds and any(number not in rounds for number in over) else ""


def _tied(inside: Sequence[str], sums: Mapping[str, tuple[int, ...]]) -> set[str]:
    """Who is equal with another in all measures."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for name in inside:
        groups.setdefault(sums[name], []).append(name)
    return {name for names in groups.values() if len(names) > 1 for name in names}


def _lots(tied: Collection[str], sums: Mapping[str, tuple[int, ...]], draws: Sequence[Sequence[str]]) -> dict[str, int]:
    """By name the place in the lot among those it is equal with, where that was drawn."""
    lots: dict[str, int] = {}
    for values in {sums[name] for name in tied}:
        group = {name for name in tied if sums[name] == values}
        drawn = next((order for order in reversed(draws) if group <= set(order)), None)
        if drawn is not None:
            lots |= {name: number for number, name in enumerate((n for n in drawn if n in group), start=1)}
    return lots


def _decided(name: str, inside: Sequence[str], sums: Mapping[str, tuple[int, ...]]) -> int:
    """Measures that it takes to tell a name from all others with a place, at least one; all where some stay equal."""
    if name not in inside:
        return 1
    own = sums[name][1:]
    equal = [
        next((number for number, (a, b) in enumerate(zip(own, sums[other][1:], strict=True)) if a != b), len(own))
        for other in inside
        if other != name and sums[other][0] == sums[name][0]
    ]
    return min(1 + max(equal, default=0), len(own))
