"""Deal out rounds to the tables of a hall: some are simulated once, each table plays one of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kiosk.demo.play import simulate
from kiosk.rules.books import DEFAULT

#: Rounds of the default book that differ; each has about 870 events.
_DIFFERENT = 8

Event = dict[str, Any]

_known: dict[int, Sequence[Event]] = {}


def keep_rounds(path: Path) -> None:
    """Write the rounds for the processes of the tables, which need not simulate them again."""
    path.write_text(json.dumps([_round(number) for number in range(_DIFFERENT)]))


def take_rounds(path: Path) -> None:
    """Take the rounds that ``keep_rounds`` has written."""
    _known.update(enumerate(json.loads(path.read_text())))


def round_of(table: int) -> list[Event]:
    """Return the events of the round that this table plays, from ``open`` to ``close``."""
    first, *others = _round(table % _DIFFERENT)
    return [{**first, "table": table}, *others]


def _round(number: int) -> Sequence[Event]:
    if number not in _known:
        _known[number] = tuple(simulate(DEFAULT, number + 1, None))
    return _known[number]
