"""Seat all rounds to come at once, so that the last ones find new company too (social golfer problem)."""

from random import Random
from typing import Final

import numpy as np

from kiosk.tournament.draws.search import Flags, Limits, Seated, Whole

#: How often it is begun anew, and the steps of each try, each 0.1 ms at 40 people. With shorter stays away than these,
#: or longer ones, five rounds of 20 people were solved less often.
TRIES, STEPS = 2, 10_000
LIMITS: Final = Limits(tabu=3, tabu_more=4)


def improved_ahead(tables: Whole, met: Whole, apart: Whole, allowed: Flags, rounds: int, chance: Random) -> Whole:
    """Return a seating of the next round after which the rounds to come need the fewest repeated meetings.

    :param tables: (n,), the table of each person, from 0, as laid out for the next round.
    :param met: (n, n), how often two have sat together.
    :param apart: (n, n), what it costs, in repeated meetings, if two who are to be kept apart sit together.
    :param allowed: (n, number of tables), where each person may sit.
    :param rounds: how many are still to be seated, the next one too.
    """
    best, best_cost = tables, None
    for _ in range(TRIES):
        now = _Rounds(tables, met, apart, allowed, rounds, chance)
        found, cost = _best(now, rounds, chance)
        if best_cost is None or cost < best_cost:
            best, best_cost = found, cost
        if not cost:
            break
    return best


def _best(now: "_Rounds", rounds: int, chance: Random) -> tuple[Whole, int]:
    """The next round's tables in the best seating of all that one try finds, and its cost."""
    best, best_cost = now.tables[0].copy(), now.cost
    for step in range(1, STEPS + 1):
        if not best_cost:
            break
        number = int(chance.random() * rounds)
        one = now.of(number)
        if not one.cost:
            continue
        own, one.cost = one.cost, now.cost  # what is best is judged over all rounds
        swap = one.best_swap(step, best_cost, chance, LIMITS.tried)
        one.cost = own
        if swap is None:
            continue
        stays = LIMITS.tabu + int(chance.random() * LIMITS.tabu_more)
        now.swap(number, one, swap, step + stays * rounds // 2)  # each round has its turn only now and then
        if now.cost < best_cost:
            best, best_cost = now.tables[0].copy(), now.cost
    return best, best_cost


class _Rounds:
    """Several rounds' seatings; the cost is the number of meetings that are repeats, and of those to be kept apart."""

    def __init__(self, tables: Whole, met: Whole, apart: Whole, allowed: Flags, rounds: int, chance: Random) -> None:
        self._apart, self._allowed = apart, allowed
        self.tables = [tables.copy(), *(_shuffled(tables, allowed, chance) for _ in range(rounds - 1))]
        self._same = [_same(one) for one in self.tables]
        self._met = met + sum(self._same)
        self._tabu = [np.zeros(allowed.shape, dtype=np.int64) for _ in self.tables]
        repeats = int((np.maximum(self._met - 1, 0) - np.maximum(met - 1, 0)).sum()) // 2
        self.cost = repeats + sum(int((apart * same).sum()) // 2 for same in self._same)

    def of(self, number: int) -> Seated:
        """One round, in which it costs to meet whom one meets in another, before or after."""
        weights = (self._met > self._same[number]).astype(np.int64) + self._apart
        return Seated(self.tables[number], weights, self._allowed, tabu=self._tabu[number])

    def swap(self, number: int, one: Seated, swap: tuple[int, int, int], until: int) -> None:
        one.swap(*swap, until=until)
        self.tables[number] = one.tables
        self.cost += swap[2]
        self._met -= self._same[number]
        self._same[number] = _same(one.tables)
        self._met += self._same[number]


def _same(tables: Whole) -> Whole:
    """Who sits with whom: (n, n), diagonal 0."""
    same: Whole = (tables[:, None] == tables[None, :]).astype(np.int64)
    np.fill_diagonal(same, 0)
    return same


def _shuffled(tables: Whole, allowed: Flags, chance: Random) -> Whole:
    """A seating in which people have changed tables at random, as far as they may."""
    tables = tables.copy()
    for one in range(len(tables)):
        other = int(chance.random() * len(tables))
        here, there = tables[one], tables[other]
        if allowed[one, there] and allowed[other, here]:
            tables[one], tables[other] = there, here
    return tables
