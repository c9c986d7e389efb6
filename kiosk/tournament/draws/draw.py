"""Draw everybody's place in a round: laid out by lot or standing, then people changed between tables until it is best.

A draw follows from its wish alone (``kiosk.tournament.draws.wish``). So everybody is equally likely to get each place
where the lot decides (schaffkopf III 2.2), and who doubts a draw can do it again.
"""

import secrets
from collections.abc import Collection, Iterable
from itertools import combinations

from kiosk.tournament.draws.designs import designed
from kiosk.tournament.draws.start import laid_out, seated
from kiosk.tournament.draws.tables import NoDraw
from kiosk.tournament.draws.wish import COMPANY, Drawn, Wish


def new_seed() -> str:
    """Return a new number of a lot."""
    return f"{secrets.randbelow(1_000_000):06d}"


def is_long(wish: Wish) -> bool:
    """Report whether the draw must be sought, which takes the processor for up to some seconds."""
    return bool(wish.apart) or (wish.kind == COMPANY and bool(wish.earlier))


def draw(wish: Wish) -> Drawn:
    """Draw everybody's place.

    :raises NoDraw: a fixed seat that cannot be, or people who must be kept apart and cannot.
    """
    tables, allowed, moved = laid_out(wish)
    met = pairs(wish.earlier)
    if is_long(wish):
        from kiosk.tournament.draws.sought import sought  # with NumPy: 12 MB that a hall does without

        tables = designed(wish) or sought(wish, tables, allowed)
    seats = seated(wish, tables)
    now = pairs(seats.values())
    together = sorted({pair for one in wish.apart for pair in pairs([one.names]) if pair in now}, key=sorted)
    must = [pair for pair in together if any(one.must and pair <= set(one.names) for one in wish.apart)]
    if must:
        raise NoDraw(
            "not_apart",
            f"{' and '.join(sorted(must[0]))} cannot be kept apart ({len(must)} pairs in all); "
            "keep them apart as far as possible only",
            names=" + ".join(sorted(must[0])),
            pairs=len(must),
        )
    return Drawn(
        seats=seats,
        met_again=len(now & met),
        together=tuple((one, other) for one, other in (sorted(pair) for pair in together)),
        moved=moved,
    )


def pairs(companies: Iterable[Collection[str]]) -> set[frozenset[str]]:
    """List all pairs of people who sit together in one of the companies."""
    return {frozenset(pair) for names in companies for pair in combinations(sorted(names), 2)}
