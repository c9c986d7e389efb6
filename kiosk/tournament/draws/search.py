"""Search for a seating at small cost: two people change tables, again and again (tabu search).

The cost of a seating is the sum of the weights of all pairs at one table. Each step takes the best change of two people
of whom one sits at a cost, also a change that makes it worse; who has left a table does not come back for a while (the
social golfer problem: Dotú, Van Hentenryck, Scheduling Social Golfers Locally, CPAIOR 2005). Weights are whole numbers
and chance comes from ``random.Random``, so that the same seed gives the same seating on every machine.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

#: More than any sum of weights: what may not be.
NEVER: Final = np.int64(1 << 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Numbers of the search."""

    steps: int = 20_000  # at most; at 1,000 people one takes 0.1 ms
    stuck: int = 4_000  # steps without a better seating after which it ends
    tried: int = 8  # people at a cost who are looked at in one step
    tabu: int = 6  # steps for which who has left a table stays away from it, at least
    tabu_more: int = 8  # and by chance up to so many more


def improved(
    tables: Whole,
    weights: Whole,
    allowed: Flags,
    chance: Random,
    *,
    away: Whole | None = None,
    limits: Limits | None = None,
) -> Whole:
    """Return the best seating that was found from ``tables`` on; the sizes of the tables stay.

    :param tables: (n,), the table of each person, from 0; each at one that is allowed.
    :param weights: (n, n), symmetric, diagonal 0, what it costs if two people sit at one table.
    :param allowed: (n, number of tables), where each person may sit.
    :param away: (n, number of tables), what it costs beside that if somebody sits there.
    """
    limits = limits or Limits()
    now = Seated(tables, weights, allowed, away)
    best, best_cost, since = now.tables.copy(), now.cost, 0
    for step in range(1, limits.steps + 1):
        if not best_cost or since > limits.stuck:
            break
        swap = now.best_swap(step, best_cost, chance, limits.tried)
        since += 1
        if swap is None:
            continue
        now.swap(*swap, until=step + limits.tabu + int(chance.random() * limits.tabu_more))
        if now.cost < best_cost:
            best, best_cost, since = now.tables.copy(), now.cost, 0
    return best


class Seated:
    """A seating with what each person would cost at each table, kept true from change to change."""

    def __init__(
        self, tables: Whole, weights: Whole, allowed: Flags, away: Whole | None = None, tabu: Whole | None = None
    ) -> None:
        self.tables, self._weights, self._allowed = tables.copy(), weights, allowed
        self._all = np.arange(len(tables))
        sits = np.zeros(allowed.shape, dtype=np.int64)
        sits[self._all, tables] = 1
        self._at = weights @ sits  # (n, tables): what each would cost there, beside those who sit there
        self.cost = int(self._at[self._all, tables].sum()) // 2
        if away is not None:
            self._at += away
            self.cost += int(away[self._all, tables].sum())
        self._own = self._at[self._all, tables]
        self._tabu = np.zeros(allowed.shape, dtype=np.int64) if tabu is None else tabu  # until which step

    def best_swap(self, step: int, best: int, chance: Random, tried: int) -> tuple[int, int, int] | None:
        """Find the two people who had best change tables, and what that changes of the cost; None: nobody may.

        :param best: the least cost until now: who makes it smaller may come back to a table at any time.
        """
        costly = np.flatnonzero(self._own)
        if len(costly) > tried:
            costly = costly[[int(chance.random() * len(costly)) for _ in range(tried)]]
        mine = self.tables[costly]
        gain = self._at[costly][:, self.tables] + self._at[:, mine].T - self._own - self._own[costly, None]
        gain -= 2 * self._weights[costly]
        away = self._tabu[costly][:, self.tables] > step
        away |= (self._tabu[:, mine] > step).T
        gain[away & (gain + self.cost >= best)] = NEVER
        no = mine[:, None] == self.tables
        no |= ~self._allowed[costly][:, self.tables]
        no |= ~self._allowed[:, mine].T
        gain[no] = NEVER
        least = gain.min()
        if least >= NEVER:
            return None
        first, second = np.nonzero(gain == least)
        chosen = int(chance.random() * len(first))
        return int(costly[first[chosen]]), int(second[chosen]), int(least)

    def swap(self, one: int, other: int, gain: int, until: int) -> None:
        """Change two people's tables; they stay away from where they came from until that step."""
        here, there = int(self.tables[one]), int(self.tables[other])
        change = self._weights[other] - self._weights[one]
        self._at[:, here] += change
        self._at[:, there] -= change
        self.tables[one], self.tables[other] = there, here
        self._own = self._at[self._all, self.tables]
        self._tabu[one, here] = self._tabu[other, there] = until
        self.cost += gain
