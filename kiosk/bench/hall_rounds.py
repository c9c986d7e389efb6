"""Deal out rounds to the tables of a hall: some are simulated once, each table plays one of them."""

from functools import cache
from typing import Any

from kiosk.demo.play import simulate

#: Rounds of eppstein that differ; each has about 870 events.
_DIFFERENT = 8


@cache
def _simulated(seed: int) -> tuple[dict[str, Any], ...]:
    return tuple(simulate("eppstein", seed + 1, None))


def round_of(table: int) -> list[dict[str, Any]]:
    """Return the events of the round that this table plays, from ``open`` to ``close``."""
    first, *others = _simulated(table % _DIFFERENT)
    return [{**first, "table": table}, *others]
