"""Compare the lists that a table says it has with those stored: which of them it shall send."""

import logging
from typing import Any

from kiosk.director.key import ListKey
from kiosk.director.storage.store import Store
from kiosk.errors import shorten
from kiosk.table.events.chain import START, link

log = logging.getLogger(__name__)

#: Lists of which a table may tell at once.
MOST = 300


def wanted(store: Store, table: int, tournaments: frozenset[str], have: list[Any]) -> list[list[Any]]:
    """Return tournament and round of each list that is stored otherwise; one that was put by here is not wanted again.

    :param tournaments: those that are held here.
    :param have: tournament, round, number of the last event, chain over all, chain over the first, of each.
    :raises ValueError: a table says it otherwise.
    """
    found = []
    for name, round_, last, chain, first in have[:MOST]:
        if type(name) is not str or type(round_) is not int or not 0 < round_ <= 1_000_000 or type(last) is not int:
            raise ValueError(
                f"{shorten(name)}, {shorten(round_)}, {shorten(last)}: tournament, round and number are wanted"
            )
        key = ListKey(name, round_, table)
        if name not in tournaments:
            continue
        stand = store.stand(key)
        if (stand.last, stand.chain) != (last, chain) and not (stand.last < 0 and _put_by(store, key, first)):
            found.append([name, round_])
    return found


def _put_by(store: Store, key: ListKey, first: object) -> bool:
    """Whether a list that began so was put by."""
    for aside in store.asides(key):
        opening = store.read(key, -1, aside)[:1]
        if opening and link(START, opening[0]) == first:
            return True
    return False
