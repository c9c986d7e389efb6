"""Make of a copy what is kept in the database, and of that a copy again, in a tenth of the time that folding takes.

It is a pickle of which only this program's own frozen values are read. One of another version is never read: the
version is a digest of all that folds.
"""

import dataclasses
import hashlib
import io
import logging
import pickle
import sys
import types
import zlib
from collections.abc import Mapping
from copyreg import __newobj__  # type: ignore[attr-defined]
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import kiosk.rules
import kiosk.table.events
import kiosk.table.round
from kiosk.director.storage.fold_store import KeptFold
from kiosk.director.tables import copy as copy_module
from kiosk.director.tables.copy import Copy
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.game import Game
from kiosk.table.round.fold import Round

log = logging.getLogger(__name__)

_LEVEL = 1

#: Values from which on a mapping is one of options, as most lists of a hall have the same of them.
_OPTIONS, _MOST_SHARED = 12, 100

#: Rooms of all that folds.
FOLDS = (kiosk.rules, kiosk.table.round, kiosk.table.events)

_NOTHING: Mapping[Any, Any] = types.MappingProxyType({})
_shared: dict[str, Mapping[Any, Any]] = {}


@cache
def version() -> str:
    """Compute the version of all that folds: what one has kept no other one reads.

    Screens, lists and pages are none of it: a release that changes nothing else starts with what is kept.
    """
    digest = hashlib.sha256(sys.version.encode())
    folders = [Path(str(room.__file__)).parent for room in FOLDS]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    for path in (*files, Path(copy_module.__file__), Path(__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:32]


def keep(copy: Copy) -> KeptFold | None:
    """Make what is kept of a copy; None where it would not come back the same."""
    body = _packed(copy)
    found = KeptFold(copy.key, copy.count - 1, copy.chain, version(), body)
    if take(found) != copy:
        log.error("%s: its fold does not come back as it is, and is not kept", copy.key)
        return None
    return found


def take(kept: KeptFold) -> Copy | None:
    """Make the copy of what was kept of it; None where it cannot be read."""
    try:
        values = _Unpickler(io.BytesIO(zlib.decompress(kept.body))).load()
        count, trouble, names, round_ = values
        assert count == kept.last + 1 and (round_ is None or isinstance(round_, Round))
    except Exception:  # whatever stands there: the list is folded from its events
        log.exception("%s: what was kept of its fold cannot be read", kept.key)
        return None
    return Copy(kept.key, count, round_, trouble, set(names), kept.chain, folded=count, kept=count)


def _packed(copy: Copy) -> bytes:
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump((copy.count, copy.trouble, sorted(copy.names), copy.round))
    return zlib.compress(file.getvalue(), _LEVEL)


def _view(values: dict[Any, Any]) -> Mapping[Any, Any]:
    """Make the values unchangeable; all lists share one of nothing, and those with the same options one of these."""
    if not values:
        return _NOTHING
    if len(values) < _OPTIONS:
        return types.MappingProxyType(values)
    if len(_shared) > _MOST_SHARED:
        _shared.clear()
    return _shared.setdefault(repr(values), types.MappingProxyType(values))


class _Pickler(pickle.Pickler):
    """Writes a round: its book by name, and of what is computed from its fields nothing."""

    def persistent_id(self, value: object) -> str | None:
        return value.name if isinstance(value, RuleBook) else None

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, types.MappingProxyType):
            return _view, (dict(value),)
        if isinstance(value, Round | Game):
            fields = {field.name: value.__dict__[field.name] for field in dataclasses.fields(value)}
            return __newobj__, (type(value),), fields
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    """Reads a round: nothing but frozen values of the rules and of the table is made, whatever is asked for."""

    def persistent_load(self, name: str) -> RuleBook:
        return BOOKS[name]

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (_view.__module__, _view.__name__):
            return _view
        if module.startswith(("kiosk.rules.", "kiosk.table.")):
            found = super().find_class(module, name)
            if isinstance(found, type) and (dataclasses.is_dataclass(found) or issubclass(found, Enum)):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value of a round")
