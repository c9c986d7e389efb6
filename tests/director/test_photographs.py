"""Photographs that the direction takes in: measured before they are decoded, made smaller at once."""

import io
import struct
import zlib

import pytest
from PIL import Image

from kiosk.director.pages.photo_routes import made_anew
from kiosk.errors import BadNote


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is so large."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("width", "height"), [(8000, 8000), (20_000, 20_000), (2**31 - 1, 2**31 - 1)])
def test_a_photograph_that_is_too_large_is_told_with_its_size(width, height, monkeypatch):
    monkeypatch.setattr(Image.Image, "load", lambda self: pytest.fail("it was decoded"))
    with pytest.raises(BadNote, match=f"{width} × {height} pixels, at most 52 million") as told:
        made_anew(bomb(width, height))
    assert told.value.code == "photo"


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P", "1", "I;16", "CMYK"])
def test_pictures_of_every_kind_are_made_smaller_and_upright(mode):
    plain = Image.new("RGB", (300, 100), "white")
    plain.paste("black", (0, 0, 150, 100))
    picture = (
        plain.convert("I").point(lambda grey: grey * 257).convert("I;16") if mode == "I;16" else plain.convert(mode)
    )
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side
    file = io.BytesIO()
    picture.save(file, "JPEG" if mode == "CMYK" else "PNG", exif=exif)
    made = Image.open(io.BytesIO(made_anew(file.getvalue(), 150)))
    assert (made.size, made.mode, made.format) == ((50, 150), "RGB", "JPEG")
    assert max(made.getpixel((25, 20))) < 60 and min(made.getpixel((25, 130))) > 195
