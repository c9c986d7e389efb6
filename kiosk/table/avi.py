"""Write and read a film of JPEG pictures as an AVI file (RIFF, codec MJPG), which every player opens.

The pictures go in as they are, so that nothing is encoded again. Layout: Microsoft, *AVI RIFF File Reference*.
"""

import struct
from collections.abc import Iterator, Sequence

#: Pictures a second of the file; a picture that stood for longer is in it more than once.
PICTURES_PER_S = 15

#: A key frame, in the index.
_KEY = 0x10
_INDEXED = 0x10


class NoFilm(ValueError):
    """Data that are no film of JPEG pictures."""


def write_avi(pictures: Sequence[tuple[float, bytes]], rate: int = PICTURES_PER_S) -> bytes:
    """Write a file that shows each of (seconds, JPEG) from its time until the next one's.

    :raises NoFilm: there are no pictures, or the first is no JPEG.
    """
    if not pictures:
        raise NoFilm("a film needs at least one picture")
    width, height = _size(pictures[0][1])
    shown = [jpeg for _, jpeg in _evenly(pictures, rate)]
    chunks, index, at = [], [], 4
    for jpeg in shown:
        chunks.append(_chunk(b"00dc", jpeg))
        index.append(struct.pack("<4sIII", b"00dc", _KEY, at, len(jpeg)))
        at += len(chunks[-1])
    most = max(map(len, shown))
    main = struct.pack(
        "<14I", 1_000_000 // rate, most * rate, 0, _INDEXED, len(shown), 0, 1, most, width, height, 0, 0, 0, 0
    )
    stream = struct.pack(
        "<4s4sIHHIIIIIIII4H",
        *(b"vids", b"MJPG", 0, 0, 0, 0, 1, rate, 0, len(shown), most, 0xFFFFFFFF, 0),
        *(0, 0, width, height),
    )
    picture = struct.pack("<IiiHH4sIiiII", 40, width, height, 1, 24, b"MJPG", width * height * 3, 0, 0, 0, 0)
    header = _list(b"hdrl", _chunk(b"avih", main) + _list(b"strl", _chunk(b"strh", stream) + _chunk(b"strf", picture)))
    body = header + _list(b"movi", b"".join(chunks)) + _chunk(b"idx1", b"".join(index))
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"AVI " + body


def read_avi(data: bytes) -> list[tuple[float, bytes]]:
    """Read (seconds from the start, JPEG) of a file that ``write_avi`` made; a repeated picture is returned once.

    :raises NoFilm: it is no such file. What is cut off at its end is left out.
    """
    if data[:4] != b"RIFF" or data[8:12] != b"AVI ":
        raise NoFilm("the file is no AVI film")
    rate, found = float(PICTURES_PER_S), list[tuple[float, bytes]]()
    number = 0
    for kind, content in _chunks(data[12:]):
        if kind == b"avih" and len(content) >= 4:
            rate = 1_000_000 / max(1, struct.unpack_from("<I", content)[0])
        elif kind == b"00dc":
            if not found or found[-1][1] != content:
                found.append((number / rate, content))
            number += 1
    if not found:
        raise NoFilm("the file has no pictures")
    return found


def _evenly(pictures: Sequence[tuple[float, bytes]], rate: int) -> Iterator[tuple[float, bytes]]:
    """The picture that stands at each moment, ``rate`` a second, and the last one once more."""
    start, end = pictures[0][0], pictures[-1][0]
    number = 0
    for step in range(round((end - start) * rate) + 1):
        at = start + step / rate
        while number + 1 < len(pictures) and pictures[number + 1][0] <= at + 0.5 / rate:
            number += 1
        yield at, pictures[number][1]


def _chunk(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _list(kind: bytes, content: bytes) -> bytes:
    return b"LIST" + struct.pack("<I", 4 + len(content)) + kind + content


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """All chunks with what is in them, lists opened."""
    at = 0
    while at + 8 <= len(data):
        kind, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        content = data[at + 8 : at + 8 + size]
        if kind == b"LIST":
            yield from _chunks(content[4:])
        elif len(content) == size:
            yield kind, content
        at += 8 + size + size % 2


def _size(jpeg: bytes) -> tuple[int, int]:
    """Width and height, from the frame header (ITU T.81, B.2.2).

    :raises NoFilm: it is no JPEG
    """
    at = 2
    while jpeg[:2] == b"\xff\xd8" and at + 9 <= len(jpeg) and jpeg[at] == 0xFF:
        if jpeg[at + 1] in (0xC0, 0xC1, 0xC2):
            height, width = struct.unpack_from(">HH", jpeg, at + 5)
            return width, height
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    raise NoFilm("the picture is no JPEG")
