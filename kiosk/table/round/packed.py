"""Hold a round in little room: its events packed, and read again whenever somebody asks for them.

It gives the same answers to everything. Only what is put right in its last game is folded from the beginning: the
states from which that would be quicker are left out.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, overload

from kiosk.errors import KioskError
from kiosk.rules.engine.evolve import evolve
from kiosk.table.events.codec import decode, encode
from kiosk.table.events.values import Event
from kiosk.table.round.fold import Round

Numbered: TypeAlias = tuple[int, Event]

#: zlib's quickest: a slower one saves a tenth.
_LEVEL = 1


@dataclass(frozen=True, slots=True, eq=False)
class PackedEvents(Sequence[Numbered]):
    """Events with their numbers; equal to the tuple of them."""

    first: Numbered  # what is asked for most: the opening, and
    last: Numbered
    packed: bytes
    size: int

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: int) -> Numbered: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Numbered, ...]: ...
    def __getitem__(self, place: int | slice) -> Numbered | tuple[Numbered, ...]:
        return self.first if place == 0 else _unpacked(self.packed)[place]

    def __iter__(self) -> Iterator[Numbered]:
        yield self.first
        yield from _unpacked(self.packed)[1:]

    def __reversed__(self) -> Iterator[Numbered]:
        yield self.last
        yield from reversed(_unpacked(self.packed)[:-1])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedEvents) and self.packed == other.packed:
            return True
        return isinstance(other, tuple | PackedEvents) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def compact(round_: Round) -> Round:
    """Return the same round in less memory; as it is where its events do not come back as they are (they do)."""
    if isinstance(round_.earlier, PackedEvents) and not round_.lately and round_.before is None:
        return round_
    packed = _pack(round_.log)
    return round_ if packed is None else evolve(round_, earlier=packed, lately=(), before=None, leads=())


def _pack(events: tuple[Numbered, ...]) -> PackedEvents | None:
    rows = [(number, encode(event)) for number, event in events]
    packed = zlib.compress(json.dumps(rows).encode(), _LEVEL)
    try:
        same = _unpack(packed) == events
    except KioskError:
        same = False
    return PackedEvents(events[0], events[-1], packed, len(events)) if same else None


def _unpack(packed: bytes) -> tuple[Numbered, ...]:
    rows: list[tuple[int, Any]] = json.loads(zlib.decompress(packed))
    return tuple((number, decode(body, keep=False)) for number, body in rows)


#: Of few lists: who asks for the events of one asks for them several times.
_unpacked = lru_cache(maxsize=4)(_unpack)
