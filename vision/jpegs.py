"""JPEG pictures: making them; in streams, where one ends and how large it is by its marks (ITU T.81, B.1)."""

import cv2

from vision.pictures import Picture

#: Marks that begin a frame and tell its size; between them those of tables and of arithmetic coding.
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def split_jpegs(buffer: bytearray) -> list[bytes]:
    """The whole JPEG pictures at the front of a stream, taken out of ``buffer``; an unfinished one stays in it.

    Walks the header's segments by their length (a thumbnail in them has an end mark of its own), then looks for the end
    of image in the coded data, where FF D9 stands for nothing else (ITU T.81, B.1.1).
    """
    found: list[bytes] = []
    while True:
        start = buffer.find(b"\xff\xd8")
        if start < 0:
            del buffer[: max(0, len(buffer) - 1)]
            return found
        if start:
            del buffer[:start]
        end = _end_of_jpeg(buffer)
        if end == 0:
            return found
        if end < 0:  # no JPEG after all: look for the next start
            del buffer[:2]
            continue
        found.append(bytes(buffer[:end]))
        del buffer[:end]


def _end_of_jpeg(data: bytearray) -> int:
    """Length of the picture at the start of ``data``; 0 if it is not complete, -1 if it is none."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return -1
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xDA:
            end = data.find(b"\xff\xd9", at)
            return end + 2 if end >= 0 else 0
    return 0


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a picture; None if this is no JPEG that tells them."""
    at = 2
    while data[:2] == b"\xff\xd8" and at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in FRAMES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 1 if data[at + 1] == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def encoded(image: Picture, quality: int) -> bytes:
    """A picture, (H, W, 3) uint8 BGR, as JPEG of a quality from 1 to 100."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
