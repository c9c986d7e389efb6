"""Read what a virtual machine wrote onto its card, write by write, and make the card of a power cut in the middle.

QEMU's ``blklogwrites`` keeps the log, in the format of Linux's dm-log-writes: a superblock, then entries of one sector,
each followed by its data (https://docs.kernel.org/admin-guide/device-mapper/log-writes.html).
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kiosk.bench.vm.errors import MachineError

_MAGIC = 0x6A736677736872
_FLUSH, _FUA, _DISCARD = 1, 2, 4
#: Bytes that are looked at together.
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Write:
    """One thing that came to the card.

    :param offset: of the card, bytes. :param length: bytes. :param at: where its data lie in the log, bytes.
    :param flush: everything before it lies on the card from now on.
    """

    offset: int
    length: int
    at: int
    flush: bool


def count(log: Path) -> int:
    """Return how many entries the log had at its last flush: what was acknowledged after it lies among them."""
    with open(log, "rb") as file:
        magic, _, entries = struct.unpack("<QQQ", file.read(24))
    if magic != _MAGIC:
        raise MachineError(f"{log} is no log of writes")
    return int(entries)


def read(log: Path, entries: int) -> Iterator[Write]:
    """Read the first entries of a log."""
    with open(log, "rb") as file:
        _, _, _, sector = struct.unpack("<QQQI", file.read(28))
        at = sector
        for _ in range(entries):
            file.seek(at)
            start, sectors, flags, _ = struct.unpack("<QQQQ", file.read(32))
            at += sector
            length = 0 if flags & _DISCARD else sectors * sector
            yield Write(start * sector, length, at, bool(flags & (_FLUSH | _FUA)))
            at += length


def last_flush(writes: Sequence[Write], position: int) -> int:
    """Return the number of entries up to and with the last flush before a position; 0: there was none."""
    return next((number for number in range(position, 0, -1) if writes[number - 1].flush), 0)


def apply(log: Path, writes: Sequence[Write], part: Path, start: int) -> None:
    """Write these entries onto a raw copy of a part of the card; zeros leave it as sparse as it was.

    :param start: where the part begins on the card, bytes; it goes to the end of its file.
    """
    size = part.stat().st_size
    with open(log, "rb") as source, open(part, "r+b") as target:
        for write in writes:
            first, end = max(start - write.offset, 0), min(write.length, start + size - write.offset)
            for done in range(first, end, _PIECE):
                to, length = write.offset + done - start, min(_PIECE, end - done)
                source.seek(write.at + done)
                piece = source.read(length)
                target.seek(to)
                if piece.strip(b"\0") or target.read(length).strip(b"\0"):
                    target.seek(to)
                    target.write(piece)
