"""Seat rounds of fours by a known plan in which nobody meets anybody twice, where the number of people has one.

Such a plan is a resolvable design: a round is a parallel class, blocks that hold each point once (Colbourn, Dinitz:
Handbook of Combinatorial Designs, 2nd edition, II.7 and IV.5). There are four kinds, each in few lines; that no two
points meet twice ``tests/tournament/test_draws.py`` counts.

- 16, 64, 256: the lines of an affine space over the field of four, a round for each direction. Everybody meets
  everybody.
- 40, 52, 88 …, 3q + 1 with a prime q = 4t + 1: one round and its translates. Everybody meets everybody.
- 24, 28, 32, 36: likewise, one first round or two, found by a search of the project's own. With 28 everybody meets
  everybody; with 24 and 36 all but two, with 32 all but one.
- 20, 44, 68, 76, 92, 100 …, 4n where neither 2 nor 3 divides n: n rounds, one of each quarter at a table.
"""

from collections.abc import Iterable, Mapping
from math import gcd, isqrt
from random import Random
from typing import Final, TypeAlias

from kiosk.tournament.draws.wish import COMPANY, Wish

Block: TypeAlias = tuple[int, ...]

#: First rounds whose translates are the others, by people: the modulus, and the tables of each first round. Points are
#: copies of the numbers modulo that (point x of copy c is c·modulus + x), as many as there is room for, and some that
#: stay, the last ones. No difference of two points of a block comes twice.
BASES: Final[Mapping[int, tuple[int, tuple[tuple[Block, ...], ...]]]] = {
    24: (7, (((0, 9, 20, 21), (1, 3, 4, 19), (11, 14, 16, 17), (5, 13, 15, 23), (2, 7, 8, 12), (6, 10, 18, 22)),)),
    28: (
        9,
        (
            (
                *((0, 15, 24, 27), (4, 5, 13, 23), (3, 6, 8, 10), (1, 11, 22, 26)),
                *((2, 14, 16, 19), (7, 18, 20, 21), (9, 12, 17, 25)),
            ),
        ),
    ),
    32: (
        5,
        (
            (
                *((0, 8, 9, 26), (2, 4, 15, 23), (5, 11, 13, 22), (10, 16, 17, 29)),
                *((1, 7, 14, 18), (3, 12, 25, 31), (6, 19, 20, 30), (21, 24, 27, 28)),
            ),
            (
                *((0, 10, 22, 23), (5, 15, 26, 29), (1, 6, 8, 21), (3, 4, 18, 28)),
                *((7, 11, 12, 27), (14, 17, 19, 24), (2, 13, 25, 30), (9, 16, 20, 31)),
            ),
        ),
    ),
    36: (
        11,
        (
            (
                *((0, 12, 25, 33), (1, 14, 22, 35), (3, 11, 23, 34), (2, 28, 29, 31), (6, 7, 9, 13)),
                *((17, 18, 20, 24), (4, 8, 27, 32), (5, 10, 15, 19), (16, 21, 26, 30)),
            ),
        ),
    ),
}

#: The plans that there are; a draw noted when there were fewer (its ``by_design``) comes out as it did.
LATEST: Final = 2
_OF_FIRST: Final = (24, 28)


def plan_of(people: int, edition: int = LATEST) -> list[list[Block]]:
    """Return the rounds of the plan for so many people, each as blocks of points; none where there is no plan."""
    if edition < LATEST and people not in _OF_FIRST:
        return []
    quarter, rest = divmod(people, 4)
    if people in BASES:
        return _translates(people, *BASES[people])
    if rest or people < 16:
        return []
    if people & (people - 1) == 0 and people.bit_length() % 2:
        return _lines(people)
    if people % 3 == 1 and (people - 1) // 3 % 4 == 1 and _is_prime((people - 1) // 3):
        return _translates(people, (people - 1) // 3, (_of_prime((people - 1) // 3),))
    return _by_quarters(quarter) if gcd(quarter, 6) == 1 else []


def designed(wish: Wish) -> dict[str, int] | None:
    """Return each person's table, from 0, by the plan for so many; None where it does not fit.

    The first round may be any: who sat where names the points. Every later one must have been the plan's, so that one
    in which somebody came, left or was swapped ends it; nor does it know of wishes and halls.
    """
    bound = wish.apart or wish.fixed or wish.halls or wish.stays
    if not wish.by_design or wish.kind != COMPANY or bound or set(wish.sizes) != {4} or not wish.earlier:
        return None
    plan, tables = plan_of(len(wish.people), wish.by_design), len(wish.sizes)
    if not plan:
        return None
    played = [wish.earlier[first : first + tables] for first in range(0, len(wish.earlier), tables)]
    everybody = set(wish.people)
    if any(
        {name for names in one for name in names} != everybody or any(len(names) != 4 for names in one)
        for one in played
    ):
        return None
    points = {
        name: point
        for names, block in zip(played[0], plan[0], strict=True)
        for name, point in zip(names, block, strict=True)
    }
    left = {frozenset(map(frozenset, blocks)): blocks for blocks in plan[1:]}
    for one in played[1:]:
        if left.pop(frozenset(frozenset(points[name] for name in names) for names in one), None) is None:
            return None
    if not left:
        return None
    blocks = sorted(next(iter(left.values())))
    Random(f"{wish.seed}/{wish.round}").shuffle(blocks)
    table_of = {point: table for table, block in enumerate(blocks) for point in block}
    return {name: table_of[points[name]] for name in sorted(wish.people)}


def _translates(people: int, modulus: int, first: Iterable[tuple[Block, ...]]) -> list[list[Block]]:
    def moved(point: int, by: int) -> int:
        copy, x = divmod(point, modulus)
        return copy * modulus + (x + by) % modulus if copy < people // modulus else point

    return [[tuple(moved(point, by) for point in block) for block in base] for base in first for by in range(modulus)]


def _of_prime(q: int) -> tuple[Block, ...]:
    """The first round of 3q + 1 points: for powers a of a primitive root ±a of a copy, ±ia of the next one."""
    root = next(g for g in range(2, q) if len({pow(g, power, q) for power in range(q - 1)}) == q - 1)
    t = (q - 1) // 4  # root^t is a root of -1: the differences of a block are unlike for all powers below t
    powers = [(pow(root, i, q), pow(root, i + t, q)) for i in range(t)]
    blocks = [
        (copy * q + a, copy * q + q - a, (copy + 1) % 3 * q + b, (copy + 1) % 3 * q + q - b)
        for copy in range(3)
        for a, b in powers
    ]
    return ((0, q, 2 * q, 3 * q), *blocks)


def _by_quarters(n: int) -> list[list[Block]]:
    """Rounds of 4n points: the quarters pass each other by none, one, two and three places, which n divides none of."""
    return [[tuple(i * n + (a + i * by) % n for i in range(4)) for a in range(n)] for by in range(n)]


def _lines(points: int) -> list[list[Block]]:
    """The lines of a space over the field of four, a class of parallels for each direction; a digit is two bits."""
    low = sum(1 << bit for bit in range(0, points.bit_length() - 1, 2))
    found = []
    for step in range(1, points):
        ones, others = step & low, step >> 1 & low
        turned = others | (ones ^ others) << 1  # multiplied by the element whose square is itself plus one
        line = (0, step, turned, step ^ turned)
        if step == min(line[1:]):
            found.append([tuple(x ^ one for one in line) for x in range(points) if x == min(x ^ one for one in line)])
    return found


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))
