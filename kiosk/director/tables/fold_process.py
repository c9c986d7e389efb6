"""Fold lists in a process of its own and keep their folds: ``python -m kiosk.director.tables.fold_process``.

The first line of standard input is the database's URL as JSON, each further one a list of lists (tournament, round,
table). Standard output gets the same line again once their folds are kept, as far as they can be.
"""

import gc
import json
import logging
import os
import sys

from kiosk.director.key import ListKey
from kiosk.director.refusals import StoreFailed
from kiosk.director.storage.fold_store import KeptFold
from kiosk.director.storage.store import Store
from kiosk.director.tables import folds
from kiosk.director.tables.copy import Copy
from kiosk.table.round.packed import compact

log = logging.getLogger(__name__)


def folded(store: Store, key: ListKey) -> KeptFold | None:
    """Fold a list up to the last moment at which its fold may be kept (``folds.may_keep``); None: there is none.

    :raises StoreFailed: it cannot be read.
    """
    copy, kept = Copy(key), None
    for event in store.read(key):
        copy.add([event])
        if folds.may_keep(copy.round):
            kept = copy.count, copy.round, copy.trouble, frozenset(copy.names), copy.chain
    if kept is None:
        return None
    count, round_, trouble, names, chain = kept
    assert round_ is not None
    return folds.keep(Copy(key, count, compact(round_), trouble, set(names), chain, folded=count))


def main() -> None:
    """Fold until standard input ends."""
    os.nice(5)  # the hall goes first
    gc.disable()  # lists refer to each other in no circles
    store = Store(json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        try:
            found = [folded(store, ListKey(*key)) for key in json.loads(line)]
            store.keep_folds(sorted((one for one in found if one is not None), key=lambda one: one.key))
        except StoreFailed as error:  # the service folds them itself
            log.error("%s", error)
        print(line, end="", flush=True)


if __name__ == "__main__":
    main()
