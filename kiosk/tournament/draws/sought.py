"""Turn a draw's wish into weights and search for the seating that costs least."""

from collections.abc import Collection, Mapping, Sequence
from random import Random

import numpy as np

from kiosk.tournament.draws.ahead import improved_ahead
from kiosk.tournament.draws.search import Whole, improved
from kiosk.tournament.draws.wish import COMPANY, FINAL, SNAKE, STANDING, Wish

#: What it costs if two people sit at one table: who must not, who should not, who have met once before, and each time
#: more; of who was to sit elsewhere by the standing, each table further.
MUST_NOT, SHOULD_NOT, MET, MET_MORE, AWAY = 1 << 32, 1 << 20, 1 << 8, 1, 1

#: People up to whom new company is sought for all rounds to come at once; with more there is room enough anyway.
AHEAD_UP_TO = 40


def sought(wish: Wish, tables: Mapping[str, int], allowed: Mapping[str, frozenset[int]]) -> dict[str, int]:
    """Return each person's table, from 0, in the best seating that is found from ``tables`` on."""
    names = sorted(wish.people)
    place = {name: number for number, name in enumerate(names)}
    start = np.array([tables[name] for name in names], dtype=np.int64)
    may = np.zeros((len(names), len(wish.sizes)), dtype=np.bool_)
    for name in names:
        may[place[name], sorted(allowed[name])] = True
    chance = Random(f"{wish.seed}/{wish.round}")
    met = _met(wish.earlier if wish.kind == COMPANY else (), place)
    weights = _apart(wish, place) + np.where(met > 0, MET + MET_MORE * (met - 1), 0)
    if wish.kind == COMPANY and wish.rounds_left > 1 and len(names) <= AHEAD_UP_TO:
        start = improved_ahead(start, met, _apart(wish, place) // MET, may, wish.rounds_left, chance)
    found = improved(start, weights, may, chance, away=_away(wish, start))
    return {name: int(found[place[name]]) for name in names}


def _met(earlier: Sequence[Collection[str]], place: dict[str, int]) -> Whole:
    """How often each two of the people have sat together: (n, n), diagonal 0."""
    met = np.zeros((len(place), len(place)), dtype=np.int64)
    for company in earlier:
        here = [place[name] for name in company if name in place]
        met[np.ix_(here, here)] += 1
    np.fill_diagonal(met, 0)
    return met


def _apart(wish: Wish, place: dict[str, int]) -> Whole:
    weights = np.zeros((len(place), len(place)), dtype=np.int64)
    for one in wish.apart:
        here = [place[name] for name in one.names if name in place]
        corner = np.ix_(here, here)
        weights[corner] = np.maximum(weights[corner], MUST_NOT if one.must else SHOULD_NOT)
    np.fill_diagonal(weights, 0)
    return weights


def _away(wish: Wish, start: Whole) -> Whole | None:
    """What it costs to sit elsewhere than the standing says: (n, tables)."""
    if wish.kind not in (STANDING, SNAKE, FINAL):
        return None
    away: Whole = AWAY * np.abs(np.arange(len(wish.sizes))[None, :] - start[:, None])
    return away
