"""Measure draws: how often people meet again over an evening, against the least that can be, and what a draw takes."""

import asyncio
import resource
import time
from collections.abc import Iterator
from math import comb

from kiosk.director.pages.drawing import drawn
from kiosk.tournament.draws.designs import LATEST
from kiosk.tournament.draws.draw import draw, pairs
from kiosk.tournament.draws.wish import COMPANY, LOT, Wish

#: Numbers of people and rounds; rounds of fours without anybody met again are known for 16 (5), 20 (5), 24 (7), 28 (9),
#: 32 (10) people and all larger numbers here (Harvey's tables of the social golfer problem).
SIZES = ((16, 3), (16, 5), (16, 6), (20, 5), (24, 6), (28, 8), (32, 8), (32, 9), (36, 11), (40, 13), (48, 8), (120, 8))
KNOWN = {16: 5, 20: 5, 24: 7, 28: 9, 32: 10}
MANY = ((400, 8, 2.0), (1000, 8, 10.0))


def sizes_of(people: int) -> tuple[int, ...]:
    """Return tables of four, as many of five as it takes."""
    fives = people % 4
    return (4,) * ((people - 5 * fives) // 4) + (5,) * fives


def least(people: int, rounds: int) -> int:
    """Return how many meetings must be repeats: each meets 3 of the others a round, and there are so many others."""
    return max(0, rounds * people // 4 * comb(4, 2) - comb(people, 2))


def evening(people: int, rounds: int, seed: str, kind: str = COMPANY) -> tuple[int, float]:
    """Draw all rounds; how many pairs meet again in all, and the longest draw in seconds of the processor."""
    earlier: list[tuple[str, ...]] = []
    names = tuple(f"P{number:04}" for number in range(people))
    met: set[frozenset[str]] = set()
    again, longest = 0, 0.0
    for number in range(1, rounds + 1):
        wish = Wish(
            round=number,
            kind=kind,
            seed=seed,
            sizes=sizes_of(people),
            people=names,
            earlier=tuple(earlier),
            rounds_left=rounds - number + 1,
            by_design=LATEST,
        )
        begun = time.process_time()
        found = draw(wish)
        longest = max(longest, time.process_time() - begun)
        now = pairs(found.seats.values())
        again += len(now & met)
        met |= now
        earlier += found.seats.values()
    return again, longest


def evenings(quick: bool) -> Iterator[tuple[str, str, str, bool | None]]:
    """Measure repeated meetings of several evenings each."""
    for people, rounds in SIZES:
        seeds = range(2 if quick else 10)
        found = [evening(people, rounds, str(seed)) for seed in seeds]
        lots = [evening(people, rounds, str(seed), LOT)[0] for seed in seeds]
        bound = least(people, rounds)
        known = "" if rounds <= KNOWN.get(people, 99) else ", by counting"
        value = (
            f"{min(one for one, _ in found)} to {max(one for one, _ in found)}; lots {min(lots)} to {max(lots)}; "
            f"{max(seconds for _, seconds in found):.1f} s"
        )
        best = all(one == bound for one, _ in found)
        yield f"{people} people, {rounds} rounds: repeats, longest draw", value, f"{bound}{known}", best or None
    for people, rounds, wanted in MANY:
        names = tuple(f"P{number:04}" for number in range(people))
        earlier = [table for number in range(1, rounds) for table in _lots(people, number)]
        wish = Wish(round=rounds, kind=COMPANY, seed="1", sizes=sizes_of(people), people=names, earlier=tuple(earlier))
        begun, used = time.perf_counter(), _children_s()
        again = asyncio.run(drawn(wish)).met_again
        seconds, used = time.perf_counter() - begun, _children_s() - used
        what = f"{people} people, round {rounds}, in its process: repeats, seconds, of the processor"
        yield what, f"{again}, {seconds:.1f} s, {used:.1f} s", f"0, {wanted:g} s", not again and seconds <= wanted


def _children_s() -> float:
    """Seconds of the processor that processes started by this one have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _lots(people: int, number: int) -> list[tuple[str, ...]]:
    names = tuple(f"P{one:04}" for one in range(people))
    wish = Wish(round=number, kind=LOT, seed="1", sizes=sizes_of(people), people=names)
    return list(draw(wish).seats.values())
