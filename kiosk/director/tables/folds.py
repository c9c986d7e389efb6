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
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import kiosk.rules
import kiosk.table.events
import kiosk.table.round
from kiosk.director.storage.fold_store import KeptFold
from kiosk.director.tables import copy as copy_module
from kiosk.director.tables.copy import NUMBERS, Copy
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.known import book_by_content
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import Contract, contract
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.proof import Knowledge
from kiosk.table.round.fold import Round

log = logging.getLogger(__name__)

_LEVEL = 1

#: Values from which on a mapping is one of options, as most lists of a hall have the same of them.
_OPTIONS, _MOST_SHARED = 12, 100

#: Rooms of all that folds.
FOLDS = (kiosk.rules, kiosk.table.round, kiosk.table.events)

_NOTHING: Mapping[Any, Any] = types.MappingProxyType({})
_shared: dict[str, Mapping[Any, Any]] = {}
_nothing_left: dict[tuple[Any, ...], Mapping[Any, Any]] = {}  # by its keys: their values are all 0


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


def may_keep(round_: Round | None) -> bool:
    """Whether a list's fold may be kept now: between games, and where no card is open to doubt.

    While a game runs, and as long as questions are asked of it, its cards are put right: that is to go quickly.
    """
    return round_ is not None and not round_.running and not round_.doubts


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
        _share_numbers(round_)
    except Exception:  # whatever stands there: the list is folded from its events
        log.exception("%s: what was kept of its fold cannot be read", kept.key)
        return None
    return Copy(kept.key, count, round_, trouble, set(names), kept.chain, folded=count, kept=count)


def _share_numbers(round_: Round | None) -> None:
    """Let the cards of a round that was just read hold numbers that all lists share: a tenth of its memory."""
    games = () if round_ is None else (*round_.games, *((round_.game,) if round_.game is not None else ()))
    for game in games:
        for laid in chain(game.open_trick, *(trick.cards for trick in game.tricks)):
            if laid.event < len(NUMBERS):
                object.__setattr__(laid, "event", NUMBERS[laid.event])  # an equal one; nobody has seen it yet


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


def _named(contract: Contract) -> tuple[Any, ...]:
    """What a contract is made of."""
    named = contract.game, contract.suit, contract.solo, contract.re_card, contract.trumps, contract.plain_ranks
    return *named, tuple(contract.classes), contract.raised


@lru_cache(maxsize=_MOST_SHARED)
def _contract(
    game: str,
    suit: str | None,
    solo: bool,
    re_card: Card | None,
    trumps: tuple[Card, ...],
    plain_ranks: str,
    deck: tuple[Card, ...],
    raised: tuple[Card, ...],
) -> Contract:
    """Make a contract again; all lists share it: with its tables it is a tenth of a list."""
    ranks = plain_ranks
    return contract(
        game, suit=suit, solo=solo, re_card=re_card, trumps=trumps, plain_ranks=ranks, deck=deck, raised=raised
    )


def _knowledge(shown: Any, unseen: Mapping[Card, int], sizes: Mapping[int, int], left: int) -> Knowledge:
    """Make what is known of the hands; of most games that have ended nothing is unseen: they share that."""
    return Knowledge(shown=shown, unseen=_same(unseen), sizes=_same(sizes), left=left)


def _same(values: Mapping[Any, Any]) -> Mapping[Any, Any]:
    if any(values.values()) or len(_nothing_left) > _MOST_SHARED:
        return values
    return _nothing_left.setdefault(tuple(values), values)


class _Pickler(pickle.Pickler):
    """Writes a round: its book by name, a club's own with its content, and nothing that is computed from its fields."""

    def persistent_id(self, value: object) -> tuple[str, Mapping[str, Any] | None] | None:
        if not isinstance(value, RuleBook):
            return None
        return value.name, dict(value.own.content) if value.own else None

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, types.MappingProxyType):
            return _view, (dict(value),)
        if isinstance(value, Contract):
            return _contract, _named(value)
        if isinstance(value, Knowledge):
            return _knowledge, (value.shown, value.unseen, value.sizes, value.left)
        if isinstance(value, Enum):  # Python before 3.11.4, as Debian 12 has it, would write a call of getattr
            return type(value), (value.value,)
        if isinstance(value, Round | Game):
            fields = {field.name: value.__dict__[field.name] for field in dataclasses.fields(value)}
            return __newobj__, (type(value),), fields
        return NotImplemented


#: What may be called beside classes of frozen values.
_MAKERS: Mapping[str, Any] = {"_view": _view, "_contract": _contract, "_knowledge": _knowledge}


class _Unpickler(pickle.Unpickler):
    """Reads a round: nothing but frozen values of the rules and of the table is made, whatever is asked for."""

    def persistent_load(self, of: tuple[str, Mapping[str, Any] | None]) -> RuleBook:
        name, content = of
        return BOOKS[name] if content is None else book_by_content(name, content, "fold")

    def find_class(self, module: str, name: str) -> Any:
        if module == __name__ and name in _MAKERS:
            return _MAKERS[name]
        if module.startswith(("kiosk.rules.", "kiosk.table.")):
            found = super().find_class(module, name)
            if isinstance(found, type) and (dataclasses.is_dataclass(found) or issubclass(found, Enum)):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value of a round")
