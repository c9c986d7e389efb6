"""Seat rounds of fours by a known plan in which nobody meets anybody twice, where the number of people has one.

Such a plan is a resolvable design: a round is a parallel class, blocks that hold each point once. Each plan here is one
class, found by an exact cover search of the project's own, and its translates: its points are three copies of the
numbers modulo the number of rounds (point x of copy c is c·rounds + x) and some that stay, the last ones. No difference
of two points of a block comes twice in it, so no two points meet twice. With 28 people it is a resolvable balanced
design, everybody meets everybody; with 24 a group divisible one (Colbourn, Dinitz: Handbook of Combinatorial
Designs, 2nd edition, IV.5).
"""

from collections.abc import Mapping
from random import Random
from typing import Final, TypeAlias

from kiosk.tournament.draws.wish import COMPANY, Wish

Block: TypeAlias = tuple[int, ...]

#: People → rounds without anybody met again, and the tables of the first one.
BASES: Final[Mapping[int, tuple[int, tuple[Block, ...]]]] = {
    24: (7, ((0, 9, 20, 21), (1, 3, 4, 19), (11, 14, 16, 17), (5, 13, 15, 23), (2, 7, 8, 12), (6, 10, 18, 22))),
    28: (
        9,
        (
            *((0, 15, 24, 27), (4, 5, 13, 23), (3, 6, 8, 10), (1, 11, 22, 26)),
            *((2, 14, 16, 19), (7, 18, 20, 21), (9, 12, 17, 25)),
        ),
    ),
}


def plan_of(people: int) -> list[list[Block]]:
    """Return the rounds of the plan for so many people, each as blocks of points; none where there is no plan."""
    rounds, base = BASES.get(people, (0, ()))
    return [[tuple(_moved(point, by, rounds) for point in block) for block in base] for by in range(rounds)]


def designed(wish: Wish) -> dict[str, int] | None:
    """Return each person's table, from 0, by the plan for so many; None where it does not fit.

    The first round may be any: who sat where names the points. Every later one must have been the plan's, so that one
    in which somebody came, left or was swapped ends it; nor does it know of wishes and halls.
    """
    plan, tables = plan_of(len(wish.people)), len(wish.sizes)
    bound = wish.apart or wish.fixed or wish.halls or wish.stays
    if not wish.by_design or wish.kind != COMPANY or not plan or bound or set(wish.sizes) != {4} or not wish.earlier:
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


def _moved(point: int, by: int, rounds: int) -> int:
    copy, x = divmod(point, rounds)
    return point if copy > 2 else copy * rounds + (x + by) % rounds
