"""Encode JPEG pictures, and cut them out of streams by their markers (ITU T.81, B.1) without decoding."""

import cv2

from vision.images import Picture

#: Markers of a start of frame, which holds the size; without those of tables and arithmetic coding between them.
START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def split_jpegs(buffer: bytearray) -> list[bytes]:
    """Take the whole JPEG pictures at the front of a stream out of ``buffer``; an unfinished one stays in it.

    Walks the header's segments by their length (a thumbnail in them has an end mark of its own), then finds the end
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
        if end < 0:  # no JPEG after all: search for the next start
            del buffer[:2]
            continue
        found.append(bytes(buffer[:end]))
        del buffer[:end]


def _end_of_jpeg(data: bytearray) -> int:
    """Find the length in bytes of the picture at the start of ``data``; 0 if it is not complete, -1 if it is none."""
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
    """Read width and height in pixels from a picture's header; None if this is no JPEG that has them."""
    at = 2
    while data[:2] == b"\xff\xd8" and at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in START_OF_FRAME:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 1 if data[at + 1] == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def encode_jpeg(image: Picture, quality: int) -> bytes:
    """Encode a picture, (H, W, 3) uint8 BGR, as JPEG of a quality from 1 to 100."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def shrunk_jpeg(picture: Picture, width: int) -> tuple[bytes, float]:
    """Encode a picture, made smaller to at most ``width`` px; the JPEG and the scale applied."""
    scale = min(1.0, width / picture.shape[1])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    return encode_jpeg(small, 80), scale
